package auth_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth"
	"plaza/server/pg"
	"plaza/tests/testkit"
)

var uuidPattern = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// withoutIDs returns a response body with its random ids replaced.
func withoutIDs(a answer) string { return uuidPattern.ReplaceAllString(a.body, "ID") }

// The response to a sign-up with a known address, confirmed or not, is identical to that with
// a new address.
func TestSignUpDoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const request = `{"email":"ana@plaza.test","password":"Correct-Horse-1","data":{"zz":1.50,"a":"x","nested":{"k":[]}}}`
	first := s.ok("/signup", request)
	s.clock.Advance(time.Hour)
	pending := s.ok("/signup", request)
	equal(t, "mails to the unconfirmed", 2, s.mailCount())
	s.pressButton(s.linkTo("ana@plaza.test"))
	s.clock.Advance(time.Hour)
	known := s.ok("/signup", request)
	equal(t, "mails to the confirmed", 2, s.mailCount())
	s.clock.Set(startTime)
	fresh := s.ok("/signup", `{"email":"eva@plaza.test","password":"Correct-Horse-1"}`)
	if !json.Valid([]byte(fresh.body)) {
		t.Error("not JSON")
	}

	hour := regexp.MustCompile(`T1[0-9]:00:00Z`)
	equal(t, "confirmed", hour.ReplaceAllString(withoutIDs(first), "T"), hour.ReplaceAllString(withoutIDs(known), "T"))
	equal(t, "unconfirmed", hour.ReplaceAllString(withoutIDs(first), "T"), hour.ReplaceAllString(withoutIDs(pending), "T"))
	if ids := uuidPattern.FindString(known.body); ids == uuidPattern.FindString(first.body) {
		t.Error("the look-alike shows the account's id")
	}
	s.signIn("ana@plaza.test", strong).tokens(t) // nothing of the account was changed
	equal(t, "audit", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'user_repeated_signup'"))
}

// A repeated request gets the same response whether or not there is an account.
func TestRepeatLimitsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	s.ok("/signup", `{"email":"pending@plaza.test","password":"Correct-Horse-1"}`)
	s.clock.Advance(2 * time.Minute)
	for _, path := range []string{"/recover", "/resend", "/signup"} {
		for _, email := range []string{"ana@plaza.test", "nobody@plaza.test", "pending@plaza.test"} {
			if path == "/signup" && email == "nobody@plaza.test" {
				continue // becomes an account by it
			}
			request := body(map[string]any{"email": email, "type": "signup", "password": strong})
			if path != "/signup" {
				s.ok(path, request)
			}
			s.clock.Advance(time.Second)
			again := s.post(path, request)
			again.want(t, http.StatusTooManyRequests, "over_email_send_rate_limit")
			if path != "/signup" { // it shares the interval with the mails of the other paths
				equal(t, path+" "+email, "59", again.header.Get("Retry-After"))
			}
		}
		s.clock.Advance(time.Second)
	}
	s.clock.Advance(time.Minute)
	s.ok("/recover", `{"email":"ana@plaza.test"}`)
	s.ok("/recover", `{"email":"nobody@plaza.test"}`)
}

func TestRecoverAndResendDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	before := s.mailCount()
	tests := []struct {
		name, path, body string
		mails            int
	}{
		{"recovery of an account", "/recover", `{"email":"ana@plaza.test"}`, 1},
		{"recovery of an unknown address", "/recover", `{"email":"nobody@plaza.test"}`, 0},
		{"resend for a confirmed address", "/resend", `{"type":"signup","email":"ana@plaza.test"}`, 0},
		{"resend for an unknown address", "/resend", `{"type":"signup","email":"nobody@plaza.test"}`, 0},
		{"resend without a pending change", "/resend", `{"type":"email_change","email":"ana@plaza.test"}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, "body", `{}`, s.ok(tt.path, tt.body).body)
			before += tt.mails
			equal(t, "mails", before, s.mailCount())
		})
	}
	s.post("/recover", `{}`).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/resend", `{"type":"nonsense","email":"ana@plaza.test"}`).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/resend", `{"type":"sms","phone":"34600000000"}`).want(t, http.StatusBadRequest, "phone_provider_disabled")
	s.post("/resend", `{"type":"signup"}`).want(t, http.StatusBadRequest, "validation_failed")
}

// statementCounter counts the statements of a pool.
type statementCounter struct{ n atomic.Int64 }

func (c *statementCounter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (*statementCounter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (*statementCounter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (c *statementCounter) TraceBatchQuery(_ context.Context, _ *pgx.Conn, _ pgx.TraceBatchQueryData) {
	c.n.Add(1)
}
func (*statementCounter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// A magic link for an unknown address costs the same as one for a known address: no password
// is hashed, and the number of statements is the same.
func TestMagicLinksCostTheSameForUnknownAddresses(t *testing.T) {
	t.Parallel()
	statements := &statementCounter{}
	address := testkit.PlatformURL(t)
	s := startWith(t, address, nil, func(d *auth.Deps) {
		serverDB, err := pg.Open(t.Context(), pg.Config{CallerURL: address, ServiceURL: address, MaxCallers: 1, MaxService: 4, Trace: statements, Log: d.Log})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(serverDB.Close)
		d.DB = serverDB
	})
	s.quiet = true // no mails are sent in between
	s.member("ana@plaza.test")
	s.clock.Advance(time.Hour)
	s.built.StopHashing()
	cost := map[string]int64{}
	for _, email := range []string{"ana@plaza.test", "nobody@plaza.test"} {
		before := statements.n.Load()
		s.ok("/otp", body(map[string]any{"email": email}))
		cost[email] = statements.n.Load() - before
	}
	equal(t, "statements for an unknown address", cost["ana@plaza.test"], cost["nobody@plaza.test"])
	equal(t, "mails", 2, s.count("select count(*) from auth.mail_queue"))
}

func TestResendOfAnEmailChange(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.put(in.Access, `{"email":"new@plaza.test"}`).want(t, http.StatusOK, "")
	old := s.linkTo("new@plaza.test")
	s.clock.Advance(time.Minute)
	s.ok("/resend", `{"type":"email_change","email":"ana@plaza.test"}`)
	equal(t, "the older link", "otp_expired", fragment(t, s.pressButton(old)).Get("error_code"))
	s.pressButton(s.linkTo("ana@plaza.test"))
	equal(t, "email", "new@plaza.test", s.claimsOf(fragment(t, s.pressButton(s.linkTo("new@plaza.test"))).Get("access_token"))["email"])
}

func TestSignInDoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	s.exec("insert into auth.users (id, aud, email, encrypted_password) values (gen_random_uuid(), 'authenticated', 'social@plaza.test', '')")
	wrong := s.signIn("ana@plaza.test", "wrong")
	wrong.want(t, http.StatusBadRequest, "invalid_credentials")
	for _, email := range []string{"nobody@plaza.test", "social@plaza.test", "not an address"} {
		equal(t, email, wrong.body, s.signIn(email, "wrong").body)
	}
	s.signIn("ana@plaza.test", string(make([]byte, 100))).want(t, http.StatusBadRequest, "invalid_credentials")
	s.post("/token?grant_type=password", `{"password":"x"}`).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/token?grant_type=password", `{"phone":"34600000000","password":"x"}`).want(t, http.StatusUnprocessableEntity, "phone_provider_disabled")
	s.post("/token?grant_type=password", `{"phone":"34600000000","email":"a@b.test","password":"x"}`).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/token?grant_type=nonsense", `{}`).want(t, http.StatusBadRequest, "invalid_credentials")
	s.post("/token", `{}`).want(t, http.StatusBadRequest, "invalid_credentials")
}

func TestAutoconfirm(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Mailer.Autoconfirm = true })
	in := s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1","data":{"full_name":"Ana"}}`).tokens(t)
	equal(t, "amr", "password", s.claimsOf(in.Access)["amr"].([]any)[0].(map[string]any)["method"])
	equal(t, "mails", 0, s.mailCount())
	s.post("/signup", `{"email":"ana@plaza.test","password":"Other-Horse-2"}`).want(t, http.StatusUnprocessableEntity, "user_already_exists")
	s.exec("update auth.users set email_confirmed_at = null")
	s.post("/signup", `{"email":"ana@plaza.test","password":"Other-Horse-2"}`).want(t, http.StatusUnprocessableEntity, "user_already_exists")
}

