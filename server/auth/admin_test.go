package auth_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/server/auth/users"
	"plaza/tests/testkit"
)

// admin sends a request with the service key.
func (s *server) admin(method, path, text string) answer {
	s.t.Helper()
	return s.do(call{method: method, path: path, body: text, as: s.auth.Keys.Service, header: map[string]string{"apikey": s.auth.Keys.Service}})
}

// newUser creates a confirmed user with the admin API and returns the id.
func (s *server) newUser(email string) string {
	s.t.Helper()
	got := s.admin(http.MethodPost, "/admin/users", body(map[string]any{"email": email, "password": strong, "email_confirm": true}))
	got.want(s.t, http.StatusOK, "")
	var user struct{ ID string }
	got.parse(s.t, &user)
	return user.ID
}

func TestAdminPathsRequireAdmin(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	id := in.User["id"].(string)
	for path, method := range map[string]string{
		"/admin/users": http.MethodGet, "/admin/users/" + id: http.MethodDelete, "/admin/audit": http.MethodGet, "/admin/generate_link": http.MethodPost,
		"/invite": http.MethodPost, "/admin/users/" + id + "/sessions": http.MethodGet, "/admin/users/" + id + "/factors": http.MethodGet,
	} {
		s.do(call{method: method, path: path}).want(t, http.StatusUnauthorized, "no_authorization")
		s.do(call{method: method, path: path, as: s.auth.Keys.Anon}).want(t, http.StatusForbidden, "not_admin")
		s.do(call{method: method, path: path, as: in.Access}).want(t, http.StatusForbidden, "not_admin")
		s.do(call{method: method, path: path, as: in.Access[:len(in.Access)-3] + "abc"}).want(t, http.StatusForbidden, "bad_jwt")
	}
	equal(t, "users", 1, s.count("select count(*) from auth.users"))
}

func TestAdminCreatesUsers(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const id = "7e9a5cf4-5ba6-4b2f-93c9-dd7f86cf2f07"
	got := s.admin(http.MethodPost, "/admin/users", body(map[string]any{
		"id": id, "email": "Ana@Plaza.test", "phone": "+34 600 111 222", "password": strong, "email_confirm": true, "phone_confirm": true,
		"user_metadata": map[string]any{"name": "Ana"}, "app_metadata": map[string]any{"plan": "gold"}, "role": "author", "ban_duration": "1h",
	}))
	got.want(t, http.StatusOK, "")
	var user users.User
	got.parse(t, &user)
	equal(t, "id", id, user.ID)
	equal(t, "contact", "ana@plaza.test 34600111222", user.Email+" "+user.Phone)
	equal(t, "role", "author", user.Role)
	equal(t, "app metadata", `{"plan":"gold","provider":"email","providers":["email","phone"]}`, strings.ReplaceAll(string(user.AppMetadata), " ", ""))
	equal(t, "identities", 2, len(user.Identities))
	equal(t, "confirmed", true, user.EmailConfirmedAt != nil && user.PhoneConfirmedAt != nil)
	equal(t, "banned", true, user.BannedUntil != nil && user.BannedUntil.Equal(startTime.Add(time.Hour)))
	s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "user_banned")

	// An imported hash works unchanged.
	hash := s.text("select encrypted_password from auth.users")
	s.admin(http.MethodPost, "/admin/users", body(map[string]any{"email": "eva@plaza.test", "password_hash": hash, "email_confirm": true})).want(t, http.StatusOK, "")
	s.signIn("eva@plaza.test", strong).tokens(t)

	for name, tt := range map[string]struct {
		fields map[string]any
		status int
		code   string
	}{
		"nobody":           {map[string]any{"password": strong}, 400, "validation_failed"},
		"taken address":    {map[string]any{"email": "ana@plaza.test"}, 422, "email_exists"},
		"taken number":     {map[string]any{"phone": "34600111222"}, 422, "phone_exists"},
		"bad id":           {map[string]any{"email": "x@plaza.test", "id": "7"}, 400, "validation_failed"},
		"nil id":           {map[string]any{"email": "x@plaza.test", "id": "00000000-0000-0000-0000-000000000000"}, 400, "validation_failed"},
		"two passwords":    {map[string]any{"email": "x@plaza.test", "password": strong, "password_hash": hash}, 400, "validation_failed"},
		"unknown hash":     {map[string]any{"email": "x@plaza.test", "password_hash": "$9$nonsense"}, 400, "validation_failed"},
		"bad ban":          {map[string]any{"email": "x@plaza.test", "ban_duration": "soon"}, 400, "validation_failed"},
		"long password":    {map[string]any{"email": "x@plaza.test", "password": strings.Repeat("x", 73)}, 400, "validation_failed"},
		"metadata no text": {map[string]any{"email": "x@plaza.test", "user_metadata": 7}, 400, "bad_json"},
	} {
		t.Run(name, func(t *testing.T) {
			s.admin(http.MethodPost, "/admin/users", body(tt.fields)).want(t, tt.status, tt.code)
		})
	}
}

