package auth_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"
	"time"

	"plaza/server/auth"
)

// A code is bound to one client, redirect URI and verifier. An invalid request does not consume it.
func TestCodeIsBound(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	other := s.publicApp()
	s.signInToApp(other, in.Access, nil) // the user consents to both
	code := s.codeFor(a, in.Access, url.Values{"resource": {"https://api.test/data"}})
	tests := []struct {
		name   string
		who    oauthApp
		change url.Values
		want   string
	}{
		{"another client", other, nil, "invalid_grant"},
		{"another address", a, url.Values{"redirect_uri": {"https://app.test/callback"}}, "invalid_grant"},
		{"another verifier", a, url.Values{"code_verifier": {oauthVerifier + "x"}}, "invalid_grant"},
		{"the challenge as verifier", a, url.Values{"code_verifier": {challengeOf}}, "invalid_grant"},
		{"no verifier", a, url.Values{"code_verifier": nil}, "invalid_grant"},
		{"another resource", a, url.Values{"resource": {"https://api.test/other"}}, "invalid_grant"},
		{"another code", a, url.Values{"code": {code + "x"}}, "invalid_grant"},
		{"no code", a, url.Values{"code": nil}, "invalid_request"},
		{"a code twice", a, url.Values{"code": {code, code}}, "invalid_request"},
		{"a control character", a, url.Values{"code": {"a\x00"}}, "invalid_request"},
		{"no grant type", a, url.Values{"grant_type": nil}, "invalid_request"},
		{"another grant type", a, url.Values{"grant_type": {"password"}}, "unsupported_grant_type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			form := exchangeForm(code)
			for name, values := range tt.change {
				form[name] = values
			}
			s.do(tt.who.authenticated(form)).wantTokenError(t, http.StatusBadRequest, tt.want)
		})
	}
	s.tokensOfApp(a.authenticated(exchangeForm(code)))
}

func TestCodeExpires(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	code := s.codeFor(a, in.Access, nil)
	s.clock.Advance(5 * time.Minute)
	s.do(a.authenticated(exchangeForm(code))).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	equal(t, "sessions of the app", 0, s.count(`select count(*) from auth.sessions where oauth_client_id is not null`))
}

