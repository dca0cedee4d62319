// Package apierr has the type of errors that clients may see.
package apierr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Error is an error that the client may see. Any other error is a bug or an outage: it is logged in
// full, and the client gets a generic response with status 500.
//
// Each API renders it in its own format: rest {code,message,details,hint},
// auth {code,error_code,msg}, storage {statusCode,code,error,message}.
type Error struct {
	Status  int             // HTTP status
	Code    string          // stable and documented: "PGRST116", "user_not_found", "23505"
	Message string          // safe to show
	Details json.RawMessage // JSON value, nil for null; not every API shows it
	Hint    string          // empty for null; not every API shows it
	Err     error           // cause; logged, never sent

	Headers map[string]string // additional response headers: Retry-After; in rest also those set by SQL
}

// New returns an error that the client may see. The message is sent unchanged.
func New(status int, code, format string, args ...any) *Error {
	return &Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error returns code, message and cause, for logs.
func (e *Error) Error() string {
	text := e.Code + ": " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WithDetail returns a copy with a text as details.
func (e *Error) WithDetail(format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	return e.WithDetails(text)
}

// WithDetails returns a copy with any JSON value as details.
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

// WithHint returns a copy with a hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	clone := *e
	clone.Hint = fmt.Sprintf(format, args...)
	return &clone
}

// WithCause returns a copy with a cause.
func (e *Error) WithCause(err error) *Error {
	clone := *e
	clone.Err = err
	return &clone
}

// As returns the client-visible error in err's chain, or nil.
func As(err error) *Error {
	if err == nil {
		return nil // the usual case; the variable below is allocated
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
