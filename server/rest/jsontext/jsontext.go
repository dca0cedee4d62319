// Package jsontext walks over JSON and copies nothing: a body may be large, and
// PostgreSQL reads it anyway. But for Elements, its functions are for valid JSON.
package jsontext

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"plaza/server/apierr"
)

// Elements calls each with the elements of a list, until it says no. It reports
// whether the list is whole: between its elements it is valid JSON, with nothing
// but space after it. Whether an element is, each has to see; it is never empty.
func Elements(list []byte, each func(element []byte) bool) bool {
	at := SkipSpace(list, 1)
	if at < len(list) && list[at] == ']' {
		return SkipSpace(list, at+1) == len(list)
	}
	for {
		end := ValueEnd(list, at)
		if end == at || !each(list[at:end]) {
			return false
		}
		at = SkipSpace(list, end)
		if at == len(list) {
			return false
		}
		switch list[at] {
		case ']':
			return SkipSpace(list, at+1) == len(list)
		case ',':
			at = SkipSpace(list, at+1)
		default:
			return false
		}
	}
}

// Members calls each with the keys, in their quotes, and the values of an object,
// until it says no.
func Members(object []byte, each func(key, value []byte) bool) {
	at := SkipSpace(object, 1)
	for object[at] != '}' {
		keyEnd := StringEnd(object, at)
		value := SkipSpace(object, SkipSpace(object, keyEnd)+1)
		end := ValueEnd(object, value)
		if !each(object[at:keyEnd], object[value:end]) {
			return
		}
		at = nextItem(object, end)
	}
}

func nextItem(text []byte, at int) int {
	if at = SkipSpace(text, at); text[at] == ',' {
		return SkipSpace(text, at+1)
	}
	return at
}

func SkipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// ValueEnd returns where the value that begins at a place ends, or the text does.
func ValueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '"':
			at = StringEnd(text, at)
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

func StringEnd(text []byte, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

// MaxKeys is one more than any table has columns or any function arguments, so
// that an object with more keys is refused without looking at the rest.
//
// Source: PostgreSQL's MaxTupleAttributeNumber, 1664.
const MaxKeys = 1665

// MaxKeyBytes is more than all columns of a table have in their names, in bytes.
const MaxKeyBytes = 1 << 20

// Keys returns an object's keys, decoded, each once, in order: one shape whatever
// order the client wrote. It returns at most maxKeys.
//
// Errors: 400 PGRST102 for keys that no table has as columns.
func Keys(object []byte) ([]string, error) {
	known := make(map[string]struct{})
	size := 0
	Members(object, func(key, _ []byte) bool {
		if _, twice := known[string(key[1:len(key)-1])]; twice { // as it is written, mostly
			return true
		}
		if size += len(key); size > MaxKeyBytes {
			return false
		}
		known[DecodeKey(key)] = struct{}{}
		return len(known) < MaxKeys
	})
	if size > MaxKeyBytes {
		return nil, apierr.New(http.StatusBadRequest, "PGRST102", "The keys of an object have more than %d bytes", MaxKeyBytes)
	}
	return slices.Sorted(maps.Keys(known)), nil
}

func DecodeKey(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // valid, as all here
	return key
}

// RawKeys are an object's keys as they are written.
func RawKeys(object []byte) [][]byte {
	var texts [][]byte
	Members(object, func(key, _ []byte) bool {
		texts = append(texts, key)
		return len(texts) < MaxKeys
	})
	return texts
}

// HasRawKeys reports whether an object has exactly these keys, written so and in
// this order.
func HasRawKeys(object []byte, texts [][]byte) bool {
	at := 0
	same := true
	Members(object, func(key, _ []byte) bool {
		same = at < len(texts) && bytes.Equal(key, texts[at])
		at++
		return same
	})
	return same && at == len(texts)
}