func TestAdminChangesUsers(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	path := "/admin/users/" + in.User["id"].(string)
	s.admin(http.MethodPut, path, `{"email":"eva@plaza.test","email_confirm":true,"password":"Another-Horse-1","user_metadata":{"a":1,"email_verified":null},"app_metadata":{"plan":"gold"},"role":"editor"}`).want(t, http.StatusOK, "")
	s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "invalid_credentials")
	after := s.signIn("eva@plaza.test", "Another-Horse-1").tokens(t)
	equal(t, "role", "editor", s.claimsOf(after.Access)["role"].(string))
	equal(t, "metadata", "map[a:1 email_verified:true]", fmt.Sprint(after.User["user_metadata"]))
	equal(t, "identity", 1, s.count(`select count(*) from auth.identities where identity_data @> '{"email": "eva@plaza.test", "email_verified": true}'`))
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusForbidden, "session_not_found") // a new password ends sessions
	s.newUser("ola@plaza.test")
	s.admin(http.MethodPut, path, `{"email":"ola@plaza.test"}`).want(t, http.StatusUnprocessableEntity, "email_exists")
	s.admin(http.MethodPut, path, `{"ban_duration":"none"}`).want(t, http.StatusOK, "")
	s.admin(http.MethodPut, path, `{"password":"x"}`).want(t, http.StatusUnprocessableEntity, "weak_password")
	s.admin(http.MethodPut, "/admin/users/7", `{}`).want(t, http.StatusNotFound, "validation_failed")
	s.admin(http.MethodPut, "/admin/users/7e9a5cf4-5ba6-4b2f-93c9-dd7f86cf2f07", `{}`).want(t, http.StatusNotFound, "user_not_found")
}

// Concurrent changes do not overwrite each other. Upstream loses 9 of 20.
func TestParallelChangesOfMetadata(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: fmt.Sprintf(`{"data":{"key%d":%d}}`, i, i)}).want(t, http.StatusOK, "")
		})
	}
	all.Wait()
	equal(t, "keys", 20, s.count("select count(*) from auth.users u, jsonb_object_keys(u.raw_user_meta_data) k where k like 'key%'"))
}

func TestAdminDeletesUsers(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	path := "/admin/users/" + in.User["id"].(string)
	s.admin(http.MethodDelete, path, `{"should_soft_delete":true}`).want(t, http.StatusOK, "")
	row := s.text("select to_jsonb(u)::text || (select jsonb_agg(i)::text from auth.identities i) from auth.users u")
	if strings.Contains(row, "ana@plaza.test") || !strings.Contains(row, `"deleted_at": "2026-`) {
		t.Errorf("after a soft deletion: %s", row)
	}
	s.admin(http.MethodDelete, path, `{"should_soft_delete":true}`).want(t, http.StatusOK, "")
	equal(t, "twice", row, s.text("select to_jsonb(u)::text || (select jsonb_agg(i)::text from auth.identities i) from auth.users u"))
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusForbidden, "session_not_found")
	s.member("ana@plaza.test") // the address is free again
	s.admin(http.MethodDelete, path, "").want(t, http.StatusOK, "")
	equal(t, "users", 1, s.count("select count(*) from auth.users"))
	s.admin(http.MethodDelete, path, "").want(t, http.StatusNotFound, "user_not_found")
}

