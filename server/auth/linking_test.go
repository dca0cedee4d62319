package auth_test

import (
	"net/http"
	"testing"
	"time"

	"plaza/server/auth"
)

const victim = "victim@x.test"

func TestVerifiedAddressIsLinkedToItsAccount(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member(victim)
	joined := a.googleTokens(person("g-1", "Victim@X.test", true))
	if joined.User["id"] != member.User["id"] {
		t.Fatal("another account was made")
	}
	equal(t, "providers", any([]any{"email", "google"}), providersOf(joined.User))
	a.signIn(victim, strong).tokens(t) // the password of a confirmed account stays
	a.do(call{method: http.MethodGet, path: "/user", as: member.Access}).want(t, http.StatusOK, "")
	if n := a.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'identity_linked'"); n != 1 {
		t.Errorf("%d entries in the audit trail", n)
	}
}

func TestUnverifiedAddressIsNotLinked(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*auth.Config){
		"with the default settings":              nil,
		"where no confirmation is needed":        func(config *auth.Config) { config.Mailer.Autoconfirm = true },
		"where unverified addresses may sign in": func(config *auth.Config) { config.Mailer.AllowUnverified = true },
		"where no address is needed":             func(config *auth.Config) { config.External.Google.EmailOptional = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := startWithProviders(t, change)
			id := a.verifiedMember(victim)
			landed := a.signInGoogle(person("g-evil", victim, false))
			if token := landed.fragment.Get("access_token"); token != "" && a.claimsOf(token)["sub"] == id {
				t.Error("the account is open")
			}
			if n := a.count("select count(*) from auth.identities where provider = 'google' and user_id = $1", id); n != 0 {
				t.Error("the identity is linked")
			}
			if n := a.count("select count(*) from auth.users where email = $1", victim); n != 1 {
				t.Errorf("%d accounts have the address", n)
			}
		})
	}
}

// verifiedMember creates a confirmed account, regardless of the settings.
func (a *providerServer) verifiedMember(email string) string {
	a.t.Helper()
	a.ok("/signup", body(map[string]any{"email": email, "password": strong}))
	a.exec("update auth.users set email_confirmed_at = now() where email = $1", email)
	var id string
	if err := a.db.QueryRow(a.t.Context(), "select id::text from auth.users where email = $1", email).Scan(&id); err != nil {
		a.t.Fatal(err)
	}
	return id
}

// An attacker creates an account with the victim's address. When the owner signs in with a verified
// address, everything that the attacker has set up is removed.
func TestPreRegisteredAccounts(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	a.ok("/signup", body(map[string]any{"email": victim, "password": "Mallory-was-here-1", "data": map[string]any{"plan": "evil"}}))
	trap := a.linkTo(victim) // the link that the attacker's sign-up mailed to the victim
	id := a.idOf(victim)
	a.exec(`update auth.users set phone = '34600111222', phone_confirmed_at = now() where id = $1`, id)
	a.exec(`insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
		values ('x-evil', $1, '{"sub": "x-evil", "email": "victim@x.test", "email_verified": false}', 'x', now(), now())`, id)
	a.exec(`insert into auth.sessions (id, user_id, created_at, aal) values (gen_random_uuid(), $1, now(), 'aal1')`, id)
	a.exec(`insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`, id)

	got := a.googleTokens(person("g-1", victim, true))
	if got.User["id"] != id {
		t.Fatal("another account was made")
	}
	equal(t, "providers", any([]any{"google"}), providersOf(got.User))
	if got.User["phone"] != "" || got.User["user_metadata"].(map[string]any)["plan"] != nil || got.User["factors"] != nil {
		t.Errorf("left over: %v", got.User)
	}
	if n := a.count("select count(*) from auth.sessions where user_id = $1", id); n != 1 {
		t.Errorf("%d sessions", n)
	}
	a.signIn(victim, "Mallory-was-here-1").want(t, http.StatusBadRequest, "invalid_credentials")
	if at := a.pressButton(trap); at.Query().Get("code") != "" || len(at.Fragment) > 0 && !containsError(at.Fragment) {
		t.Errorf("the old link leads to %s", at.String())
	}
}

func containsError(fragment string) bool { return len(fragment) > 6 && fragment[:6] == "error=" }

func (s *server) idOf(email string) string {
	s.t.Helper()
	var id string
	if err := s.db.QueryRow(s.t.Context(), "select id::text from auth.users where email = $1", email).Scan(&id); err != nil {
		s.t.Fatal(err)
	}
	return id
}

func TestUnverifiedSignUpIsMailed(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	landed := a.signInGoogle(person("g-1", victim, false))
	if landed.error() != "provider_email_needs_verification" || landed.fragment.Get("error") != "access_denied" {
		t.Fatalf("landed at %s", landed.String())
	}
	if n := a.count("select count(*) from auth.sessions"); n != 0 {
		t.Errorf("%d sessions", n)
	}
	if landed = a.signInGoogle(person("g-1", victim, false)); landed.error() != "over_email_send_rate_limit" {
		t.Errorf("at once again: %s", landed.String())
	}
	a.clock.Advance(2 * time.Minute)
	if landed = a.signInGoogle(person("g-1", victim, false)); landed.error() != "provider_email_needs_verification" {
		t.Errorf("later: %s", landed.String())
	}
	a.pressButton(a.linkTo(victim))
	if got := a.googleTokens(person("g-1", victim, false)); got.User["email"] != victim {
		t.Errorf("user %v", got.User)
	}
}

