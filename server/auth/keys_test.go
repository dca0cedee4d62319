package auth_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5"

	"plaza/server/auth"
	"plaza/server/claims"
	hidden "plaza/server/secret"
)

// keyring manages the server's signing keys, as the command does.
func (s *server) keyring() auth.Keyring {
	s.t.Helper()
	conn, err := pgx.ConnectConfig(s.t.Context(), s.db.Config().ConnConfig)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(s.t.Context())) })
	return auth.Keyring{Conn: conn, Config: defaults(s.t), Secret: []byte(secret), Now: s.clock.Now}
}

// reload makes the server read its keys.
func (s *server) reload() {
	s.t.Helper()
	if err := s.built.LoadKeys(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) rotate(ring auth.Keyring, algorithm string) auth.StoredKey {
	s.t.Helper()
	key, err := ring.Rotate(s.t.Context(), algorithm)
	if err != nil {
		s.t.Fatal(err)
	}
	s.reload()
	return key
}

// header returns the header of a token.
func header(t *testing.T, access string) (algorithm, id string) {
	t.Helper()
	parsed, _, err := jwt.NewParser().ParseUnverified(access, jwt.MapClaims{})
	if err != nil {
		t.Fatal(err)
	}
	id, _ = parsed.Header["kid"].(string)
	return parsed.Method.Alg(), id
}

func (s *server) shownKeys() string {
	s.t.Helper()
	got := s.do(call{method: http.MethodGet, path: "/.well-known/jwks.json", header: map[string]string{"apikey": ""}})
	got.want(s.t, http.StatusOK, "")
	return got.body
}

func (s *server) user(access string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodGet, path: "/user", as: access})
}

// No token is refused during a rotation: each stays valid until it expires, and a new key is
// published before it signs.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Security.ReuseInterval = 0 })
	ring := s.keyring()
	in := s.member("ana@plaza.test")
	equal(t, "keys", `{"keys":[]}`, strings.TrimSpace(s.shownKeys()))
	old := in.Access
	for _, algorithm := range []string{"ES256", "EdDSA", "RS256"} {
		key := s.rotate(ring, algorithm)
		if shown := s.shownKeys(); !strings.Contains(shown, key.ID) || strings.Contains(shown, `"d"`) {
			t.Errorf("shown: %s", shown)
		}
		in = s.refresh(in.Refresh).tokens(t)
		if _, id := header(t, in.Access); id == key.ID {
			t.Errorf("the new %s key signs before its time", algorithm)
		}
		before := in.Access
		s.clock.Set(key.From)
		in = s.refresh(in.Refresh).tokens(t)
		method, id := header(t, in.Access)
		equal(t, "signed by", algorithm+" "+key.ID, method+" "+id)
		for _, access := range []string{old, before, in.Access} {
			s.user(access).want(t, http.StatusOK, "")
		}
		old = before
	}
	if text := s.text("select string_agg(sealed, ' ') from auth.signing_keys"); strings.Contains(text, `"kty"`) {
		t.Error("a private key is in the clear")
	}
	// The first keys are removed after their end, and the API keys never change.
	s.clock.Advance(2 * time.Hour)
	s.reload()
	equal(t, "keys shown", 1, strings.Count(s.shownKeys(), `"kid"`))
	s.do(call{method: http.MethodGet, path: "/settings"}).want(t, http.StatusOK, "")
}

// A running server notices a rotation.
func TestARunningServerFollowsARotation(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.built.ReloadKeys(ctx); close(ended) }()
	key, err := s.keyring().Rotate(t.Context(), "ES256")
	if err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(s.shownKeys(), key.ID) {
		if t.Context().Err() != nil {
			t.Fatal("the key is never shown")
		}
	}
	stop()
	<-ended
}

