package rls

import (
	"fmt"
	"testing"
)

const inProduction = `update plaza.environment set production_since = now()`

// PERM-17, S-54: admins only, and nobody in production.
func TestTestToolsAreForAdminsInDevelopment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.ada, `select public.admin_create_test_users()`)
	calls := map[string]string{
		"seed":          `select public.admin_seed_test_data('minimal')`,
		"clear":         `select public.admin_clear_test_data()`,
		"clear all":     `select public.admin_clear_all_data('DELETE ALL DATA')`,
		"sample":        `select public.admin_create_sample_reports(true)`,
		"test users":    `select public.admin_create_test_users()`,
		"test scenario": `select public.admin_create_test_scenario()`,
		"log in":        `select public.admin_log_in_as(private.test_user('user'))`,
		"list":          `select public.admin_test_users()`,
		"counts":        `select public.admin_test_tools()`,
	}
	for name, call := range calls {
		w.fails(t, anon, "42501", call)
		for _, who := range []caller{w.ben, w.owner} {
			w.fails(t, who, "not_admin", call)
		}
		if name == "sample" {
			w.fails(t, w.ada, "sample_exists", call)
		} else {
			w.fails(t, w.ada, "", call)
		}
	}
	w.fails(t, w.ada, "42501", `select private.seed_test_data('minimal')`)
	w.exec(t, inProduction)
	for name, call := range calls {
		want := "test_tools_off"
		if name == "list" || name == "counts" { // they say why the tools are off
			want = ""
		}
		w.fails(t, w.ada, want, call)
	}
	w.fails(t, service, "42501", `select private.seed_test_data('minimal')`)
	if got := w.ask(t, w.ada, `select is_on::text from public.admin_test_tools()`); got != "false" {
		t.Errorf("in production the tools are on: %s", got)
	}
	if _, err := tryText(t.Context(), w.tx, `select private.seed_test_data('minimal')::text`); code(err) != "test_tools_off" {
		t.Errorf("the command's call in production: %v", err)
	}
}

// rowsMarked counts the marked profiles, businesses, reviews, bookings and reports.
const rowsMarked = `select concat_ws(' ', profiles, businesses, reviews, bookings, reports) from public.admin_test_tools()`

// ADMIN-TEST-02, SEED-01: each intensity makes its documented number of rows, and only what is missing.
func TestSeedIntensities(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct{ intensity, want string }{
		{"minimal", "3 2 4 4 2"}, {"standard", "5 5 15 15 10"}, {"extensive", "50 50 250 250 100"},
	} {
		t.Run(tt.intensity, func(t *testing.T) {
			fresh := newWorld(t)
			fresh.do(t, fresh.ada, `select public.admin_seed_test_data($1)`, tt.intensity)
			if got := fresh.ask(t, fresh.ada, rowsMarked); got != tt.want {
				t.Errorf("profiles, businesses, reviews, bookings, reports: %s, want %s", got, tt.want)
			}
			if got := fresh.ask(t, fresh.ada, `select sum(made) from public.admin_seed_test_data($1)`, tt.intensity); got != "0" {
				t.Errorf("a second run makes %s rows more", got)
			}
		})
		w.do(t, w.ada, `select public.admin_seed_test_data($1)`, tt.intensity)
	}
	w.fails(t, w.ada, "unknown_intensity", `select public.admin_seed_test_data('huge')`)
	tests := []struct{ rule, sql string }{
		{"SEED-14 more than 10 reviews of a business", `select business_id::text from public.reviews where is_test group by 1 having count(*) > 10`},
		{"SEED-15 a perfect average of more than 3 reviews", `select business_id::text from public.reviews where is_test group by 1 having count(*) > 3 and avg(rating) = 5`},
		{"SEED-16 prices more than tenfold", `select business_id::text from public.services group by 1 having max(price) > 10 * min(price)`},
		{"SEED-17 a rating that is not the reviews'", `select b.id::text from public.businesses b join public.reviews r on r.business_id = b.id
			where b.is_test group by b.id having abs(b.rating - avg(r.rating)) > 0.01`},
		{"SEED-18 a booking more than a year ahead", `select id::text from public.bookings where is_test and booking_date > current_date + 365`},
		{"SEED-11 an open booking of the past", `select id::text from public.bookings where is_test and status in ('pending', 'confirmed') and booking_date < current_date`},
		{"a number or website that could be somebody's", `select name from public.businesses where is_test and (phone !~ '^\+(34|376) 000 ' or website !~ '\.example$')`},
		{"an unmarked business of a test owner", `select b.name from public.businesses b join private.profiles p on p.id = b.owner_id where p.is_test and not b.is_test`},
		{"a zone that is not the place's", `select b.name from public.businesses b join public.cities c on c.slug = b.city_slug where b.is_test and b.time_zone <> c.time_zone`},
		{"a listing without services", `select name from public.businesses b where is_test and not exists (select from public.services s where s.business_id = b.id)`},
		{"a report of nothing", `select id::text from public.reports_with_entity where entity_link is null or entity_name is null`},
		{"a row for each row in the audit log", `select table_name from public.audit_logs where record_id in (select id::text from public.businesses where is_test)`},
		{"counts that are not the businesses'", `select 'counts' where (select sum(businesses) from public.directory_counts) <> (select count(*) from public.businesses)`},
	}
	for _, tt := range tests {
		if found := list(t, w.tx, tt.sql); len(found) > 0 {
			t.Errorf("%s: %q", tt.rule, found[:min(len(found), 5)])
		}
	}
	if got := w.text(t, `select count(*) from public.audit_logs where table_name = 'test_data' and user_id = $1`, w.ada.id); got != "3" {
		t.Errorf("%s entries of the audit log, want one for each of the three runs", got)
	}
	w.exec(t, `delete from public.reviews where id = (select id from public.reviews where is_test limit 1)`)
	if got := w.ask(t, w.ada, `select sum(made) from public.admin_seed_test_data('extensive')`); got != "1" {
		t.Errorf("%s rows are put back, want the one that was deleted", got)
	}
}

