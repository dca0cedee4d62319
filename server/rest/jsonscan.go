package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// The functions here walk over JSON that is known to be valid, and copy nothing:
// a body may be large, and PostgreSQL reads it anyway.

// elements calls each with the elements of a list, until it says no.
func elements(list []byte, each func(element []byte) bool) {
	at := skipSpace(list, 1)
	for list[at] != ']' {
		end := valueEnd(list, at)
		if !each(list[at:end]) {
			return
		}
		at = nextItem(list, end)
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
	for text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r' {
		at++
	}
	return at
}

// valueEnd is where the value that begins at a place ends.
func valueEnd(text []byte, at int) int {
	for depth := 0; ; {
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
		if depth == 0 {
			return at
		}
	}
}

func stringEnd(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// maxKeys is one more than any table has columns or any function arguments, so
// that an object with more keys is refused without looking at the rest.
//
// Source: PostgreSQL's MaxTupleAttributeNumber, 1664.
const maxKeys = 1665

// keysOf gives an object's keys, decoded, each once, in order: one shape whatever
// order the client wrote. It gives at most maxKeys.
func keysOf(object []byte) []string {
	known := make(map[string]struct{})
	members(object, func(key, _ []byte) bool {
		known[decodeKey(key)] = struct{}{}
		return len(known) < maxKeys
	})
	return slices.Sorted(maps.Keys(known))
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

// hasKeyTexts tells whether an object has exactly these keys, written so and in
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
