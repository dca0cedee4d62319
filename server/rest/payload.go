package rest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/sqlgen"
)

var errKeys = apierr.New(http.StatusBadRequest, "PGRST102", "All object keys must match")

var errBadBody = apierr.New(http.StatusBadRequest, "PGRST102", "Empty or invalid json")

// Media types of a body.
const (
	bodyJSON  = "application/json"
	bodyForm  = "application/x-www-form-urlencoded"
	bodyCSV   = "text/csv"
	bodyText  = "text/plain"
	bodyXML   = "text/xml"
	bodyBytes = "application/octet-stream"

	bodyTransaction = "application/vnd.plaza.transaction+json"
)

// readBody reads a request's whole body, of one of some media types.
//
// Errors: 400 PGRST102 for another, and for one that is garbled; 413 past the
// limit; 503 PLZ002 where large bodies fill the memory that they may; 408 PLZ007
// where one stops coming.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, allowed ...string) (body []byte, kind string, err error) {
	if kind = bodyType(r); !slices.Contains(allowed, kind) {
		return nil, "", apierr.New(http.StatusBadRequest, "PGRST102", "Content-Type not acceptable: %s", r.Header.Get("Content-Type"))
	}
	if r.Context().Value(partKey{}) != nil { // in memory already, as a part of a larger body
		body, err = io.ReadAll(r.Body)
	} else {
		body, err = s.bodies.read(w, r, s.maxBody)
	}
	if isGarbled(err) && r.Context().Err() == nil {
		err = errBadBody.WithCause(err)
	}
	return body, kind, err
}

// isGarbled tells an error in how a body was sent, such as a chunk without a length.
func isGarbled(err error) bool {
	var tooLarge *http.MaxBytesError
	return err != nil && apierr.As(err) == nil && !errors.As(err, &tooLarge)
}

// bodyType is the media type of a body, JSON where it does not say. What follows
// it, such as a character set, is upstream's to ignore.
func bodyType(r *http.Request) string {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "" {
		return bodyJSON
	}
	return kind
}

// rowsPayload reads the body of an insert or update: an object or a list of
// objects that all have the same keys, unless columns= names those that count.
//
// Errors: 400 PGRST102.
func (s *Server) rowsPayload(w http.ResponseWriter, r *http.Request, anyKeys bool) (payload sqlgen.Payload, keys []string, err error) {
	body, kind, err := s.readBody(w, r, bodyJSON, bodyForm, bodyCSV)
	if err != nil {
		return payload, nil, err
	}
	switch kind {
	case bodyForm:
		body, err = formToJSON(body)
	case bodyCSV:
		body, err = csvToJSON(body)
	}
	if err != nil {
		return payload, nil, err
	}
	if body = bytes.TrimSpace(body); !json.Valid(body) {
		return payload, nil, errBadBody
	}
	payload.JSON = body
	switch body[0] {
	case '{':
		return payload, keysOf(body), nil
	case '[':
		payload.List = true
		keys, err = keysOfAll(body, anyKeys)
		return payload, keys, err
	}
	return sqlgen.Payload{JSON: []byte("[]"), List: true}, nil, nil // as upstream: a plain value holds no rows
}

// keysOfAll gives the keys of the first object of a list.
//
// Errors: 400 PGRST102 for what is no object, or for one with other keys.
func keysOfAll(list []byte, anyKeys bool) (keys []string, err error) {
	var first [][]byte
	known := false
	elements(list, func(element []byte) bool {
		switch {
		case element[0] != '{':
			err = errKeys
		case !known:
			first, keys, known = keyTexts(element), keysOf(element), true
		case anyKeys:
		case !hasKeyTexts(element, first) && !slices.Equal(keysOf(element), keys):
			err = errKeys
		}
		return err == nil
	})
	return keys, err
}

// firstElement gives the first element of a list; of an empty one, an object.
func firstElement(list []byte) []byte {
	first := []byte("{}")
	elements(list, func(element []byte) bool {
		first = element
		return false
	})
	return first
}

// csvToJSON turns lines under a line of names into a list of objects. NULL
// stands for null.
func csvToJSON(body []byte) ([]byte, error) {
	reader := csv.NewReader(bytes.NewReader(body))
	reader.FieldsPerRecord = -1
	names, err := reader.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errBadBody.WithCause(err)
	}
	var out pieces
	var row []byte
	separator := byte('[')
	reader.ReuseRecord = true
	for {
		line, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			if separator == '[' {
				return []byte("[]"), nil
			}
			out.add([]byte{']'})
			return out.whole(), nil
		case err != nil:
			return nil, errBadBody.WithCause(err)
		case len(line) != len(names):
			return nil, apierr.New(http.StatusBadRequest, "PGRST102", "All lines must have same number of fields")
		}
		row = appendCSVRow(append(row[:0], separator), names, line)
		separator = ','
		out.add(row)
	}
}

func appendCSVRow(out []byte, names, line []string) []byte {
	out = append(out, '{')
	for i, text := range line {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendJSON(out, names[i]), ':')
		if text == "NULL" {
			out = append(out, "null"...)
		} else {
			out = appendJSON(out, text)
		}
	}
	return append(out, '}')
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
func argument(value []byte, typeName string) (sqlgen.Value, error) {
	switch {
	case typeName == "json" || typeName == "jsonb":
		return sqlgen.Value{Text: value}, nil
	case string(value) == "null":
		return sqlgen.Value{Null: true}, nil
	case value[0] == '"':
		var plain string
		err := json.Unmarshal(value, &plain)
		return sqlgen.Value{Text: []byte(plain)}, err
	case value[0] == '{' || value[0] == '[':
		return sqlgen.Value{Text: value, JSON: true}, nil
	}
	return sqlgen.Value{Text: value}, nil
}
