package sqlgen

import (
	"strings"
	"testing"
)

func TestIdent(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain": `"plain"`, `a"b`: `"a""b"`, "nul\x00l": `"null"`, `";drop table x--`: `""";drop table x--"`,
	} {
		if got := Ident(in); got != want {
			t.Errorf("Ident(%q) = %s, want %s", in, got, want)
		}
	}
}

// unquoted decodes a quoted identifier or string as PostgreSQL would.
func unquoted(t *testing.T, quoted string, quote string) string {
	t.Helper()
	if len(quoted) < 2 || !strings.HasPrefix(quoted, quote) || !strings.HasSuffix(quoted, quote) {
		t.Fatalf("%q is not quoted", quoted)
	}
	inner := quoted[1 : len(quoted)-1]
	if strings.Contains(strings.ReplaceAll(inner, quote+quote, ""), quote) {
		t.Fatalf("%q ends early", quoted)
	}
	return strings.ReplaceAll(inner, quote+quote, quote)
}

func FuzzQuoting(f *testing.F) {
	f.Add(`a"b`)
	f.Add(`it's`)
	f.Add(`back\slash'`)
	f.Fuzz(func(t *testing.T, text string) {
		clean := strings.ReplaceAll(text, "\x00", "")
		if got := unquoted(t, Ident(text), `"`); got != clean {
			t.Errorf("Ident(%q) decodes to %q", text, got)
		}
		quoted := literal(text)
		escaped, isEscape := strings.CutPrefix(quoted, " E")
		got := unquoted(t, escaped, "'")
		if isEscape {
			got = strings.ReplaceAll(got, `\\`, `\`)
		} else if strings.Contains(got, `\`) {
			t.Errorf("literal(%q) leaves a backslash to standard_conforming_strings", text)
		}
		if got != clean {
			t.Errorf("literal(%q) decodes to %q", text, got)
		}
	})
}
