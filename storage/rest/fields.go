package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/httpx"
)

// maxBody is the maximum size of a JSON body, in bytes: 1000 keys of 1 KB fit.
const maxBody = 2 << 20

// fields holds the members of a JSON body or the parameters of a query. It records the
// first validation error.
//
// Values are converted in the same way as by upstream's validator: a number may be a
// string.
type fields struct {
	where string // "body" or "querystring", for messages
	given map[string]any
	err   *apierr.Error
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = invalid(fmt.Sprintf(format, args...))
	}
}

// check returns the first validation error, or nil.
func (f *fields) check() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// readBody reads a JSON object.
func readBody(w http.ResponseWriter, r *http.Request) (*fields, error) {
	f := &fields{where: "body"}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case len(body) == 0 && kind == "application/json":
		return nil, invalid("Body cannot be empty when content-type is set to 'application/json'").WithHint("FastifyError")
	case len(body) > 0 && kind != "application/json" && kind != "text/plain":
		return nil, errMediaType
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		if kind != "application/json" {
			return nil, invalid("body must be object")
		}
		return nil, invalid("Body is not valid JSON but content-type is set to 'application/json'").WithHint("FastifyError").WithCause(httpx.ErrBadJSON)
	}
	given, ok := value.(map[string]any)
	if !ok {
		return nil, invalid("body must be object")
	}
	f.given = given
	return f, nil
}

func readQuery(values url.Values) *fields {
	f := &fields{where: "querystring", given: make(map[string]any, len(values))}
	for name, list := range values {
		f.given[name] = list[0]
	}
	return f
}

// in returns the fields of a nested object.
func (f *fields) in(name string) *fields {
	inner := &fields{where: f.where + "/" + name, err: f.err}
	if value, ok := f.given[name]; ok {
		if inner.given, ok = value.(map[string]any); !ok {
			f.fail("%s/%s must be object", f.where, name)
		}
	}
	return inner
}

func (f *fields) require(names ...string) {
	for _, name := range names {
		if _, ok := f.given[name]; !ok {
			f.fail("%s must have required property '%s'", f.where, name)
		}
	}
}

func (f *fields) text(name string) string {
	switch value := f.given[name].(type) {
	case nil:
	case string:
		return value
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	default:
		f.fail("%s/%s must be string", f.where, name)
	}
	return ""
}

// one returns a string that must be one of the allowed values.
func (f *fields) one(name string, of ...string) string {
	value := f.text(name)
	if _, given := f.given[name]; given && !slices.Contains(of, value) {
		f.fail("%s/%s must be equal to one of the allowed values", f.where, name)
	}
	return value
}

func (f *fields) boolean(name string) *bool {
	value, given := f.given[name]
	if !given {
		return nil
	}
	var result bool
	switch value {
	case true, "true", json.Number("1"):
		result = true
	case false, "false", nil, json.Number("0"):
	default:
		f.fail("%s/%s must be boolean", f.where, name)
	}
	return &result
}

// integer returns an integer that must be at least least, or nil if it is not given.
func (f *fields) integer(name string, least int64) *int64 {
	value, given := f.given[name]
	if !given {
		return nil
	}
	var text string
	switch value := value.(type) {
	case json.Number:
		text = value.String()
	case string:
		text = strings.TrimSpace(value)
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		whole, err := strconv.ParseFloat(text, 64)
		if err != nil || whole != float64(int64(whole)) {
			f.fail("%s/%s must be integer", f.where, name)
			return nil
		}
		number = int64(whole)
	}
	if number < least {
		f.fail("%s/%s must be >= %d", f.where, name, least)
	}
	return &number
}

// texts returns a list of strings, or nil if it is not given or null.
func (f *fields) texts(name string, least, most int) []string {
	value := f.given[name]
	if value == nil {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		f.fail("%s/%s must be array", f.where, name)
		return nil
	}
	switch {
	case len(list) < least:
		f.fail("%s/%s must NOT have fewer than %d items", f.where, name, least)
	case most > 0 && len(list) > most:
		f.fail("%s/%s must NOT have more than %d items", f.where, name, most)
	}
	result := make([]string, len(list))
	for i, value := range list {
		text, ok := value.(string)
		if !ok {
			f.fail("%s/%s/%d must be string", f.where, name, i)
		}
		result[i] = text
	}
	return result
}

func deref[T any](value *T) (result T) {
	if value != nil {
		result = *value
	}
	return result
}