func TestAdminListsUsers(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for i := range 5 {
		s.newUser(fmt.Sprintf("user_%d@plaza.test", i))
		s.clock.Advance(time.Minute)
	}
	list := func(query string) (emails []string, header http.Header) {
		t.Helper()
		got := s.admin(http.MethodGet, "/admin/users"+query, "")
		got.want(t, http.StatusOK, "")
		var page struct {
			Users []users.User
			Aud   string
		}
		got.parse(t, &page)
		equal(t, "audience", "authenticated", page.Aud)
		for _, user := range page.Users {
			emails = append(emails, strings.TrimSuffix(user.Email, "@plaza.test"))
		}
		return emails, got.header
	}
	emails, header := list("?page=2&per_page=2")
	equal(t, "page", "user_2 user_1", strings.Join(emails, " "))
	equal(t, "total", "5", header.Get("X-Total-Count"))
	equal(t, "link", `</auth/v1/admin/users?page=3&per_page=2>; rel="next", </auth/v1/admin/users?page=3&per_page=2>; rel="last"`, header.Get("Link"))
	emails, header = list("?page=9&per_page=2")
	equal(t, "beyond the end", 0, len(emails))
	equal(t, "total", "5", header.Get("X-Total-Count"))
	emails, _ = list("?sort=created_at+asc&per_page=1")
	equal(t, "oldest", "user_0", strings.Join(emails, " "))
	emails, _ = list("?filter=r_3")
	equal(t, "filter", "user_3", strings.Join(emails, " "))
	emails, _ = list("?filter=r%253") // a percent sign is no wildcard
	equal(t, "filter", 0, len(emails))
	for _, query := range []string{"?page=x", "?per_page=-1", "?sort=email", "?sort=created_at+up"} {
		s.admin(http.MethodGet, "/admin/users"+query, "").want(t, http.StatusBadRequest, "validation_failed")
	}
}

func TestAuditTrail(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	s.signIn("ana@plaza.test", strong)
	s.newUser("eva@plaza.test")
	find := func(query string) []string {
		t.Helper()
		got := s.admin(http.MethodGet, "/admin/audit"+query, "")
		got.want(t, http.StatusOK, "")
		var entries []struct {
			ID      string
			Payload struct {
				Action   string
				Actor    string `json:"actor_username"`
				LogType  string `json:"log_type"`
				ActorID  string `json:"actor_id"`
				Traits   map[string]any
				Username string
			}
			IP string `json:"ip_address"`
		}
		got.parse(t, &entries)
		var actions []string
		for _, entry := range entries {
			actions = append(actions, entry.Payload.Action+" "+entry.Payload.Actor)
		}
		return actions
	}
	equal(t, "all", 4, len(find("")))
	equal(t, "action", "login ana@plaza.test", strings.Join(find("?query=action:login"), ","))
	equal(t, "author", "user_signedup service_role", strings.Join(find("?query=author:service"), ","))
	equal(t, "type", 2, len(find("?query=type:team")))
	s.admin(http.MethodGet, "/admin/audit?query=nonsense", "").want(t, http.StatusBadRequest, "validation_failed")
}

