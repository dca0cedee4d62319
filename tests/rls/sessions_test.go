package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/tests/testkit"
)

// AUTH-18, CONST-01, S-16: the server creates the row, for 8 hours, with the known data of the
// device.
func TestSessionRow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.text(t, `select concat_ws(' ', s.expires_at - a.created_at, a.not_after = s.expires_at, s.is_active, host(s.ip_address), s.user_agent)
		from public.user_sessions s join auth.sessions a on a.id = s.session_id where s.user_id = $1`, w.ben.id)
	if want := "08:00:00 t t 203.0.113.7 test"; got != want {
		t.Errorf("session %q, want %q", got, want)
	}
}

// SEC-17, S-18: ending a session ends the auth session, by function and by update.
func TestEndSession(t *testing.T) {
	t.Parallel()
	for _, how := range []struct {
		name, sql string
		who       func(w *world) caller
		want      string
	}{
		{"terminate_session", `select public.terminate_session(id) from public.user_sessions where user_id = auth.uid()`, func(w *world) caller { return w.ben }, "0 f"},
		{"update", `update public.user_sessions set is_active = false`, func(w *world) caller { return w.ben }, "0 f"},
		{"another's update", `update public.user_sessions set is_active = false`, func(w *world) caller { return w.ana }, "1 t"},
	} {
		t.Run(how.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tx := w.as(t, how.who(w))
			if _, err := tx.Exec(t.Context(), how.sql); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
				t.Fatal(err)
			}
			got := queryText(t, tx, `select (select count(*) from auth.sessions where user_id = $1) || ' ' || left(is_active::text, 1) from public.user_sessions where user_id = $1`, w.ben.id)
			if got != how.want {
				t.Errorf("auth sessions and is_active: %q, want %q", got, how.want)
			}
		})
	}
	w := newWorld(t)
	w.exec(t, `delete from auth.sessions where user_id = $1`, w.ben.id) // AUTH-09: signing out
	if got := w.text(t, `select is_active::text from public.user_sessions where user_id = $1`, w.ben.id); got != "false" {
		t.Errorf("after sign-out is_active is %s", got)
	}
	w.fails(t, w.ben, "session_ended", `update public.user_sessions set is_active = true`)
}

// AUTH-19, AUTH-20, S-17, C-13: activity extends the auth session, inactivity ends it, and 8 hours
// are absolute.
func TestTouchSession(t *testing.T) {
	t.Parallel()
	tests := []struct{ rule, set, want string }{
		{"fresh", ``, "t 480 t"},
		{"an own time-out", `update public.profiles set session_timeout_minutes = 30 where id = $1`, "t 30 t"},
		{"idle for less", `update public.user_sessions set last_activity_at = now() - interval '7 hours 50 minutes' where user_id = $1`, "t 480 t"},
		{"idle for longer", `update public.user_sessions set last_activity_at = now() - interval '8 hours' where user_id = $1`, "f 480 f"},
		{"idle for longer than an own time-out", `with p as (update public.profiles set session_timeout_minutes = 5 where id = $1)
			update public.user_sessions set last_activity_at = now() - interval '6 minutes' where user_id = $1`, "f 5 f"},
		{"its page left and came back", `update public.user_sessions set closing_at = now() - interval '29 minutes' where user_id = $1`, "t 480 t"},
		{"its page left for good", `update public.user_sessions set closing_at = now() - interval '31 minutes' where user_id = $1`, "f 480 f"},
		{"expired", `update public.user_sessions set expires_at = now() where user_id = $1`, "f 480 f"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			session := w.text(t, `select session_id::text from public.user_sessions where user_id = $1`, w.ben.id)
			if tt.set != "" {
				w.exec(t, tt.set, w.ben.id)
			}
			tx := w.as(t, w.ben.with("session_id", session))
			got := queryText(t, tx, `select left(active::text, 1) || ' ' || timeout_minutes from public.touch_session()`)
			if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
				t.Fatal(err)
			}
			got += " " + queryText(t, tx, `select left(exists (select from auth.sessions where id = $1 and not_after > now())::text, 1)`, session)
			if got != tt.want {
				t.Errorf("active, minutes, auth session: %q, want %q", got, tt.want)
			}
		})
	}
}

// S-19, AUTH-24: only the correct token marks a session, and it ends if no activity follows.
func TestSessionCleanup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.text(t, `select session_id::text from public.user_sessions where user_id = $1`, w.ben.id)
	tx := w.as(t, w.ben.with("session_id", session))
	token := queryText(t, tx, `select public.start_session()`)
	for _, given := range []string{"wrong", token} {
		if _, err := tx.Exec(t.Context(), `select public.session_cleanup($1)`, given); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
		t.Fatal(err)
	}
	got := queryText(t, tx, `select (closing_at is not null) || ' ' || is_active || ' ' || (session_token <> $2) from public.user_sessions where user_id = $1`, w.ben.id, token)
	if want := "true true true"; got != want {
		t.Errorf("closing, active, stored as a hash: %q, want %q", got, want)
	}
	w.fails(t, w.ana, "session_ended", `select public.start_session()`)
	w.fails(t, anon, "", `select public.session_cleanup('guess')`)
}

