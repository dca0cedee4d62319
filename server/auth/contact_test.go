package auth_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"plaza/server/auth"
)

func TestPhones(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"+34600111222": "34600111222", "34600111222": "34600111222", "+34 600 11 12 22": "34600111222", "376123456": "376123456",
		"": "", "+": "", "0034600111222": "", "+34-600": "", "34600111222345678": "", "+٣٤٦٠٠١١١٢٢٢": "", "3460011122２": "",
		"34600111222\n": "", "34600111222\x00": "", "++34600111222": "", "1": "",
	} {
		got, err := auth.ParsePhone(text)
		if got != want && (err == nil || want != "") || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

func FuzzPhone(f *testing.F) {
	for _, text := range []string{"+34600111222", "34 600", "", "+0", "١٢٣", strings.Repeat("9", 40), "\x00", "34600111222 "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number, err := auth.ParsePhone(text)
		if err != nil {
			return
		}
		if len(number) < 2 || len(number) > 15 || strings.Trim(number, "0123456789") != "" || number[0] == '0' {
			t.Errorf("%q is %q", text, number)
		}
		if again, err := auth.ParsePhone(number); err != nil || again != number {
			t.Errorf("%q does not stay %q", number, again)
		}
	})
}

// Homoglyphs are not allowed in an address, so that nobody can sign up with a look-alike.
func TestLookAlikeAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"аna@plaza.test", "ana@рlaza.test", "ana＠plaza.test", "ana@plaza.test\u200b", "ana\u00ad@plaza.test", "ana@plaza。test", "ana@plaza.test\x00", " ana@plaza.test", "ana@plaza.test\r\nBcc: x@y.test"} {
		if got, err := auth.ParseEmail(text); err == nil {
			t.Errorf("%q is %q (%d runes)", text, got, utf8.RuneCountInString(got))
		}
	}
}