// Two concurrent first sign-ups with one address create one account.
func TestConcurrentSignUps(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	var both sync.WaitGroup
	answers := make([]answer, 4)
	for i := range answers {
		both.Go(func() { answers[i] = s.post("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`) })
	}
	both.Wait()
	fine := 0
	for _, got := range answers {
		if got.status == http.StatusOK {
			fine++
		} else {
			got.want(t, http.StatusTooManyRequests, "over_email_send_rate_limit")
		}
	}
	equal(t, "accepted", 1, fine)
	equal(t, "accounts", 1, s.count("select count(*) from auth.users"))
	s.pressButton(s.linkTo("ana@plaza.test"))
	s.signIn("ana@plaza.test", strong).tokens(t)
}

func TestSignUpCanBeDisabled(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.DisableSignup = true })
	s.post("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`).want(t, http.StatusUnprocessableEntity, "signup_disabled")
	s.post("/otp", `{"email":"ana@plaza.test"}`).want(t, http.StatusUnprocessableEntity, "signup_disabled")
}

// Two servers share the interval between repeated requests, with and without an account.
func TestServersShareRepeatLimits(t *testing.T) {
	t.Parallel()
	address := testkit.PlatformURL(t)
	one, two := startOn(t, address, nil), startOn(t, address, nil)
	one.member("ana@plaza.test")
	for _, s := range []*server{one, two} {
		s.clock.Advance(2 * time.Minute)
	}
	for _, email := range []string{"ana@plaza.test", "nobody@plaza.test"} {
		request := body(map[string]any{"email": email})
		one.ok("/recover", request)
		again := two.post("/recover", request)
		again.want(t, http.StatusTooManyRequests, "over_email_send_rate_limit")
		equal(t, email, "60", again.header.Get("Retry-After"))
	}
}

// A password set by someone else who signed up with the address stops working when the
// invited owner accepts.
func TestInvitationReplacesThePassword(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	s.clock.Advance(time.Hour)
	s.admin(http.MethodPost, "/invite", `{"email":"ana@plaza.test"}`).want(t, http.StatusOK, "")
	s.ok("/verify", body(map[string]any{"type": "invite", "token_hash": s.linkTo("ana@plaza.test").token()})).tokens(t)
	s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "invalid_credentials")
}

// A code sent to the old number is invalid after a change.
func TestPhoneChangeInvalidatesOldCodes(t *testing.T) {
	t.Parallel()
	s := start(t, withPhone)
	s.ok("/otp", body(map[string]any{"phone": phone}))
	in := s.ok("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": s.lastText(phone).Code})).tokens(t)
	s.clock.Advance(2 * time.Minute)
	s.ok("/otp", body(map[string]any{"phone": phone}))
	old := s.lastText(phone).Code
	s.do(call{method: http.MethodPut, path: "/user", as: in.Access, body: `{"phone":"34600999888"}`}).want(t, http.StatusOK, "")
	s.ok("/verify", body(map[string]any{"type": "phone_change", "phone": "34600999888", "token": s.lastText("34600999888").Code})).tokens(t)
	s.post("/verify", body(map[string]any{"type": "sms", "phone": phone, "token": old})).want(t, http.StatusForbidden, "otp_expired")
}
