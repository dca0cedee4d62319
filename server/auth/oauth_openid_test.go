package auth_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/oauth2"

	"plaza/server/auth"
)

// serverTransport passes a library's requests to the server under test.
type serverTransport struct{ s *server }

func (carrier serverTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	here, err := url.Parse(carrier.s.web.URL)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = here.Scheme, here.Host
	return http.DefaultTransport.RoundTrip(r)
}

// A real OpenID client: discovery, the code, an ID token verified with the key set, a refresh
// and userinfo, for each kind of signing key.
func TestOpenIDClient(t *testing.T) {
	t.Parallel()
	for _, algorithm := range []string{"ES256", "RS256", "EdDSA"} {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			s := startOAuthServer(t, nil)
			s.rotate(s.keyring(), algorithm)
			s.clock.Advance(time.Hour)
			s.reload()
			in := s.member("ana@plaza.test")
			s.clock.Advance(time.Minute)
			a := s.registerApp(nil)

			ctx := oidc.ClientContext(context.Background(), &http.Client{Transport: serverTransport{s}})
			found, err := oidc.NewProvider(ctx, issuer)
			if err != nil {
				t.Fatal(err)
			}
			config := oauth2.Config{ClientID: a.ID, ClientSecret: a.Secret, Endpoint: found.Endpoint(), RedirectURL: appAddress, Scopes: []string{"openid", "email", "profile", "phone"}}
			secret := oauth2.GenerateVerifier()
			begin, err := url.Parse(config.AuthCodeURL("state-1", oauth2.S256ChallengeOption(secret), oidc.Nonce("nonce-1")))
			if err != nil {
				t.Fatal(err)
			}
			page := s.followRedirect(strings.TrimPrefix(begin.RequestURI(), "/auth/v1")).location(t)
			id := page.Query().Get("authorization_id")
			s.openConsent(id, in.Access).want(t, http.StatusOK, "")
			back := s.decideConsent(id, in.Access, "approve").consentRedirect(t).Query()
			got, err := config.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(secret))
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := got.Extra("id_token").(string)
			checked, err := found.Verifier(&oidc.Config{ClientID: a.ID, Now: s.clock.Now}).Verify(ctx, raw)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "nonce", "nonce-1", checked.Nonce)
			equal(t, "subject", in.User["id"], any(checked.Subject))
			if err := checked.VerifyAccessToken(got.AccessToken); err != nil {
				t.Errorf("at_hash: %v", err)
			}
			var set map[string]any
			if err := checked.Claims(&set); err != nil {
				t.Fatal(err)
			}
			equal(t, "auth_time", any(float64(s.clock.Now().Add(-time.Minute).Unix())), set["auth_time"])
			equal(t, "email_verified", any(true), set["email_verified"])

			fresh := *got
			fresh.Expiry = time.Now().Add(-time.Hour)
			info, err := found.UserInfo(ctx, config.TokenSource(ctx, &fresh))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "subject of userinfo", checked.Subject, info.Subject)
			equal(t, "address of userinfo", "ana@plaza.test", info.Email)
			equal(t, "verified", true, info.EmailVerified)
		})
	}
}

