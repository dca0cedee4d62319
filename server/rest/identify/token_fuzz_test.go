package identify_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
)

const fuzzSecret = "a-secret-of-tests-with-32-characters"

// FuzzToken checks that a token without a valid signature is rejected, and that the claims
// of a valid one contain the caller's role.
func FuzzToken(f *testing.F) {
	keys, err := claims.ParseKeySet([]byte(fuzzSecret))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []struct{ header, payload, path string }{
		{"Bearer a.b.c", `{"role":"author"}`, ".role"},
		{"bearer  eyJhbGciOiJIUzI1NiJ9.e30.AA", `{"roles":["x",{"y":1}],"exp":99999999999}`, ".roles[0]"},
		{"Basic x", `{"role":null,"aud":["a","b"]}`, `.roles[?(@ ^== "pg")]`},
		{"Bearer ", ` { } `, `."a b"[1]`}, {"", `{"role":"a","role":"b"}`, ".role"}, {"Bearer x.y", `{"nbf":"soon"}`, ".aud"}, {"Bearer eyJhbGciOiJub25lIn0.e30.", `[]`, ""},
	} {
		f.Add(seed.header, seed.payload, seed.path)
	}
	f.Fuzz(func(t *testing.T, header, payload, path string) {
		claimPath, err := settings.ParseClaimPath(path)
		if err != nil {
			return
		}
		identify, _ := identify.Tokens(identify.Config{Keys: keys, RoleClaim: claimPath, AnonRole: "anon", CacheSize: 1}, time.Now)
		ask := func(authorization string) (claims.Caller, error) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header["Authorization"] = []string{authorization}
			who, err := identify(r)
			if err != nil {
				if answer := apierr.As(err); answer == nil || answer.Status != http.StatusUnauthorized {
					t.Errorf("%q: %v", authorization, err)
				}
			}
			return who, err
		}
		if who, err := ask(header); err == nil && who.Role != "anon" {
			t.Errorf("%q made its sender %s", header, who.Role)
		}
		signing, err := jwt.New(jwt.SigningMethodHS256).SigningString()
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(signing, ".")
		signing = head + "." + jwt.New(jwt.SigningMethodHS256).EncodeSegment([]byte(payload))
		signature, err := jwt.SigningMethodHS256.Sign(signing, []byte(fuzzSecret))
		if err != nil {
			t.Fatal(err)
		}
		who, err := ask("Bearer " + signing + "." + jwt.New(jwt.SigningMethodHS256).EncodeSegment(signature))
		if err != nil {
			return
		}
		var set map[string]any
		if err := json.Unmarshal([]byte(who.JSON), &set); err != nil {
			t.Fatalf("%q: claims %s: %v", payload, who.JSON, err)
		}
		// Roles with invalid UTF-8 are encoded differently.
		if set["role"] != who.Role && slices.Equal([]byte(payload), bytes.ToValidUTF8([]byte(payload), nil)) {
			t.Errorf("%q at %q: the role is %q, the claims are %s", payload, path, who.Role, who.JSON)
		}
	})
}