// Reusing a code ends the session issued for it and no other. With a wrong verifier it does not.
func TestCodeUsedTwiceEndsItsSession(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	before := s.signInToApp(a, in.Access, nil)
	id := s.authorize(a, nil)
	code := s.openConsent(id, in.Access).consentRedirect(t).Query().Get("code")
	first := s.tokensOfApp(a.authenticated(exchangeForm(code)))

	wrong := exchangeForm(code)
	wrong.Set("code_verifier", oauthVerifier+"x")
	s.do(a.authenticated(wrong)).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	s.user(first.Access).want(t, http.StatusOK, "")

	s.clock.Advance(time.Hour / 2) // also when the code has expired
	s.do(a.authenticated(exchangeForm(code))).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	s.user(first.Access).want(t, http.StatusForbidden, "session_not_found")
	s.refreshApp(a, first.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	s.user(before.Access).want(t, http.StatusOK, "")
	s.user(in.Access).want(t, http.StatusOK, "")
}

// The consent is checked again when the code is exchanged.
func TestCodeNeedsItsConsent(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	code := s.codeFor(a, in.Access, nil)
	s.do(call{method: "DELETE", path: "/user/oauth/grants?client_id=" + a.ID, as: in.Access}).want(t, http.StatusNoContent, "")
	s.do(a.authenticated(exchangeForm(code))).wantTokenError(t, http.StatusBadRequest, "invalid_grant")

	s.clock.Advance(time.Second)
	newer := s.codeFor(a, in.Access, nil)
	s.do(a.authenticated(exchangeForm(code))).wantTokenError(t, http.StatusBadRequest, "invalid_grant") // issued under the revoked consent
	s.tokensOfApp(a.authenticated(exchangeForm(newer)))

	banned := s.nextCode(a, in.Access)
	s.exec(`update auth.users set banned_until = $1`, startTime.Add(time.Hour))
	s.do(a.authenticated(exchangeForm(banned))).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
}

// nextCode returns a code for an app to which the user has already consented.
func (s *server) nextCode(a oauthApp, as string) string {
	s.t.Helper()
	return s.openConsent(s.authorize(a, nil), as).consentRedirect(s.t).Query().Get("code")
}

// A client must authenticate with its registered method, and with only one.
func TestClientAuthentication(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in := s.member("ana@plaza.test")
	confidential, public := s.registerApp(nil), s.publicApp()
	basic := func(id, secret string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+secret))
	}
	tests := []struct {
		name, authorization string
		form                url.Values
		status              int
		want                string
	}{
		{"a wrong secret", basic(confidential.ID, "x"), nil, 401, "invalid_client"},
		{"no secret", basic(confidential.ID, ""), nil, 401, "invalid_client"},
		{"another client's id", basic(public.ID, confidential.Secret), nil, 401, "invalid_client"},
		{"an unknown client", basic("2b1d7ee5-6ed0-4a1f-9d1c-7a5a7e0e2a11", confidential.Secret), nil, 401, "invalid_client"},
		{"no id at all", basic("", ""), nil, 401, "invalid_client"},
		{"an invalid client id", basic("x", "y"), nil, 401, "invalid_client"},
		{"not form-encoded", basic("%zz", "y"), nil, 401, "invalid_client"},
		{"the secret in the form", "", url.Values{"client_id": {confidential.ID}, "client_secret": {confidential.Secret}}, 400, "invalid_client"},
		{"a confidential client without a secret", "", url.Values{"client_id": {confidential.ID}}, 400, "invalid_client"},
		{"a public client with a secret", "", url.Values{"client_id": {public.ID}, "client_secret": {"x"}}, 400, "invalid_client"},
		{"nobody", "", nil, 400, "invalid_client"},
		{"two ways at once", basic(confidential.ID, confidential.Secret), url.Values{"client_secret": {confidential.Secret}}, 400, "invalid_request"},
		{"two ids at once", basic(confidential.ID, confidential.Secret), url.Values{"client_id": {public.ID}}, 400, "invalid_request"},
	}
	code := s.codeFor(confidential, in.Access, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			form := exchangeForm(code)
			for name, values := range tt.form {
				form[name] = values
			}
			header := map[string]string{"apikey": "", "Content-Type": "application/x-www-form-urlencoded", "Authorization": tt.authorization}
			got := s.do(call{path: "/oauth/token", body: form.Encode(), header: header})
			got.wantTokenError(t, tt.status, tt.want)
			if challenge := got.header.Get("WWW-Authenticate"); (tt.status == 401) != (challenge != "") {
				t.Errorf("WWW-Authenticate %q", challenge)
			}
		})
	}
	unknown := s.do(call{path: "/oauth/token", body: exchangeForm(code).Encode(), header: map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Authorization": basic("2b1d7ee5-6ed0-4a1f-9d1c-7a5a7e0e2a11", "x")}})
	wrong := s.do(call{path: "/oauth/token", body: exchangeForm(code).Encode(), header: map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Authorization": basic(confidential.ID, "x")}})
	equal(t, "an unknown client and a wrong secret", unknown.body, wrong.body)
	// Query parameters are ignored.
	s.do(call{path: "/oauth/token?" + exchangeForm(code).Encode() + "&client_id=" + public.ID, header: map[string]string{"apikey": ""}}).wantTokenError(t, 400, "invalid_client")
	s.tokensOfApp(confidential.authenticated(exchangeForm(code)))
}

// A refresh token only works for its client. A user's own refresh token works for no client.
func TestRefreshTokenIsBound(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, func(c *auth.Config) { c.Security.ReuseInterval = 0 })
	in, a, other := s.member("ana@plaza.test"), s.publicApp(), s.publicApp()
	got := s.signInToApp(a, in.Access, nil)
	s.refreshApp(other, got.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	s.refreshApp(a, in.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	s.refreshApp(a, "").wantTokenError(t, http.StatusBadRequest, "invalid_request")
	s.refresh(got.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
	s.refresh(in.Refresh).tokens(t)

	next := s.tokensOfApp(a.authenticated(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.Refresh}, "scope": {"email"}}))
	equal(t, "scope", "openid email", next.Scope)
	s.tokensOfApp(a.authenticated(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {next.Refresh}}))
	s.clock.Advance(time.Minute)
	s.refreshApp(a, got.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant") // stolen, or sent twice: the family ends
	equal(t, "tokens left", 0, s.count(`select count(*) from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id where s.oauth_client_id = $1 and not t.revoked`, a.ID))
}

// A client can only use its registered grant types.
func TestGrantTypesOfAClient(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in := s.member("ana@plaza.test")
	short := s.registerApp(map[string]any{"token_endpoint_auth_method": "none", "grant_types": []string{"authorization_code"}})
	got := s.signInToApp(short, in.Access, nil)
	equal(t, "refresh token", "", got.Refresh)
	s.refreshApp(short, "x").wantTokenError(t, http.StatusBadRequest, "unauthorized_client")
}

// A global sign-out, a new password and a ban end the sessions of apps, too.
func TestEventsThatEndAppSessions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		end  func(s *server, in tokens)
		code string
	}{
		{"sign-out", func(s *server, in tokens) {
			s.do(call{path: "/logout?scope=global", as: in.Access}).want(s.t, http.StatusNoContent, "")
		}, "session_not_found"},
		{"sign-out of the others", func(s *server, in tokens) {
			s.do(call{path: "/logout?scope=others", as: in.Access}).want(s.t, http.StatusNoContent, "")
		}, "session_not_found"},
		{"a new password", func(s *server, in tokens) {
			s.do(call{method: "PUT", path: "/user", as: in.Access, body: `{"password":"Another-Horse-2"}`}).want(s.t, http.StatusOK, "")
		}, "session_not_found"},
		{"a ban", func(s *server, _ tokens) {
			s.exec(`update auth.users set banned_until = $1`, startTime.Add(time.Hour))
		}, "user_banned"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startOAuthServer(t, nil)
			in, a := s.member("ana@plaza.test"), s.publicApp()
			got := s.signInToApp(a, in.Access, nil)
			tt.end(s, in)
			s.user(got.Access).want(t, http.StatusForbidden, tt.code)
			s.refreshApp(a, got.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
		})
	}
}