// SEED-02, CONST-19: no statement writes or deletes more than 100 rows.
func TestSeedBatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `create table public.batches (what text, size bigint)`)
	w.exec(t, `create function public.note_batch() returns trigger language plpgsql security definer as $$
		begin insert into public.batches select tg_op || ' ' || tg_table_name, count(*) from touched; return null; end $$`)
	for _, table := range []string{"public.businesses", "public.reviews", "public.bookings", "public.reports", "auth.users"} {
		w.exec(t, `create trigger note_made after insert on `+table+` referencing new table as touched for each statement execute function public.note_batch()`)
		w.exec(t, `create trigger note_gone after delete on `+table+` referencing old table as touched for each statement execute function public.note_batch()`)
	}
	w.do(t, w.ada, `select public.admin_seed_test_data('extensive')`)
	w.do(t, w.ada, `select public.admin_clear_test_data(true)`)
	got := w.text(t, `select string_agg(what || ' ' || sizes, ', ' order by what) from (
		select what, string_agg(size::text, '+' order by size desc) as sizes from public.batches where size > 0 group by 1) made`)
	want := "DELETE bookings 100+100+50, DELETE businesses 50, DELETE reports 100, DELETE reviews 100+100+50, DELETE users 50, " +
		"INSERT bookings 100+100+50, INSERT businesses 50, INSERT reports 100, INSERT reviews 100+100+50, INSERT users 50"
	if got != want {
		t.Errorf("batches are\n%s, want\n%s", got, want)
	}
}

