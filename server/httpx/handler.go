// Package httpx is what every HTTP surface of the server shares: handlers that
// return errors, JSON in and out, and the middleware around them.
package httpx

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// Handler answers a request or returns why it could not.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Renderer writes an error in the shape of one surface (rest, auth, storage …).
type Renderer func(w http.ResponseWriter, r *http.Request, err *apierr.Error)

// Adapter turns handlers of one surface into http.Handlers. It is the one place
// where an error that no client may see is logged and becomes a bare 500.
type Adapter struct {
	Render   Renderer
	Internal *apierr.Error // the surface's answer for an unexpected failure
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
	switch {
	case visible != nil:
	case errors.As(err, &tooLarge):
		visible = apierr.New(http.StatusRequestEntityTooLarge, "request_entity_too_large",
			"Request body is larger than the %d bytes allowed", tooLarge.Limit)
	case r.Context().Err() != nil:
		// The client went away; nobody reads the answer. 499 is nginx's name for it.
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

// WriteJSON answers with a JSON value.
func WriteJSON(w http.ResponseWriter, status int, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // fails only where the client has gone: nobody to tell
	return nil
}

// ErrBadJSON marks a request body that is not the JSON expected. Surfaces give
// it their own code.
var ErrBadJSON = errors.New("request body is not valid JSON")

// ReadJSON decodes a request body of at most limit bytes into value. An empty
// body leaves value as it is.
//
// Errors: ErrBadJSON; *http.MaxBytesError, which the adapter answers with 413.
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
