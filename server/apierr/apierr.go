// Package apierr holds the one error type a client may see.
package apierr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Error is a failure the client may be told about. Any other error type is a
// bug or an outage: it is logged in full and leaves the server as a bare 500.
//
// Each surface renders it in its own shape: rest {code,message,details,hint},
// auth {code,error_code,msg}, storage {statusCode,code,error,message}.
type Error struct {
	Status  int             // HTTP status
	Code    string          // stable and documented: "PGRST116", "user_not_found", "23505"
	Message string          // safe to show
	Details json.RawMessage // JSON value, nil for null; rest only
	Hint    string          // empty for null; rest only
	Err     error           // cause; logged, never sent

	Headers map[string]string // further response headers, as SQL asked for; rest only
}

// New makes an error a client may see. The message is shown as it is.
func New(status int, code, format string, args ...any) *Error {
	return &Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error joins code, message and cause, for logs.
func (e *Error) Error() string {
	text := e.Code + ": " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WithDetail returns a copy that carries a detail text.
func (e *Error) WithDetail(format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	return e.WithDetails(text)
}

// WithDetails returns a copy that carries any JSON value as details.
func (e *Error) WithDetails(value any) *Error {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	clone := *e
	if clone.Details = nil; encoder.Encode(value) == nil {
		clone.Details = bytes.TrimSpace(raw.Bytes())
	}
	return &clone
}

// WithHint returns a copy that carries a hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	clone := *e
	clone.Hint = fmt.Sprintf(format, args...)
	return &clone
}

// WithCause returns a copy that carries the error behind it.
func (e *Error) WithCause(err error) *Error {
	clone := *e
	clone.Err = err
	return &clone
}

// As returns the client-visible error in err's chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
