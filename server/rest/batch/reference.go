package batch

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/jsontext"
)

// A reference leads from a request of a transaction to a value in an earlier
// one's answer. It is a JSON pointer (RFC 6901) that begins with the request's
// number or name: "/0/body/0/id", "/order/body/id". In a body it stands as
// {"$result": "/order/body/id"} in place of a value, in a path as
// {/order/body/id} in place of a text.

const referenceKey = `"$result"`

// pathReference also knows its percent-encoded form, as URL libraries write it.
var pathReference = regexp.MustCompile(`(?i)(?:\{|%7B)((?:/|%2F)(?:[^{}&=%]|%[0-9a-f]{2})*?)(?:\}|%7D)`)

// Bounds of references, in bytes, for a whole transaction.
const (
	maxFilled   = maxAnswers // that they put in
	maxFollowed = 128 << 20  // that are looked through to find what they lead to
)

// resolve finds the JSON value that a pointer leads to.
//
// Errors: 400 PLZ005, PLZ006.
func (b *Batch) resolve(pointer string) ([]byte, error) {
	value, known := b.resolved[pointer]
	if !known {
		var err error
		if value, err = b.follow(pointer); err != nil {
			return nil, err
		}
		b.resolved[pointer] = value
	}
	if b.filled += len(value); b.filled > maxFilled {
		return nil, errAnswersTooLarge.WithDetail("References put more than %d bytes in.", maxFilled)
	}
	return value, nil
}

func (b *Batch) follow(pointer string) ([]byte, error) {
	lost := apierr.New(http.StatusBadRequest, "PLZ005", "A reference leads nowhere").WithDetail("%s", pointer)
	steps := strings.Split(pointer, "/")
	if len(steps) < 3 || steps[0] != "" {
		return nil, lost
	}
	number, known := b.places[decodeStep(steps[1])]
	if !known {
		var err error
		if number, err = strconv.Atoi(steps[1]); err != nil {
			return nil, lost
		}
	}
	if number < 0 || number >= len(b.answers) {
		return nil, lost
	}
	var value []byte
	switch steps[2] {
	case "body":
		value = b.answers[number].Body
	case "headers":
		value, _ = json.Marshal(b.answers[number].Headers) // texts
	}
	for _, step := range steps[3:] {
		if b.followed += len(value); b.followed > maxFollowed {
			return nil, errAnswersTooLarge.WithDetail("References look through more than %d bytes.", maxFollowed)
		}
		value = child(value, decodeStep(step))
	}
	if len(value) == 0 {
		return nil, lost
	}
	return value, nil
}

// child is the value of an object's key or at a list's index; nil without.
func child(value []byte, step string) (found []byte) {
	switch {
	case bytes.HasPrefix(value, []byte("{")):
		jsontext.Members(value, func(key, value []byte) bool {
			if jsontext.DecodeKey(key) == step {
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

// fillBody puts values in place of the references of a body, which is valid JSON.
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

// referenceAt reads the object that begins at a place; after is where it ends, or
// 0 where it is no reference.
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
	return jsontext.DecodeKey(text[value:valueEnd]), end + 1
}

// fillPath puts texts in place of a path's references: escaped for the URL, and in
// a list or a tree of conditions quoted where they would read as more than a value.
func (b *Batch) fillPath(path string) (string, error) {
	var filled strings.Builder
	done := 0
	for _, at := range pathReference.FindAllStringSubmatchIndex(path, -1) {
		pointer, err := url.PathUnescape(path[at[2]:at[3]])
		if err != nil {
			continue
		}
		value, err := b.resolve(pointer)
		if err != nil {
			return "", err
		}
		parameter := path[strings.LastIndexAny(path[:at[0]], "?&")+1 : at[0]]
		text := quoteWithin(pathReference.ReplaceAllString(parameter, ""), textOf(value))
		filled.WriteString(path[done:at[0]])
		filled.WriteString(url.QueryEscape(text))
		done = at[1]
	}
	filled.WriteString(path[done:])
	return filled.String(), nil
}

// quoteWithin quotes a text for its place behind a part of a parameter: inside
// quotes, inside brackets, or where the rest of the parameter is the value.
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

// textOf writes a JSON value as a filter has it.
func textOf(value []byte) string {
	if value[0] == '"' {
		return jsontext.DecodeKey(value)
	}
	return string(value)
}