// A verified address at the provider does not confirm a different address of the account.
func TestAnotherAddressDoesNotConfirmTheAccounts(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	a.signInGoogle(person("g-evil", victim, false))
	a.clock.Advance(2 * time.Minute)
	landed := a.signInGoogle(person("g-evil", "mallory@x.test", true))
	if landed.fragment.Has("access_token") {
		t.Error("signed in to an account under another's address")
	}
	if n := a.count("select count(*) from auth.users where email = $1 and email_confirmed_at is not null", victim); n != 0 {
		t.Error("the address is confirmed")
	}
}

func TestOnlyOneVerifiedAddressOfManyLinks(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	id := a.member(victim).User["id"]
	a.setGitHubUser(1, map[string]any{"email": victim, "verified": false, "primary": false}, mailAt("mallory@x.test", true))
	if got := a.tokensOf(a.signInGitHub()); got.User["id"] == id {
		t.Error("an unverified second address opens the account")
	}
	a.setGitHubUser(2, map[string]any{"email": victim, "verified": true, "primary": false}, mailAt("other@x.test", true))
	if got := a.tokensOf(a.signInGitHub()); got.User["id"] != id {
		t.Error("a verified second address does not join its account")
	}
}

// An identity with an unverified address of another user does not capture that user's sign-in.
func TestUnverifiedIdentityDoesNotCaptureSignIns(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	mallory := a.member("mallory@x.test").User["id"]
	a.exec(`insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
		values ('s-evil', $1, '{"sub": "s-evil", "email": "victim@x.test", "email_verified": false}', 'spotify', now(), now())`, mallory)
	if got := a.googleTokens(person("g-1", victim, true)); got.User["id"] == mallory {
		t.Error("the victim is signed in to another's account")
	}
}

func TestLinkingDomains(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) {
		config.Experimental.LinkingDomains = auth.LinkingDomains{"github": "staff"}
	})
	id := a.member("ana@x.test").User["id"]
	a.setGitHubUser(1, mailAt("ana@x.test", true))
	staff := a.tokensOf(a.signInGitHub())
	if staff.User["id"] == id {
		t.Error("another domain's identity joined the account")
	}
	if got := a.googleTokens(person("g", "ana@x.test", true)); got.User["id"] != id {
		t.Error("the open domain's identity did not join its account")
	}
	if again := a.tokensOf(a.signInGitHub()); again.User["id"] != staff.User["id"] {
		t.Error("the domain's account is not found again")
	}
}

func TestRefusedExternalSignIns(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.DisableSignup = true })
	if landed := a.signInGoogle(person("g", "ana@x.test", true)); landed.error() != "signup_disabled" || landed.fragment.Get("error") != "access_denied" {
		t.Errorf("a newcomer where there are none: %s", landed.String())
	}
	b := startWithProviders(t, nil)
	b.googleTokens(person("g", "ana@x.test", true))
	b.exec("update auth.users set banned_until = '2100-01-01'")
	if landed := b.signInGoogle(person("g", "ana@x.test", true)); landed.error() != "user_banned" || landed.fragment.Get("error") != "access_denied" {
		t.Errorf("somebody banned: %s", landed.String())
	}
}

func TestProfilesOfHostileProviders(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	claims := person("g\u2028'\"--", "ana@x.test", true)
	claims["name"], claims["hd"] = "A\x00na <script>", "x\x00"
	user := a.googleTokens(claims).User
	if user["user_metadata"].(map[string]any)["name"] != "Ana <script>" {
		t.Errorf("user %v", user)
	}
	for name, address := range map[string]string{"no address": "not an address", "with a NUL": "a\x00@x.test", "a list": "a@x.test,b@x.test"} {
		if landed := a.signInGoogle(person("g-"+name, address, true)); landed.fragment.Has("access_token") {
			t.Errorf("%s: %s", name, landed.String())
		}
	}
}

func TestInvitationsWithAProvider(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	invite := func(email string) string {
		a.do(call{path: "/invite", body: body(map[string]any{"email": email}), as: a.auth.Keys.Service}).want(t, http.StatusOK, "")
		return a.linkTo(email).token()
	}
	secret := invite("guest@x.test")
	take := func(secret string, claims map[string]any) flowResult {
		return a.callBack(a.beginFlow("google", "invite_token", secret), a.google, grantFor(claims)).flowResult(t)
	}
	if landed := take(secret, person("g-other", "other@x.test", true)); landed.error() != "validation_failed" {
		t.Errorf("somebody else: %s", landed.String())
	}
	got := a.tokensOf(take(secret, person("g-guest", "Guest@x.test", false)))
	if got.User["email"] != "guest@x.test" || got.User["email_confirmed_at"] == nil {
		t.Errorf("user %v", got.User)
	}
	equal(t, "providers", any([]any{"google"}), providersOf(got.User))
	a.browse("/authorize?provider=google&invite_token="+secret).want(t, http.StatusNotFound, "")

	second := invite("second@x.test")
	if landed := take(second, person("g-guest", "second@x.test", true)); landed.error() != "identity_already_exists" {
		t.Errorf("an identity of another account: %s", landed.String())
	}
}
