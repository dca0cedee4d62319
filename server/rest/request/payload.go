package request

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/jsontext"
	"plaza/server/rest/sqlgen"
)

var errKeys = apierr.New(http.StatusBadRequest, "PGRST102", "All object keys must match")

var errBadBody = apierr.New(http.StatusBadRequest, "PGRST102", "Empty or invalid json")

// BodyType returns the media type of a body; the default is JSON. Parameters such as
// the charset are ignored, as in upstream.
func BodyType(r *http.Request) string {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "" {
		return TypeJSON
	}
	return kind
}

// FirstElement returns the first element of a list, or an empty object for an empty list.
func FirstElement(list []byte) []byte {
	first := []byte("{}")
	jsontext.Elements(list, func(element []byte) bool {
		first = element
		return false
	})
	return first
}

// formToJSON converts a form to a JSON object of strings.
//
// Errors: 400 PGRST102.
func formToJSON(body []byte) ([]byte, error) {
	fields, err := ParseForm(body)
	if err != nil {
		return nil, err
	}
	object := make(map[string]string, len(fields))
	for key := range fields {
		object[key] = fields.Get(key)
	}
	return json.Marshal(object)
}

// ParseForm parses a form. The number of fields is limited, because each takes about
// 50 bytes in addition to its text.
//
// Errors: 400 PGRST102.
func ParseForm(body []byte) (url.Values, error) {
	if bytes.Count(body, []byte("&")) >= maxFields {
		return nil, apierr.New(http.StatusBadRequest, "PGRST102", "The form has more than %d fields", maxFields)
	}
	fields, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, errBadBody.WithCause(err)
	}
	return fields, nil
}

// maxFields is the maximum number of fields in a form.
const maxFields = 20_000

// largeArgument is the largest argument that is copied, in bytes. PostgreSQL extracts
// larger ones from the body.
const largeArgument = 64 << 10

// argument converts a member of a JSON object to a function argument.
func argument(object []byte, name string, value []byte, typeName string) (sqlgen.Value, error) {
	switch {
	case typeName == "json" || typeName == "jsonb":
		return sqlgen.Value{Text: value}, nil
	case string(value) == "null":
		return sqlgen.Value{Null: true}, nil
	case len(value) > largeArgument && (value[0] == '"' || value[0] == '{' || value[0] == '['):
		return sqlgen.Value{Text: object, Member: name}, nil
	case value[0] == '"':
		var plain string
		err := json.Unmarshal(value, &plain)
		return sqlgen.Value{Text: []byte(plain)}, err
	case value[0] == '{' || value[0] == '[':
		return sqlgen.Value{Text: value, JSON: true}, nil
	}
	return sqlgen.Value{Text: value}, nil
}

// Rows reads the body of an insert or update: an object or a list of objects. All
// objects must have the same keys unless anyKeys is set, which means that columns=
// selects the keys.
//
// Errors: those of Read; 400 PGRST102; 413 PLZ010.
func (b *Body) Rows(anyKeys bool) (payload sqlgen.Payload, keys []string, err error) {
	body, kind, err := b.Read(TypeJSON, TypeForm, TypeCSV)
	if err != nil {
		return payload, nil, err
	}
	switch kind {
	case TypeCSV:
		return b.csvRows(body)
	case TypeForm:
		if body, err = formToJSON(body); err != nil {
			return payload, nil, err
		}
	}
	switch body = bytes.TrimSpace(body); {
	case len(body) > 0 && body[0] == '[':
		keys, err = b.keysOfAll(body, anyKeys)
		return sqlgen.Payload{JSON: body, List: true}, keys, err
	case !json.Valid(body):
		return payload, nil, errBadBody
	case body[0] == '{':
		keys, err = jsontext.Keys(body)
		return sqlgen.Payload{JSON: body}, keys, err
	}
	return sqlgen.Payload{JSON: []byte("[]"), List: true}, nil, nil // as upstream, a plain value has no rows
}

// keysOfAll validates a list and returns the keys of its first object.
//
// Errors: 400 PGRST102 for invalid JSON, for an element that is not an object, and
// for an object with other keys.
func (b *Body) keysOfAll(list []byte, anyKeys bool) (keys []string, err error) {
	var first [][]byte
	known := false
	var failed error
	whole := jsontext.Elements(list, func(element []byte) bool {
		switch {
		case !json.Valid(element):
			failed = errBadBody
		case element[0] != '{':
			failed = errKeys
		case !known:
			first, known = jsontext.RawKeys(element), true
			keys, failed = jsontext.Keys(element)
		case anyKeys:
		case !jsontext.HasRawKeys(element, first):
			var others []string
			if others, failed = jsontext.Keys(element); failed == nil && !slices.Equal(others, keys) {
				failed = errKeys
			}
		}
		b.Discard(element)
		return failed == nil
	})
	if failed == nil && !whole {
		failed = errBadBody
	}
	return keys, failed
}
