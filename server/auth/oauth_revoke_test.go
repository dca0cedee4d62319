package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// at sends the call to another path.
func (c call) at(path string) call {
	c.path = path
	return c
}

// introspected is what a client learns of a token.
type introspected struct {
	Active  bool   `json:"active"`
	Scope   string `json:"scope"`
	Client  string `json:"client_id"`
	Subject string `json:"sub"`
	Expires int64  `json:"exp"`
}

func (s *server) introspected(a oauthApp, token string) (said introspected) {
	s.t.Helper()
	got := s.do(a.with(url.Values{"token": {token}}).at("/oauth/introspect"))
	got.want(s.t, http.StatusOK, "")
	got.parse(s.t, &said)
	return said
}

// signedInAgain has a member sign in to an app that they have let in before.
func (s *server) signedInAgain(a oauthApp, as string) granted {
	s.t.Helper()
	code := s.shown(s.ask(a, nil), as).goesTo(s.t).Query().Get("code")
	return s.granted(a.with(exchanging(code)))
}

// revocations counts what the audit trail has of them.
func (s *server) revocations() int {
	s.t.Helper()
	return s.count(`select count(*) from auth.audit_log_entries where payload -> 'traits' ->> 'action' = 'revoke_oauth_token'`)
}

func (s *server) revoked(a oauthApp, form url.Values) answer {
	s.t.Helper()
	return s.do(a.with(form).at("/oauth/revoke"))
}

func TestARevokedTokenEndsTheSessionOfItsClient(t *testing.T) {
	t.Parallel()
	s := provides(t, nil)
	in := s.member("ana@plaza.test")
	for _, a := range []oauthApp{s.publicApp(), s.registered(nil), s.registered(map[string]any{"token_endpoint_auth_method": "client_secret_post"})} {
		s.signedIn(a, in.Access, nil)
		for _, kind := range []string{"refresh_token", "access_token"} {
			for _, hint := range []string{"", "refresh_token", "access_token", "nonsense"} {
				tokens := s.signedInAgain(a, in.Access)
				token := map[string]string{"refresh_token": tokens.Refresh, "access_token": tokens.Access}[kind]
				form := url.Values{"token": {token}, "token_type_hint": {hint}}
				got := s.revoked(a, form)
				got.want(t, http.StatusOK, "")
				equal(t, "body", "", got.body)
				s.renewed(a, tokens.Refresh).refusedWith(t, http.StatusBadRequest, "invalid_grant")
				s.do(call{method: http.MethodGet, path: "/oauth/userinfo", as: tokens.Access}).want(t, http.StatusForbidden, "session_not_found")
				s.revoked(a, form).want(t, http.StatusOK, "") // twice changes nothing
			}
		}
	}
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusOK, "")
	equal(t, "revocations", 24, s.revocations())
}

func TestNobodyRevokesAnothersToken(t *testing.T) {
	t.Parallel()
	s := provides(t, nil)
	in, a, other := s.member("ana@plaza.test"), s.publicApp(), s.registered(nil)
	tokens := s.signedIn(a, in.Access, nil)
	for _, token := range []string{tokens.Access, tokens.Refresh, in.Access, in.Refresh, "unknown", "a.b.c"} {
		s.revoked(other, url.Values{"token": {token}}).want(t, http.StatusOK, "")
	}
	s.renewed(a, tokens.Refresh).want(t, http.StatusOK, "")
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusOK, "")
	equal(t, "revocations", 0, s.revocations())

	wrong := other
	wrong.Secret = "wrong"
	s.revoked(wrong, url.Values{"token": {tokens.Access}}).refusedWith(t, http.StatusUnauthorized, "invalid_client")
	s.revoked(a, url.Values{}).refusedWith(t, http.StatusBadRequest, "invalid_request")
	s.revoked(a, url.Values{"token": {"a", "b"}}).refusedWith(t, http.StatusBadRequest, "invalid_request")
	s.revoked(a, url.Values{"token": {strings.Repeat("x", 70_000)}}).refusedWith(t, http.StatusBadRequest, "invalid_request")
}

func TestAClientIntrospectsItsOwnTokens(t *testing.T) {
	t.Parallel()
	s := provides(t, nil)
	in, a, other := s.member("ana@plaza.test"), s.registered(nil), s.publicApp()
	tokens := s.signedIn(a, in.Access, nil)
	equal(t, "its own", introspected{
		Active: true, Scope: "openid email", Client: a.ID, Subject: in.User["id"].(string), Expires: s.clock.Now().Unix() + tokens.In,
	}, s.introspected(a, tokens.Access))
	none := introspected{}
	equal(t, "another client's", none, s.introspected(other, tokens.Access))
	equal(t, "the user's own", none, s.introspected(a, in.Access))
	equal(t, "a refresh token", none, s.introspected(a, tokens.Refresh))
	equal(t, "no token", none, s.introspected(a, "unknown"))
	s.renewed(a, tokens.Refresh).want(t, http.StatusOK, "") // nothing was spent

	s.clock.Advance(time.Duration(tokens.In)*time.Second + time.Hour)
	equal(t, "an old one", none, s.introspected(a, tokens.Access))

	fresh := s.signedInAgain(a, s.signIn("ana@plaza.test", strong).tokens(t).Access)
	equal(t, "a new one", true, s.introspected(a, fresh.Access).Active)
	s.revoked(a, url.Values{"token": {fresh.Refresh}}).want(t, http.StatusOK, "")
	equal(t, "one whose session has ended", none, s.introspected(a, fresh.Access))

	wrong := a
	wrong.Secret = "wrong"
	s.do(wrong.with(url.Values{"token": {fresh.Access}}).at("/oauth/introspect")).refusedWith(t, http.StatusUnauthorized, "invalid_client")
	s.do(a.with(url.Values{}).at("/oauth/introspect")).refusedWith(t, http.StatusBadRequest, "invalid_request")
}