func TestARevokedKeyEndsItsTokens(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ring := s.keyring()
	key := s.rotate(ring, "ES256")
	s.clock.Set(key.From)
	in := s.member("ana@plaza.test")
	s.user(in.Access).want(t, http.StatusOK, "")
	if err := ring.Revoke(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	s.reload()
	s.user(in.Access).want(t, http.StatusForbidden, "bad_jwt")
	after := s.refresh(in.Refresh).tokens(t)
	s.user(after.Access).want(t, http.StatusOK, "")
	if err := ring.Revoke(t.Context(), "nonsense"); err == nil {
		t.Error("an unknown key was revoked")
	}
}

// Tokens forged with a public key, another key's id or no key are refused.
func TestForgedTokens(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	key := s.rotate(s.keyring(), "RS256")
	s.clock.Set(key.From)
	in := s.member("ana@plaza.test")
	set := jwt.MapClaims(s.claimsOf(in.Access))
	var shown struct{ Keys []json.RawMessage }
	if err := json.Unmarshal([]byte(s.shownKeys()), &shown); err != nil {
		t.Fatal(err)
	}
	mine, err := claims.NewSigningKey("RS256", s.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	elliptic, err := claims.NewSigningKey("ES256", s.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	ring := s.auth.Verifier.Ring()
	public, _ := ring.CurrentSigner(s.clock.Now())
	der, err := x509.MarshalPKIXPublicKey(public.Private.Public())
	if err != nil {
		t.Fatal(err)
	}
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	forge := func(method jwt.SigningMethod, id string, with any) string {
		token := jwt.NewWithClaims(method, set)
		if id != "" {
			token.Header["kid"] = id
		}
		signed, err := token.SignedString(with)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	for name, access := range map[string]string{
		"HS256 by the public key (PEM)": forge(jwt.SigningMethodHS256, key.ID, asPEM),
		"HS256 by the public key (DER)": forge(jwt.SigningMethodHS256, key.ID, der),
		"HS256 by the public key (JWK)": forge(jwt.SigningMethodHS256, key.ID, []byte(shown.Keys[0])),
		"my key under its name":         forge(jwt.SigningMethodRS256, key.ID, mine.Private),
		"my key under no name":          forge(jwt.SigningMethodRS256, "", mine.Private),
		"my key under mine":             forge(jwt.SigningMethodRS256, mine.ID, mine.Private),
		"another kind under its name":   forge(jwt.SigningMethodES256, key.ID, elliptic.Private),
		"no signature":                  forge(jwt.SigningMethodNone, key.ID, jwt.UnsafeAllowNoneSignatureType),
		"PS256 by the key":              forge(jwt.SigningMethodPS256, key.ID, public.Private),
		"the key under no name":         forge(jwt.SigningMethodRS256, "", public.Private),
		"an empty secret":               forge(jwt.SigningMethodHS256, "", []byte("")),
		"cut":                           in.Access[:len(in.Access)-10],
	} {
		t.Run(name, func(t *testing.T) {
			s.user(access).want(t, http.StatusForbidden, "bad_jwt")
		})
	}
	now, hour := s.clock.Now(), time.Hour
	for name, times := range map[string][3]time.Time{ // iat, exp, nbf
		"issued tomorrow": {now.Add(24 * hour), now.Add(25 * hour), now},
		"expired":         {now.Add(-hour), now.Add(-time.Minute), now.Add(-hour)},
		"not yet":         {now, now.Add(2 * hour), now.Add(hour)},
	} {
		set["iat"], set["exp"], set["nbf"] = times[0].Unix(), times[1].Unix(), times[2].Unix()
		t.Run(name, func(t *testing.T) {
			s.user(forge(jwt.SigningMethodRS256, key.ID, public.Private)).want(t, http.StatusForbidden, "bad_jwt")
		})
	}
	delete(set, "nbf")
	set["iat"], set["exp"] = now.Unix(), now.Add(hour).Unix()
	s.user(forge(jwt.SigningMethodRS256, key.ID, public.Private)).want(t, http.StatusOK, "") // signed with the real key
	s.user(in.Access).want(t, http.StatusOK, "")
}

func TestKeysOfTheSettings(t *testing.T) {
	t.Parallel()
	one, err := claims.NewSigningKey("ES256", startTime)
	if err != nil {
		t.Fatal(err)
	}
	two, err := claims.NewSigningKey("EdDSA", startTime)
	if err != nil {
		t.Fatal(err)
	}
	marked := func(k claims.SigningKey, ops ...string) map[string]any {
		text, err := k.MarshalPrivate()
		if err != nil {
			t.Fatal(err)
		}
		var set map[string]any
		if err := json.Unmarshal(text, &set); err != nil {
			t.Fatal(err)
		}
		set["key_ops"] = ops
		return set
	}
	shared := func(ops ...string) map[string]any {
		return map[string]any{"kty": "oct", "k": "Z7-AyPyChGNcQsX16cPBV-pPBo4q-zckDxkq1VZjATo", "kid": "s", "alg": "HS256", "key_ops": ops}
	}
	list, err := json.Marshal([]any{marked(one, "verify"), shared("verify"), marked(two, "sign", "verify")})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, nil)
	config := defaults(t)
	config.JWT.Keys = "nonsense"
	if err := config.Check(); err == nil || !strings.Contains(err.Error(), "GOTRUE_JWT_KEYS") {
		t.Errorf("nonsense is taken: %v", err)
	}
	with := start(t, func(c *auth.Config) { c.JWT.Keys = hidden.Text(list) })
	with.reload()
	in := with.member("ana@plaza.test")
	method, id := header(t, in.Access)
	equal(t, "signed by", "EdDSA "+two.ID, method+" "+id)
	with.user(in.Access).want(t, http.StatusOK, "")
	equal(t, "shown", 2, strings.Count(with.shownKeys(), `"kid"`))
	s.user(in.Access).want(t, http.StatusForbidden, "bad_jwt") // a server without the keys

	// A shared key signs with its id, and is not in the key set.
	list, err = json.Marshal([]any{marked(one, "verify"), shared("sign", "verify")})
	if err != nil {
		t.Fatal(err)
	}
	secretly := start(t, func(c *auth.Config) { c.JWT.Keys = hidden.Text(list) })
	secretly.reload()
	in = secretly.member("ana@plaza.test")
	method, id = header(t, in.Access)
	equal(t, "signed by", "HS256 s", method+" "+id)
	secretly.user(in.Access).want(t, http.StatusOK, "")
	equal(t, "shown", 1, strings.Count(secretly.shownKeys(), `"kid"`))
	for name, list := range map[string][]any{
		"two sign": {marked(one, "sign"), marked(two, "sign")}, "none signs": {marked(one, "verify")}, "short": {map[string]any{"kty": "oct", "k": "c2VjcmV0", "kid": "s", "key_ops": []string{"sign"}}},
	} {
		text, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := claims.ParseSigningKeys(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
