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

// The audit trail is partitioned by month; the months ahead exist, and those past the retention are dropped.
func TestAuditTrailByMonth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		retention time.Duration
		want      int
	}{{365 * 24 * time.Hour, 0}, {0, 1}} {
		s := start(t, func(c *auth.Config) { c.AuditLog.Retention = tt.retention })
		s.exec(`alter table auth.audit_log_entries detach partition auth.audit_log_entries_before`)
		s.exec(`create table auth.audit_log_entries_2020_01 partition of auth.audit_log_entries for values from ('2020-01-01 00:00+00') to ('2020-02-01 00:00+00');
			alter table auth.audit_log_entries_2020_01 owner to supabase_auth_admin`)
		s.exec(`insert into auth.audit_log_entries (id, created_at) values (gen_random_uuid(), '2020-01-05')`)
		s.member("ana@plaza.test")
		s.clean()
		equal(t, "the row of 2020", tt.want, s.count(`select count(*) from auth.audit_log_entries where created_at < '2021-01-01'`))
		equal(t, "other rows", true, s.count(`select count(*) from auth.audit_log_entries where created_at > '2021-01-01'`) > 0)
		equal(t, "months from the last one on", 4, s.count(`select count(*) from pg_inherits i join pg_class c on c.oid = i.inhrelid
			where i.inhparent = 'auth.audit_log_entries'::regclass and c.relname ~ '_20\d\d_\d\d$' and c.relname !~ '2020'`))
	}
}
