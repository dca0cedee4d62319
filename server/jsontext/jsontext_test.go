package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// FuzzWalk compares the scan of valid JSON with the result of encoding/json.
func FuzzWalk(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { "a" : 1 , "b":[1,{"c":"}"}] } `, `{"a\"b":"\\","é":null,"a\"b":-1.5e3}`, `[{"a":1},{"a":2} , 3,"x",[] ,true]`,
		`{"":{}}`, "{\"\\u0041\":1,\n\t\"A\":2}", `[[[]],{}]`, `"text"`, `12`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bytes.Trim(text, " \n\t\r")
		if len(text) > 0 && text[0] == '[' {
			if got := isList(text); got != json.Valid(text) {
				t.Errorf("%q: a list: %t", text, got)
			}
		}
		if !json.Valid(text) || !bytes.Equal(text, bytes.ToValidUTF8(text, nil)) {
			return
		}
		switch text[0] {
		case '{':
			var want map[string]json.RawMessage
			if json.Unmarshal(text, &want) != nil {
				return
			}
			got := make(map[string]json.RawMessage)
			Members(text, func(key, value []byte) bool {
				got[DecodeString(key)] = value
				return true
			})
			if !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
			keys, err := Keys(text)
			if names := slices.Sorted(maps.Keys(want)); err == nil && len(names) < MaxKeys && !slices.Equal(keys, names) {
				t.Errorf("%s: keys %q, want %q", text, keys, names)
			}
			if texts := RawKeys(text); len(texts) < MaxKeys && !HasRawKeys(text, texts) {
				t.Errorf("%s: has not its own keys", text)
			}
		case '[':
			var want []json.RawMessage
			if json.Unmarshal(text, &want) != nil {
				return
			}
			var got []json.RawMessage
			Elements(text, func(element []byte) bool {
				got = append(got, element)
				return true
			})
			if !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	})
}

// isList validates a list in the same way as request bodies.
func isList(text []byte) bool {
	valid := true
	whole := Elements(text, func(element []byte) bool {
		valid = json.Valid(element)
		return valid
	})
	return whole && valid
}

// TestManyKeysTakeLittleMemory: keys beyond the maximum number of columns are not stored.
func TestManyKeysTakeLittleMemory(t *testing.T) {
	var object bytes.Buffer
	object.WriteByte('{')
	for i := range 100_000 {
		if i > 0 {
			object.WriteByte(',')
		}
		fmt.Fprintf(&object, `"key %d":0`, i)
	}
	object.WriteByte('}')
	if got, err := Keys(object.Bytes()); len(got) != MaxKeys || err != nil {
		t.Errorf("%d keys, %v, want %d", len(got), err, MaxKeys)
	}
	if got := len(RawKeys(object.Bytes())); got != MaxKeys {
		t.Errorf("%d texts of keys, want %d", got, MaxKeys)
	}
}
