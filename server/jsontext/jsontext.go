// Package jsontext scans JSON text without decoding or copying it: bodies may be
// large, and PostgreSQL parses them anyway. Except for Elements, its functions
// require valid JSON.
package jsontext

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"plaza/server/apierr"
)

// Elements calls each with every element of a list until each returns false. It
// reports whether the list is complete: the text between the elements is valid and
// only white space follows the list. The elements are not validated, but they are
// never empty.
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

// Members calls each with every key (with its quotes) and value of an object until
// each returns false.
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

// SkipSpace returns the index of the first byte at or after at that is not white space.
func SkipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// ValueEnd returns the index behind the value that begins at at, or len(text) if the
// value is incomplete.
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
			if depth == 0 { // a number, true, false or null
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

// StringEnd returns the index behind the string that begins at at, or len(text) if
// the string is incomplete.
func StringEnd(text []byte, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

// MaxKeys is more than any table has columns and any function has arguments. Further keys
// of an object are not read.
//
// Source: one more than PostgreSQL's MaxTupleAttributeNumber, 1664.
const MaxKeys = 1665

// MaxKeyBytes is the maximum total length of an object's keys, in bytes. It exceeds
// the length of all column names of any table.
const MaxKeyBytes = 1 << 20

// ErrKeyBytes means that the keys of an object exceed MaxKeyBytes.
var ErrKeyBytes = apierr.New(http.StatusBadRequest, "PGRST102", "The keys of an object have more than %d bytes", MaxKeyBytes)

// Keys returns an object's keys, decoded, without duplicates and sorted, so that the
// client's order does not matter. It returns at most MaxKeys.
//
// Errors: ErrKeyBytes.
func Keys(object []byte) ([]string, error) {
	known := make(map[string]struct{})
	size := 0
	Members(object, func(key, _ []byte) bool {
		// Most keys have no escapes, so the raw text finds most duplicates.
		if _, duplicate := known[string(key[1:len(key)-1])]; duplicate {
			return true
		}
		if size += len(key); size > MaxKeyBytes {
			return false
		}
		known[DecodeString(key)] = struct{}{}
		return len(known) < MaxKeys
	})
	if size > MaxKeyBytes {
		return nil, ErrKeyBytes
	}
	return slices.Sorted(maps.Keys(known)), nil
}

// DecodeString returns the value of a quoted JSON string.
func DecodeString(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // valid JSON, as required by this package
	return key
}

// RawKeys returns an object's keys as written, with their quotes.
func RawKeys(object []byte) [][]byte {
	var texts [][]byte
	Members(object, func(key, _ []byte) bool {
		texts = append(texts, key)
		return len(texts) < MaxKeys
	})
	return texts
}

// HasRawKeys reports whether an object has exactly these raw keys in this order.
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
