package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"plaza/server/apierr"
)

// A reference leads from a request of a transaction to a value in an earlier
// one's answer. It is a JSON pointer (RFC 6901) that begins with the request's
// number or name: "/0/body/0/id", "/order/body/id". In a body it stands as
// {"$result": "/order/body/id"} in place of a value, in a path as
// {/order/body/id} in place of a text.

const referenceKey = "$result"

// pathReference also knows its percent-encoded form, as URL libraries write it.
var pathReference = regexp.MustCompile(`(?i)(?:\{|%7B)((?:/|%2F)(?:[^{}&=%]|%[0-9a-f]{2})*?)(?:\}|%7D)`)

// resolve finds the value that a pointer leads to.
//
// Errors: 400 PLZ005.
func (t *transaction) resolve(pointer string) (any, error) {
	lost := apierr.New(http.StatusBadRequest, "PLZ005", "A reference leads nowhere").WithDetail("%s", pointer)
	steps := strings.Split(pointer, "/")
	if len(steps) < 3 || steps[0] != "" {
		return nil, lost
	}
	number, known := t.places[decodeStep(steps[1])]
	if !known {
		var err error
		if number, err = strconv.Atoi(steps[1]); err != nil {
			return nil, lost
		}
	}
	if number < 0 || number >= len(t.answers) {
		return nil, lost
	}
	answer := t.answers[number]
	var value any
	switch steps[2] {
	case "body":
		if err := decodeExactly(answer.Body, &value); err != nil {
			return nil, lost
		}
	case "headers":
		headers := make(map[string]any, len(answer.Headers))
		for name, text := range answer.Headers {
			headers[name] = text
		}
		value = headers
	default:
		return nil, lost
	}
	for _, step := range steps[3:] {
		var ok bool
		if value, ok = follow(value, decodeStep(step)); !ok {
			return nil, lost
		}
	}
	return value, nil
}

func follow(value any, step string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		found, ok := value[step]
		return found, ok
	case []any:
		index, err := strconv.Atoi(step)
		if err != nil || index < 0 || index >= len(value) {
			return nil, false
		}
		return value[index], true
	}
	return nil, false
}

func decodeStep(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

// decodeExactly keeps numbers as they are written.
func decodeExactly(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(value)
}

// fillBody puts values in place of a body's references.
func (t *transaction) fillBody(body []byte) ([]byte, error) {
	if !bytes.Contains(body, []byte(`"`+referenceKey+`"`)) {
		return body, nil
	}
	var value any
	if err := decodeExactly(body, &value); err != nil {
		return nil, err
	}
	filled, err := t.fill(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(filled)
}

func (t *transaction) fill(value any) (_ any, err error) {
	switch value := value.(type) {
	case map[string]any:
		if pointer, ok := value[referenceKey].(string); ok && len(value) == 1 {
			return t.resolve(pointer)
		}
		for key, member := range value {
			if value[key], err = t.fill(member); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, element := range value {
			if value[i], err = t.fill(element); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// fillPath puts texts in place of a path's references, escaped.
func (t *transaction) fillPath(path string) (string, error) {
	var failed error
	filled := pathReference.ReplaceAllStringFunc(path, func(reference string) string {
		pointer, err := url.PathUnescape(pathReference.FindStringSubmatch(reference)[1])
		if err != nil {
			return reference
		}
		value, err := t.resolve(pointer)
		if err != nil {
			failed = err
			return ""
		}
		return url.QueryEscape(textOf(value))
	})
	return filled, failed
}

// textOf writes a value as a filter has it.
func textOf(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(value)
	}
	text, _ := json.Marshal(value) // of what was JSON
	return string(text)
}
