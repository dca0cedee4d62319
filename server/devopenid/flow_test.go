package devopenid_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func (s *served) exchange(code, verifier string) (*oauth2.Token, error) {
	return s.client.Exchange(s.t.Context(), code, oauth2.VerifierOption(verifier))
}

// claims returns the claims of the ID token in a response.
func (s *served) claims(token *oauth2.Token) map[string]any {
	s.t.Helper()
	raw, _ := token.Extra("id_token").(string)
	checked, err := s.verify.Verify(s.t.Context(), raw)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := checked.VerifyAccessToken(token.AccessToken); err != nil {
		s.t.Fatal(err)
	}
	if checked.Nonce != "the-nonce" {
		s.t.Errorf("nonce %q", checked.Nonce)
	}
	var set map[string]any
	if err := checked.Claims(&set); err != nil {
		s.t.Fatal(err)
	}
	return set
}

func TestListedPersonSignsIn(t *testing.T) {
	t.Parallel()
	s := serve(t)
	got := s.back(s.press(s.request(), url.Values{"person": {"alba.serra@example.com"}}))
	if got.Get("state") != "the-state" || got.Get("error") != "" {
		t.Fatalf("came back with %v", got)
	}
	token, err := s.exchange(got.Get("code"), verifier)
	if err != nil {
		t.Fatal(err)
	}
	claims := s.claims(token)
	if claims["email"] != "alba.serra@example.com" || claims["email_verified"] != true || claims["name"] != "Alba Serra" || claims["sub"] == "" {
		t.Errorf("claims %v", claims)
	}
	if _, err := s.exchange(got.Get("code"), verifier); err == nil {
		t.Error("a code works twice")
	}
}

func TestEnteredPersonSignsInAndIsListedAfterwards(t *testing.T) {
	t.Parallel()
	s := serve(t)
	form := url.Values{"name": {"Núria <b>Roca</b>"}, "email": {"Nuria@Example.com"}}
	token, err := s.exchange(s.back(s.press(s.request(), form)).Get("code"), verifier)
	if err != nil {
		t.Fatal(err)
	}
	claims := s.claims(token)
	if claims["email"] != "nuria@example.com" || claims["email_verified"] != false {
		t.Errorf("claims %v", claims)
	}
	_, page := s.get(s.request())
	if !strings.Contains(page, "nuria@example.com · not verified") || strings.Contains(page, "<b>") {
		t.Errorf("the page does not offer the person, or not as text:\n%s", page)
	}
	again, err := s.exchange(s.back(s.press(s.request(), url.Values{"person": {"nuria@example.com"}})).Get("code"), verifier)
	if err != nil {
		t.Fatal(err)
	}
	if s.claims(again)["sub"] != claims["sub"] {
		t.Error("the same address is another person")
	}
}

func TestCancelRedirectsWithAccessDenied(t *testing.T) {
	t.Parallel()
	s := serve(t)
	got := s.back(s.press(s.request(), url.Values{"cancel": {"1"}}))
	if got.Get("error") != "access_denied" || got.Get("state") != "the-state" || got.Has("code") {
		t.Errorf("came back with %v", got)
	}
}

func TestTypedUserIsValidated(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]url.Values{
		"nothing": {}, "no name": {"email": {"a@example.com"}}, "no address": {"name": {"A"}, "email": {"a"}},
		"an address with a name": {"name": {"A"}, "email": {"A <a@example.com>"}}, "nobody's button": {"person": {"nobody@example.com"}},
		"too long": {"name": {strings.Repeat("a", 200)}, "email": {"a@example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			response, page := s.press(s.request(), form)
			if response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(page, `role="alert"`) {
				t.Errorf("answer %s\n%s", response.Status, page)
			}
		})
	}
}

func TestOtherClientsAreRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another client": {"client_id", "other"}, "another redirect URI": {"redirect_uri", "https://evil.test/"},
		"a longer redirect URI": {"redirect_uri", callback + "/more"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			target, err := url.Parse(s.request())
			if err != nil {
				t.Fatal(err)
			}
			query := target.Query()
			query.Set(change[0], change[1])
			target.RawQuery = query.Encode()
			if response, _ := s.get(target.String()); response.StatusCode != http.StatusBadRequest {
				t.Errorf("the page answers %s", response.Status)
			}
			if response, _ := s.send(http.MethodPost, s.web.URL+"/openid/authorize", query); response.StatusCode != http.StatusBadRequest {
				t.Errorf("the form answers %s", response.Status)
			}
		})
	}
}

func TestRequestWithoutPKCERedirectsWithAnError(t *testing.T) {
	t.Parallel()
	s := serve(t)
	response, body := s.get(s.client.AuthCodeURL("the-state"))
	if got := s.back(response, body); got.Get("error") != "invalid_request" {
		t.Errorf("came back with %v", got)
	}
}

func TestCodesAreBoundAndShortLived(t *testing.T) {
	t.Parallel()
	s := serve(t)
	code := func() string {
		return s.back(s.press(s.request(), url.Values{"person": {"marc.puig@example.com"}})).Get("code")
	}
	if _, err := s.exchange(code(), "another-verifier-that-is-43-characters-long-too"); err == nil {
		t.Error("another's verifier opens a code")
	}
	stolen := s.client
	stolen.ClientSecret = "guessed"
	if _, err := stolen.Exchange(t.Context(), code(), oauth2.VerifierOption(verifier)); err == nil {
		t.Error("a wrong client secret opens a code")
	}
	late := code()
	s.clock.Advance(2 * time.Minute)
	if _, err := s.exchange(late, verifier); err == nil {
		t.Error("an old code works")
	}
}

func TestRefreshTokensAndUserinfo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	token, err := s.exchange(s.back(s.press(s.request(oauth2.AccessTypeOffline), url.Values{"person": {"noa.vidal@example.com"}})).Get("code"), verifier)
	if err != nil {
		t.Fatal(err)
	}
	if token.RefreshToken == "" {
		t.Fatal("no refresh token though offline access was requested")
	}
	token.Expiry = time.Now().Add(-time.Hour)
	fresh, err := s.client.TokenSource(t.Context(), token).Token()
	if err != nil || fresh.AccessToken == token.AccessToken {
		t.Fatalf("refresh: %v", err)
	}
	provider, err := oidc.NewProvider(t.Context(), s.web.URL+"/openid")
	if err != nil {
		t.Fatal(err)
	}
	info, err := provider.UserInfo(t.Context(), oauth2.StaticTokenSource(fresh))
	if err != nil || info.Email != "noa.vidal@example.com" {
		t.Errorf("userinfo %v, %v", info, err)
	}
	if _, err := provider.UserInfo(t.Context(), oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "guessed"})); err == nil {
		t.Error("userinfo accepts a guessed token")
	}
}

func TestPageNamesTheLocalProvider(t *testing.T) {
	t.Parallel()
	s := serve(t)
	response, page := s.get(s.request())
	for _, text := range []string{"This is a local test provider", "Choose a test account", ">Cancel<"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
	if got := response.Header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'none'") || !strings.Contains(got, "frame-ancestors 'none'") {
		t.Errorf("policy %q", got)
	}
}
