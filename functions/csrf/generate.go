package csrf

import (
	"errors"
	"net/http"
	"time"

	"plaza/functions"
	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// maxBody is the largest question read, in bytes; maxSession the longest session
// id in it.
const (
	maxBody    = 4 << 10
	maxSession = 1 << 10
)

// Generate is generate-csrf-token: {sessionId} gives {token} (FN-04).
//
// Errors: 400 bad_json, session_required.
func Generate(key []byte, now func() time.Time) functions.Func {
	return functions.Func{Name: "generate-csrf-token", Serve: func(w http.ResponseWriter, r *http.Request) error {
		var question struct {
			SessionID string `json:"sessionId"`
		}
		if err := read(w, r, &question); err != nil {
			return err
		}
		if question.SessionID == "" || len(question.SessionID) > maxSession {
			return apierr.New(http.StatusBadRequest, "session_required", "sessionId is required")
		}
		who, _ := claims.FromContext(r.Context())
		return answer(w, map[string]string{"token": newToken(key, binding{who, question.SessionID}, now())})
	}}
}

// read decodes a question.
func read(w http.ResponseWriter, r *http.Request, question any) error {
	err := httpx.ReadJSON(w, r, maxBody, question)
	if errors.Is(err, httpx.ErrBadJSON) {
		return apierr.New(http.StatusBadRequest, "bad_json", "The body is not the JSON expected").WithCause(err)
	}
	return err
}

// answer sends what no cache may keep.
func answer(w http.ResponseWriter, value any) error {
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, value)
}
