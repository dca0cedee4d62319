package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// FuzzWalk compares the walk over valid JSON with encoding/json's reading of it.
func FuzzWalk(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { "a" : 1 , "b":[1,{"c":"}"}] } `, `{"a\"b":"\\","é":null,"a\"b":-1.5e3}`, `[{"a":1},{"a":2} , 3,"x",[] ,true]`,
		`{"":{}}`, "{\"\\u0041\":1,\n\t\"A\":2}", `[[[]],{}]`, `"text"`, `12`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bytes.TrimSpace(text)
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
			members(text, func(key, value []byte) bool {
				got[decodeKey(key)] = value
				return true
			})
			if !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
			if keys := slices.Sorted(maps.Keys(want)); len(keys) < maxKeys && !slices.Equal(keysOf(text), keys) {
				t.Errorf("%s: keys %q, want %q", text, keysOf(text), keys)
			}
			if texts := keyTexts(text); len(texts) < maxKeys && !hasKeyTexts(text, texts) {
				t.Errorf("%s: has not its own keys", text)
			}
		case '[':
			var want []json.RawMessage
			if json.Unmarshal(text, &want) != nil {
				return
			}
			var got []json.RawMessage
			elements(text, func(element []byte) bool {
				got = append(got, element)
				return true
			})
			if !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	})
}

// TestManyKeysTakeLittleMemory: no table has so many columns, so the rest need not
// be known.
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
	if got := len(keysOf(object.Bytes())); got != maxKeys {
		t.Errorf("%d keys, want %d", got, maxKeys)
	}
	if got := len(keyTexts(object.Bytes())); got != maxKeys {
		t.Errorf("%d texts of keys, want %d", got, maxKeys)
	}
}
