// Package surface reads what the REST and TUS APIs both pass to package core.
package surface

import (
	"encoding/json"
	"strings"
)

// UserMetadata returns a JSON object in a form that PostgreSQL can store, or nil.
func UserMetadata(text []byte) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil || object == nil || strings.Contains(string(text), `\u0000`) {
		return nil
	}
	encoded, err := json.Marshal(object) // replaces unpaired surrogates
	if err != nil {
		return nil
	}
	return encoded
}
