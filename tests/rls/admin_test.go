package rls

import (
	"strings"
	"testing"
)

// ADMIN-USERS-08, API-32, S-57: by name, ignoring accents, or by display id, by role, paged.
func TestAdminUsers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.profiles set full_name = case id when $1 then 'Núria Àlvarez' else 'Nora Alba' end where id in ($1, $2)`, w.ana.id, w.ben.id)
	w.exec(t, `update public.profiles set created_at = now() + interval '1 day' where id = $1`, w.ada.id)
	w.exec(t, `update public.profiles set display_id = 'U-900001' where id = $1`, w.rival.id)
	tests := []struct{ rule, arguments, want string }{
		{"all, the newest first", `p_page_size => 1`, "ada of 5"},
		{"by name", `p_order => 'name', p_page_size => 3`, "ada, Nora Alba, Núria Àlvarez of 5"},
		{"by name, backwards", `p_order => 'name_desc', p_page_size => 1`, "rival of 5"},
		{"the oldest first ends with the newest", `p_order => 'oldest', p_page => 5, p_page_size => 1`, "ada of 5"},
		{"a name without its accents", `'nuria alv'`, "Núria Àlvarez of 1"},
		{"a part of a name", `'ALB'`, "Nora Alba of 1"},
		{"a display id", `'u-900001'`, "rival of 1"},
		{"the digits of a display id", `' 900001 '`, "rival of 1"},
		{"a role", `p_role => 'owner', p_order => 'name'`, "owner, rival of 2"},
		{"text and role", `'nuria', 'owner'`, ""},
		{"blanks are no text", `'  ', p_page_size => 1`, "ada of 5"},
		{"a text of signs finds nothing", `'%_'`, ""},
		{"the second page", `p_order => 'name', p_page => 2, p_page_size => 3`, "owner, rival of 5"},
		{"a page past the end is the last one", `p_order => 'name', p_page => 99, p_page_size => 3`, "owner, rival of 5"},
		{"a page before the first is the first", `p_order => 'name', p_page => -1, p_page_size => 1`, "ada of 5"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, w.ada, `select string_agg(full_name, ', ') || ' of ' || max(total) from public.admin_users(`+tt.arguments+`)`)
			if got != tt.want {
				t.Errorf("admin_users(%s) is %q, want %q", tt.arguments, got, tt.want)
			}
		})
	}
	w.fails(t, w.ada, "unknown_order", `select public.admin_users(p_order => 'id; drop table x')`)
}

// ADMIN-BIZ-01, API-34: by name or display id, not by other search columns; by type.
func TestAdminBusinesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set name = case id when $1 then 'Núñez e Hijos' else 'Bar 24' end,
		type = case id when $1 then 'Taller' else 'Bar' end where id in ($1, $2)`, w.shop, w.rivalShop)
	w.exec(t, `update public.businesses set name = 'Peluquería Sol' where id = $1`, w.unclaimed)
	number := w.text(t, `select display_id from public.businesses where id = $1`, w.shop)
	tests := []struct{ rule, arguments, want string }{
		{"all", ``, "Bar 24, Núñez e Hijos, Peluquería Sol"},
		{"a name without its accents", `'NUNEZ hij'`, "Núñez e Hijos"},
		{"a type is no name", `'taller'`, ""},
		{"digits are sought in names, too", `'24'`, "Bar 24"},
		{"a display id", `'` + strings.ToLower(number) + `'`, "Núñez e Hijos"},
		{"a type", `p_type => 'Peluquería'`, "Peluquería Sol"},
		{"text and type", `'sol', 'Bar'`, ""},
		{"a text of signs finds nothing", `'%'`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, w.ada, `select string_agg(name, ', ' order by name) from public.admin_businesses(`+tt.arguments+`)`)
			if got != tt.want {
				t.Errorf("admin_businesses(%s) is %q, want %q", tt.arguments, got, tt.want)
			}
		})
	}
	if got := w.ask(t, w.ada, `select string_agg(type, ', ') from public.admin_business_types()`); got != "Bar, Peluquería, Taller" {
		t.Errorf("types %q", got)
	}
	plan := strings.Join(list(t, w.as(t, w.ada), `explain select id from public.admin_businesses('nunez') order by created_at desc limit 20`), "\n")
	if strings.Contains(plan, "Function Scan") {
		t.Errorf("admin_businesses is not inlined, so it reads every row:\n%s", plan)
	}
}

// ADMIN-CAT-01, ADMIN-LOC-01, ADMIN-LOC-08: by name; locations are the mappings of that type.
func TestAdminReference(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct{ rule, sql, want string }{
		{"a category", `select string_agg(name, ', ') from public.admin_categories('estate')`, "Real Estate"},
		{"any category", `select (count(*) = 21)::text from public.admin_categories()`, "true"},
		{"a location without its accents", `select string_agg(original, ', ') from public.admin_locations('sant julia')`, "Sant Julià de Lòria"},
		{"a category is no location", `select string_agg(original, ', ') from public.admin_locations('real estate')`, ""},
	}
	for _, tt := range tests {
		if got := w.ask(t, w.ada, tt.sql); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, got, tt.want)
		}
	}
}

