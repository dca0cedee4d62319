package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"plaza/server/apierr"
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
		w.Header().Set("WWW-Authenticate", challenge(e))
	}
	for name, value := range e.Headers {
		w.Header().Set(name, value)
	}
	if e.Status == http.StatusServiceUnavailable || e.Status == http.StatusGatewayTimeout {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Proxy-Status", "PostgREST; error="+e.Code)
	if r.Method == http.MethodHead {
		w.WriteHeader(e.Status)
		return
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", jsonContent)
	w.WriteHeader(e.Status)
	_, _ = w.Write(bytes.TrimSpace(encoded.Bytes()))
}

// challenge says how to do better: with a token, or with a better one (RFC 6750).
func challenge(e *apierr.Error) string {
	if e.Code == codeToken || e.Code == codeClaims {
		return `Bearer error="invalid_token", error_description=` + strconv.Quote(e.Message)
	}
	return "Bearer"
}