// The scope determines the claims in the ID token and in userinfo.
func TestClaimsByScope(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	s.rotate(s.keyring(), "ES256")
	s.clock.Advance(time.Hour)
	s.reload()
	in, a := s.member("ana@plaza.test"), s.publicApp()
	s.exec(`update auth.users set phone = '34600123456', phone_confirmed_at = $1, updated_at = $1,
		raw_user_meta_data = '{"full_name":"Ana Test","avatar_url":"https://a.test/p.png","username":"ana"}'`, startTime)
	profile := map[string]any{"name": "Ana Test", "picture": "https://a.test/p.png", "preferred_username": "ana"}
	mail := map[string]any{"email": "ana@plaza.test", "email_verified": true}
	phone := map[string]any{"phone_number": "34600123456", "phone_number_verified": true}
	tests := []struct {
		scope string
		want  map[string]any
	}{{"openid", nil}, {"openid email", mail}, {"openid profile", profile}, {"openid phone", phone}, {"email", mail}, {"offline_access", nil}}
	for _, tt := range tests {
		t.Run(tt.scope, func(t *testing.T) {
			s.exec(`delete from auth.oauth_consents`)
			got := s.signInToApp(a, in.Access, url.Values{"scope": {tt.scope}})
			if wantID := strings.Contains(tt.scope, "openid"); wantID != (got.ID != "") {
				t.Fatalf("ID token %q", got.ID)
			}
			shown := s.fetchUserInfo(t, http.MethodGet, got.Access)
			equal(t, "by POST", shown["sub"], s.fetchUserInfo(t, http.MethodPost, got.Access)["sub"])
			sets := []map[string]any{shown}
			if got.ID != "" {
				sets = append(sets, unverifiedClaims(t, got.ID))
			}
			for _, set := range sets {
				equal(t, "sub", in.User["id"], set["sub"])
				for _, all := range []map[string]any{mail, profile, phone} {
					for name := range all {
						equal(t, name, tt.want[name], set[name])
					}
				}
			}
		})
	}
	own := s.fetchUserInfo(t, http.MethodGet, in.Access)
	equal(t, "a session of the user's own", map[string]any{"sub": in.User["id"]}, own)
	s.do(call{method: "GET", path: "/oauth/userinfo", header: map[string]string{"apikey": ""}}).want(t, http.StatusUnauthorized, "no_authorization")
}

func (s *server) fetchUserInfo(t *testing.T, method, as string) map[string]any {
	t.Helper()
	got := s.do(call{method: method, path: "/oauth/userinfo", as: as, header: map[string]string{"apikey": ""}})
	got.want(t, http.StatusOK, "")
	var set map[string]any
	got.parse(t, &set)
	return set
}

// unverifiedClaims returns the claims of a token without verifying it.
func unverifiedClaims(t *testing.T, token string) map[string]any {
	t.Helper()
	set := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, set); err != nil {
		t.Fatal(err)
	}
	return set
}

// An ID token is not accepted as an access token.
func TestIDTokenIsNoAccessToken(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	s.rotate(s.keyring(), "ES256")
	s.clock.Advance(time.Hour)
	s.reload()
	in, a := s.member("ana@plaza.test"), s.publicApp()
	got := s.signInToApp(a, in.Access, nil)
	s.user(got.ID).want(t, http.StatusForbidden, "bad_jwt")
	s.do(call{method: "GET", path: "/settings", header: map[string]string{"apikey": got.ID}}).want(t, http.StatusUnauthorized, "invalid_api_key")
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, func(c *auth.Config) { c.OAuthServer.AllowRegistration = true })
	var discovery map[string]any
	got := s.followRedirect("/.well-known/openid-configuration")
	got.want(t, http.StatusOK, "")
	got.parse(t, &discovery)
	for name, want := range map[string]any{
		"issuer": issuer, "authorization_endpoint": issuer + "/oauth/authorize", "token_endpoint": issuer + "/oauth/token",
		"userinfo_endpoint": issuer + "/oauth/userinfo", "jwks_uri": issuer + "/.well-known/jwks.json",
		"registration_endpoint": issuer + "/oauth/clients/register", "id_token_signing_alg_values_supported": []any{},
		"authorization_response_iss_parameter_supported": true,
		"code_challenge_methods_supported":               []any{"S256", "plain"},
	} {
		equal(t, name, want, discovery[name])
	}
	equal(t, "Cache-Control", "public, max-age=600", got.header.Get("Cache-Control"))
	equal(t, "the same", got.body, s.followRedirect("/.well-known/oauth-authorization-server").body)
	s.rotate(s.keyring(), "EdDSA")
	if !json.Valid([]byte(got.body)) || !strings.Contains(s.followRedirect("/.well-known/openid-configuration").body, `"id_token_signing_alg_values_supported":["EdDSA"]`) {
		t.Error("the algorithm of the signing key is not named")
	}
}
