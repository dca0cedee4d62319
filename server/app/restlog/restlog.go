// Package restlog writes the log of `plaza rest` in PostgREST's format: PostgREST's
// messages, and a line for each request in Apache's combined log format.
package restlog

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"plaza/server/apierr"
	"plaza/server/pg"
)

// messages maps the server's log messages to PostgREST's. Names in braces are replaced
// by attributes. These messages are logged at every level.
var messages = map[string]string{
	"starting":                     "Starting PostgREST {version}...",
	"admin server listening":       "Admin server listening on {address}",
	"API listening":                "API server listening on {address}",
	"connected":                    "Successfully connected to {server}",
	"pool created":                 "Connection Pool initialized with a maximum size of {connections} connections",
	"reconnecting":                 "Attempting to reconnect to the database in {retry_in_seconds} seconds...",
	"cannot connect":               "Failed to query the PostgreSQL version. {error}",
	"database login failed":        "Failed to establish a connection. {error}",
	"no recovery":                  "Automatic recovery disabled, exiting.",
	"schema cache queried":         "Schema cache queried in {duration_ms} milliseconds",
	"schema cache holds":           "Schema cache loaded {tables} Relations, {relationships} Relationships, {functions} Functions",
	"schema cache loaded":          "Schema cache loaded in {duration_ms} milliseconds",
	"settings reloaded":            "Config reloaded",
	"settings are invalid":         "Failed reloading config: {error}",
	"database settings unreadable": "Failed to query database settings for the config parameters.{error}",
	"schema reload requested":      `Received a schema cache reload message on the "{channel}" channel`,
	"settings reload requested":    `Received a config reload message on the "{channel}" channel`,
	"listening for notifications":  `Listener connected to PostgreSQL {server} on "{address}" and listening for database notifications on the "{channel}" channel`,
	"connection for notifications lost, reconnecting":            `Failed listening for database notifications on the "{channel}" channel. {error}`,
	"schema cache could not be loaded, the old one stays in use": "Failed to load the schema cache using db-schemas={schemas} and db-extra-search-path={extra_search_path}. {error}",
	"deprecated role claim key":                                  "WARNING: The config `jwt-role-claim-key={path}` is using the deprecated JSPath syntax.",
	"deprecated role claim key to change": "Update `jwt-role-claim-key={path}` to the new JSONPath syntax as support for JSPath will be removed in a future release. " +
		"See the migration guide on how to update: https://github.com/PostgREST/postgrest/blob/main/CHANGELOG.md#migration-to-v16",
	"legacy target names":           "WARNING: {message}",
	"legacy target names to change": "Update filters, orders or limits that use {changes} in `{request}`",
	"termination signal received":   "Received termination unix signal {signal}",
}

// handler writes records in PostgREST's format: a time and a sentence.
type handler struct {
	mu    *sync.Mutex
	out   io.Writer
	level slog.Leveler
	attrs []slog.Attr
}

// New returns a logger for the server's messages.
func New(out io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(&handler{mu: new(sync.Mutex), out: out, level: level})
}

// Enabled reports true for slog.LevelInfo and above whatever the log level is, because
// Handle writes the messages that PostgREST also has at every log level.
func (h *handler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= min(h.level.Level(), slog.LevelInfo)
}

func (h *handler) Handle(_ context.Context, record slog.Record) error {
	sentence, known := messages[record.Message]
	if !known {
		if record.Level < h.level.Level() {
			return nil
		}
		sentence = record.Message
	}
	fill := func(attr slog.Attr) bool {
		placeholder, text := "{"+attr.Key+"}", h.text(attr.Value)
		if strings.Contains(sentence, placeholder) {
			sentence = strings.ReplaceAll(sentence, placeholder, text)
		} else if !known {
			sentence += " " + attr.Key + "=" + text
		}
		return true
	}
	for _, attr := range h.attrs {
		fill(attr)
	}
	record.Attrs(fill)
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintln(h.out, record.Time.Format("02/Jan/2006:15:04:05 -0700: ")+oneLine(sentence))
	return err
}

func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(char rune) bool { return char == '\n' || char == '\r' || char == '\t' }), " ")
}

// text returns the text of an attribute. A database error is written like the response
// that a client would get.
func (h *handler) text(value slog.Value) string {
	err, ok := value.Any().(error)
	if !ok {
		return value.String()
	}
	if failed := pg.ConnectError(err); failed != nil {
		return errorJSON(apierr.New(503, "PGRST000", "Database connection error.").WithDetail("%s", failed.Error()))
	}
	if pg.IsPgError(err) {
		return errorJSON(apierr.As(pg.APIError(err, false)))
	}
	return err.Error()
}

func errorJSON(e *apierr.Error) string {
	body := struct {
		Code    string          `json:"code"`
		Details json.RawMessage `json:"details"`
		Hint    *string         `json:"hint"`
		Message string          `json:"message"`
	}{e.Code, e.Details, nil, e.Message}
	if e.Hint != "" {
		body.Hint = &e.Hint
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return e.Message
	}
	return string(encoded)
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clone := *h
	clone.attrs = append(clone.attrs[:len(clone.attrs):len(clone.attrs)], attrs...)
	return &clone
}

// WithGroup ignores the group, since no caller uses groups.
func (h *handler) WithGroup(string) slog.Handler { return h }
