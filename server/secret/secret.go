// Package secret has the type of settings that must not be printed.
package secret

import "log/slog"

// Text is a password, key or token. It prints as ***, also in logs and JSON.
type Text string

const hidden = "***"

// String hides the value.
func (Text) String() string { return hidden }

// GoString hides the value from %#v.
func (Text) GoString() string { return hidden }

// LogValue hides the value from slog.
func (Text) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText hides the value from encoders.
func (Text) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Reveal returns the value.
func (t Text) Reveal() string { return string(t) }