// ADMIN-TEST-03, ADMIN-TEST-05, ADMIN-TEST-06, C-55, S-54: what is marked, and nothing else.
func TestClearTestData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const real = `select concat_ws(' ', (select count(*) from private.profiles where not is_test), (select count(*) from public.businesses where not is_test),
		(select count(*) from public.reviews where not is_test), (select count(*) from public.bookings where not is_test),
		(select count(*) from public.reports where not is_test), (select rating from public.businesses where id = $1))`
	w.exec(t, `update public.businesses set source = case id when $1 then 'CSV-upload' else 'seeded' end where id <> $2`, w.unclaimed, w.shop)
	before := w.text(t, real, w.shop)
	w.do(t, w.ada, `select public.admin_seed_test_data('standard')`)
	w.do(t, w.ada, `select public.admin_create_test_users(), public.admin_create_test_scenario()`)
	// A test user's own writes: a review that counts, a listing and the claim of a real one.
	customer, owner := testCaller(t, w, "customer-1"), testCaller(t, w, "owner-1")
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, current_date - 3, '10:00', 'completed')`, w.shop, customer.id, w.haircut)
	w.exec(t, `update public.bookings set is_test = true where user_id = $1`, customer.id)
	w.do(t, customer, `insert into public.reviews (business_id, user_id, rating, comment) values ($1, $2, 1, 'Never again, I say')`, w.shop, customer.id)
	w.exec(t, `update public.businesses set owner_id = $2 where id = $1`, w.unclaimed, owner.id)
	// A real user's booking at a test business.
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time)
		select private.seed_id('test business 1'), $1, private.seed_id('test service 1 1'), current_date + 40, '17:00'`, w.ana.id)

	w.do(t, w.ada, `select public.admin_clear_test_data()`)
	if got := w.ask(t, w.ada, rowsMarked); got != "10 0 0 0 0" {
		t.Errorf("without profiles, marked rows left: %s", got)
	}
	w.do(t, w.ada, `select public.admin_clear_test_data(true)`)
	if got := w.ask(t, w.ada, rowsMarked); got != "1 0 0 0 0" {
		t.Errorf("with profiles, marked rows left: %s, want the test admin", got)
	}
	if got := w.text(t, `select role from private.profiles where is_test`); got != "admin" {
		t.Errorf("the profile that stays is %s", got)
	}
	if got := w.text(t, `select status || ' ' || count(*) over () from public.bookings where user_id = $1`, w.ana.id); got != "cancelled 1" {
		t.Errorf("a real user's booking at a test business: %q", got)
	}
	w.exec(t, `delete from public.bookings where user_id = $1`, w.ana.id)
	if after := w.text(t, real, w.shop); after != before {
		t.Errorf("real rows and the rating before %s, after %s", before, after)
	}
	if got := w.text(t, `select concat_ws(' ', owner_id is null, is_claimed, verification_status) from public.businesses where id = $1`, w.unclaimed); got != "t f unverified" {
		t.Errorf("a real listing that a test user had claimed: %s", got)
	}
}

// testCaller returns the test user with this name, who was made by the tools.
func testCaller(t *testing.T, w *world, who string) caller {
	t.Helper()
	return caller{name: who, role: "authenticated", id: w.text(t, `select private.test_user($1)`, who)}
}

// ADMIN-TEST-04, PERM-17: everything but admins and reference data, and only with the words.
func TestClearAllData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const reference = `select concat_ws(' ', (select count(*) from public.categories), (select count(*) from public."categories-plaza"),
		(select count(*) from public.cities), (select count(*) from public.towns), (select count(*) from public.subscription_plans))`
	before := w.text(t, reference)
	w.do(t, w.ada, `select public.admin_seed_test_data('standard')`)
	for _, phrase := range []any{nil, "", "delete all data", "DELETE ALL DATA "} {
		w.fails(t, w.ada, "wrong_phrase", `select public.admin_clear_all_data($1)`, phrase)
	}
	w.do(t, w.ada, `select public.admin_clear_all_data('DELETE ALL DATA')`)
	if got := w.text(t, `select string_agg(full_name, ', ') || ' ' || (select count(*) from auth.users) from private.profiles`); got != "ada 1" {
		t.Errorf("accounts left: %s", got)
	}
	for _, table := range []string{"businesses", "services", "business_photos", "bookings", "booking_notes", "reviews", "reports", "messages", "conversations",
		"claim_requests", "seller_applications", "support_tickets", "favorites", "notifications", "recent_searches", "search_alerts",
		"business_metrics", "advertiser_metrics", "user_subscriptions"} {
		if got := w.text(t, `select count(*) from public.`+table); got != "0" {
			t.Errorf("%s of %s are left", got, table)
		}
	}
	if got := w.text(t, `select coalesce(sum(businesses), 0) from public.directory_counts`); got != "0" {
		t.Errorf("%s businesses are still counted", got)
	}
	if after := w.text(t, reference); after != before {
		t.Errorf("reference data before %s, after %s", before, after)
	}
	if got := w.text(t, `select (count(*) > 0)::text from public.audit_logs where table_name = 'test_data' and action = 'DELETE' and record_id = 'all data'`); got != "true" {
		t.Error("the audit log has no entry of it")
	}
}

