package mfa_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/auth/mfa"
)

func TestPartyOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		site string
		want mfa.RelyingParty
	}{
		{"https://plaza.test/", mfa.RelyingParty{ID: "plaza.test", Name: "plaza.test", Origins: []string{"https://plaza.test"}}},
		{"https://shop.plaza.test:8443/x", mfa.RelyingParty{ID: "shop.plaza.test", Name: "shop.plaza.test:8443", Origins: []string{"https://shop.plaza.test:8443"}}},
		{"http://localhost:54321", mfa.RelyingParty{ID: "localhost", Name: "localhost:54321", Origins: []string{"http://localhost:54321"}}},
		{"http://127.0.0.1:54321", mfa.RelyingParty{ID: "localhost", Name: "127.0.0.1:54321", Origins: []string{"http://localhost:54321"}}},
		{"http://[::1]", mfa.RelyingParty{ID: "localhost", Name: "[::1]", Origins: []string{"http://localhost"}}},
	}
	for _, tt := range tests {
		got, err := mfa.PartyOf(tt.site)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("PartyOf(%q): %v (-want +got):\n%s", tt.site, err, diff)
		}
		if _, err := mfa.NewCeremonies(got, true); err != nil {
			t.Errorf("NewCeremonies of %q: %v", tt.site, err)
		}
	}
	for _, site := range []string{"https://192.0.2.7", "plaza", ""} {
		if _, err := mfa.PartyOf(site); err == nil {
			t.Errorf("PartyOf(%q) gives no error", site)
		}
	}
}

func TestAAGUID(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"": "", "short": "", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00": "",
		"\xfb\xfc\x30\x07\x15\x4e\x4e\xcc\x8c\x0b\x6e\x02\x05\x57\xd7\xbd": "fbfc3007-154e-4ecc-8c0b-6e020557d7bd",
	} {
		if got := mfa.AAGUID([]byte(raw)); got != want {
			t.Errorf("AAGUID(%q) is %q, want %q", raw, got, want)
		}
	}
}

// FuzzAnswers checks that malformed authenticator responses are refused without a panic.
func FuzzAnswers(f *testing.F) {
	party := mfa.RelyingParty{ID: "plaza.test", Name: "Plaza", Origins: []string{"https://plaza.test"}}
	ceremonies, err := mfa.NewCeremonies(party, true)
	if err != nil {
		f.Fatal(err)
	}
	person := mfa.Person{ID: "ana", Name: "Ana", DisplayName: "Ana", Credentials: []mfa.Credential{{ID: []byte{1, 2}, PublicKey: []byte{0xa0}}}}
	create, err := ceremonies.BeginCreate(person)
	if err != nil {
		f.Fatal(err)
	}
	request, err := ceremonies.BeginRequest(person)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		``, `null`, `[]`, `{"id":"AQI","rawId":"AQI","type":"public-key","response":{}}`,
		`{"id":"AQI","rawId":"AQI","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVgA"}}`,
		`{"id":"AQI","rawId":"AQI","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":"YW5h"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, result []byte) {
		if _, err := ceremonies.FinishCreate(person, create.SessionData, result); !errors.Is(err, mfa.ErrRejected) {
			t.Errorf("created: %v", err)
		}
		if _, err := ceremonies.FinishRequest(person, request.SessionData, result); !errors.Is(err, mfa.ErrRejected) {
			t.Errorf("requested: %v", err)
		}
	})
}
