package identify_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
)

const signingSecret = "a-secret-of-tests-with-32-characters"

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func sign(t *testing.T, secret string, claims jwt.MapClaims) string {
	t.Helper()
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func keySet(t *testing.T, text string) *claims.KeySet {
	t.Helper()
	keys, err := claims.ParseKeySet([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func claimPath(t *testing.T, text string) settings.ClaimPath {
	t.Helper()
	path, err := settings.ParseClaimPath(text)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func tokens(t *testing.T, config identify.Config) identify.Func {
	t.Helper()
	if config.RoleClaim.String() == "" {
		config.RoleClaim = claimPath(t, settings.DefaultClaimPath)
	}
	identify, _ := identify.Tokens(config, func() time.Time { return noon })
	return identify
}

func bearing(header string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	if header != "" {
		r.Header.Set("Authorization", header)
	}
	return r
}

func TestTokensSelectTheRole(t *testing.T) {
	t.Parallel()
	full := identify.Config{Keys: keySet(t, signingSecret), AnonRole: "anon"}
	nested := full
	nested.RoleClaim = claimPath(t, `.realm."my roles"[?(@ ^== "db_")]`)
	indexed := full
	indexed.RoleClaim = claimPath(t, ".roles[1]")
	searched := full
	searched.RoleClaim = claimPath(t, `$['https://realm.test'].roles[?search(@, '^db_')]`)
	for name, test := range map[string]struct {
		config identify.Config
		header string
		role   string
		json   string
	}{
		"nobody":                      {full, "", "anon", `{"role":"anon"}`},
		"another scheme":              {full, "Basic abc", "anon", `{"role":"anon"}`},
		"a role":                      {full, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"role": "author"}), "author", `{"role":"author"}`},
		"any case of scheme":          {full, "bearer " + sign(t, signingSecret, jwt.MapClaims{"role": "author"}), "author", `{"role":"author"}`},
		"a role elsewhere":            {indexed, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"roles": []string{"a", "b"}, "role": "c"}), "b", `{"role":"b","roles":["a","b"]}`},
		"a number":                    {full, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"role": 7}), "7", `{"role":"7"}`},
		"no role":                     {full, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"id": 1}), "anon", `{"role":"anon","id":1}`},
		"a path":                      {nested, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"realm": map[string]any{"my roles": []string{"x", "db_author"}}}), "db_author", ""},
		"a JSON path":                 {searched, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"https://realm.test": map[string]any{"roles": []string{"x", "db_author", "db_other"}}}), "db_author", ""},
		"a JSON path without a match": {searched, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"role": "author"}), "anon", ""},
		"an index":                    {indexed, "Bearer " + sign(t, signingSecret, jwt.MapClaims{"roles": []string{"a", "b"}}), "b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who, err := tokens(t, test.config)(bearing(test.header))
			if err != nil || who.Role != test.role || test.json != "" && who.JSON != test.json {
				t.Errorf("%+v, %v", who, err)
			}
		})
	}
}

func TestTokensAreRefused(t *testing.T) {
	t.Parallel()
	full := identify.Config{Keys: keySet(t, signingSecret), AnonRole: "anon", Audience: "me"}
	token := func(claims jwt.MapClaims) string { return "Bearer " + sign(t, signingSecret, claims) }
	for name, test := range map[string]struct {
		config  identify.Config
		header  string
		status  int
		code    string
		message string
	}{
		"no secret":      {identify.Config{AnonRole: "anon"}, token(nil), 500, "PGRST300", "Server lacks JWT secret"},
		"empty":          {full, "Bearer ", 401, "PGRST301", "Empty JWT is sent in Authorization header"},
		"two parts":      {full, "Bearer a.b", 401, "PGRST301", "Expected 3 parts in JWT; got 2"},
		"another secret": {full, "Bearer " + sign(t, "another secret of 32 characters!!", nil), 401, "PGRST301", "No suitable key or wrong key type"},
		"garbage":        {full, "Bearer quifquirn.fonv.iuqvn", 401, "PGRST301", "JWT cryptographic operation failed"},
		"unsigned":       {full, "Bearer eyJhbGciOiJub25lIn0.e30.", 401, "PGRST301", "Wrong or unsupported encoding algorithm"},
		"no anon":        {identify.Config{Keys: keySet(t, signingSecret)}, "", 401, "PGRST302", "Anonymous access is disabled"},
		"expired":        {full, token(jwt.MapClaims{"exp": noon.Add(-31 * time.Second).Unix()}), 401, "PGRST303", "JWT expired"},
		"not yet":        {full, token(jwt.MapClaims{"nbf": noon.Add(31 * time.Second).Unix()}), 401, "PGRST303", "JWT not yet valid"},
		"from tomorrow":  {full, token(jwt.MapClaims{"iat": noon.Add(24 * time.Hour).Unix()}), 401, "PGRST303", "JWT issued at future"},
		"exp no number":  {full, token(jwt.MapClaims{"exp": "soon"}), 401, "PGRST303", "The JWT 'exp' claim must be a number"},
		"for others":     {full, token(jwt.MapClaims{"aud": []string{"you", "them"}}), 401, "PGRST303", "JWT not in audience"},
		"for nobody":     {full, token(jwt.MapClaims{"aud": ""}), 401, "PGRST303", "JWT not in audience"},
		"aud no text":    {full, token(jwt.MapClaims{"aud": 7}), 401, "PGRST303", "The JWT 'aud' claim must be a string or an array of strings"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who, err := tokens(t, test.config)(bearing(test.header))
			var refused *apierr.Error
			if !errors.As(err, &refused) || refused.Status != test.status || refused.Code != test.code || refused.Message != test.message {
				t.Errorf("%+v, %v", who, err)
			}
		})
	}
}

func TestCachedTokenExpires(t *testing.T) {
	t.Parallel()
	now := noon
	identify, cache := identify.Tokens(identify.Config{Keys: keySet(t, signingSecret), RoleClaim: claimPath(t, ".role"), CacheSize: 10}, func() time.Time { return now })
	r := bearing("Bearer " + sign(t, signingSecret, jwt.MapClaims{"role": "author", "exp": noon.Add(time.Minute).Unix()}))
	if who, err := identify(r); err != nil || who.Role != "author" {
		t.Fatalf("%+v, %v", who, err)
	}
	now = noon.Add(time.Minute + 31*time.Second)
	if who, err := identify(r); apierr.As(err) == nil || apierr.As(err).Message != "JWT expired" {
		t.Errorf("after its end: %+v, %v", who, err)
	}
	if seen := cache.Stats(); seen.Lookups != 2 || seen.Hits != 1 {
		t.Errorf("the cache was used otherwise: %+v", seen)
	}
}

func TestInvalidRoleClaimKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "role", ".", `."open`, ".a[x]", `.a[?(@ ~ "b")]`, `.a[?(@ == "b")].c`, ".a[-1]", ".a##", ".real-role", ".a[?(@ =)]",
		"$.my_role;;domain", "$.my-role", "$.a[", "$.a[?length(@) == 1]", "@.role"} {
		if _, err := settings.ParseClaimPath(key); err == nil {
			t.Errorf("%s was accepted", key)
		}
	}
}