// A call removes a bounded number of rows, and returns how many are left.
func TestClearAllInParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `create or replace function private.clear_limit() returns bigint language sql as $$ select 3 $$`)
	const call = `with cleared as materialized (select * from public.admin_clear_all_data('DELETE ALL DATA'))
		select (select removed from cleared where what = 'remaining') || ' ' || (select sum(removed) from cleared where what <> 'remaining')`
	total := 0
	for rest, calls := -1, 0; rest != 0; calls++ {
		if calls > 100 {
			t.Fatal("it does not end")
		}
		var removed int
		answer := w.ask(t, w.ada, call) // rolled back
		if _, err := fmt.Sscan(answer, &rest, &removed); err != nil {
			t.Fatal(answer, err)
		}
		if removed > 3 || removed == 0 && rest > 0 {
			t.Errorf("a call removed %d rows and left %d", removed, rest)
		}
		total += removed
		w.do(t, w.ada, `select public.admin_clear_all_data('DELETE ALL DATA')`)
	}
	if got := w.text(t, `select (select count(*) from public.businesses) || ' ' || (select string_agg(full_name, ', ') from private.profiles)`); got != "0 ada" || total < 10 {
		t.Errorf("left %q after %d rows", got, total)
	}
}

// ADMIN-REPORT-06, ADMIN-REPORT-07, ADMIN-REPORT-08: reports only or a complete dataset, if there are none.
func TestSampleReports(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const only, complete = `select public.admin_create_sample_reports(false)`, `select public.admin_create_sample_reports(true)`
	expectError := func(want, call string) {
		t.Helper()
		w.expectError(t, w.ada, want, call)
	}
	expectError("Sample data already exists", only)
	expectError("Sample data already exists", complete)
	w.do(t, w.ada, `delete from public.reports`)
	if got := w.ask(t, w.ada, `select what || ' ' || made from public.admin_create_sample_reports(false)`); got != "reports 10" {
		t.Errorf("reports only: %s", got)
	}
	w.do(t, w.ada, only)
	if got := w.text(t, `select concat_ws(' ', count(*), count(distinct reporter_id), count(distinct reported_id), bool_and(is_test)) from public.reports`); got != "10 4 3 t" {
		t.Errorf("reports, reporters, businesses, marked: %s", got)
	}
	w.do(t, w.ada, `delete from public.reports`)
	w.do(t, w.ada, complete)
	if got := w.ask(t, w.ada, rowsMarked); got != "5 5 15 15 10" {
		t.Errorf("the complete dataset has %s, want the standard intensity", got)
	}
	w.do(t, w.ada, `select public.admin_clear_test_data(true)`)
	w.exec(t, `delete from public.businesses`)
	expectError("No businesses found in the database. Create businesses first, or create a complete sample dataset.", only)
	w.exec(t, `delete from auth.users where id <> $1`, w.ada.id)
	expectError("No users found in the database. Create test users first, or create a complete sample dataset.", only)
	w.do(t, w.ada, complete)
}

// ADMIN-TEST-08, ADMIN-TEST-09, SEED-03, S-55: one for each role and a scenario; nobody knows a password.
func TestTestUsers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 2 {
		w.do(t, w.ada, `select public.admin_create_test_users(), public.admin_create_test_scenario()`)
	}
	got := w.ask(t, w.ada, `select string_agg(role || ' ' || full_name, ', ') from public.admin_test_users()`)
	if want := "admin Test Admin, owner Test Seller, owner Scenario Seller, user Test Buyer, user Scenario Buyer"; got != want {
		t.Errorf("test users %q, want %q", got, want)
	}
	got = w.text(t, `select concat_ws(' ', count(*), count(distinct encrypted_password), bool_and(encrypted_password ~ '^\$2a\$' and length(encrypted_password) = 60),
		bool_and(raw_app_meta_data ? 'plaza_test'), bool_and(id in (select private.demo_users())), (select count(*) from auth.identities i where i.user_id in (select id from private.profiles where is_test)))
		from auth.users where id in (select id from private.profiles where is_test)`)
	if want := "5 5 t t t 5"; got != want {
		t.Errorf("accounts, different passwords, hashes, marks, known to the doctor, identities: %s, want %s", got, want)
	}
	got = w.text(t, `select concat_ws(' ', (select count(*) from public.services where business_id = b.id), (select count(*) from public.business_availability where business_id = b.id),
		(select string_agg(status, '+' order by status) from public.bookings where business_id = b.id), b.rating,
		(select status from public.claim_requests where user_id = private.test_user('scenario-buyer')),
		(select count(*) > 0 from public.booking_slots(b.id, (select id from public.services where business_id = b.id limit 1), current_date + 3) where available))
		from public.businesses b where owner_id = private.test_user('scenario-seller')`)
	if want := "2 7 completed+pending 4.00 pending t"; got != want {
		t.Errorf("the scenario has services, days, bookings, rating, claim, free times: %s, want %s", got, want)
	}
	w.exec(t, `update private.profiles set role = 'user' where id = private.test_user('owner')`)
	w.do(t, w.ada, `select public.admin_create_test_users()`)
	if got := w.text(t, `select role from private.profiles where id = private.test_user('owner')`); got != "owner" {
		t.Errorf("the test seller's role is not given back: %s", got)
	}

	w.fails(t, w.ada, "not_a_test_user", `select public.admin_log_in_as($1)`, w.ben.id)
	w.fails(t, w.ada, "not_a_test_user", `select public.admin_log_in_as(null)`)
	seller := testCaller(t, w, "owner")
	w.do(t, w.ada, `select public.admin_log_in_as($1)`, seller.id)
	if got := w.ask(t, w.ada, `select public.admin_log_in_as($1)`, seller.id); got != "owner@test.plaza.test" {
		t.Errorf("the address is %s", got)
	}
	if got := w.text(t, `select new_data ->> 'logged_in_as' from public.audit_logs where record_id = $1 and user_id = $2`, seller.id, w.ada.id); got != "owner@test.plaza.test" {
		t.Errorf("the audit log has %q", got)
	}
}

