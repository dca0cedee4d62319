package auth_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"plaza/server/auth"
	"plaza/tests/testkit/outside"
)

// link links an identity at Google to a signed-in user.
func (a *providerServer) link(as string, who outside.Claims) flowResult {
	a.t.Helper()
	got := a.do(call{method: http.MethodGet, path: "/user/identities/authorize?provider=google&skip_http_redirect=true&redirect_to=" + url.QueryEscape(home), as: as})
	got.want(a.t, http.StatusOK, "")
	var result struct{ URL string }
	got.parse(a.t, &result)
	there, err := url.Parse(result.URL)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.callBack(flowResult{there, nil}, a.google, outside.Grant{ID: who}).flowResult(a.t)
}

type identity struct {
	ID       string `json:"identity_id"`
	Provider string
	Email    string
}

// identities returns a user's identities, the one with the password first.
func (a *providerServer) identities(as string) []identity {
	a.t.Helper()
	var user struct{ Identities []identity }
	got := a.do(call{method: http.MethodGet, path: "/user", as: as})
	got.want(a.t, http.StatusOK, "")
	if err := json.Unmarshal([]byte(got.body), &user); err != nil {
		a.t.Fatal(err)
	}
	slices.SortFunc(user.Identities, func(a, b identity) int { return strings.Compare(a.Provider, b.Provider) })
	return user.Identities
}

func (a *providerServer) unlink(as, id string) answer {
	a.t.Helper()
	return a.do(call{method: http.MethodDelete, path: "/user/identities/" + id, as: as})
}

func TestManualLinking(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	linked := a.tokensOf(a.link(member.Access, person("g-1", "ana@work.test", false)))
	if linked.User["id"] != member.User["id"] || linked.User["email"] != "ana@x.test" {
		t.Errorf("user %v", linked.User)
	}
	if landed := a.link(member.Access, person("g-1", "ana@work.test", false)); landed.error() != "identity_already_exists" {
		t.Errorf("the same again: %s", landed.String())
	}
	other := a.member("ben@x.test")
	if landed := a.link(other.Access, person("g-1", "ana@work.test", true)); landed.error() != "identity_already_exists" {
		t.Errorf("another's: %s", landed.String())
	}
	a.do(call{method: http.MethodGet, path: "/user/identities/authorize?provider=google"}).want(t, http.StatusUnauthorized, "no_authorization")
}

func TestAnonymousUsersGetAName(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.Ways.Anonymous = true })
	anonymous := func() tokens { return a.ok("/signup", `{}`).tokens(t) }

	first := anonymous()
	named := a.tokensOf(a.link(first.Access, person("g-1", "ana@x.test", true)))
	if named.User["id"] != first.User["id"] || named.User["is_anonymous"] != false || named.User["email"] != "ana@x.test" || named.User["email_confirmed_at"] == nil {
		t.Errorf("user %v", named.User)
	}
	if a.claimsOf(named.Access)["is_anonymous"] != false {
		t.Error("is_anonymous of the token is not false")
	}
	if landed := a.link(anonymous().Access, person("g-2", "ana@x.test", true)); landed.error() != "email_exists" {
		t.Errorf("an address that is taken: %s", landed.String())
	}
	second := anonymous()
	if landed := a.link(second.Access, person("g-3", victim, false)); landed.error() != "email_not_confirmed" {
		t.Errorf("an unverified address: %s", landed.String())
	}
	if n := a.count("select count(*) from auth.users where email = $1", victim); n != 0 {
		t.Error("an unverified address is an account's")
	}
	// Its owner can still sign in.
	if got := a.googleTokens(person("g-4", victim, true)); got.User["id"] == second.User["id"] {
		t.Error("the owner of the address is signed in to another's account")
	}
}

func TestUnlinking(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	a.link(member.Access, person("g-1", "ana@work.test", true))
	all := a.identities(member.Access)
	if len(all) != 2 {
		t.Fatalf("identities %v", all)
	}
	a.unlink(member.Access, "none").want(t, http.StatusNotFound, "validation_failed")
	a.unlink(member.Access, "11111111-2222-4333-8444-555555555555").want(t, http.StatusUnprocessableEntity, "identity_not_found")
	other := a.member("ben@x.test")
	a.link(other.Access, person("g-2", "ben@work.test", true))
	a.unlink(other.Access, all[1].ID).want(t, http.StatusUnprocessableEntity, "identity_not_found")

	// The account's address is removed with its identity and replaced by the other one's.
	a.unlink(member.Access, all[0].ID).want(t, http.StatusOK, "")
	var user map[string]any
	a.do(call{method: http.MethodGet, path: "/user", as: member.Access}).parse(t, &user)
	if user["email"] != "ana@work.test" || user["email_confirmed_at"] == nil {
		t.Errorf("user %v", user)
	}
	equal(t, "providers", any([]any{"google"}), providersOf(user))
	a.unlink(member.Access, all[1].ID).want(t, http.StatusUnprocessableEntity, "single_identity_not_deletable")
	if n := a.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'identity_unlinked'"); n != 1 {
		t.Errorf("%d entries in the audit trail", n)
	}
}

