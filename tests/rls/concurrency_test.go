package rls

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit"
)

// committedWorld returns a world that other connections see, too.
func committedWorld(t *testing.T) (*world, *pgxpool.Pool) {
	t.Helper()
	db := testkit.DB(t)
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := fillWorld(t, tx)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w, db
}

// concurrentCall is a statement that a caller runs in a separate transaction.
type concurrentCall struct {
	who  caller
	sql  string
	args []any
}

// runConcurrently runs calls concurrently and counts their codes.
func runConcurrently(db *pgxpool.Pool, calls []concurrentCall) map[string]int {
	var wait sync.WaitGroup
	codes := make([]string, len(calls))
	for i, d := range calls {
		wait.Go(func() {
			ctx := context.Background()
			codes[i] = code(pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
				claims := fmt.Sprintf(`{"role": %q, "sub": %q}`, d.who.role, d.who.id)
				if d.who.id == "" {
					claims = fmt.Sprintf(`{"role": %q}`, d.who.role)
				}
				if _, err := tx.Exec(ctx, `select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, claims, d.who.role); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, d.sql, d.args...)
				return err
			}))
		})
	}
	wait.Wait()
	count := make(map[string]int)
	for _, code := range codes {
		count[code]++
	}
	return count
}

// execCommitted runs sql as the superuser, in a separate transaction.
func execCommitted(t *testing.T, db *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := db.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// customers creates accounts that may book.
func customers(t *testing.T, db *pgxpool.Pool, n int) []caller {
	t.Helper()
	made := make([]caller, n)
	for i := range made {
		name := fmt.Sprintf("customer%d", i)
		made[i] = caller{name: name, role: "authenticated", id: testkit.User(t, db, name+"@example.com")}
	}
	return made
}

const bookAt = `insert into public.bookings (business_id, service_id, booking_date, start_time) values ($1, $2, current_date + $3::integer, $4::text::time)`

// BOOK-09, S-28: overlapping bookings and concurrent cancellations take their locks in the same
// order.
func TestConcurrentCancellationsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	people := customers(t, db, 48)
	for round := range 6 {
		day := 20 + round
		execCommitted(t, db, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time)
			select $1, $2, $3, current_date + $4::integer, '09:00'::time + n * interval '1 hour' from generate_series(0, 7) n`, w.shop, w.ben.id, w.haircut, day)
		var calls []concurrentCall
		for hour := range 8 {
			calls = append(calls, concurrentCall{w.ben, `select public.cancel_booking(b.id) from public.bookings b
				where b.booking_date = current_date + $1::integer and b.start_time = $2::text::time and b.status = 'pending'`, []any{day, fmt.Sprintf("%02d:00", 9+hour)}})
		}
		for i, who := range people {
			calls = append(calls, concurrentCall{who, bookAt, []any{w.shop, w.haircut, day, fmt.Sprintf("%02d:%02d", 9+i/6, i%2*30)}})
		}
		for code, n := range runConcurrently(db, calls) {
			if code != "" && code != "23P01" {
				t.Errorf("round %d: %d times %s", round, n, code)
			}
		}
		overlaps := queryText(t, db, `select count(*)::text from public.bookings a join public.bookings b on a.id < b.id and a.during && b.during
			where a.business_id = b.business_id and a.status <> 'cancelled' and b.status <> 'cancelled'`)
		if overlaps != "0" {
			t.Errorf("round %d: %s bookings overlap", round, overlaps)
		}
		// A customer who wins every time would reach the limit of open bookings.
		execCommitted(t, db, `update public.bookings set status = 'confirmed' where status = 'pending'`)
	}
}

// Bookings of several businesses in one statement, in opposite orders.
func TestBookingsOfSeveralBusinessesDoNotDeadlock(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	var calls []concurrentCall
	for i, who := range customers(t, db, 40) {
		one, other := []any{w.shop, w.haircut}, []any{w.rivalShop, w.rivalService}
		if i%2 == 1 {
			one, other = other, one
		}
		calls = append(calls, concurrentCall{who, `insert into public.bookings (business_id, service_id, booking_date, start_time)
			values ($1, $2, current_date + $5::integer, '09:00'), ($3, $4, current_date + $5::integer, '09:00')`,
			append(append([]any{}, one...), other[0], other[1], 30+i)})
	}
	count := runConcurrently(db, calls)
	if got := count[""] + count["bookings_busy"]; got != len(calls) || count[""] == 0 {
		t.Errorf("results by code: %v", count)
	}
}

// A limit holds for any number of concurrent requests.
func TestLimitsUnderConcurrency(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	const many = 60
	execCommitted(t, db, `update public.businesses set hours = `+alwaysOpen)
	execCommitted(t, db, `insert into public.businesses (name, type, location, owner_id) select 'Place ' || n, 'Bar', 'Madrid', case when n % 2 = 0 then $1::uuid end
		from generate_series(1, 1000) n`, w.rival.id)
	execCommitted(t, db, `insert into public.favorites (user_id, business_id) select $1, id from public.businesses where name like 'Place %' and substr(name, 7)::integer <= 480`, w.ana.id)
	tests := []struct {
		rule, sql string
		who       caller
		code      string
		passed    int
		args      func(i int) []any
	}{
		{"open bookings of a user at a business", bookAt, w.ana, "too_many_open_bookings", 5, func(i int) []any {
			return []any{w.shop, w.haircut, 100 + i, "09:00"}
		}},
		{"messages in a minute", `insert into public.messages (business_id, content) values ($1, 'Hello ' || $2::text)`, w.ana, "too_many_messages", 20,
			func(i int) []any { return []any{w.shop, fmt.Sprint(i)} }},
		{"open reports", `insert into public.reports (reported_id, type, reason) select id, 'business', 'Spam' from public.businesses where name = 'Place ' || $1::text`, w.ana,
			"too_many_reports", 20, func(i int) []any { return []any{fmt.Sprint(i + 1)} }},
		{"open claims", `insert into public.claim_requests (business_id, full_name, business_email, role_at_company, verification_method)
			select id, 'Ana', 'ana@example.com', 'Boss', 'email_domain' from public.businesses where name = 'Place ' || $1::text`, w.ana,
			"too_many_claims", 5, func(i int) []any { return []any{fmt.Sprint(2*i + 1)} }},
		{"favourites", `insert into public.favorites (business_id) select id from public.businesses where name = 'Place ' || $1::text`, w.ana, "too_many_favorites", 20,
			func(i int) []any { return []any{fmt.Sprint(481 + i)} }},
		{"services of a business", `insert into public.services (business_id, name, price, duration) select $1, 'Service ' || n || $2::text, 10, 30 from generate_series(1, 10) n`, w.owner,
			"too_many_services", 9, func(i int) []any { return []any{w.shop, fmt.Sprint(i)} }},
		{"files of a business", `insert into storage.objects (bucket_id, name, owner_id) values ('business-photos', $1, $2)`, w.owner, "too_many_unused_files", 20,
			func(i int) []any { return []any{fmt.Sprintf("%s/%s/%d.jpg", w.owner.id, w.shop, i), w.owner.id} }},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			calls := make([]concurrentCall, many)
			for i := range calls {
				calls[i] = concurrentCall{tt.who, tt.sql, tt.args(i)}
			}
			count := runConcurrently(db, calls)
			if diff := cmp.Diff(map[string]int{"": tt.passed, tt.code: many - tt.passed}, count); diff != "" {
				t.Errorf("results by code (-want +got):\n%s", diff)
			}
		})
	}
}

// The storage service writes an object's row with its own rights, after checking the caller's: the
// limit holds for that statement, too.
func TestPhotoFilesAreCountedWhenTheServiceWritesThem(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	calls := make([]concurrentCall, 60)
	for i := range calls {
		calls[i] = concurrentCall{service, `insert into storage.objects (bucket_id, name, owner_id) values ('business-photos', $1, $2)`,
			[]any{fmt.Sprintf("%s/%s/%d.jpg", w.owner.id, w.shop, i), w.owner.id}}
	}
	if diff := cmp.Diff(map[string]int{"": 20, "too_many_unused_files": 40}, runConcurrently(db, calls)); diff != "" {
		t.Errorf("results by code (-want +got):\n%s", diff)
	}
}

// S-27: the business's rule limits how far ahead; beyond it, no slot is offered.
func TestBookingHorizon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set booking_days_ahead = 30 where id = $1`, w.shop)
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 30, "09:00")
	w.fails(t, w.ana, "booking_too_far_ahead", book, w.shop, w.haircut, 32, "09:00")
	w.fails(t, w.ana, "booking_too_far_ahead", book, w.rivalShop, w.rivalService, 367, "09:00")
	w.fails(t, w.ana, "booking_too_far_ahead", book, w.shop, w.haircut, 365*900, "09:00")
	w.fails(t, w.owner, "", `update public.businesses set booking_days_ahead = 730 where id = $1`, w.shop)
	w.fails(t, w.owner, "23514", `update public.businesses set booking_days_ahead = 731 where id = $1`, w.shop)
	reasons := list(t, w.as(t, anon), `select distinct reason from public.booking_slots($1, $2, current_date + 32)`, w.shop, w.haircut)
	if got := strings.Join(reasons, " "); got != "too_far" {
		t.Errorf("reasons %q, want too_far", got)
	}
}

// A user's total of open requests is limited, and so is booking and cancelling repeatedly.
func TestBookingLimitsPerUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location, hours, owner_id) select 'Place ' || n, 'Bar', 'Madrid', `+alwaysOpen+`, $1::uuid from generate_series(1, 21) n`, w.rival.id)
	w.exec(t, `insert into public.services (business_id, name, price, duration) select id, 'Service', 10, 30 from public.businesses where name like 'Place %'`)
	const bookAll = `insert into public.bookings (business_id, service_id, booking_date, start_time)
		select b.id, s.id, current_date + 9, '09:00' from public.businesses b join public.services s on s.business_id = b.id where b.name like 'Place %' order by b.id limit $1`
	w.fails(t, w.ana, "", bookAll, 20)
	w.fails(t, w.ana, "too_many_open_bookings", bookAll, 21)
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		select $1, $2, $3, current_date - n, '09:00', 'cancelled' from generate_series(1, 50) n`, w.shop, w.ana.id, w.haircut)
	w.fails(t, w.ana, "too_many_bookings", book, w.shop, w.haircut, 9, "09:00")
	w.exec(t, `update public.bookings set created_at = now() - interval '25 hours' where user_id = $1`, w.ana.id)
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 9, "09:00")
}

// The second review waits for the first one, and counts it.
func TestConcurrentReviewsAreAllCounted(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	people := customers(t, db, 8)
	var calls []concurrentCall
	for i, who := range people {
		execCommitted(t, db, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
			values ($1, $2, $3, current_date - $4::integer, '10:00', 'completed')`, w.rivalShop, who.id, w.rivalService, 8+i)
		calls = append(calls, concurrentCall{who, `insert into public.reviews (business_id, rating) values ($1, $2)`, []any{w.rivalShop, 1 + i%5}})
	}
	for round := range 5 {
		if count := runConcurrently(db, calls); count[""] != len(calls) {
			t.Fatalf("results by code: %v", count)
		}
		got := queryText(t, db, `select concat_ws(' ', rating, user_ratings_total) from public.businesses where id = $1`, w.rivalShop)
		want := queryText(t, db, `select concat_ws(' ', round(avg(rating), 2), count(*)) from public.reviews where business_id = $1`, w.rivalShop)
		if got != want {
			t.Errorf("round %d: rated %s, want %s", round, got, want)
		}
		execCommitted(t, db, `delete from public.reviews where business_id = $1`, w.rivalShop)
	}
}
