package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/password"
	"plaza/server/auth/store"
	"plaza/server/httpx"
)

var adapter = httpx.Adapter{
	Render: renderError,
	Internal: apierr.New(http.StatusInternalServerError, autherr.CodeUnexpected,
		"Unexpected failure, please check server logs for more information"),
}

// requestTimeout bounds a request, apart from the time in which it may wait for the database's
// next primary. Source: supabase/auth's default.
const requestTimeout = 10 * time.Second

// handle adapts a handler, sets its timeout and maps its errors to API errors.
func (s *base) handle(h httpx.Handler) http.Handler {
	timeout := requestTimeout + s.Store.FailoverTimeout()
	return adapter.Handle(func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		err := h(w, r.WithContext(ctx))
		switch {
		case err == nil || apierr.As(err) != nil:
			return err
		case errors.Is(err, httpx.ErrBadJSON):
			return apierr.New(http.StatusBadRequest, autherr.CodeBadJSON, "Could not parse request body as JSON").WithCause(err)
		case store.IsUnstorable(err):
			return autherr.BadRequest(autherr.CodeValidation, "A text is too long or has characters that cannot be stored").WithCause(err)
		case errors.Is(err, password.ErrBusy):
			return apierr.New(http.StatusTooManyRequests, autherr.CodeRequestRate, "Too many sign-ins at once, please try again in a moment").WithCause(err)
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return apierr.New(http.StatusGatewayTimeout, autherr.CodeTimeout, "Processing this request timed out, please retry after a moment.").WithCause(err)
		}
		return err
	})
}

const (
	versionHeader = "X-Supabase-Api-Version"
	codeHeader    = "X-Sb-Error-Code"
)

// newErrorVersion is the first API version that formats errors as {code, message}.
var newErrorVersion = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

func wantsNewError(r *http.Request) bool {
	version, err := time.Parse(time.DateOnly, r.Header.Get(versionHeader))
	return err == nil && !version.Before(newErrorVersion)
}

// newError is the error format of API version 2024-01-01.
type newError struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Weak    json.RawMessage `json:"weak_password,omitempty"`
}

// oldError is the error format for requests without an API version.
type oldError struct {
	Status  int             `json:"code"`
	Code    string          `json:"error_code"`
	Message string          `json:"msg"`
	ID      string          `json:"error_id,omitempty"`
	Weak    json.RawMessage `json:"weak_password,omitempty"`
}

func renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	code := e.Code
	if strings.HasPrefix(code, "PGRST") { // package pg uses the error codes of the data API
		code = autherr.CodeUnexpected
	}
	var weak json.RawMessage
	if code == autherr.CodeWeakPassword {
		weak = e.Details
	}
	w.Header().Set(codeHeader, code)
	if e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable || e.Status == http.StatusGatewayTimeout {
		w.Header().Set("Retry-After", cmp.Or(e.Headers["Retry-After"], "1"))
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	status, body := e.Status, any(nil)
	raised := store.AsRaised(e.Err)
	switch {
	case wantsNewError(r):
		w.Header().Set(versionHeader, newErrorVersion.Format(time.DateOnly))
		body = newError{Code: code, Message: e.Message, Weak: weak}
	case raised != nil:
		status, body = raised.Status, raised
	default:
		old := oldError{Status: e.Status, Code: code, Message: e.Message, Weak: weak}
		if e.Status >= http.StatusInternalServerError {
			old.ID = httpx.RequestID(r.Context())
		}
		body = old
	}
	if err := httpx.WriteJSON(w, status, body); err != nil {
		http.Error(w, "", http.StatusInternalServerError)
	}
}
