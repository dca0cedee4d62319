package auth_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

const lockedOut = `{"code":"invalid_credentials","message":"Account is temporarily locked due to multiple failed login attempts"}`

// startMarketplace starts a server on the marketplace's database with its hook. Client addresses
// come from the proxy's header.
func startMarketplace(t *testing.T) *server {
	t.Helper()
	return startWith(t, testkit.URL(t), func(c *auth.Config) {
		withHook("pg-functions://postgres/private/password_verification_attempt")(c)
		c.Hook.UnknownAccounts = true
		c.RateLimit.PasswordFailures = 0
		c.RateLimit.TokenRefresh = 0
	}, func(d *auth.Deps) { d.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
}

// signInFromAddress signs in from a client address.
func (s *server) signInFromAddress(address, email, password string) answer {
	s.t.Helper()
	return s.do(call{path: "/token?grant_type=password", header: map[string]string{"X-Forwarded-For": address},
		body: body(map[string]any{"email": email, "password": password})})
}

// Five wrong passwords do not reveal whether an address has an account.
func TestLockOutDoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	s := startMarketplace(t)
	s.member("ana@plaza.test")
	s.exec("insert into auth.users (id, aud, email, encrypted_password) values (gen_random_uuid(), 'authenticated', 'social@plaza.test', '')")
	for attempt := range 8 {
		known := s.signInFromAddress("192.0.2.1", "ana@plaza.test", "wrong")
		for _, email := range []string{"nobody@plaza.test", "social@plaza.test"} {
			got := s.signInFromAddress("192.0.2.1", email, "wrong")
			equal(t, fmt.Sprint("status ", attempt, email), known.status, got.status)
			equal(t, fmt.Sprint("body ", attempt, email), known.body, got.body)
		}
	}
	equal(t, "at the end", lockedOut, s.signInFromAddress("192.0.2.1", "nobody@plaza.test", strong).body)
}

// S-05: attackers only lock out unknown addresses, from one address or many.
func TestOtherAddressesDoNotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	s := startMarketplace(t)
	s.member("ana@plaza.test") // from 127.0.0.1
	s.signInFromAddress("198.51.100.7", "ana@plaza.test", strong).tokens(t)
	for range 6 {
		s.signInFromAddress("192.0.2.1", "ana@plaza.test", "wrong")
	}
	equal(t, "the stranger", lockedOut, s.signInFromAddress("192.0.2.1", "ana@plaza.test", strong).body)
	for i := range 20 {
		s.signInFromAddress(fmt.Sprintf("192.0.2.%d", 10+i), "ana@plaza.test", "wrong")
	}
	equal(t, "another stranger", lockedOut, s.signInFromAddress("203.0.113.5", "ana@plaza.test", strong).body)
	s.signInFromAddress("198.51.100.7", "ana@plaza.test", strong).tokens(t)
}

// An IPv6 client has a whole network of addresses.
func TestFailuresCountForTheIPv6Network(t *testing.T) {
	t.Parallel()
	s := startMarketplace(t)
	s.member("ana@plaza.test")
	for i := range 5 {
		s.signInFromAddress(fmt.Sprintf("2001:db8::%d", i+1), "ana@plaza.test", "wrong")
	}
	equal(t, "its next address", lockedOut, s.signInFromAddress("2001:db8::99", "ana@plaza.test", strong).body)
	s.signInFromAddress("2001:db8:0:1::1", "ana@plaza.test", strong).tokens(t)
}

func TestEachLockLastsLonger(t *testing.T) {
	t.Parallel()
	s := startMarketplace(t)
	s.member("ana@plaza.test")
	for _, minutes := range []int{15, 30, 60} {
		for range 5 {
			s.signInFromAddress("192.0.2.1", "ana@plaza.test", "wrong")
		}
		equal(t, "minutes", minutes, s.count(`select round(extract(epoch from locked_until - now()) / 60)::int from private.sign_in_failures where origin = '192.0.2.1'`))
		s.exec("update private.sign_in_failures set locked_until = now()")
	}
}

// The owner gets one mail; its link opens a page, whose button signs in and unlocks.
func TestOwnerIsMailedAnUnlockLink(t *testing.T) {
	t.Parallel()
	s := startMarketplace(t)
	s.member("ana@plaza.test")
	s.clock.Advance(time.Hour)
	mails := s.mailCount()
	for range 7 {
		s.signInFromAddress("192.0.2.1", "ana@plaza.test", "wrong")
		s.signInFromAddress("192.0.2.1", "nobody@plaza.test", "wrong")
	}
	for range 7 {
		s.signInFromAddress("192.0.2.2", "ana@plaza.test", "wrong")
	}
	equal(t, "mails", mails+1, s.mailCount())
	unlockLink := s.linkTo("ana@plaza.test")
	if subject := s.lastMail("ana@plaza.test").Subject; !strings.Contains(subject, "locked") {
		t.Errorf("the mail's subject: %s", subject)
	}
	equal(t, "before", lockedOut, s.signInFromAddress("192.0.2.1", "ana@plaza.test", strong).body)
	s.pressButton(unlockLink)
	s.signInFromAddress("192.0.2.1", "ana@plaza.test", strong).tokens(t)
}

// As in upstream, the hook is by default not called for unknown accounts.
func TestHooksAreCalledForUnknownAccountsOnlyIfEnabled(t *testing.T) {
	t.Parallel()
	for wanted, events := range map[bool]int{false: 0, true: 1} {
		s := start(t, func(c *auth.Config) {
			withHook("pg-functions://postgres/public/watch")(c)
			c.Hook.UnknownAccounts = wanted
		})
		s.exec(`create table public.seen (event jsonb);
			create function public.watch(event jsonb) returns jsonb language sql security definer
			as $$ insert into public.seen values (event); select '{"decision":"continue"}'::jsonb $$`)
		s.signIn("nobody@plaza.test", "wrong").want(t, http.StatusBadRequest, "invalid_credentials")
		equal(t, "events", events, s.count(`select count(*) from public.seen where event -> 'user_id' = 'null' and event -> 'valid' = 'false' and length(event ->> 'account') = 43`))
	}
}
