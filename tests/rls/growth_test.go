package rls

import "testing"

// Everything that an account can cause to be written is limited: of lists shown newest first, the
// oldest rows are deleted; of permanent rows, only a number per day is written.
func TestAccountDataIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.notifications (user_id, type, title, content, created_at)
		select $1, 'other', 'Title ' || n, 'Text', now() - n * interval '1 minute' from generate_series(1, 1200) n`, w.owner.id)
	w.exec(t, `insert into public.user_security_events (user_id, event_type, created_at)
		select $1, 'failed_login', now() - n * interval '1 minute' from generate_series(1, 1200) n`, w.ana.id)
	w.exec(t, `insert into public.user_sessions (user_id, is_active, last_activity_at)
		select $1, n <= 3, now() - n * interval '1 minute' from generate_series(1, 200) n`, w.ana.id)
	w.exec(t, `insert into public.messages (sender_id, recipient_id, business_id, content) values ($1, $2, $3, 'Hello')`, w.ana.id, w.owner.id, w.shop)
	w.signIn(t, w.ana)

	for _, tt := range []struct{ what, sql, user, want string }{
		{"notifications", `select count(*) || ' ' || bool_or(title = 'New message about ' || (select name from public.businesses where owner_id = $1)) from public.notifications where user_id = $1`, w.owner.id, "1000 true"},
		{"security events", `select count(*) || ' ' || bool_or(event_type = 'successful_login') from public.user_security_events where user_id = $1`, w.ana.id, "1000 true"},
		{"sessions that have ended", `select count(*) filter (where is_active) || ' ' || count(*) filter (where not is_active) from public.user_sessions where user_id = $1`, w.ana.id, "4 100"},
	} {
		if got := w.text(t, tt.sql, tt.user); got != tt.want {
			t.Errorf("%s: %s are kept, want %s", tt.what, got, tt.want)
		}
	}
}

// S-50: the audit log is permanent, so the changes that fill it are limited; an admin's are not.
func TestDailyLimitOfAuditedChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const rename = `update public.profiles set full_name = 'Other' where id = $1`
	const fill = `insert into public.audit_logs (user_id, table_name, action, created_at) select $1, 'profiles', 'UPDATE', now() - $2::interval from generate_series(1, 5000)`
	w.exec(t, fill, w.ana.id, "25 hours")
	w.fails(t, w.ana, "", rename, w.ana.id)
	w.exec(t, fill, w.ana.id, "1 minute")
	w.fails(t, w.ana, "too_many_changes", rename, w.ana.id)
	w.fails(t, w.ben, "", rename, w.ben.id)
	w.exec(t, fill, w.ada.id, "1 minute")
	w.fails(t, w.ada, "", rename, w.ada.id)
}
