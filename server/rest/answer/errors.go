package answer

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
)

// Adapter renders errors in PostgREST's format. verbosity is called for each request
// and returns how much of an error the client may see.
func Adapter(verbosity func() string) httpx.Adapter {
	return httpx.Adapter{
		Render:   func(w http.ResponseWriter, r *http.Request, e *apierr.Error) { renderError(w, r, e, verbosity()) },
		Internal: apierr.New(http.StatusInternalServerError, "PGRSTX00", "Unexpected error. The details are in the server's log."),
	}
}

// minimalBody is the error object when the verbosity is settings.MinimalErrors.
type minimalBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// errorBody is PostgREST's error object: absent details and hints are null.
type errorBody struct {
	Code    string          `json:"code"`
	Details json.RawMessage `json:"details"`
	Hint    *string         `json:"hint"`
	Message string          `json:"message"`
}

// bodyOf returns the response body for an error.
func bodyOf(e *apierr.Error, verbosity string) any {
	if verbosity == settings.MinimalErrors {
		return minimalBody{e.Code, e.Message}
	}
	body := errorBody{Code: e.Code, Details: e.Details, Message: e.Message}
	if e.Hint != "" {
		body.Hint = &e.Hint
	}
	return body
}

func renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error, verbosity string) {
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
	if err := encoder.Encode(bodyOf(e, verbosity)); err != nil {
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", jsonContent)
	w.WriteHeader(e.Status)
	_, _ = w.Write(bytes.TrimSpace(encoded.Bytes()))
}

// challenge returns the value of WWW-Authenticate (RFC 6750). It distinguishes a
// missing token from an invalid one.
func challenge(e *apierr.Error) string {
	if e.Code == identify.CodeToken || e.Code == identify.CodeClaims {
		return `Bearer error="invalid_token", error_description=` + strconv.Quote(e.Message)
	}
	return "Bearer"
}
