// Package restlog writes the log of `plaza rest`: in PostgREST's words, and a line for each
// request in Apache's combined form.
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

// words are PostgREST's for what `plaza rest` tells of itself, by ours. Names in
// braces stand for attributes. They are logged at any level.
var words = map[string]string{
	"starting":                          "Starting PostgREST {version}...",
	"admin server listens":              "Admin server listening on {address}",
	"API listens":                       "API server listening on {address}",
	"connected":                         "Successfully connected to {server}",
	"pool made":                         "Connection Pool initialized with a maximum size of {connections} connections",
	"reconnecting":                      "Attempting to reconnect to the database in {retry_in_seconds} seconds...",
	"cannot connect":                    "Failed to query the PostgreSQL version. {error}",
	"signing in was refused":            "Failed to establish a connection. {error}",
	"no recovery":                       "Automatic recovery disabled, exiting.",
	"schema cache queried":              "Schema cache queried in {duration_ms} milliseconds",
	"schema cache holds":                "Schema cache loaded {tables} Relations, {relationships} Relationships, {functions} Functions",
	"schema cache loaded":               "Schema cache loaded in {duration_ms} milliseconds",
	"settings reloaded":                 "Config reloaded",
	"settings are invalid":              "Failed reloading config: {error}",
	"database settings unreadable":      "Failed to query database settings for the config parameters.{error}",
	"told to reload the schema":         `Received a schema cache reload message on the "{channel}" channel`,
	"told to reload the settings":       `Received a config reload message on the "{channel}" channel`,
	"listening for notifications":       `Listener connected to PostgreSQL {server} on "{address}" and listening for database notifications on the "{channel}" channel`,
	"listening broke off, trying again": `Failed listening for database notifications on the "{channel}" channel. {error}`,
	"schema cache could not be loaded, the old one stays in use": "Failed to load the schema cache using db-schemas={schemas} and db-extra-search-path={extra_search_path}. {error}",
	"deprecated role claim key":                                  "WARNING: The config `jwt-role-claim-key={path}` is using the deprecated JSPath syntax.",
	"deprecated role claim key to change": "Update `jwt-role-claim-key={path}` to the new JSONPath syntax as support for JSPath will be removed in a future release. " +
		"See the migration guide on how to update: https://github.com/PostgREST/postgrest/blob/main/CHANGELOG.md#migration-to-v16",
	"legacy target names":           "WARNING: {message}",
	"legacy target names to change": "Update filters, orders or limits that use {changes} in `{request}`",
	"told to end":                   "Received termination unix signal {signal}",
}

// wordHandler writes records as PostgREST does: a time and a sentence.
type wordHandler struct {
	mu    *sync.Mutex
	out   io.Writer
	level slog.Leveler
	attrs []slog.Attr
}

// New makes the log of what the server tells of itself.
func New(out io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(&wordHandler{mu: new(sync.Mutex), out: out, level: level})
}

// Enabled lets notices pass at all levels: whether one of words is among them is
// seen when it is written.
func (h *wordHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= min(h.level.Level(), slog.LevelInfo)
}

func (h *wordHandler) Handle(_ context.Context, record slog.Record) error {
	sentence, known := words[record.Message]
	if !known {
		if record.Level < h.level.Level() {
			return nil
		}
		sentence = record.Message
	}
	fill := func(attr slog.Attr) bool {
		place, text := "{"+attr.Key+"}", h.text(attr.Value)
		if strings.Contains(sentence, place) {
			sentence = strings.ReplaceAll(sentence, place, text)
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

// text shows an error of the database as the answer a client would get.
func (h *wordHandler) text(value slog.Value) string {
	err, ok := value.Any().(error)
	if !ok {
		return value.String()
	}
	if failed := pg.ConnectError(err); failed != nil {
		return asAnswer(apierr.New(503, "PGRST000", "Database connection error.").WithDetail("%s", failed.Error()))
	}
	if pg.IsRefused(err) {
		return asAnswer(apierr.As(pg.APIError(err, false)))
	}
	return err.Error()
}

func asAnswer(e *apierr.Error) string {
	answer := struct {
		Code    string          `json:"code"`
		Details json.RawMessage `json:"details"`
		Hint    *string         `json:"hint"`
		Message string          `json:"message"`
	}{e.Code, e.Details, nil, e.Message}
	if e.Hint != "" {
		answer.Hint = &e.Hint
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return e.Message
	}
	return string(encoded)
}

func (h *wordHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clone := *h
	clone.attrs = append(clone.attrs[:len(clone.attrs):len(clone.attrs)], attrs...)
	return &clone
}

// WithGroup is not used by what logs here.
func (h *wordHandler) WithGroup(string) slog.Handler { return h }
