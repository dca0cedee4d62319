package claims_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"plaza/server/claims"
)

// FuzzVerify checks that only tokens signed by us are accepted.
func FuzzVerify(f *testing.F) {
	v, _ := verifier()
	key, err := claims.NewSigningKey("ES256", start.Add(-time.Hour))
	if err != nil {
		f.Fatal(err)
	}
	ring, err := claims.NewRing([]claims.SigningKey{key})
	if err != nil {
		f.Fatal(err)
	}
	shared, err := v.Mint(map[string]any{"role": "anon", "sub": "u"})
	if err != nil {
		f.Fatal(err)
	}
	v.SetRing(ring)
	own, err := v.Mint(map[string]any{"role": "authenticated", "sub": "u", "exp": start.Add(time.Hour).Unix()})
	if err != nil {
		f.Fatal(err)
	}
	// The last character of a signature has unused bits. With other values of them the text would be
	// different, but the token the same.
	last := shared[len(shared)-1]
	respelled := shared[:len(shared)-1] + string(last+1)
	for _, token := range []string{
		shared, own, respelled, shared[:len(shared)-5] + "\r\n" + shared[len(shared)-5:], "", "..", "a.b.c", own + ".", "." + own, strings.ToUpper(own), own[:len(own)-1], shared[:20] + own[20:],
		"eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.", "eyJhbGciOiJIUzI1NiIsImtpZCI6IngifQ.e30.AAAA", "e30.e30.e30", "\x00.\x00.\x00",
	} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		who, err := v.Verify(token)
		if err != nil {
			if who != (claims.Caller{}) {
				t.Errorf("refused, and yet %+v", who)
			}
			return
		}
		if token != shared && token != own {
			t.Fatalf("%q is accepted as %+v", token, who)
		}
		if !json.Valid([]byte(who.JSON)) {
			t.Errorf("claims %q", who.JSON)
		}
	})
}
