package auth_test

import (
	"net/http"
	"testing"

	"plaza/server/auth"
)

// The token of an app can read the user. It cannot give consent, change the account or add sign-in
// methods, whatever its scope.
func TestAppsCannotManageTheAccount(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, func(c *auth.Config) {
		c.Security.UserDeletion, c.Security.UserExport, c.Security.ManualLinking, c.Passkey.Enabled = true, true, true, true
	})
	in, a := s.member("ana@plaza.test"), s.publicApp()
	got := s.signInToApp(a, in.Access, nil)
	waiting := s.authorize(s.publicApp(), nil)
	s.openConsent(waiting, in.Access).want(t, http.StatusOK, "")
	const id = "2b1d7ee5-6ed0-4a1f-9d1c-7a5a7e0e2a11"
	for _, c := range []call{
		{method: "PUT", path: "/user", body: `{"password":"Another-Horse-1"}`},
		{method: "PUT", path: "/user", body: `{"data":{"a":1}}`},
		{method: "DELETE", path: "/user"},
		{method: "GET", path: "/user/export"},
		{method: "GET", path: "/reauthenticate"},
		{path: "/factors", body: `{"factor_type":"totp"}`},
		{path: "/factors/" + id + "/challenge"},
		{path: "/factors/" + id + "/verify", body: `{}`},
		{method: "DELETE", path: "/factors/" + id},
		{method: "GET", path: "/factors/recovery-codes"},
		{method: "GET", path: "/passkeys"},
		{path: "/passkeys/registration/options"},
		{method: "GET", path: "/user/identities/authorize?provider=google"},
		{method: "DELETE", path: "/user/identities/" + id},
		{method: "GET", path: "/oauth/authorizations/" + waiting},
		{path: "/oauth/authorizations/" + waiting + "/consent", body: `{"action":"approve"}`},
		{method: "GET", path: "/user/oauth/grants"},
		{method: "DELETE", path: "/user/oauth/grants?client_id=" + a.ID},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			c.as = got.Access
			s.do(c).want(t, http.StatusForbidden, "insufficient_scope")
		})
	}
	s.user(got.Access).want(t, http.StatusOK, "")
	equal(t, "authorization", "pending", s.text(`select status::text from auth.oauth_authorizations where authorization_id = $1`, waiting))
}

// The token of an app has no admin rights, even if its user is an admin.
func TestAppOfAnAdminHasNoAdminRights(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, func(c *auth.Config) { c.JWT.AdminRoles = []string{"service_role", "authenticated"} })
	in, a := s.member("ana@plaza.test"), s.publicApp()
	got := s.signInToApp(a, in.Access, nil)
	s.do(call{method: "GET", path: "/admin/users", as: in.Access}).want(t, http.StatusOK, "")
	s.do(call{method: "GET", path: "/admin/users", as: got.Access}).want(t, http.StatusForbidden, "insufficient_scope")
}

// An app can only end its own session.
func TestAppSignsOut(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{"", "?scope=global", "?scope=local", "?scope=others"} {
		t.Run("logout"+scope, func(t *testing.T) {
			t.Parallel()
			s := startOAuthServer(t, nil)
			in, a := s.member("ana@plaza.test"), s.publicApp()
			got := s.signInToApp(a, in.Access, nil)
			s.do(call{path: "/logout" + scope, as: got.Access}).want(t, http.StatusNoContent, "")
			s.user(got.Access).want(t, http.StatusForbidden, "session_not_found")
			s.user(in.Access).want(t, http.StatusOK, "")
		})
	}
}
