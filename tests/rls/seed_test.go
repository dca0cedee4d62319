package rls

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

func seeded(t *testing.T, kind migrate.SeedKind, amount int) *pgx.Conn {
	t.Helper()
	url := testkit.URL(t)
	if _, err := migrate.Seed(t.Context(), url, migrate.Project(sql.FS), kind, amount, nil); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

// SEED-01 standard and larger, SEED-03, SEED-14 to SEED-18: each query finds violations; SEED-04 to
// SEED-13 are constraints, which the database enforces.
func TestDemoData(t *testing.T) {
	t.Parallel()
	db := seeded(t, migrate.Demo, 0)
	tests := []struct{ rule, sql string }{
		{"SEED-01 fewer than 5 profiles, 5 businesses, 15 reviews, 15 bookings or 10 reports", `select 'too few' where
			(select count(*) from profiles) < 5 or (select count(*) from businesses) < 150 or (select count(*) from reviews) < 15
			or (select count(*) from bookings) < 15 or (select count(*) from reports) < 10`},
		{"a place without businesses", `select slug from city_counts where businesses = 0`},
		{"one of the 21 categories without businesses", `select k.category_code from "categories-plaza" k
			where category_level = 1 and not exists (select from category_counts c where c.category_code = k.category_code)`},
		{"SEED-03 a demo account that is missing, cannot sign in or has another role", `select email from (values
			('admin@plaza.test', 'admin'), ('owner@plaza.test', 'owner'), ('user@plaza.test', 'user')) as a (email, role)
			where not exists (select from auth.users u join private.profiles p on p.id = u.id join auth.identities i on i.user_id = u.id and i.provider = 'email'
				where u.email = a.email and p.role = a.role and u.email_confirmed_at is not null
					and u.encrypted_password = extensions.crypt('Plaza-demo-1', u.encrypted_password))`},
		{"another account with a password", `select email from auth.users where encrypted_password <> ''
			and email not in ('admin@plaza.test', 'owner@plaza.test', 'user@plaza.test')`},
		{"a token column that the auth server reads as null", `select email from auth.users where
			num_nulls(confirmation_token, recovery_token, email_change, email_change_token_new, email_change_token_current, phone_change, phone_change_token, reauthentication_token) > 0`},
		{"an owner without a business", `select 'owner' where not exists (
			select from businesses b join auth.users u on u.id = b.owner_id where u.email = 'owner@plaza.test')`},
		{"SEED-14 more than 10 reviews of a business", `select business_id::text from reviews group by 1 having count(*) > 10`},
		{"SEED-15 a perfect average of more than 3 reviews", `select business_id::text from reviews group by 1 having count(*) > 3 and avg(rating) = 5`},
		{"SEED-17 a rating more than 1 from the reviews", `select b.id::text from businesses b join reviews r on r.business_id = b.id
			group by b.id having abs(b.rating - avg(r.rating)) > 1`},
		{"SEED-18 a booking more than a year ahead", `select id::text from bookings where booking_date > current_date + 365`},
		{"a phone number that could be somebody's", `select phone from businesses where phone !~ '^\+(34|376) 000 '`},
		{"an address on the network of others", `select coalesce(image_url, website) from businesses where image_url is not null or website !~ '\.example$'`},
		{"a service of less than 5 minutes", `select name from services where duration < 5`},
		{"a zone that is not the place's", `select b.name from businesses b join cities c on c.slug = b.city_slug where b.time_zone <> c.time_zone`},
		{"a place far from its city", `select b.name from businesses b join cities c on c.slug = b.city_slug
			where abs(b.latitude - c.latitude) > 0.05 or abs(b.longitude - c.longitude) > 0.05`},
		{"a type that leads to another parent category", `select b.type || ' ' || b.category_code from businesses b
			join "categories-plaza" k on k.category_code = b.category_code
			join "categories-plaza" m on m.category_code = map_business_type_to_category(b.type)
			where coalesce(k.parent_category, k.category_code) <> coalesce(m.parent_category, m.category_code)`},
		{"a listing without services", `select name from businesses b where not exists (select from services s where s.business_id = b.id)`},
		{"a pending booking of the past (ADMIN-INTEG-07)", `select id::text from bookings where status = 'pending' and booking_date < current_date`},
		{"a row made in the future", `select 'booking ' || id from bookings where created_at > now() union all
			select 'review ' || id from reviews where created_at > now() union all
			select 'answer ' || review_id from review_responses where created_at > now() union all
			select 'message ' || id from messages where created_at > now()`},
		{"nothing for the admin to review", `select 'empty' where not exists (select from claim_requests where status = 'pending')
			or not exists (select from seller_applications where status = 'pending') or not exists (select from reports where status = 'pending')`},
		{"no free slot at the demo owner's first business", `select 'none' where not exists (
			select from next_free_slot((select id from businesses where slug = 'cabells-de-leixample')))`},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if found := list(t, db, tt.sql); len(found) > 0 {
				t.Errorf("%s: %q", tt.rule, found[:min(len(found), 5)])
			}
		})
	}
}

