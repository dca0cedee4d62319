package batch

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/jsontext"
	"plaza/server/lazyregexp"
)

// A reference in a request points to a value in the response to an earlier request
// of the transaction. It is a JSON pointer (RFC 6901) that begins with that request's
// number or name: "/0/body/0/id", "/order/body/id". In a body it is written
// {"$result": "/order/body/id"} in place of a value, in a path {/order/body/id}.

const referenceKey = `"$result"`

// pathReference also matches the percent-encoded form that URL libraries produce.
var pathReference = lazyregexp.New(`(?i)(?:\{|%7B)((?:/|%2F)(?:[^{}&=%]|%[0-9a-f]{2})*?)(?:\}|%7D)`)

// Limits of references, in bytes, for a whole transaction.
const (
	maxFilled   = maxResponses // inserted by references
	maxSearched = 128 << 20    // searched for referenced values
)

// resolve returns the JSON value that a pointer refers to.
//
// Errors: 400 PLZ005, PLZ006.
func (b *Batch) resolve(pointer string) ([]byte, error) {
	value, known := b.resolved[pointer]
	if !known {
		var err error
		if value, err = b.find(pointer); err != nil {
			return nil, err
		}
		b.resolved[pointer] = value
	}
	if b.filled += len(value); b.filled > maxFilled {
		return nil, errResponsesTooLarge.WithDetail("References put more than %d bytes in.", maxFilled)
	}
	return value, nil
}

func (b *Batch) find(pointer string) ([]byte, error) {
	notFound := apierr.New(http.StatusBadRequest, "PLZ005", "A reference leads nowhere").WithDetail("%s", pointer)
	steps := strings.Split(pointer, "/")
	if len(steps) < 3 || steps[0] != "" {
		return nil, notFound
	}
	number, known := b.numbers[decodeStep(steps[1])]
	if !known {
		var err error
		if number, err = strconv.Atoi(steps[1]); err != nil {
			return nil, notFound
		}
	}
	if number < 0 || number >= len(b.responses) {
		return nil, notFound
	}
	var value []byte
	switch steps[2] {
	case "body":
		value = b.responses[number].Body
	case "headers":
		value, _ = json.Marshal(b.responses[number].Headers) // strings can always be encoded
	}
	for _, step := range steps[3:] {
		if b.searched += len(value); b.searched > maxSearched {
			return nil, errResponsesTooLarge.WithDetail("References look through more than %d bytes.", maxSearched)
		}
		value = child(value, decodeStep(step))
	}
	if len(value) == 0 {
		return nil, notFound
	}
	return value, nil
}

// child returns the value of an object's key or the element at a list's index, or nil if there is none.
func child(value []byte, step string) (found []byte) {
	switch {
	case bytes.HasPrefix(value, []byte("{")):
		jsontext.Members(value, func(key, value []byte) bool {
			if jsontext.DecodeString(key) == step {
				found = value
			}
			return true
		})
	case bytes.HasPrefix(value, []byte("[")):
		left, err := strconv.Atoi(step)
		if err != nil || left < 0 {
			return nil
		}
		jsontext.Elements(value, func(element []byte) bool {
			if left == 0 {
				found = element
			}
			left--
			return found == nil
		})
	}
	return found
}

func decodeStep(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

// fillBody replaces the references in a body with their values. The body must be valid JSON.
func (b *Batch) fillBody(body []byte) ([]byte, error) {
	if !bytes.Contains(body, []byte(referenceKey)) {
		return body, nil
	}
	filled := make([]byte, 0, len(body))
	for at := 0; at < len(body); {
		end := at + 1
		switch body[at] {
		case '"':
			end = jsontext.StringEnd(body, at)
		case '{':
			if pointer, after := referenceAt(body, at); after > 0 {
				value, err := b.resolve(pointer)
				if err != nil {
					return nil, err
				}
				filled, at = append(filled, value...), after
				continue
			}
		}
		filled, at = append(filled, body[at:end]...), end
	}
	return filled, nil
}

// referenceAt reads the object that begins at index at. after is the index behind
// it, or 0 if the object is not a reference.
func referenceAt(text []byte, at int) (pointer string, after int) {
	key := jsontext.SkipSpace(text, at+1)
	if !bytes.HasPrefix(text[key:], []byte(referenceKey)) {
		return "", 0
	}
	value := jsontext.SkipSpace(text, jsontext.SkipSpace(text, key+len(referenceKey))+1)
	if text[value] != '"' {
		return "", 0
	}
	valueEnd := jsontext.StringEnd(text, value)
	end := jsontext.SkipSpace(text, valueEnd)
	if text[end] != '}' {
		return "", 0
	}
	return jsontext.DecodeString(text[value:valueEnd]), end + 1
}

// fillPath replaces the references in a path with their values, escaped for the URL.
// Inside a list or a condition tree a value is quoted if it has special characters.
func (b *Batch) fillPath(path string) (string, error) {
	var filled strings.Builder
	done := 0
	for _, at := range pathReference().FindAllStringSubmatchIndex(path, -1) {
		pointer, err := url.PathUnescape(path[at[2]:at[3]])
		if err != nil {
			continue
		}
		value, err := b.resolve(pointer)
		if err != nil {
			return "", err
		}
		parameter := path[strings.LastIndexAny(path[:at[0]], "?&")+1 : at[0]]
		text := quoteWithin(pathReference().ReplaceAllString(parameter, ""), textOf(value))
		filled.WriteString(path[done:at[0]])
		filled.WriteString(url.QueryEscape(text))
		done = at[1]
	}
	filled.WriteString(path[done:])
	return filled.String(), nil
}

// quoteWithin quotes a text as required by its position in a parameter, of which
// before is the preceding part. The position can be inside quotes, inside
// parentheses, or where the rest of the parameter is the value.
func quoteWithin(before, text string) string {
	depth, quoted := 0, false
	for before, i := []byte(unescaped(before)), 0; i < len(before); i++ {
		switch char := before[i]; {
		case char == '"':
			quoted = !quoted
		case quoted && char == '\\':
			i++
		case !quoted && char == '(':
			depth++
		case !quoted && char == ')':
			depth--
		}
	}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	switch {
	case quoted:
		return escaped
	case depth > 0 && strings.ContainsAny(text, `,()"\{}`):
		return `"` + escaped + `"`
	}
	return text
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// textOf converts a JSON value to the text of a filter value.
func textOf(value []byte) string {
	if value[0] == '"' {
		return jsontext.DecodeString(value)
	}
	return string(value)
}