func TestAdminEndsSessions(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	one := s.member("ana@plaza.test")
	two := s.signIn("ana@plaza.test", strong).tokens(t)
	path := "/admin/users/" + one.User["id"].(string) + "/sessions"
	var list struct {
		Sessions []struct {
			ID  string
			IP  string
			AAL string
			AMR []map[string]any
		}
	}
	s.admin(http.MethodGet, path, "").parse(t, &list)
	equal(t, "sessions", 2, len(list.Sessions))
	equal(t, "level", "aal1", list.Sessions[0].AAL)
	session := s.claimsOf(two.Access)["session_id"].(string)
	s.admin(http.MethodDelete, path+"/"+session, "").want(t, http.StatusNoContent, "")
	s.admin(http.MethodDelete, path+"/"+session, "").want(t, http.StatusNotFound, "session_not_found")
	s.refresh(two.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
	s.refresh(one.Refresh).want(t, http.StatusOK, "")
	s.admin(http.MethodDelete, path, "").want(t, http.StatusNoContent, "")
	equal(t, "sessions", 0, s.count("select count(*) from auth.sessions"))
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.admin(http.MethodPost, "/invite", `{"email":"ana@plaza.test","data":{"team":"red"}}`).want(t, http.StatusOK, "")
	equal(t, "subject", "You have been invited", s.lastMail("ana@plaza.test").Subject)
	invitation := s.linkTo("ana@plaza.test")
	equal(t, "kind of link", "invite", invitation.link.Query().Get("type"))
	in := s.ok("/verify", body(map[string]any{"type": "invite", "token_hash": invitation.token()})).tokens(t)
	equal(t, "invited", true, in.User["invited_at"] != nil)
	s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: `{"password":"` + strong + `"}`}).want(t, http.StatusOK, "")
	s.signIn("ana@plaza.test", strong).tokens(t)
	s.admin(http.MethodPost, "/invite", `{"email":"ana@plaza.test"}`).want(t, http.StatusUnprocessableEntity, "email_exists")
	equal(t, "audit", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'invite_accepted'"))
}

func TestGeneratedLinks(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.newUser("ana@plaza.test")
	type link struct {
		Email      string
		ActionLink string `json:"action_link"`
		OTP        string `json:"email_otp"`
		Hash       string `json:"hashed_token"`
		Type       string `json:"verification_type"`
		Redirect   string `json:"redirect_to"`
	}
	ask := func(fields map[string]any) link {
		t.Helper()
		got := s.admin(http.MethodPost, "/admin/generate_link", body(fields))
		got.want(t, http.StatusOK, "")
		var made link
		got.parse(t, &made)
		return made
	}
	before := s.mailCount()
	made := ask(map[string]any{"type": "recovery", "email": "ana@plaza.test", "redirect_to": "https://app.plaza.test/reset"})
	equal(t, "redirect", "https://app.plaza.test/reset", made.Redirect)
	if !strings.Contains(made.ActionLink, "/auth/v1/verify?") || !strings.Contains(made.ActionLink, "token="+made.Hash) {
		t.Errorf("link %s", made.ActionLink)
	}
	s.ok("/verify", body(map[string]any{"type": "recovery", "token_hash": made.Hash})).tokens(t)
	made = ask(map[string]any{"type": "magiclink", "email": "ana@plaza.test"})
	s.ok("/verify", body(map[string]any{"type": "magiclink", "email": "ana@plaza.test", "token": made.OTP})).tokens(t)
	made = ask(map[string]any{"type": "magiclink", "email": "new@plaza.test"})
	equal(t, "a link for nobody makes an account", "signup", made.Type)
	s.ok("/verify", body(map[string]any{"type": "signup", "token_hash": made.Hash})).tokens(t)
	made = ask(map[string]any{"type": "signup", "email": "eva@plaza.test", "password": strong, "data": map[string]any{"a": 1}})
	s.ok("/verify", body(map[string]any{"type": "signup", "token_hash": made.Hash})).tokens(t)
	s.signIn("eva@plaza.test", strong).tokens(t)
	made = ask(map[string]any{"type": "invite", "email": "ola@plaza.test"})
	s.ok("/verify", body(map[string]any{"type": "invite", "token_hash": made.Hash})).tokens(t)
	older := ask(map[string]any{"type": "email_change_current", "email": "ana@plaza.test", "new_email": "ana2@plaza.test"})
	newer := ask(map[string]any{"type": "email_change_new", "email": "ana@plaza.test", "new_email": "ana2@plaza.test"})
	s.ok("/verify", body(map[string]any{"type": "email_change", "token_hash": older.Hash}))
	s.ok("/verify", body(map[string]any{"type": "email_change", "token_hash": newer.Hash})).tokens(t)
	equal(t, "changed", 1, s.count("select count(*) from auth.users where email = 'ana2@plaza.test'"))
	equal(t, "mails", before, s.mailCount())
	for _, fields := range []map[string]any{
		{"type": "nonsense", "email": "ana@plaza.test"}, {"type": "recovery", "email": "x"}, {"type": "signup", "email": "x@plaza.test"},
	} {
		s.admin(http.MethodPost, "/admin/generate_link", body(fields)).want(t, http.StatusBadRequest, "validation_failed")
	}
	s.admin(http.MethodPost, "/admin/generate_link", body(map[string]any{"type": "recovery", "email": "x@plaza.test"})).want(t, http.StatusNotFound, "user_not_found")
	s.admin(http.MethodPost, "/admin/generate_link", body(map[string]any{"type": "signup", "email": "eva@plaza.test", "password": strong})).want(t, http.StatusUnprocessableEntity, "email_exists")
}

