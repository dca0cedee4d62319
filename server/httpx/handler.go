// Package httpx has what all HTTP APIs of the server share: handlers that return errors, JSON
// encoding and decoding, and middleware.
package httpx

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// Handler handles a request or returns an error.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Renderer writes an error in the format of one API (rest, auth, storage …).
type Renderer func(w http.ResponseWriter, r *http.Request, err *apierr.Error)

// Adapter turns the Handlers of one API into http.Handlers. Only here are internal errors replaced by
// a generic error with status 500.
type Adapter struct {
	Render   Renderer
	Internal *apierr.Error // the response to an unexpected error
}

// Handle adapts one handler.
func (a Adapter) Handle(h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			a.fail(w, r, err)
		}
	})
}

func (a Adapter) fail(w http.ResponseWriter, r *http.Request, err error) {
	visible := apierr.As(err)
	var tooLarge *http.MaxBytesError
	// PostgreSQL has one SQLSTATE for a statement that took too long and for one whose client has disconnected.
	isAbandoned := visible != nil && visible.Status == http.StatusGatewayTimeout && errors.Is(r.Context().Err(), context.Canceled)
	switch {
	case visible != nil && !isAbandoned:
	case errors.As(err, &tooLarge):
		visible = apierr.New(http.StatusRequestEntityTooLarge, "request_entity_too_large",
			"Request body is larger than the %d bytes allowed", tooLarge.Limit)
	case r.Context().Err() != nil:
		// The client has disconnected. 499 is nginx's status for this case.
		visible = apierr.New(499, "client_closed_request", "The client closed the request")
	default:
		visible = a.Internal.WithCause(err)
	}
	noteError(r.Context(), visible)
	if visible.Status == http.StatusServiceUnavailable || visible.Status == http.StatusGatewayTimeout {
		w.Header().Set("Retry-After", cmp.Or(visible.Headers["Retry-After"], "1"))
	}
	a.Render(w, r, visible)
}

// WriteJSON writes a response with a JSON value.
func WriteJSON(w http.ResponseWriter, status int, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode response: %w", err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // fails only if the client has disconnected
	return nil
}

// ErrBadJSON means that a request body is not the expected JSON. Each API maps it to its own error
// code.
var ErrBadJSON = errors.New("request body is not valid JSON")

// ReadJSON decodes a request body of at most limit bytes into value. An empty body leaves value
// unchanged.
//
// Errors: ErrBadJSON; *http.MaxBytesError, which Adapter maps to status 413.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64, value any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		return err
	}
	if len(strings.TrimSpace(string(body))) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, value); err != nil {
		return fmt.Errorf("%w: %w", ErrBadJSON, err)
	}
	return nil
}
