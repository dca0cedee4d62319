package httpx

import (
	"encoding/json"
	"net/http"
	"strings"
)

// HeadersJSON returns the headers of a request as policies read them: a JSON object by names in lower
// case.
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
