package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/rest/query"
)

// FuzzPreferences: what Preference-Applied says is what was understood.
func FuzzPreferences(f *testing.F) {
	for _, text := range []string{
		"return=representation, count=exact", "resolution=merge-duplicates,missing=default", "handling=strict, max-affected=10, tx=rollback",
		"timezone=America/New_York, isolation=repeatable-read", "handling=strict, nonsense=1", "return=minimal,return=representation", ",,=,handling=lenient",
		"timezone=../etc/passwd", "max-affected=-1, handling=strict", "timezone=Local",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		understood, err := readPreferences(http.Header{"Prefer": {text}})
		if err != nil {
			if apierr.As(err) == nil {
				t.Errorf("%q: an error no client may see: %v", text, err)
			}
			return
		}
		applied := understood.applied(understood.Tx)
		again, err := readPreferences(http.Header{"Prefer": {applied}})
		if err != nil || !reflect.DeepEqual(understood, again) {
			t.Errorf("%q is %+v; %q is %+v, %v", text, understood, applied, again, err)
		}
	})
}

// FuzzAccept: every entry is considered, the most wanted first.
func FuzzAccept(f *testing.F) {
	for _, text := range []string{
		"", "*/*", "text/csv;q=0.5, application/json", "application/vnd.pgrst.object+json;nulls=stripped", "a/b;q=NaN, c/d;q=inf, e/f;q=-1",
		`application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose`, "application/vnd.pgrst.plan", ";;,=;q=", "APPLICATION/VND.PGRST.ARRAY+JSON",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		wanted := parseAccept(text)
		if len(wanted) != strings.Count(text, ",")+1 {
			t.Errorf("%q has %d entries", text, len(wanted))
		}
		for i := 1; i < len(wanted); i++ {
			if wanted[i].quality > wanted[i-1].quality {
				t.Errorf("%q: %v before %v", text, wanted[i-1].quality, wanted[i].quality)
			}
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept", text)
		var offered []string
		_, err := negotiate(r, true, func(one mediaType) (form, bool) {
			offered = append(offered, one.name)
			return form{}, false
		})
		if answer := apierr.As(err); answer == nil || answer.Code != "PGRST107" {
			t.Errorf("%q: %v", text, err)
		}
		if len(offered) != len(wanted) {
			t.Errorf("%q: %q were offered", text, offered)
		}
	})
}

// FuzzRange: a range of rows is one that PostgreSQL takes.
func FuzzRange(f *testing.F) {
	for _, text := range []string{"0-9", "5-", "items=3-4", "9-3", "-5", "a-b", "0--1", " 1 - 2 ", "0-9223372036854775807", "1-9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var q query.Query
		if err := addRange(&q, http.Header{"Range": {text}}); err != nil {
			if answer := apierr.As(err); answer == nil || answer.Status != http.StatusRequestedRangeNotSatisfiable {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for _, cut := range q.Ranges {
			if *cut.Offset < 0 || cut.Limit != nil && *cut.Limit < 1 {
				t.Errorf("%q: offset %d, limit %v", text, *cut.Offset, cut.Limit)
			}
		}
	})
}

const fuzzSecret = "a-secret-of-tests-with-32-characters"

// FuzzToken: nobody becomes somebody without a signature, and what is signed
// leaves claims whose role is the caller's.
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
		claimPath, err := ParseClaimPath(path)
		if err != nil {
			return
		}
		identify, _ := Tokens(TokenConfig{Keys: keys, RoleClaim: claimPath, AnonRole: "anon", CacheSize: 1}, time.Now)
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
		// A role of other than plain text differs in how what is no UTF-8 is written.
		if set["role"] != who.Role && slices.Equal([]byte(payload), bytes.ToValidUTF8([]byte(payload), nil)) {
			t.Errorf("%q at %q: the role is %q, the claims are %s", payload, path, who.Role, who.JSON)
		}
	})
}

// FuzzClaimPath: a path that is written down leads to the same place.
func FuzzClaimPath(f *testing.F) {
	for _, text := range []string{".role", `."a b".c[0]`, `.roles[?(@ == "x")]`, `[12][?(@ *== "")]`, `.ñ$@_`, "", ".", `."`, "[999999999]",
		"$.role", `$["a b"].c[-1]`, `$.roles[?(@ == 'x' || !search(@, "^y"))]`, "$..*[0,1:2:-1]", `$[?@.c[0] >= -1.5e0 && $.role]`, `$['\u00e9\'']`} {
		f.Add(text, `{"role":"a","roles":["x","y"],"a b":{"c":[1]}}`)
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		path, err := ParseClaimPath(text)
		if err != nil {
			return
		}
		again, err := ParseClaimPath(path.String())
		if err != nil || !reflect.DeepEqual(path, again) {
			t.Errorf("%q is %+v; %q is %+v, %v", text, path, path.String(), again, err)
		}
		var claims map[string]any
		if json.Unmarshal([]byte(set), &claims) == nil {
			path.in(claims)
		}
	})
}
