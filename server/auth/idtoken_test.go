package auth_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"plaza/server/auth"
	"plaza/tests/testkit/outside"
)

// idTokenGrant sends an ID token to the server, as an app does.
func (a *providerServer) idTokenGrant(fields map[string]any) answer {
	a.t.Helper()
	return a.post("/token?grant_type=id_token", body(fields))
}

// wantOAuthError checks an OAuth error.
func (got answer) wantOAuthError(t testing.TB, name, description string) {
	t.Helper()
	var failure struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	got.parse(t, &failure)
	if got.status != http.StatusBadRequest || failure.Error != name || !strings.HasPrefix(failure.Description, description) {
		t.Errorf("status %d: %s", got.status, got.body)
	}
}

func hashed(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

func TestIDTokenSignIn(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	claims := person("g-1", "ana@x.test", true)
	claims["nonce"], claims["at_hash"] = hashed("once"), outside.AccessHash("an-access-token")
	token := a.google.Sign(claims)
	first := a.idTokenGrant(map[string]any{"provider": "google", "id_token": token, "nonce": "once", "access_token": "an-access-token"}).tokens(t)
	if first.User["email"] != "ana@x.test" || a.claimsOf(first.Access)["amr"].([]any)[0].(map[string]any)["method"] != "oauth" {
		t.Errorf("user %v", first.User)
	}
	// By issuer and client id, as older apps do. The browser flow leads to the same account.
	second := a.idTokenGrant(map[string]any{"issuer": issuerOfGoogle, "client_id": "our-client", "id_token": token, "nonce": "once"}).tokens(t)
	third := a.googleTokens(person("g-1", "ana@x.test", true))
	if second.User["id"] != first.User["id"] || third.User["id"] != first.User["id"] {
		t.Error("the same person has several accounts")
	}
}

func TestIDTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	a.googleTokens(person("g-1", victim, true))
	evil := outside.NewIssuer(t, "https://evil.test", a.clock.Now)
	a.world.Host("evil.test", evil)
	with := func(claim string, value any) string {
		claims := person("g-1", victim, true)
		claims[claim] = value
		return a.google.Sign(claims)
	}
	good := a.google.Sign(person("g-1", victim, true))
	for name, tt := range map[string]struct {
		body               map[string]any
		error, description string
	}{
		"no token":                       {map[string]any{"provider": "google"}, "invalid request", "id_token required"},
		"no provider":                    {map[string]any{"id_token": good}, "invalid request", "provider or client_id and issuer required"},
		"made for another app":           {map[string]any{"provider": "google", "id_token": with("aud", "another-client")}, "invalid request", "Unacceptable audience in id_token"},
		"made by another issuer":         {map[string]any{"provider": "google", "id_token": evil.Sign(person("g-1", victim, true))}, "invalid request", "Bad ID token"},
		"made by one of Google's name":   {map[string]any{"provider": "google", "id_token": evil.Sign(outside.Claims{"iss": issuerOfGoogle, "sub": "g-1", "aud": "our-client"})}, "invalid request", "Bad ID token"},
		"not signed":                     {map[string]any{"provider": "google", "id_token": good[:strings.LastIndex(good, ".")+1]}, "invalid request", "Bad ID token"},
		"without an algorithm":           {map[string]any{"provider": "google", "id_token": "eyJhbGciOiJub25lIn0." + strings.Split(good, ".")[1] + "."}, "invalid request", "Bad ID token"},
		"without a subject":              {map[string]any{"provider": "google", "id_token": with("sub", "")}, "invalid request", "Missing sub claim in id_token"},
		"expired":                        {map[string]any{"provider": "google", "id_token": with("exp", 1)}, "invalid request", "Bad ID token"},
		"a nonce that the token lacks":   {map[string]any{"provider": "google", "id_token": good, "nonce": "once"}, "invalid request", "Passed nonce and nonce in id_token"},
		"a replay without its nonce":     {map[string]any{"provider": "google", "id_token": with("nonce", hashed("once"))}, "invalid request", "Passed nonce and nonce in id_token"},
		"a replay with the hashed nonce": {map[string]any{"provider": "google", "id_token": with("nonce", hashed("once")), "nonce": hashed("once")}, "invalid nonce", "Nonces mismatch"},
		"another access token":           {map[string]any{"provider": "google", "id_token": with("at_hash", outside.AccessHash("a")), "access_token": "b"}, "invalid request", "Bad ID token"},
		"far too long":                   {map[string]any{"provider": "google", "id_token": strings.Repeat("a", 40000)}, "invalid request", "Bad ID token"},
		"a NUL":                          {map[string]any{"provider": "google", "id_token": "a\x00.b.c"}, "invalid request", "Bad ID token"},
	} {
		t.Run(name, func(t *testing.T) { a.idTokenGrant(tt.body).wantOAuthError(t, tt.error, tt.description) })
	}
	for name, tt := range map[string]struct {
		body map[string]any
		code string
	}{
		"a provider that is off":     {map[string]any{"provider": "apple", "id_token": good}, "provider_disabled"},
		"one without ID tokens":      {map[string]any{"provider": "github", "id_token": good}, "validation_failed"},
		"an issuer of one's own":     {map[string]any{"issuer": "https://evil.test", "client_id": "our-client", "id_token": evil.Sign(person("g-1", victim, true))}, "validation_failed"},
		"a custom one, not added":    {map[string]any{"provider": "custom:nobody", "id_token": good}, "validation_failed"},
		"a custom one of a bad name": {map[string]any{"provider": "custom:\x00", "id_token": good}, "validation_failed"},
	} {
		t.Run(name, func(t *testing.T) { a.idTokenGrant(tt.body).want(t, http.StatusBadRequest, tt.code) })
	}
	a.post("/token?grant_type=id_token", strings.Repeat(" ", 2<<20)).want(t, http.StatusRequestEntityTooLarge, "")
	if n := a.count("select count(*) from auth.sessions"); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

func TestIDTokensOfUnverifiedAddresses(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	a.member(victim)
	a.idTokenGrant(map[string]any{"provider": "google", "id_token": a.google.Sign(person("g-evil", victim, false))}).
		want(t, http.StatusUnprocessableEntity, "provider_email_needs_verification")
	if n := a.count("select count(*) from auth.identities where provider = 'google'"); n != 0 {
		t.Error("the identity is linked")
	}
}

func TestIDTokensOfMicrosoft(t *testing.T) {
	t.Parallel()
	const tenant = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555"
	a := startWithProviders(t, func(config *auth.Config) {
		config.External.Azure = providerSettings()
		config.External.Azure.URL = tenant
	})
	a.member(victim)
	sign := func(issuer string, edov any) string {
		made := outside.NewIssuer(t, issuer, a.clock.Now)
		a.world.Host("login.microsoftonline.com", made)
		return made.Sign(outside.Claims{"sub": "m-1", "aud": "our-client", "email": victim, "xms_edov": edov})
	}
	a.idTokenGrant(map[string]any{"provider": "azure", "id_token": sign("https://login.microsoftonline.com/99999999-2222-3333-4444-555555555555/v2.0", true)}).
		wantOAuthError(t, "invalid request", "Bad ID token")
	a.idTokenGrant(map[string]any{"provider": "azure", "id_token": sign(tenant+"/v2.0", false)}).want(t, http.StatusUnprocessableEntity, "provider_email_needs_verification")
	if n := a.count("select count(*) from auth.identities where provider = 'azure'"); n != 0 {
		t.Error("an identity of a foreign domain is linked")
	}
}

func TestIDTokensLink(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	link := func(as, token string) answer {
		return a.do(call{path: "/token?grant_type=id_token", as: as, body: body(map[string]any{"provider": "google", "id_token": token, "link_identity": true})})
	}
	token := a.google.Sign(person("g-1", "ana@work.test", true))
	link("", token).wantOAuthError(t, "invalid request", "Linking requires a valid user access token in Authorization")
	link("not.a.token", token).want(t, http.StatusForbidden, "bad_jwt")
	linked := link(member.Access, token).tokens(t)
	if linked.User["id"] != member.User["id"] || linked.User["email"] != "ana@x.test" {
		t.Errorf("user %v", linked.User)
	}
	link(a.member("ben@x.test").Access, token).want(t, http.StatusUnprocessableEntity, "identity_already_exists")
}
