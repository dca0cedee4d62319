package rls

import (
	"strings"
	"testing"

	"plaza/tests/testkit"
)

// AUTH-16, S-01, C-01, PERM-13, RULE-06: what sign-up makes of metadata.
func TestProfileOnSignUp(t *testing.T) {
	t.Parallel()
	tests := []struct{ rule, metadata, want string }{
		{"the role is user", `{"full_name": "Ana"}`, "Ana user f"},
		{"admin by metadata is nothing", `{"full_name": "Ana", "role": "admin"}`, "Ana user f"},
		{"owner by metadata is an intent", `{"full_name": "Ana", "role": "owner"}`, "Ana user t"},
		{"markup is stripped", `{"full_name": "<b>Ana</b> <script>x"}`, "Ana x user f"},
		{"no name", `{}`, "user f"},
		{"a name too long is cut", `{"full_name": "` + strings.Repeat("a", 150) + `"}`, strings.Repeat("a", 100) + " user f"},
		{"a bad picture is left out", `{"full_name": "Ana", "avatar_url": "javascript:alert(1)"}`, "Ana user f"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			tx := testkit.Tx(t)
			id := queryText(t, tx, `insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), gen_random_uuid() || '@example.com', $1) returning id::text`, tt.metadata)
			got := queryText(t, tx, `select concat_ws(' ', full_name, role, wants_to_sell, avatar_url) from public.profiles where id = $1`, id)
			if got != tt.want {
				t.Errorf("profile %q, want %q", got, tt.want)
			}
		})
	}
}

// S-02: a missing profile is made again from the account, not from the call.
func TestEnsureProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.profiles where id = $1`, w.ana.id)
	tx := w.as(t, w.ana)
	for range 2 {
		if got := queryText(t, tx, `select id || ' ' || role from public.ensure_profile()`); got != w.ana.id+" user" {
			t.Errorf("ensure_profile gives %q", got)
		}
	}
	w.fails(t, anon, "42501", `select public.ensure_profile()`)
}

// DATA-01: display ids differ and are made by the database.
func TestDisplayIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, sql := range []string{
		`select bool_and(display_id ~ '^U-[0-9]{6,}$')::text from public.profiles`,
		`select bool_and(display_id ~ '^B-[0-9]{6,}$')::text from public.businesses`,
	} {
		if got := w.text(t, sql); got != "true" {
			t.Errorf("%s: %s", sql, got)
		}
	}
}

// PERM-01, PERM-14, S-15, S-24: roles rank, and an admin with a second factor must have used it.
func TestRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	guarded := w.ada
	w.exec(t, `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
		values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`, w.rival.id)
	w.exec(t, `update public.profiles set role = 'admin' where id = $1`, w.rival.id)
	banned, unbanned := w.moderator(t, "1 day"), w.moderator(t, "-1 second")
	const roles = `select concat_ws(' ', public.has_role('user'), public.has_role('owner'), public.has_role('admin'), public.is_admin())`
	tests := []struct {
		rule string
		who  caller
		want string
	}{
		{"nobody", anon, "f f f f"},
		{"a user", w.ana, "t f f f"},
		{"an owner", w.owner, "t t f f"},
		{"an admin", guarded, "t t t t"},
		{"metadata does not count", w.ana.with("user_metadata", map[string]any{"role": "admin"}), "t f f f"},
		{"an admin without the second factor", w.rival, "f f f f"},
		{"a banned admin", banned, "f f f f"},
		{"an admin whose ban has ended", unbanned, "t t t t"},
		{"an admin with the second factor", w.rival.with("aal", "aal2"), "t t t t"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := queryText(t, w.as(t, tt.who), roles); got != tt.want {
				t.Errorf("roles %q, want %q", got, tt.want)
			}
		})
	}
	w.fails(t, w.ana, "", `select public.has_role('no such role')`)
}

// moderator makes an admin who is banned until so long from now.
func (w *world) moderator(t *testing.T, banned string) caller {
	t.Helper()
	id := w.text(t, `insert into auth.users (id, aud, role, email, banned_until, created_at, updated_at)
		values (gen_random_uuid(), 'authenticated', 'authenticated', gen_random_uuid() || '@example.com', now() + $1::interval, now(), now()) returning id::text`, banned)
	w.exec(t, `update public.profiles set role = 'admin' where id = $1`, id)
	return caller{role: w.ada.role, id: id}
}

// S-23, SEC-05: totp_enabled follows the auth server's factors.
func TestTotpEnabledFollowsFactors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	steps := []struct{ sql, want string }{
		{`insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), $1, 'totp', 'unverified', now(), now())`, "false"},
		{`update auth.mfa_factors set status = 'verified' where user_id = $1`, "true"},
		{`delete from auth.mfa_factors where user_id = $1`, "false"},
	}
	for _, step := range steps {
		w.exec(t, step.sql, w.ana.id)
		if got := w.text(t, `select totp_enabled::text from public.profiles where id = $1`, w.ana.id); got != step.want {
			t.Errorf("after %s: totp_enabled is %s, want %s", step.sql, got, step.want)
		}
	}
}

// PROFILE-08: the last admin stays, however the account would go.
func TestLastAdminStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const remove = `delete from auth.users where id = $1`
	w.exec(t, `update public.profiles set role = 'admin' where id = $1`, w.rival.id)
	w.exec(t, remove, w.rival.id)
	_, err := w.tx.Exec(t.Context(), remove, w.ada.id)
	if got := code(err); got != "last_admin" {
		t.Errorf("deleting the last admin: %v, want last_admin", err)
	}
}

// S-49, C-17, API-33, ADMIN-USERS-11, ADMIN-USERS-12.
func TestAdminFunctions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const setRole, remove = `select public.admin_set_role($1, $2)`, `select public.admin_delete_user($1)`
	ids := func(who ...caller) []string {
		var all []string
		for _, c := range who {
			all = append(all, c.id)
		}
		return all
	}
	w.fails(t, w.ana, "not_admin", setRole, ids(w.ana), "admin")
	w.fails(t, w.owner, "not_admin", remove, ids(w.ana))
	w.fails(t, anon, "42501", setRole, ids(w.ana), "admin")
	w.fails(t, w.ada, "own_role", setRole, ids(w.ana, w.ada), "user")
	w.fails(t, w.ada, "own_account", remove, ids(w.ada))
	w.fails(t, w.ada, "unknown_role", setRole, ids(w.ana), "root")

	tx := w.as(t, w.ada)
	if got := queryText(t, tx, setRole+`::text`, ids(w.ana, w.ben, w.owner), "owner"); got != "2" {
		t.Errorf("admin_set_role changed %s, want 2", got)
	}
	if got := queryText(t, tx, remove+`::text`, ids(w.ben, w.owner)); got != "2" {
		t.Errorf("admin_delete_user deleted %s, want 2", got)
	}
}

// C-17, S-41, ADMIN-CLAIM-07: a deleted owner's listing is free again, and the account is gone.
func TestDeletedUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from auth.users where id = any ($1)`, []string{w.owner.id, w.ben.id})
	got := w.text(t, `select concat_ws(' ', (select count(*) from public.profiles where id = any ($2)), owner_id is null, is_claimed, verification_status,
		(select user_id is null from public.reviews where business_id = b.id)) from public.businesses b where id = $1`, w.shop, []string{w.owner.id, w.ben.id})
	if want := "0 t f unverified t"; got != want {
		t.Errorf("left behind %q, want %q", got, want)
	}
}
