package rest

import (
	"encoding/json"
	"errors"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// adapter answers errors in PostgREST's shape.
var adapter = httpx.Adapter{
	Render:   renderError,
	Internal: apierr.New(http.StatusInternalServerError, "PGRSTX00", "Unexpected error. The details are in the server's log."),
}

// errorBody is PostgREST's error object: absent details and hints are null.
type errorBody struct {
	Code    string          `json:"code"`
	Details json.RawMessage `json:"details"`
	Hint    *string         `json:"hint"`
	Message string          `json:"message"`
}

func renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	body := errorBody{Code: e.Code, Details: e.Details, Message: e.Message}
	if e.Hint != "" {
		body.Hint = &e.Hint
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if e.Status == http.StatusServiceUnavailable || e.Status == http.StatusGatewayTimeout {
		w.Header().Set("Retry-After", "1")
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(e.Status)
		return
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentTypes[mediaJSON])
	w.WriteHeader(e.Status)
	_, _ = w.Write(encoded)
}

// tokenError gives a refused token upstream's code.
func tokenError(err error) error {
	code, message := "PGRST301", "Provided JWT couldn't be decoded or it is invalid"
	switch {
	case errors.Is(err, claims.ErrExpired):
		code, message = "PGRST303", "JWT expired"
	case errors.Is(err, claims.ErrNotYet):
		code, message = "PGRST303", "JWT not yet valid"
	case errors.Is(err, claims.ErrSignature):
		message = "No suitable key or wrong key type"
	}
	return apierr.New(http.StatusUnauthorized, code, "%s", message).WithCause(err)
}

// keyError answers as Supabase's gateway does, with a code of ours.
func keyError(err error) error {
	if errors.Is(err, claims.ErrNoKey) {
		return apierr.New(http.StatusUnauthorized, "no_api_key", "No API key found in request").
			WithHint("No `apikey` request header or url param was found.")
	}
	return apierr.New(http.StatusUnauthorized, "invalid_api_key", "Invalid API key").
		WithHint("Double check your Supabase `anon` or `service_role` API key.")
}
