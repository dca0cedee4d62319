package auth_test

import (
	"net/http"
	"strings"
	"testing"

	"plaza/server/auth"
)

// The size of metadata is limited wherever it is written, also if it grows in several changes, so
// that tokens fit into the server's limit for headers.
func TestMetadataIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Ways.Anonymous = true })
	in := s.member("ana@plaza.test")
	id := in.User["id"].(string)
	large := map[string]any{"text": strings.Repeat("<", 4000)} // six bytes each in a token
	fits := map[string]any{"text": strings.Repeat("a", 16000)}
	as := s.auth.Keys.Service
	refused := map[string]call{
		"sign-up":            {path: "/signup", body: body(map[string]any{"email": "eva@plaza.test", "password": strong, "data": large})},
		"anonymous":          {path: "/signup", body: body(map[string]any{"data": large})},
		"magic link":         {path: "/otp", body: body(map[string]any{"email": "eva@plaza.test", "data": large})},
		"one's own":          {method: http.MethodPut, path: "/user", body: body(map[string]any{"data": large}), as: in.Access},
		"admin creates":      {path: "/admin/users", body: body(map[string]any{"email": "eva@plaza.test", "user_metadata": large}), as: as},
		"admin creates, app": {path: "/admin/users", body: body(map[string]any{"email": "eva@plaza.test", "app_metadata": large}), as: as},
		"admin changes":      {method: http.MethodPut, path: "/admin/users/" + id, body: body(map[string]any{"user_metadata": large}), as: as},
		"admin changes, app": {method: http.MethodPut, path: "/admin/users/" + id, body: body(map[string]any{"app_metadata": large}), as: as},
		"invitation":         {path: "/invite", body: body(map[string]any{"email": "eva@plaza.test", "data": large}), as: as},
		"generated link":     {path: "/admin/generate_link", body: body(map[string]any{"type": "invite", "email": "eva@plaza.test", "data": large}), as: as},
	}
	for name, request := range refused {
		if got := s.do(request); got.status != http.StatusUnprocessableEntity || got.header.Get("X-Sb-Error-Code") != "metadata_too_large" {
			t.Errorf("%s: %d %.300s", name, got.status, got.body)
		}
	}
	equal(t, "accounts", 1, s.count("select count(*) from auth.users"))

	s.put(in.Access, body(map[string]any{"data": fits})).want(t, http.StatusOK, "")
	s.put(in.Access, body(map[string]any{"data": map[string]any{"more": strings.Repeat("a", 1000)}})).want(t, http.StatusUnprocessableEntity, "metadata_too_large")
	s.do(call{method: http.MethodPut, path: "/admin/users/" + id, body: body(map[string]any{"app_metadata": fits}), as: as}).want(t, http.StatusOK, "")
	if size := len(s.refresh(in.Refresh).tokens(t).Access); size < 40_000 || size > 48_000 {
		t.Errorf("the largest token has %d bytes", size)
	}
}

// If SQL has written larger metadata, no token is issued that would be too large to send.
func TestNoTokenIsTooLargeToBeSent(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	s.exec("update auth.users set raw_user_meta_data = jsonb_build_object('text', repeat('a', 60000))")
	s.signIn("ana@plaza.test", strong).want(t, http.StatusUnprocessableEntity, "metadata_too_large")
	s.exec("update auth.users set raw_user_meta_data = '{}'")
	s.signIn("ana@plaza.test", strong).tokens(t)
}
