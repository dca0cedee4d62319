package auth_test

import (
	"net/http"
	"testing"
	"time"

	"plaza/server/auth"
)

// clean removes expired rows.
func (s *server) clean() {
	s.t.Helper()
	if err := s.built.CleanUp(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func TestExpiredRowsAreDeleted(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Ways.Phone = true })
	in, app := s.memberWithApp("ana@plaza.test")
	s.challenge(in.Access, app.ID)
	s.ok("/recover", `{"email":"ana@plaza.test","code_challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","code_challenge_method":"s256"}`)
	in = s.refresh(in.Refresh).tokens(t)
	s.exec("insert into auth.rate_limits values ('x', 1, $1)", startTime)
	tables := []string{"refresh_tokens", "one_time_tokens", "flow_state", "mfa_challenges", "rate_limits"}
	count := func() (all []int) {
		for _, table := range tables {
			all = append(all, s.count("select count(*) from auth."+table))
		}
		return all
	}
	before := count()
	for i, n := range before {
		if n == 0 {
			t.Errorf("the test leaves nothing in %s", tables[i])
		}
	}
	s.clean()
	equal(t, "at once", before, count())
	s.clock.Advance(49 * time.Hour)
	s.clean()
	equal(t, "after two days", []int{1, 0, 0, 0, 0}, count())
	s.refresh(in.Refresh).want(t, http.StatusOK, "") // active sessions are kept
	equal(t, "factors", 1, s.count("select count(*) from auth.mfa_factors"))
}
