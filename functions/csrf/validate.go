package csrf

import (
	"net/http"
	"time"

	"plaza/functions"
	"plaza/server/claims"
)

// Validate is validate-csrf-token: {token, sessionId} gives {valid} (FN-05).
// Whatever is not exactly a token that the server made for this caller and
// session, and that has not ended, is not valid.
//
// Errors: 400 bad_json.
func Validate(key []byte, now func() time.Time) functions.Func {
	return functions.Func{Name: "validate-csrf-token", Serve: func(w http.ResponseWriter, r *http.Request) error {
		var question struct {
			Token     string `json:"token"`
			SessionID string `json:"sessionId"`
		}
		if err := read(w, r, &question); err != nil {
			return err
		}
		who, _ := claims.FromContext(r.Context())
		good := question.SessionID != "" && valid(key, binding{who, question.SessionID}, question.Token, now())
		return answer(w, map[string]bool{"valid": good})
	}}
}