// A token for the project's own use signs in once, and never makes an account.
func TestSignInToken(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.newUser("ana@plaza.test")
	before := s.mailCount()
	token, err := s.built.IssueSignInToken(t.Context(), "ana@plaza.test")
	if err != nil {
		t.Fatal(err)
	}
	verify := body(map[string]any{"type": "magiclink", "token_hash": token})
	s.ok("/verify", verify).tokens(t)
	s.post("/verify", verify).want(t, http.StatusForbidden, "otp_expired")
	equal(t, "mails", before, s.mailCount())
	if _, err := s.built.IssueSignInToken(t.Context(), "nobody@plaza.test"); err == nil {
		t.Error("there is a token for nobody")
	}
	equal(t, "accounts", 1, s.count("select count(*) from auth.users"))
}

func TestDeletionAndExportRequireAAL2(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Security.UserDeletion, c.Security.UserExport = true, true })
	strongIn, _ := s.memberWithApp("ana@plaza.test")
	weak := s.signIn("ana@plaza.test", strong).tokens(t)
	s.do(call{method: http.MethodGet, path: "/user/export", as: weak.Access}).want(t, http.StatusUnauthorized, "insufficient_aal")
	s.do(call{method: http.MethodDelete, path: "/user", as: weak.Access}).want(t, http.StatusUnauthorized, "insufficient_aal")
	s.do(call{method: http.MethodGet, path: "/user/export", as: strongIn.Access}).want(t, http.StatusOK, "")
	s.do(call{method: http.MethodDelete, path: "/user", as: strongIn.Access}).want(t, http.StatusNoContent, "")
}

func TestUsersDeleteAndExportTheirAccount(t *testing.T) {
	t.Parallel()
	off := start(t, nil)
	in := off.member("ana@plaza.test")
	off.do(call{method: http.MethodDelete, path: "/user", as: in.Access}).want(t, http.StatusUnprocessableEntity, "feature_disabled")
	off.do(call{method: http.MethodGet, path: "/user/export", as: in.Access}).want(t, http.StatusUnprocessableEntity, "feature_disabled")

	s := startOn(t, testkit.PlatformURL(t), func(c *auth.Config) { c.Security.UserDeletion, c.Security.UserExport = true, true })
	in = s.member("ana@plaza.test")
	s.member("eva@plaza.test")
	got := s.do(call{method: http.MethodGet, path: "/user/export", as: in.Access})
	got.want(t, http.StatusOK, "")
	var all map[string]json.RawMessage
	got.parse(t, &all)
	for _, part := range []string{"user", "identities", "sessions", "factors", "audit_log"} {
		if len(all[part]) == 0 {
			t.Errorf("%s is missing", part)
		}
	}
	for _, secret := range []string{"$2a$", "encrypted_password", "eva@plaza.test", "token\""} {
		if strings.Contains(got.body, secret) {
			t.Errorf("%s is in the export: %s", secret, got.body)
		}
	}
	s.do(call{method: http.MethodDelete, path: "/user"}).want(t, http.StatusUnauthorized, "no_authorization")
	s.do(call{method: http.MethodDelete, path: "/user", as: in.Access}).want(t, http.StatusNoContent, "")
	equal(t, "left", 1, s.count("select count(*) from auth.users where email = 'eva@plaza.test'"))
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusForbidden, "user_not_found")
}
