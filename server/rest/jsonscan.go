package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"plaza/server/apierr"
)

// The functions here walk over JSON and copy nothing: a body may be large, and
// PostgreSQL reads it anyway. But for elements, they are for JSON that is valid.

// elements calls each with the elements of a list, until it says no. It reports
// whether the list is whole: between its elements it is valid JSON, with nothing
// but space after it. Whether an element is, each has to see; it is never empty.
func elements(list []byte, each func(element []byte) bool) bool {
	at := skipSpace(list, 1)
	if at < len(list) && list[at] == ']' {
		return skipSpace(list, at+1) == len(list)
	}
	for {
		end := valueEnd(list, at)
		if end == at || !each(list[at:end]) {
			return false
		}
		at = skipSpace(list, end)
		if at == len(list) {
			return false
		}
		switch list[at] {
		case ']':
			return skipSpace(list, at+1) == len(list)
		case ',':
			at = skipSpace(list, at+1)
		default:
			return false
		}
	}
}

// members calls each with the keys, in their quotes, and the values of an object,
// until it says no.
func members(object []byte, each func(key, value []byte) bool) {
	at := skipSpace(object, 1)
	for object[at] != '}' {
		keyEnd := stringEnd(object, at)
		value := skipSpace(object, skipSpace(object, keyEnd)+1)
		end := valueEnd(object, value)
		if !each(object[at:keyEnd], object[value:end]) {
			return
		}
		at = nextItem(object, end)
	}
}

func nextItem(text []byte, at int) int {
	if at = skipSpace(text, at); text[at] == ',' {
		return skipSpace(text, at+1)
	}
	return at
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// valueEnd returns where the value that begins at a place ends, or the text does.
func valueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '"':
			at = stringEnd(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			at++
			if depth == 0 { // a number or a word
				for at < len(text) && bytes.IndexByte([]byte(",]} \n\t\r"), text[at]) < 0 {
					at++
				}
			}
		}
		if depth <= 0 {
			return at
		}
	}
	return at
}

func stringEnd(text []byte, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

// maxKeys is one more than any table has columns or any function arguments, so
// that an object with more keys is refused without looking at the rest.
//
// Source: PostgreSQL's MaxTupleAttributeNumber, 1664.
const maxKeys = 1665

// maxKeyBytes is more than all columns of a table have in their names, in bytes.
const maxKeyBytes = 1 << 20

// keysOf returns an object's keys, decoded, each once, in order: one shape whatever
// order the client wrote. It returns at most maxKeys.
//
// Errors: 400 PGRST102 for keys that no table has as columns.
func keysOf(object []byte) ([]string, error) {
	known := make(map[string]struct{})
	size := 0
	members(object, func(key, _ []byte) bool {
		if _, twice := known[string(key[1:len(key)-1])]; twice { // as it is written, mostly
			return true
		}
		if size += len(key); size > maxKeyBytes {
			return false
		}
		known[decodeKey(key)] = struct{}{}
		return len(known) < maxKeys
	})
	if size > maxKeyBytes {
		return nil, apierr.New(http.StatusBadRequest, "PGRST102", "The keys of an object have more than %d bytes", maxKeyBytes)
	}
	return slices.Sorted(maps.Keys(known)), nil
}

func decodeKey(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // valid, as all here
	return key
}

// keyTexts are an object's keys as they are written.
func keyTexts(object []byte) [][]byte {
	var texts [][]byte
	members(object, func(key, _ []byte) bool {
		texts = append(texts, key)
		return len(texts) < maxKeys
	})
	return texts
}

// hasKeyTexts reports whether an object has exactly these keys, written so and in
// this order.
func hasKeyTexts(object []byte, texts [][]byte) bool {
	at := 0
	same := true
	members(object, func(key, _ []byte) bool {
		same = at < len(texts) && bytes.Equal(key, texts[at])
		at++
		return same
	})
	return same && at == len(texts)
}
