package rls

import (
	"fmt"
	"strings"
	"testing"
)

const (
	totals   = `select string_agg(format('%s: %s %s %s %s', period, bookings, completed, cancelled, revenue), '; ' order by period) from public.analytics_totals($1, $2, $3)`
	services = `select string_agg(format('%s: %s %s %s %s %s %s', name, bookings, pending, confirmed, completed, cancelled, revenue), '; ') from public.analytics_services($1, $2, $3)`
	hours    = `select string_agg(format('%s-%s: %s', weekday, hour, bookings), '; ') from public.analytics_hours($1, $2, $3)`
	revenue  = `select string_agg(format('%s to %s: %s %s', starts, ends, completed, revenue), '; ') from public.analytics_revenue($1, $2, $3, $4)`
)

// book adds a booking of the haircut, 20 each, as the server records it.
func (w *world) book(t *testing.T, date, start, status string) string {
	t.Helper()
	return w.text(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, $4, $5, $6) returning id::text`, w.shop, w.ben.id, w.haircut, date, start, status)
}

// clearBookings deletes the bookings that every world has.
func (w *world) clearBookings(t *testing.T) {
	t.Helper()
	w.exec(t, `delete from public.bookings where business_id = $1`, w.shop)
}

// METRICS-03, METRICS-12: only completed bookings count toward revenue, at the price at booking
// time.
func TestRevenueCountsCompletedBookings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.clearBookings(t)
	w.book(t, "2026-03-02", "10:00", "completed")
	w.exec(t, `update public.services set price = 25 where id = $1`, w.haircut)
	w.book(t, "2026-03-31", "23:00", "completed")
	w.book(t, "2026-03-10", "10:00", "confirmed")
	w.book(t, "2026-03-11", "10:00", "pending")
	w.book(t, "2026-03-12", "10:00", "cancelled")
	w.book(t, "2026-04-01", "00:00", "completed") // after the date range
	w.book(t, "2026-02-10", "10:00", "completed") // in the previous range
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, '2026-03-05', '10:00', 'completed')`, w.rivalShop, w.ben.id, w.rivalService)

	const first, last = "2026-03-01", "2026-03-31"
	for _, tt := range []struct{ what, sql, want string }{
		{"totals", totals, "current: 5 2 1 45.00; previous: 1 1 0 25.00"},
		{"services", services, "Haircut: 5 1 1 2 1 45.00"},
		{"hours", hours, "1-10: 1; 2-10: 1; 2-23: 1; 3-10: 1; 4-10: 1"},
	} {
		if got := w.ask(t, w.owner, tt.sql, w.shop, first, last); got != tt.want {
			t.Errorf("%s are %q, want %q", tt.what, got, tt.want)
		}
	}
	if got, want := w.ask(t, w.owner, revenue, w.shop, first, last, "month"), "2026-03-01 to 2026-03-31: 2 45.00"; got != want {
		t.Errorf("revenue is %q, want %q", got, want)
	}
}

// METRICS-06: a service has its current name, and a deleted one the name stored in its bookings.
func TestAnalyticsNamesServices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.clearBookings(t)
	w.book(t, "2026-03-02", "10:00", "completed")
	w.exec(t, `update public.services set name = 'Cut' where id = $1`, w.haircut)
	w.book(t, "2026-03-03", "10:00", "completed")
	if got, want := w.ask(t, w.owner, services, w.shop, "2026-03-01", "2026-03-31"), "Cut: 2 0 0 2 0 40.00"; got != want {
		t.Errorf("a renamed service: %q, want %q", got, want)
	}
	w.exec(t, `delete from public.services where id = $1`, w.haircut)
	if got, want := w.ask(t, w.owner, services, w.shop, "2026-03-01", "2026-03-31"), "Cut: 1 0 0 1 0 20.00; Haircut: 1 0 0 1 0 20.00"; got != want {
		t.Errorf("a deleted service: %q, want %q", got, want)
	}
}

// METRICS-02: periods have no gaps, weeks begin on Monday, and the first and last period are
// limited to the range. The session's time zone has no effect, even on clock changes.
func TestRevenueByPeriod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.clearBookings(t)
	w.book(t, "2026-03-29", "23:00", "completed") // Sunday, when summer time begins
	w.book(t, "2026-03-30", "00:00", "completed")
	w.book(t, "2026-04-14", "10:00", "completed")
	for _, zone := range []string{"UTC", "Europe/Madrid", "Pacific/Auckland", "America/Los_Angeles"} {
		w.exec(t, `select set_config('TimeZone', $1, true)`, zone)
		for _, tt := range []struct{ bucket, first, last, want string }{
			{"day", "2026-03-29", "2026-03-31", "2026-03-29 to 2026-03-29: 1 20.00; 2026-03-30 to 2026-03-30: 1 20.00; 2026-03-31 to 2026-03-31: 0 0"},
			{"week", "2026-03-28", "2026-04-15", "2026-03-28 to 2026-03-29: 1 20.00; 2026-03-30 to 2026-04-05: 1 20.00; 2026-04-06 to 2026-04-12: 0 0; 2026-04-13 to 2026-04-15: 1 20.00"},
			{"month", "2026-03-30", "2026-05-01", "2026-03-30 to 2026-03-31: 1 20.00; 2026-04-01 to 2026-04-30: 1 20.00; 2026-05-01 to 2026-05-01: 0 0"},
			{"year", "2025-12-31", "2026-12-31", "2025-12-31 to 2025-12-31: 0 0; 2026-01-01 to 2026-12-31: 3 60.00"},
		} {
			if got := w.ask(t, w.owner, revenue, w.shop, tt.first, tt.last, tt.bucket); got != tt.want {
				t.Errorf("by %s in %s:\n got %q\nwant %q", tt.bucket, zone, got, tt.want)
			}
		}
	}
}

