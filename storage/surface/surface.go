// Package surface reads what the REST, TUS and S3 surfaces pass on to package core alike.
package surface

import (
	"encoding/json"
	"net/http"
	"strings"
)

// HeadersJSON returns the headers of a request as policies read them, by names in
// lower case.
func HeadersJSON(header http.Header) string {
	flat := make(map[string]string, len(header))
	for name, values := range header {
		flat[strings.ToLower(name)] = strings.ToValidUTF8(strings.Join(values, ", "), "\uFFFD")
	}
	encoded, err := json.Marshal(flat)
	if err != nil {
		return "{}"
	}
	return string(encoded)
}

// UserMetadata returns a JSON object in a form that PostgreSQL can store, or nil.
func UserMetadata(text []byte) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil || object == nil || strings.Contains(string(text), `\u0000`) {
		return nil
	}
	encoded, err := json.Marshal(object) // without half surrogates
	if err != nil {
		return nil
	}
	return encoded
}
