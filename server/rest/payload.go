package rest

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"plaza/server/apierr"
	"plaza/server/rest/sqlgen"
)

// payload is a request's JSON body: the text PostgreSQL gets and the keys that
// say which columns or arguments it gives.
type payload struct {
	text  string
	keys  []string
	array bool
}

var errBadBody = apierr.New(http.StatusBadRequest, "PGRST102", "Empty or invalid json")

// readBody reads a request's whole body.
//
// Errors: 415 for a media type other than JSON and forms; 413 past the limit.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (body []byte, form bool, err error) {
	kind := "application/json"
	if given := r.Header.Get("Content-Type"); given != "" {
		kind, _, err = mime.ParseMediaType(given)
	}
	form = kind == "application/x-www-form-urlencoded"
	if err != nil || kind != "application/json" && !form {
		return nil, false, apierr.New(http.StatusUnsupportedMediaType, "PGRST102", "Content-Type not acceptable: %s", r.Header.Get("Content-Type"))
	}
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, s.config.MaxBody))
	return body, form, err
}

// rowsPayload reads the body of an insert or update: an object or a list of
// objects that all have the same keys, unless columns= names those that count.
//
// Errors: 400 PGRST102.
func (s *Server) rowsPayload(w http.ResponseWriter, r *http.Request, anyKeys bool) (payload, error) {
	body, form, err := s.readBody(w, r)
	if err != nil {
		return payload{}, err
	}
	if form {
		if body, err = formToJSON(body); err != nil {
			return payload{}, err
		}
	}
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '{' {
		keys, err := objectKeys(body)
		return payload{text: string(body), keys: keys}, err
	}
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal(body, &rows); err != nil {
		return payload{}, errBadBody.WithCause(err)
	}
	if slices.ContainsFunc(rows, func(row map[string]json.RawMessage) bool { return row == nil }) {
		return payload{}, errBadBody
	}
	found := payload{text: string(body), array: true}
	if len(rows) == 0 {
		return found, nil
	}
	for key := range rows[0] {
		found.keys = append(found.keys, key)
	}
	slices.Sort(found.keys)
	for _, row := range rows[1:] {
		if !anyKeys && !sameKeys(row, rows[0]) {
			return payload{}, apierr.New(http.StatusBadRequest, "PGRST102", "All object keys must match")
		}
	}
	return found, nil
}

func sameKeys(a, b map[string]json.RawMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for key := range a {
		if _, ok := b[key]; !ok {
			return false
		}
	}
	return true
}

func objectKeys(body []byte) ([]string, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, errBadBody.WithCause(err)
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys) // one shape whatever order the client wrote
	return keys, nil
}

// formToJSON turns a form into an object of texts.
func formToJSON(body []byte) ([]byte, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, errBadBody.WithCause(err)
	}
	object := make(map[string]string, len(values))
	for key := range values {
		object[key] = values.Get(key)
	}
	return json.Marshal(object)
}

// argument turns a JSON value into a function's argument.
func argument(raw json.RawMessage, typeName string) (sqlgen.Value, error) {
	text := string(bytes.TrimSpace(raw))
	switch {
	case typeName == "json" || typeName == "jsonb":
		return sqlgen.Value{Text: text}, nil
	case text == "null":
		return sqlgen.Value{Null: true}, nil
	case text[0] == '"':
		var plain string
		err := json.Unmarshal(raw, &plain)
		return sqlgen.Value{Text: plain}, err
	case text[0] == '{' || text[0] == '[':
		return sqlgen.Value{Text: text, JSON: true}, nil
	}
	return sqlgen.Value{Text: text}, nil
}