// S-15, S-49, S-57, PERM-15, PERM-16: the panel's functions are for admins.
func TestAdminFunctionsAreForAdmins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, call := range []string{
		`admin_users()`, `admin_business_types()`, `admin_user_effects('{}')`,
		`admin_business_effects(gen_random_uuid())`, `admin_replace_category(gen_random_uuid(), gen_random_uuid())`,
	} {
		w.fails(t, w.owner, "not_admin", `select public.`+call)
		w.fails(t, anon, "42501", `select public.`+call)
	}
	for _, call := range []string{`admin_businesses()`, `admin_categories()`, `admin_locations()`} {
		w.fails(t, anon, "42501", `select public.`+call)
	}
	// S-24: an admin with a second factor is one only in a session that used it.
	w.exec(t, `update public.profiles set totp_enabled = true where id = $1`, w.ada.id)
	w.fails(t, w.ada, "not_admin", `select public.admin_users()`)
	w.fails(t, w.ada.with("aal", "aal2"), "", `select public.admin_users()`)
}

// RULE-28: the confirmation before a deletion lists what is deleted with it.
func TestAdminEffects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if got := w.ask(t, w.ada, `select concat_ws(' ', businesses, bookings, reviews) from public.admin_user_effects($1)`,
		[]string{w.owner.id, w.ben.id}); got != "1 2 1" {
		t.Errorf("of users: %q", got)
	}
	if got := w.ask(t, w.ada, `select concat_ws(' ', services, photos, reviews, open_bookings) from public.admin_business_effects($1)`, w.shop); got != "1 1 1 1" {
		t.Errorf("of a business: %q", got)
	}
}

// ADMIN-CAT-03, ADMIN-CAT-04, API-36: a category in use is kept until its businesses are in another
// one.
func TestAdminCategories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	used := w.text(t, `select category_id::text from public.business_categories where business_id = $1`, w.shop)
	other := w.text(t, `select id::text from public.categories where name = 'Shopping'`)
	const remove = `delete from public.categories where id = $1`
	w.fails(t, w.ada, "23503", remove, used)
	w.fails(t, w.ada, "", remove, other)
	const replace = `select public.admin_replace_category($1, $2)`
	w.fails(t, w.ada, "category_not_found", replace, used, used)
	w.fails(t, w.ada, "category_not_found", replace, used, w.shop)

	w.exec(t, `insert into public.business_categories values ($1, $2), ($3, $4)`, w.shop, other, w.rivalShop, used)
	tx := w.as(t, w.ada)
	if got := queryText(t, tx, replace+`::text`, used, other); got != "2" {
		t.Errorf("moved %s businesses, want 2", got)
	}
	if got := queryText(t, tx, `select count(*)::text from public.business_categories where category_id = $1`, other); got != "2" {
		t.Errorf("%s businesses are in the other category, want 2", got)
	}
	if got := queryText(t, tx, `select count(*)::text from public.categories where id = $1`, used); got != "0" {
		t.Error("the category is still there")
	}
}

// ADMIN-CAT-03, ADMIN-LOC-04, ADMIN-LOC-05, ADMIN-LOC-07, C-54: the database enforces the rules of
// the forms, too.
func TestAdminNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const category, location = `insert into public.categories (name, icon) values ($1, $2)`, `insert into public.url_mappings (type, original, slug) values ('location', $1, $2)`
	w.fails(t, w.ada, "23514", category, "   ", nil)
	w.fails(t, w.ada, "23505", category, "  FOOD ", nil)
	w.fails(t, w.ada, "23505", location, "MADRID", "madrid-2")
	w.fails(t, w.ada, "23505", location, "Madriz", "madrid")
	w.fails(t, w.ada, "23514", location, "北京", "")
	w.fails(t, w.ada, "23514", location, "Toledo", "To ledo")
	tx := w.as(t, w.ada)
	if got := queryText(t, tx, location+` returning slug`, " L'Hospitalet, Màlaga ", " "); got != "lhospitalet-malaga" {
		t.Errorf("slug %q", got)
	}
	if got := queryText(t, tx, category+` returning name || coalesce(icon, '-')`, " Cafés ", " "); got != "Cafés-" {
		t.Errorf("stored %q", got)
	}
}

// C-17, S-49: a deleted user is gone permanently, and the deletion is in the audit log.
func TestAdminDeletesUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.ada)
	queryText(t, tx, `select public.admin_delete_user($1)::text`, []string{w.ana.id})
	if got := queryText(t, tx, `select string_agg(concat_ws(' ', action, user_id = $2), ', ') from public.audit_logs
		where table_name = 'profiles' and record_id = $1 and action = 'DELETE'`, w.ana.id, w.ada.id); got != "DELETE t" {
		t.Errorf("audit log has %q", got)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.exec(t, `reset role`) // the caller's role outlives the commit
	if got := w.text(t, `select count(*)::text from auth.users where id = $1`, w.ana.id); got != "0" {
		t.Error("the account could still sign in")
	}
	w.fails(t, w.ana, "user_not_found", `select public.ensure_profile()`)
}