// S-54: the mark is the server's; what a test user writes is marked, what others write is not.
func TestMarkIsNotWritable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, table := range []string{"businesses", "bookings", "reviews", "reports"} {
		for _, who := range []caller{w.owner, w.ben, w.ada} {
			w.fails(t, who, "42501", `update public.`+table+` set is_test = true`)
			w.fails(t, who, "42501", `insert into public.`+table+` (is_test) values (true)`)
		}
	}
	w.fails(t, w.ada, "42501", `update private.profiles set is_test = true`)
	w.fails(t, w.ada, "42501", `select is_test from private.profiles`)
	w.do(t, w.ada, `select public.admin_create_test_users()`)
	const create = `insert into public.businesses (name, type, location, owner_id) values ('Made by hand', 'Bar', 'Madrid', $1)`
	seller := testCaller(t, w, "owner")
	w.exec(t, `delete from public.businesses where owner_id = $1`, w.rival.id)
	w.do(t, seller, create, seller.id)
	w.do(t, w.rival, create, w.rival.id)
	if got := w.text(t, `select string_agg(p.full_name || ' ' || b.is_test, ', ' order by 1) from public.businesses b
		join private.profiles p on p.id = b.owner_id where b.name = 'Made by hand'`); got != "Test Seller true, rival false" {
		t.Errorf("marked: %s", got)
	}
	w.do(t, seller, `insert into public.reports (reported_id, type, reason) values ($1, 'business', 'Spam')`, w.shop)
	if got := w.text(t, `select is_test::text from public.reports where reporter_id = $1`, seller.id); got != "true" {
		t.Errorf("a test user's report is marked: %s", got)
	}
}

// SEED-11, SEED-13: the rules of these constraints have texts.
func TestTextsOfConstraints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		who       caller
		sql, want string
		args      []any
	}{
		{service, `update public.bookings set end_time = start_time where id = $1`, "End time must be after start time", []any{w.bensBooking}},
		{w.ben, `insert into public.reports (reporter_id, reported_id, type, reason) values ($1, $1, 'user', 'Me')`, "Reporter cannot report themselves", []any{w.ben.id}},
		{w.ben, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time) values ($1, $2, $3, current_date - 2, '10:00')`,
			"Booking date cannot be in the past", []any{w.shop, w.ben.id, w.haircut}},
	} {
		w.expectError(t, tt.who, tt.want, tt.sql, tt.args...)
	}
}

// expectError checks that sql, run as the caller, fails with a text.
func (w *world) expectError(t *testing.T, who caller, want, sql string, args ...any) {
	t.Helper()
	t.Run(want, func(t *testing.T) {
		_, err := w.as(t, who).Exec(t.Context(), sql, args...)
		if failed, ok := asPgError(err); !ok || failed.Message != want {
			t.Errorf("%s fails with %v, want %s", sql, err, want)
		}
	})
}