func TestUnlinkingDoesNotConfirm(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	a.link(member.Access, person("g-1", victim, false))
	a.unlink(member.Access, a.identities(member.Access)[0].ID).want(t, http.StatusOK, "")
	var user map[string]any
	a.do(call{method: http.MethodGet, path: "/user", as: member.Access}).parse(t, &user)
	if user["email"] != victim || user["email_confirmed_at"] != nil {
		t.Errorf("user %v", user)
	}
}

func TestUnlinkingToATakenAddress(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	a.link(member.Access, person("g-1", victim, false))
	a.member(victim)
	a.unlink(member.Access, a.identities(member.Access)[0].ID).want(t, http.StatusUnprocessableEntity, "email_conflict_identity_not_deletable")
	if len(a.identities(member.Access)) != 2 {
		t.Error("the identity is gone")
	}
}

// The account's row is locked until both requests wait for it.
func TestConcurrentUnlinking(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	a.link(member.Access, person("g-1", "ana@x.test", true))
	both := a.identities(member.Access)
	held, err := a.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := held.Exec(t.Context(), "select from auth.users where id = $1 for update", member.User["id"]); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for _, one := range both {
		wait.Go(func() { a.unlink(member.Access, one.ID) })
	}
	for a.count("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") < len(both) {
		if t.Context().Err() != nil {
			t.Fatal("the requests do not wait for the account")
		}
	}
	if err := held.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	if left := a.identities(member.Access); len(left) != 1 {
		t.Errorf("identities %v", left)
	}
}

func TestManualLinkingCanBeDisabled(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.Security.ManualLinking = false })
	member := a.member("ana@x.test")
	a.do(call{method: http.MethodGet, path: "/user/identities/authorize?provider=google", as: member.Access}).want(t, http.StatusNotFound, "manual_linking_disabled")
	a.unlink(member.Access, a.identities(member.Access)[0].ID).want(t, http.StatusNotFound, "manual_linking_disabled")
	a.do(call{path: "/token?grant_type=id_token", as: member.Access, body: body(map[string]any{
		"provider": "google", "id_token": a.google.Sign(person("g", "a@x.test", true)), "link_identity": true,
	})}).want(t, http.StatusNotFound, "manual_linking_disabled")
}

func TestIdentityChangesAreMailed(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) {
		config.Mailer.Notices.IdentityLinked, config.Mailer.Notices.IdentityUnlinked = true, true
	})
	member := a.member("ana@x.test")
	before := a.mailCount()
	a.link(member.Access, person("g-1", "ana@work.test", true))
	a.lastMail("ana@x.test")
	if n := a.mailCount(); n != before+1 {
		t.Errorf("%d mails of the linking", n-before)
	}
	a.unlink(member.Access, a.identities(member.Access)[1].ID).want(t, http.StatusOK, "")
	if n := a.mailCount(); n != before+2 {
		t.Errorf("%d mails in all", n-before)
	}
	if to := a.lastMail("ana@x.test"); !strings.Contains(to.Text, "google") && !strings.Contains(to.Text, "Google") {
		t.Errorf("the mail does not name the provider:\n%s", to.Text)
	}
}

// The hook may refuse an external sign-up before the account is created.
func TestHooksAreCalledForExternalSignUps(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) {
		config.Hook.BeforeUserCreated = auth.Hook{Enabled: true, URI: "pg-functions://postgres/public/gatekeeper"}
	})
	a.exec(`create function public.gatekeeper(event jsonb) returns jsonb language sql as $$
		select case when event #>> '{user,email}' like '%@x.test' then '{}'::jsonb
			else '{"error": {"http_code": 403, "message": "Only people of x.test"}}' end $$`)
	a.exec("grant execute on function public.gatekeeper(jsonb) to supabase_auth_admin")
	a.googleTokens(person("g-1", "ana@x.test", true))
	landed := a.signInGoogle(person("g-2", "ben@y.test", true))
	if landed.fragment.Get("error_description") != "Only people of x.test" || landed.fragment.Has("access_token") {
		t.Errorf("landed at %s", landed.String())
	}
	if n := a.count("select count(*) from auth.users"); n != 1 {
		t.Errorf("%d accounts", n)
	}
}
