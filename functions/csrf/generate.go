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

const (
	maxBody    = 4 << 10 // largest request body, in bytes
	maxSession = 1 << 10 // longest session id, in bytes
)

// Generate is generate-csrf-token: it takes {sessionId} and returns {token} (FN-04).
//
// Errors: 400 bad_json, session_required.
func Generate(key []byte, now func() time.Time) functions.Func {
	return functions.Func{Name: "generate-csrf-token", Serve: func(w http.ResponseWriter, r *http.Request) error {
		var request struct {
			SessionID string `json:"sessionId"`
		}
		if err := readRequest(w, r, &request); err != nil {
			return err
		}
		if request.SessionID == "" || len(request.SessionID) > maxSession {
			return apierr.New(http.StatusBadRequest, "session_required", "sessionId is required")
		}
		who, _ := claims.FromContext(r.Context())
		return writeUncached(w, map[string]string{"token": newToken(key, binding{who, request.SessionID}, now())})
	}}
}

// readRequest decodes the request's body into request.
func readRequest(w http.ResponseWriter, r *http.Request, request any) error {
	err := httpx.ReadJSON(w, r, maxBody, request)
	if errors.Is(err, httpx.ErrBadJSON) {
		return apierr.New(http.StatusBadRequest, "bad_json", "The body is not the JSON expected").WithCause(err)
	}
	return err
}

// writeUncached writes value as JSON that no cache may store.
func writeUncached(w http.ResponseWriter, value any) error {
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, value)
}