// S-05, AUTH-10, AUTH-12, SEC-18: five failures lock; then even the correct password is refused.
func TestLockOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	attempt := func(valid bool) string {
		return w.text(t, `select private.password_verification_attempt(jsonb_build_object('user_id', $1::text, 'valid', $2::boolean)) ->> 'decision'`, w.ana.id, valid)
	}
	locked := func(who caller) string {
		return w.ask(t, who, `select public.is_account_locked($1)::text`, w.ana.id)
	}
	var got []string
	for _, valid := range []bool{false, false, false, false, true, false, false, false, false, false, true} {
		got = append(got, attempt(valid))
	}
	want := []string{"continue", "continue", "continue", "continue", "continue", "continue", "continue", "continue", "continue", "reject", "reject"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	// FN-09: for the caller and admins only.
	if answers := []string{locked(w.ana), locked(w.ada), locked(w.ben), locked(anon)}; !cmp.Equal(answers, []string{"true", "true", "false", "false"}) {
		t.Errorf("is_account_locked for ana, ada, ben and anon: %q", answers)
	}
	w.exec(t, `update private.sign_in_failures set locked_until = now() where user_id = $1`, w.ana.id)
	if decision := attempt(true); decision != "continue" {
		t.Errorf("after the lock: %s", decision)
	}
	if events := w.text(t, `select string_agg(event_type || ' ' || n, ', ' order by event_type) from (
			select event_type, count(*) as n from public.user_security_events where user_id = $1 group by 1) e`, w.ana.id); events != "account_locked 1, failed_login 9" {
		t.Errorf("events: %s", events)
	}
}

// S-07, FN-08: a client's event must be its own, of a known type, and not a repetition.
func TestLogSecurityEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const log = `select public.log_security_event($1, $2, 'agent', '{}')`
	w.fails(t, w.ana, "unknown_event_type", log, w.ana.id, "hacked")
	w.fails(t, anon, "42501", log, w.ana.id, "failed_login")
	tx := w.as(t, w.ana)
	for range 3 {
		if _, err := tx.Exec(t.Context(), log, w.ben.id, "password_changed"); err != nil {
			t.Fatal(err)
		}
	}
	if got := queryText(t, tx, `select count(*)::text from public.user_security_events where event_type = 'password_changed'`); got != "1" {
		t.Errorf("ana has %s events, want 1", got)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.exec(t, `update auth.users set encrypted_password = 'old' where id = $1`, w.ben.id)
	w.exec(t, `update auth.users set encrypted_password = 'new' where id = $1`, w.ben.id)
	if got := w.text(t, `select count(*)::text from public.user_security_events where user_id = $1 and event_type = 'password_changed'`, w.ben.id); got != "1" {
		t.Errorf("ben has %s events of a changed password, want 1", got)
	}
}

// SEC-03, C-14: the user's own events of the last 30 days, counted by type.
func TestSecurityOverview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.user_security_events`)
	for _, event := range []struct {
		who       caller
		kind, age string
	}{
		{w.ben, "failed_login", "0"},
		{w.ben, "failed_login", "29 days"},
		{w.ben, "failed_login", "31 days"},
		{w.ben, "password_changed", "1 hour"},
		{w.ana, "account_locked", "0"},
	} {
		w.exec(t, `insert into public.user_security_events (user_id, event_type, created_at) values ($1, $2, now() - $3::interval)`, event.who.id, event.kind, event.age)
	}
	const overview = `select coalesce(string_agg(event_type || ' ' || events, ', ' order by event_type), '') from public.security_overview()`
	if got, want := w.ask(t, w.ben, overview), "failed_login 2, password_changed 1"; got != want {
		t.Errorf("ben's overview: %q, want %q", got, want)
	}
	// S-24: a user with a second factor must have used it.
	w.exec(t, `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`, w.ben.id)
	if got := w.ask(t, w.ben, overview); got != "" {
		t.Errorf("without the second factor ben sees %q", got)
	}
	if got, want := w.ask(t, w.ben.with("aal", "aal2"), overview), "failed_login 2, password_changed 1"; got != want {
		t.Errorf("with the second factor: %q, want %q", got, want)
	}
	w.fails(t, anon, "42501", overview)
}

// FN-10, RULE-03, RULE-04, S-09.
func TestPasswordStrength(t *testing.T) {
	t.Parallel()
	tests := []struct{ password, want string }{
		{"", "false 0 2"},
		{"abc", "false 1 2"},
		{"abcdefgh", "false 2 1"},
		{"Abcdefgh", "false 3 1"},
		{"Abcdefg1", "true 4 0"},
		{"Abcdef-1", "true 5 0"},
		{"Abcdefghijk1", "true 5 0"},
	}
	db := testkit.Tx(t)
	for _, tt := range tests {
		got := queryText(t, db, `select concat_ws(' ', s ->> 'valid', s ->> 'score', jsonb_array_length(s -> 'errors')) from public.validate_password_strength($1) s`, tt.password)
		if got != tt.want {
			t.Errorf("strength of %q: %s, want %s", tt.password, got, tt.want)
		}
	}
	if got := queryText(t, db, `select public.validate_password_strength('Aa1' || repeat('x', 126)) ->> 'errors'`); got != `["Password cannot exceed 128 characters"]` {
		t.Errorf("129 characters: %s", got)
	}
}
