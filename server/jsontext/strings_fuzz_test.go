package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzText checks that an encoded string decodes to the same string.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "ñ日🎉\u2028"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		for name, written := range map[string][]byte{"a value": AppendPostgresString(nil, []byte(text)), "a key": AppendString(nil, text)} {
			var got string
			if err := json.Unmarshal(written, &got); err != nil || got != text {
				t.Errorf("%s %q is %s: %q, %v", name, text, written, got, err)
			}
		}
	})
}
