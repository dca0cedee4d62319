package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// at returns the call with another path.
func (c call) at(path string) call {
	c.path = path
	return c
}

// introspection is the response to an introspection request.
type introspection struct {
	Active  bool   `json:"active"`
	Scope   string `json:"scope"`
	Client  string `json:"client_id"`
	Subject string `json:"sub"`
	Expires int64  `json:"exp"`
}

func (s *server) introspect(a oauthApp, token string) (result introspection) {
	s.t.Helper()
	got := s.do(a.authenticated(url.Values{"token": {token}}).at("/oauth/introspect"))
	got.want(s.t, http.StatusOK, "")
	got.parse(s.t, &result)
	return result
}

// signInToAppAgain signs a user in to an app to which they have already consented.
func (s *server) signInToAppAgain(a oauthApp, as string) appTokens {
	s.t.Helper()
	code := s.openConsent(s.authorize(a, nil), as).consentRedirect(s.t).Query().Get("code")
	return s.tokensOfApp(a.authenticated(exchangeForm(code)))
}

// revocations returns the number of revocations in the audit trail.
func (s *server) revocations() int {
	s.t.Helper()
	return s.count(`select count(*) from auth.audit_log_entries where payload -> 'traits' ->> 'action' = 'revoke_oauth_token'`)
}

func (s *server) revokeToken(a oauthApp, form url.Values) answer {
	s.t.Helper()
	return s.do(a.authenticated(form).at("/oauth/revoke"))
}

func TestARevokedTokenEndsTheSessionOfItsClient(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in := s.member("ana@plaza.test")
	for _, a := range []oauthApp{s.publicApp(), s.registerApp(nil), s.registerApp(map[string]any{"token_endpoint_auth_method": "client_secret_post"})} {
		s.signInToApp(a, in.Access, nil)
		for _, kind := range []string{"refresh_token", "access_token"} {
			for _, hint := range []string{"", "refresh_token", "access_token", "nonsense"} {
				tokens := s.signInToAppAgain(a, in.Access)
				token := map[string]string{"refresh_token": tokens.Refresh, "access_token": tokens.Access}[kind]
				form := url.Values{"token": {token}, "token_type_hint": {hint}}
				got := s.revokeToken(a, form)
				got.want(t, http.StatusOK, "")
				equal(t, "body", "", got.body)
				s.refreshApp(a, tokens.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
				s.do(call{method: http.MethodGet, path: "/oauth/userinfo", as: tokens.Access}).want(t, http.StatusForbidden, "session_not_found")
				s.revokeToken(a, form).want(t, http.StatusOK, "") // twice changes nothing
			}
		}
	}
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusOK, "")
	equal(t, "revocations", 24, s.revocations())
}

func TestClientsCannotRevokeForeignTokens(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a, other := s.member("ana@plaza.test"), s.publicApp(), s.registerApp(nil)
	tokens := s.signInToApp(a, in.Access, nil)
	for _, token := range []string{tokens.Access, tokens.Refresh, in.Access, in.Refresh, "unknown", "a.b.c"} {
		s.revokeToken(other, url.Values{"token": {token}}).want(t, http.StatusOK, "")
	}
	s.refreshApp(a, tokens.Refresh).want(t, http.StatusOK, "")
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusOK, "")
	equal(t, "revocations", 0, s.revocations())

	wrong := other
	wrong.Secret = "wrong"
	s.revokeToken(wrong, url.Values{"token": {tokens.Access}}).wantTokenError(t, http.StatusUnauthorized, "invalid_client")
	s.revokeToken(a, url.Values{}).wantTokenError(t, http.StatusBadRequest, "invalid_request")
	s.revokeToken(a, url.Values{"token": {"a", "b"}}).wantTokenError(t, http.StatusBadRequest, "invalid_request")
	s.revokeToken(a, url.Values{"token": {strings.Repeat("x", 70_000)}}).wantTokenError(t, http.StatusBadRequest, "invalid_request")
}

func TestAClientIntrospectsItsOwnTokens(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a, other := s.member("ana@plaza.test"), s.registerApp(nil), s.publicApp()
	tokens := s.signInToApp(a, in.Access, nil)
	equal(t, "its own", introspection{
		Active: true, Scope: "openid email", Client: a.ID, Subject: in.User["id"].(string), Expires: s.clock.Now().Unix() + tokens.In,
	}, s.introspect(a, tokens.Access))
	none := introspection{}
	equal(t, "another client's", none, s.introspect(other, tokens.Access))
	equal(t, "the user's own", none, s.introspect(a, in.Access))
	equal(t, "a refresh token", none, s.introspect(a, tokens.Refresh))
	equal(t, "no token", none, s.introspect(a, "unknown"))
	s.refreshApp(a, tokens.Refresh).want(t, http.StatusOK, "") // nothing was spent

	s.clock.Advance(time.Duration(tokens.In)*time.Second + time.Hour)
	equal(t, "an old one", none, s.introspect(a, tokens.Access))

	fresh := s.signInToAppAgain(a, s.signIn("ana@plaza.test", strong).tokens(t).Access)
	equal(t, "a new one", true, s.introspect(a, fresh.Access).Active)
	s.revokeToken(a, url.Values{"token": {fresh.Refresh}}).want(t, http.StatusOK, "")
	equal(t, "one whose session has ended", none, s.introspect(a, fresh.Access))

	wrong := a
	wrong.Secret = "wrong"
	s.do(wrong.authenticated(url.Values{"token": {fresh.Access}}).at("/oauth/introspect")).wantTokenError(t, http.StatusUnauthorized, "invalid_client")
	s.do(a.authenticated(url.Values{}).at("/oauth/introspect")).wantTokenError(t, http.StatusBadRequest, "invalid_request")
}