// SUB-07, C-44: analytics are for those who manage the business and whose plan includes them; the
// range is limited.
func TestAnalyticsAccess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.user_subscriptions (user_id, plan_id, subscribed)
		select $1, id, true from public.subscription_plans where tier = 'free'`, w.rival.id)
	const first, last = "2026-03-01", "2026-03-31"
	functions := []string{"analytics_totals($1, $2, $3)", "analytics_services($1, $2, $3)", "analytics_hours($1, $2, $3)", "analytics_revenue($1, $2, $3, 'day')"}
	for _, function := range functions {
		sql := "select * from public." + function
		w.fails(t, w.owner, "", sql, w.shop, first, last)
		w.fails(t, w.ada, "", sql, w.shop, first, last)
		w.fails(t, anon, "42501", sql, w.shop, first, last)
		w.fails(t, w.ben, "not_your_business", sql, w.shop, first, last)
		w.fails(t, w.rival, "not_your_business", sql, w.shop, first, last)
		w.fails(t, w.rival, "plan_without_analytics", sql, w.rivalShop, first, last)
		w.fails(t, w.owner, "business_required", sql, nil, first, last)
		w.fails(t, w.owner, "invalid_range", sql, w.shop, last, first)
		w.fails(t, w.owner, "invalid_range", sql, w.shop, nil, last)
		w.fails(t, w.owner, "invalid_range", sql, w.shop, first, "infinity")
		w.fails(t, w.owner, "invalid_range", sql, w.shop, "1999-12-31", "2000-01-01")
		w.fails(t, w.owner, "", sql, w.shop, "2021-01-01", "2026-01-04")
		w.fails(t, w.owner, "range_too_long", sql, w.shop, "2021-01-01", "2026-01-05")
	}
	w.fails(t, w.owner, "invalid_bucket", "select * from public.analytics_revenue($1, $2, $3, 'hour')", w.shop, first, last)
	w.fails(t, w.owner, "invalid_bucket", "select * from public.analytics_revenue($1, $2, $3, null)", w.shop, first, last)

	w.exec(t, `update public.user_subscriptions set subscribed = false where user_id = $1`, w.owner.id)
	w.fails(t, w.owner, "plan_without_analytics", "select * from public.analytics_totals($1, $2, $3)", w.shop, first, last)
}

// A business without bookings has figures of 0.
func TestAnalyticsWithoutBookings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.clearBookings(t)
	const first, last = "2026-03-01", "2026-03-07"
	for sql, want := range map[string]string{totals: "current: 0 0 0 0; previous: 0 0 0 0", services: "", hours: ""} {
		if got := w.ask(t, w.owner, sql, w.shop, first, last); got != want {
			t.Errorf("%s\ngot %q, want %q", sql, got, want)
		}
	}
	if got, want := w.ask(t, w.owner, revenue, w.shop, first, last, "month"), "2026-03-01 to 2026-03-07: 0 0"; got != want {
		t.Errorf("revenue is %q, want %q", got, want)
	}
}

// The sums read the bookings of the business in its range with their index, not those of all
// others.
func TestAnalyticsReadsOneBusinessOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// So many bookings of others that reading all of them is more expensive.
	w.exec(t, `alter table public.bookings disable trigger user`)
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, end_time, status)
		select case when n % 50 = 0 then $1::uuid else $2::uuid end, $3, null, date '2026-01-01' + n / 40, make_time(n % 20, 0, 0), make_time(n % 20, 30, 0), 'cancelled'
		from generate_series(1, 20000) n`, w.shop, w.rivalShop, w.ben.id)
	w.exec(t, `analyze public.bookings`)
	// The query of the functions on the table, with all columns that any of them or a policy reads.
	const reads = `explain select count(start_time), count(status), sum(service_price), count(service_id), max(service_name)
		from public.bookings b where b.business_id = $1 and b.booking_date between '2026-02-01' and '2026-03-31'`
	rows, err := w.as(t, w.owner).Query(t.Context(), strings.ReplaceAll(reads, "$1", fmt.Sprintf("'%s'", w.shop)))
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(line + "\n")
	}
	if !strings.Contains(plan.String(), "using bookings_business_day_idx on bookings") && !strings.Contains(plan.String(), "on bookings_business_day_idx") {
		t.Errorf("the index of a business's dates is not used:\n%s", plan.String())
	}
	if strings.Contains(plan.String(), "Seq Scan on bookings") {
		t.Errorf("all bookings are read:\n%s", plan.String())
	}
}