// Volume data maintains the counts, the slugs and what is derived from other rows, a second run continues where the
// first stopped, and what was dropped meanwhile is restored.
func TestVolumeData(t *testing.T) {
	t.Parallel()
	url := testkit.URL(t)
	const structure = `select md5(string_agg(part, ' ' order by part)) from (
		select indexdef from pg_indexes where schemaname in ('public', 'private')
		union all select concat(conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) from pg_constraint
		union all select concat(tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal) as parts (part)`
	before := queryURL(t, url, structure)
	for _, n := range []int{1500, 3000} {
		if _, err := migrate.Seed(t.Context(), url, migrate.Project(sql.FS), migrate.Volume, n, nil); err != nil {
			t.Fatal(err)
		}
	}
	if after := queryURL(t, url, structure); after != before {
		t.Error("indexes, constraints and triggers are not those of before")
	}
	for what, want := range map[string]struct{ sql, text string }{
		"businesses, cities, counted, with services": {`select concat_ws(' ', count(*), count(distinct city_slug), (select sum(businesses) from directory_counts),
			(select count(distinct business_id) from services)) from businesses`, "3000 17 3000 3000"},
		"accounts with an identity, owners": {`select concat_ws(' ', count(*), count(*) filter (where role = 'owner'))
			from auth.identities i join private.profiles p on p.id = i.user_id`, "1500 150"},
		"bookings of customers, their number, businesses": {`select concat_ws(' ', count(user_id), count(distinct user_id) > 1000, count(distinct business_id)) from bookings`, "15000 t 150"},
		"stale documents or prices": {`select count(*) from businesses b where search_document <> private.search_document(b) or last_slots is distinct from private.last_slots(b)
			or price_from is distinct from (select min(price) from services s where s.business_id = b.id)`, "0"},
		"counted services": {`select (sum(offered) = (select count(*) from services))::text from private.service_names`, "true"},
		"bookings unlike those that triggers fill in": {`select count(*) from bookings k join services s on s.id = k.service_id join businesses b on b.id = k.business_id
			where (k.business_name, k.service_name, k.service_price, k.end_time, k.time_zone, s.business_id)
			is distinct from (b.name, s.name, s.price, (k.start_time + make_interval(mins => s.duration))::time, b.time_zone, b.id)`, "0"},
		"audit rows, mails, notifications": {`select (select count(*) from audit_logs) + (select count(*) from private.mail_outbox) + (select count(*) from notifications)`, "0"},
	} {
		if got := queryURL(t, url, want.sql); got != want.text {
			t.Errorf("%s: %s, want %s", what, got, want.text)
		}
	}
}

func queryURL(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	return queryText(t, conn, sql)
}
