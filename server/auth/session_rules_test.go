package auth_test

import (
	"net/http"
	"testing"
	"time"

	"plaza/server/auth"
)

func TestOneSessionForEachUser(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Sessions.SinglePerUser = true; c.Sessions.Tags = []string{"web", "app"} })
	first := s.member("ana@plaza.test")
	s.clock.Advance(time.Second)
	second := s.signIn("ana@plaza.test", strong).tokens(t)
	s.refresh(first.Refresh).want(t, http.StatusBadRequest, "session_expired")
	s.refresh(second.Refresh).tokens(t)

	// Another kind of client has a session of its own.
	s.clock.Advance(time.Second)
	app := s.signIn("ana@plaza.test", strong).tokens(t)
	s.exec("update auth.sessions set tag = 'app' where id = $1", s.claimsOf(app.Access)["session_id"])
	s.refresh(app.Refresh).tokens(t)
	web := s.signIn("ana@plaza.test", strong).tokens(t)
	s.refresh(web.Refresh).tokens(t)
	s.member("eva@plaza.test") // another user's sign-in ends no session
	s.refresh(web.Refresh).tokens(t)
}

func TestASessionWithoutTheSecondFactorIsShort(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Sessions.AllowLowAAL = 10 * time.Minute })
	strongIn, _ := s.memberWithApp("ana@plaza.test")
	weak := s.signIn("ana@plaza.test", strong).tokens(t)
	equal(t, "lifetime", int64(600), weak.In)
	equal(t, "lifetime with the factor", int64(3600), strongIn.In)
	s.clock.Advance(5 * time.Minute)
	weak = s.refresh(weak.Refresh).tokens(t)
	equal(t, "what is left", int64(300), weak.In)
	s.clock.Advance(6 * time.Minute)
	s.refresh(weak.Refresh).want(t, http.StatusBadRequest, "session_expired")
	s.refresh(strongIn.Refresh).tokens(t)
}

// The limit does not apply to users without a second factor.
func TestLowAALLimitNeedsAFactor(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Sessions.AllowLowAAL = time.Minute })
	in := s.member("ana@plaza.test")
	s.clock.Advance(time.Hour)
	s.refresh(in.Refresh).tokens(t)
}

func TestUnconfirmedSignIn(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Mailer.AllowUnverified = true })
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	in := s.signIn("ana@plaza.test", strong).tokens(t)
	equal(t, "confirmed", nil, in.User["email_confirmed_at"])
}

func TestSignInMethodsCanBeDisabled(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Ways.Email = false })
	s.post("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong})).want(t, http.StatusBadRequest, "email_provider_disabled")
	s.signIn("ana@plaza.test", strong).want(t, http.StatusUnprocessableEntity, "email_provider_disabled")
	s.post("/otp", `{"email":"ana@plaza.test"}`).want(t, http.StatusUnprocessableEntity, "email_provider_disabled")
	links := start(t, func(c *auth.Config) { c.Ways.MagicLink = false })
	links.post("/otp", `{"email":"ana@plaza.test"}`).want(t, http.StatusUnprocessableEntity, "email_provider_disabled")
	links.member("ana@plaza.test")
}
