package rls

import (
	"fmt"
	"strings"
	"testing"
)

// broken is what a check must find: sql makes it in {shop}, whose haircut is its only service.
// Constraints and triggers that forbid it are dropped first, as in data that was restored without
// them.
var broken = []struct{ id, check, status, sql string }{
	{"ADMIN-INTEG-04", "rating_range", "fail", `alter table public.businesses drop constraint businesses_rating_check;
		update public.businesses set rating = 7 where id = '{shop}'`},
	{"ADMIN-INTEG-05", "review_range", "fail", `alter table public.reviews drop constraint reviews_rating_check; alter table public.reviews disable trigger user;
		update public.reviews set rating = 9 where business_id = '{shop}'`},
	{"ADMIN-INTEG-06", "negative_prices", "fail", `alter table public.services drop constraint services_price_check;
		update public.services set price = -5 where business_id = '{shop}'`},
	{"ADMIN-INTEG-07", "past_pending", "fail", `update public.bookings set booking_date = current_date - 2 where business_id = '{shop}' and status = 'pending'`},
	{"ADMIN-INTEG-08 C-57", "no_owner", "warning", `update public.businesses set owner_id = null where id = '{shop}'`},
	{"ADMIN-INTEG-09", "duplicate_categories", "fail", `alter table public.business_categories drop constraint business_categories_pkey;
		insert into public.business_categories select * from public.business_categories where business_id = '{shop}'`},
	{"SEED-14", "many_reviews", "warning", `update public.businesses set source = 'seeded' where id = '{shop}';
		insert into public.reviews (business_id, user_id, rating) select '{shop}', null, 4 from generate_series(1, 10)`},
	{"SEED-15", "perfect_average", "warning", `update public.businesses set source = 'seeded' where id = '{shop}';
		update public.reviews set rating = 5 where business_id = '{shop}';
		insert into public.reviews (business_id, user_id, rating) select '{shop}', null, 5 from generate_series(1, 3)`},
	{"SEED-16", "price_range", "warning", `update public.businesses set source = 'seeded' where id = '{shop}';
		insert into public.services (business_id, name, price, duration) values ('{shop}', 'Wedding', 200.01, 60)`},
	{"SEED-17", "rating_deviates", "warning", `update public.businesses set rating = 2.9 where id = '{shop}'`},
	{"SEED-18", "far_bookings", "warning", `alter table public.bookings disable trigger all;
		update public.bookings set booking_date = current_date + 370 where business_id = '{shop}' and status = 'pending'`},
	{"counters", "review_counts", "fail", `update public.businesses set user_ratings_total = 0 where id = '{shop}'`},
	{"counters", "directory_counts", "fail", `update public.directory_counts set businesses = businesses + 1 where (city_slug, category_code) = ('madrid', 'hair')`},
	{"counters", "lowest_prices", "fail", `update public.businesses set price_from = 1 where id = '{shop}'`},
	{"state", "claimed_state", "fail", `update public.businesses set is_claimed = false where id = '{shop}'`},
	{"state", "owner_roles", "warning", `update private.profiles set role = 'user' where id = (select owner_id from public.businesses where id = '{shop}')`},
	{"S-32", "own_reviews", "warning", `update public.businesses set owner_id = (select user_id from public.reviews where business_id = '{shop}') where id = '{shop}'`},
	{"addresses", "stale_addresses", "warning", `update public.businesses set migrated_url = true, url_path = '/madrid/hair/' || id || '/former-name' where id = '{shop}'`},
	{"files", "missing_photos", "warning", `update public.business_photos set photo_url = '/storage/v1/object/public/business-photos/a/b/c.webp' where business_id = '{shop}'`},
	{"accounts", "profiles_without_account", "fail", `alter table private.profiles drop constraint profiles_id_fkey;
		insert into private.profiles (id) values (gen_random_uuid())`},
	{"rules", "disabled_rules", "fail", `alter table public.reviews disable trigger rate`},
}

const runCheck = `select concat_ws(' ', status, total, findings ->> 0 is not null, error) from public.admin_integrity_check($1)`

// Each check passes in an intact marketplace and finds its kind of error, with a name and a link.
// A finding that can be repaired is gone after the repair.
func TestIntegrityChecks(t *testing.T) {
	t.Parallel()
	for _, tt := range broken {
		t.Run(tt.id+" "+tt.check, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			before := "pass 0 f"
			if tt.check == "no_owner" {
				before = "warning 1 t"
			}
			if got := w.ask(t, w.ada, runCheck, tt.check); got != before {
				t.Errorf("before: %q", got)
			}
			w.exec(t, strings.ReplaceAll(tt.sql, "{shop}", w.shop))
			want := tt.status + " 1 t"
			if tt.check == "no_owner" {
				want = "warning 2 t"
			}
			if got := w.ask(t, w.ada, runCheck, tt.check); got != want {
				t.Errorf("broken: %q, want %q", got, want)
			}
			const unnamed = `select concat_ws(' ', count(*), count(*) filter (where coalesce(name, '') = ''), count(*) filter (where link !~ '^/[a-z]'))
				from public.admin_integrity_findings($1)`
			if got := w.ask(t, w.ada, unnamed, tt.check); got != want[len(tt.status)+1:len(tt.status)+2]+" 0 0" {
				t.Errorf("findings, without a name, without a link: %s", got)
			}
			w.checkRepair(t, tt.check)
		})
	}
}

