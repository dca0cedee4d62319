package csrf

import (
	"net/http"
	"time"

	"plaza/functions"
	"plaza/server/claims"
)

// Validate is validate-csrf-token: it takes {token, sessionId} and returns {valid} (FN-05).
// Only a token that the server created for this caller and session, and that has not
// expired, is valid.
//
// Errors: 400 bad_json.
func Validate(key []byte, now func() time.Time) functions.Func {
	return functions.Func{Name: "validate-csrf-token", Serve: func(w http.ResponseWriter, r *http.Request) error {
		var request struct {
			Token     string `json:"token"`
			SessionID string `json:"sessionId"`
		}
		if err := readRequest(w, r, &request); err != nil {
			return err
		}
		who, _ := claims.FromContext(r.Context())
		valid := request.SessionID != "" && isValid(key, binding{who, request.SessionID}, request.Token, now())
		return writeUncached(w, map[string]bool{"valid": valid})
	}}
}
