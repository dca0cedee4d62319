package rest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

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

// Media types of a body.
const (
	bodyJSON  = "application/json"
	bodyForm  = "application/x-www-form-urlencoded"
	bodyCSV   = "text/csv"
	bodyText  = "text/plain"
	bodyXML   = "text/xml"
	bodyBytes = "application/octet-stream"
)

// readBody reads a request's whole body, of one of some media types.
//
// Errors: 415 PGRST102 for another; 413 past the limit.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, allowed ...string) (body []byte, kind string, err error) {
	// What follows the type, such as a character set, is upstream's to ignore.
	kind, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "" {
		kind = bodyJSON
	}
	if !slices.Contains(allowed, kind) {
		return nil, "", apierr.New(http.StatusUnsupportedMediaType, "PGRST102", "Content-Type not acceptable: %s", r.Header.Get("Content-Type"))
	}
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, s.maxBody))
	return body, kind, err
}

// rowsPayload reads the body of an insert or update: an object or a list of
// objects that all have the same keys, unless columns= names those that count.
//
// Errors: 400 PGRST102.
func (s *Server) rowsPayload(w http.ResponseWriter, r *http.Request, anyKeys bool) (payload, error) {
	body, kind, err := s.readBody(w, r, bodyJSON, bodyForm, bodyCSV)
	if err != nil {
		return payload{}, err
	}
	switch kind {
	case bodyForm:
		body, err = formToJSON(body)
	case bodyCSV:
		body, err = csvToJSON(body)
	}
	if err != nil {
		return payload{}, err
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

// csvToJSON turns lines under a line of names into a list of objects. NULL
// stands for null.
func csvToJSON(body []byte) ([]byte, error) {
	reader := csv.NewReader(bytes.NewReader(body))
	reader.FieldsPerRecord = -1
	lines, err := reader.ReadAll()
	if err != nil {
		return nil, errBadBody.WithCause(err)
	}
	rows := []map[string]*string{}
	for i, line := range lines {
		if i == 0 {
			continue
		}
		if len(line) != len(lines[0]) {
			return nil, apierr.New(http.StatusBadRequest, "PGRST102", "All lines must have same number of fields")
		}
		row := make(map[string]*string, len(line))
		for j, name := range lines[0] {
			if row[name] = &line[j]; line[j] == "NULL" {
				row[name] = nil
			}
		}
		rows = append(rows, row)
	}
	return json.Marshal(rows)
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