// checkRepair repairs all that a check finds if it can, and checks what is left.
func (w *world) checkRepair(t *testing.T, check string) {
	t.Helper()
	const repair = `select string_agg(r.result, ' ') from public.admin_repair_integrity($1, (select array_agg(id) || 'gone'::text from public.admin_integrity_findings($1))) r
		where r.id <> 'gone'`
	if w.text(t, `select is_repairable::text from private.integrity_kinds() where key = $1`, check) == "false" {
		w.fails(t, w.ada, "not_repairable", repair, check)
		return
	}
	tx := w.as(t, w.ada)
	if got := queryText(t, tx, repair, check); got != "repaired" {
		t.Errorf("the repair is %q", got)
	}
	if got := queryText(t, tx, runCheck, check); got != "pass 0 f" {
		t.Errorf("repaired: %q", got)
	}
}

// A repair that does not help is reported as such, and stops no other.
func TestIntegrityRepairResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set is_claimed = false where id in ($1, $2)`, w.shop, w.rivalShop)
	w.exec(t, `create function pg_temp.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
	w.exec(t, fmt.Sprintf(`create trigger refuse before update on public.businesses for each row when (old.id = '%s') execute function pg_temp.refuse()`, w.shop))
	const repair = `select string_agg(result, ' ' order by array_position($1, id)) from public.admin_repair_integrity('claimed_state', $1)`
	if got := w.ask(t, w.ada, repair, []string{w.shop, w.rivalShop, w.unclaimed, "x"}); got != "failed repaired unchanged unchanged" {
		t.Errorf("the results are %q", got)
	}
	w.fails(t, w.ada, "too_many_rows", `select public.admin_repair_integrity('claimed_state', array_fill('x'::text, array[101]))`)
}

// ADMIN-INTEG-10, ERR-57: a check that fails is an entry of its own; so is one that takes too long.
func TestIntegritySystemError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct{ body, want string }{
		{`perform 1 / 0;`, "System Error fail 0 22012"},
		{`loop perform 1; end loop;`, "System Error fail 0 57014"},
	} {
		w.exec(t, `create or replace function private.find_own_reviews() returns table (id text, name text, link text, detail text)
			language plpgsql as $$ begin `+tt.body+` end $$`)
		tx := w.as(t, w.ada)
		// The data API sets the function's own timeout in this way.
		if _, err := tx.Exec(t.Context(), `set local statement_timeout = '200ms'`); err != nil {
			t.Fatal(err)
		}
		const run = `select concat_ws(' ', name, status, total, error) from public.admin_integrity_check('own_reviews')`
		if got := queryText(t, tx, run); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.body, got, tt.want)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// The nightly run asks for the findings once more, to compare them.
	w.exec(t, `create or replace function private.find_own_reviews() returns table (id text, name text, link text, detail text)
		language plpgsql as $$ begin
			while current_setting('test.is_second', true) = 'yes' loop perform 1; end loop;
			perform set_config('test.is_second', 'yes', true);
			return query select 'x', 'x', 'x', 'x';
		end $$`)
	w.exec(t, `set local statement_timeout = '200ms'`)
	w.exec(t, `select private.record_integrity_check('own_reviews')`)
	w.exec(t, `set local statement_timeout = 0`)
	if got := w.text(t, `select concat_ws(' ', status, total, error) from private.integrity_results where check_key = 'own_reviews'`); got != "fail 0 57014" {
		t.Errorf("a check that takes too long the second time: %q", got)
	}
	w.fails(t, w.ada, "check_not_found", `select public.admin_integrity_check('x')`)
	w.fails(t, w.ada, "check_not_found", `select public.admin_integrity_findings('x')`)
	if got := w.text(t, `select string_agg(kind.key, ' ') from private.integrity_kinds() kind
		where to_regproc('private.find_' || kind.key) is null
			or (kind.is_repairable and to_regproc('private.repair_' || case when kind.key in ('rating_range', 'rating_deviates', 'review_counts') then 'rating' else kind.key end) is null)`); got != "" {
		t.Errorf("checks without their functions: %s", got)
	}
}

// S-42, PERM-15: checks, repairs and the metrics of all businesses are for admins.
func TestIntegrityAndMetricsAreForAdmins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, call := range []string{
		`admin_integrity_checks()`, `admin_integrity_check('no_owner')`, `admin_integrity_findings('no_owner')`,
		`admin_repair_integrity('claimed_state', '{}')`,
		`admin_metrics_days(current_date, current_date)`, `admin_top_businesses(current_date, current_date)`,
	} {
		w.fails(t, w.owner, "not_admin", `select * from public.`+call)
		w.fails(t, anon, "42501", `select * from public.`+call)
		w.fails(t, w.ada, "", `select * from public.`+call)
	}
	w.fails(t, anon, "42501", `select * from public.admin_business_metrics()`)
	w.fails(t, w.ada, "42501", `select private.record_integrity_check('no_owner')`)
	w.fails(t, w.ada, "42501", `select * from private.find_no_owner()`)
	w.fails(t, w.ada, "42501", `select * from private.integrity_results`)
	w.fails(t, w.ada, "42501", `select * from private.metrics_days`)
}
