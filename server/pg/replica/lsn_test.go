package replica

import "testing"

func TestParseLSN(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"16/B374D848": "16/B374D848", "0/1": "0/1", "FFFFFFFF/FFFFFFFF": "FFFFFFFF/FFFFFFFF", "a/b": "A/B",
		"": "0/0", "0": "0/0", "/1": "0/0", "1/": "0/0", "1/2/3": "0/0", "100000000/0": "0/0", "-1/0": "0/0",
	} {
		if got := ParseLSN(text).String(); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
