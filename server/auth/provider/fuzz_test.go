package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"plaza/server/auth/provider"
)

// FuzzClaims checks that the stored profile is always a JSON object that PostgreSQL accepts, with a
// subject.
func FuzzClaims(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"sub": "1"}`, `{"sub": 1, "email": "a@x.test", "email_verified": "true"}`, `{"sub": "1", "email": {"a": 1}, "hd": []}`,
		`{"sub": "1", "name": "a\u0000b", "xms_edov": "1", "x\u0000": [[[["\u0000"]]]], "n": 1e999}`, `{"sub": "\u0000"}`, `{"sub": "\u000b"}`, `[1]`, `{"sub":"1"}{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, profile []byte) {
		people, err := provider.ReadAll(profile)
		if err != nil {
			return
		}
		for _, who := range people {
			checkKept(t, who)
		}
	})
}

func checkKept(t *testing.T, who provider.Profile) {
	t.Helper()
	if strings.TrimSpace(who.Subject) == "" || strings.ContainsRune(who.Subject, 0) {
		t.Fatalf("the subject is %q", who.Subject)
	}
	var kept map[string]any
	text := who.Data()
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatalf("not an object: %v\n%s", err, text)
	}
	if strings.Contains(string(text), `\u0000`) && !strings.Contains(string(text), `\\u0000`) {
		t.Fatalf("a NUL is kept: %s", text)
	}
	if kept["sub"] != who.Subject {
		t.Fatalf("kept sub %v of %q", kept["sub"], who.Subject)
	}
	if verified, ok := kept["email_verified"].(bool); !ok || verified && kept["email"] == nil {
		t.Fatalf("verified %v of %v", kept["email_verified"], kept["email"])
	}
}

// FuzzMapping checks that no mapping makes an unverified address verified or changes the subject of
// an ID token.
func FuzzMapping(f *testing.F) {
	f.Add([]byte(`{"name": "display", "email": "mail"}`), []byte(`{"sub": "1", "display": "A", "mail": "b@x.test", "email": "a@x.test", "email_verified": true}`))
	f.Add([]byte(`{"sub": "email", "email_verified": true, "iss": "x", "custom_claims": {"a": 1}}`), []byte(`{"sub": "1", "email": "a@x.test"}`))
	f.Add([]byte(`{"email": 7, "updated_at": null}`), []byte(`{"sub": "1", "email_verified": true}`))
	f.Fuzz(func(t *testing.T, mapping, profile []byte) {
		custom := provider.Custom{Name: "custom:a", Issuer: "https://issuer.test"}
		if json.Unmarshal(mapping, &custom.Mapping) != nil {
			return
		}
		plain, err := provider.Custom{Issuer: custom.Issuer}.Read(profile)
		if err != nil {
			return
		}
		mapped, err := custom.Read(profile)
		if err != nil {
			return
		}
		checkKept(t, mapped)
		if mapped.Subject != plain.Subject {
			t.Fatalf("the subject %q became %q", plain.Subject, mapped.Subject)
		}
		if got, was := mapped.Email(), plain.Email(); got.Verified && (!was.Verified || !strings.EqualFold(got.Address, was.Address)) {
			t.Fatalf("%+v became %+v", was, got)
		}
	})
}

// FuzzClaimedIssuer checks that no token causes a panic.
func FuzzClaimedIssuer(f *testing.F) {
	for _, seed := range []string{"", "a.b.c", "e30.eyJpc3MiOiJodHRwczovL2EudGVzdCJ9.e30", "..", "a.e30.c.d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if name, err := provider.ClaimedIssuer(raw); err != nil && name != "" {
			t.Fatalf("%q with %v", name, err)
		}
	})
}
