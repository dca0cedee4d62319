package rls

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/tests/testkit"
)

// saveRules stores booking rules and keeps the schedule.
const saveRules = `select public.save_availability($1, null, null, $2, $3, $4, $5)`

// rules returns the stored rules of a business.
const rules = `select concat_ws(' ', booking_notice_minutes, booking_days_ahead, booking_buffer_minutes, booking_capacity, availability_revision)
	from public.businesses where id = $1`

// METRICS-32, S-44: the owner sets the rules, within limits; omitted ones are kept.
func TestBookingRulesAreSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if got := w.text(t, rules, w.shop); got != "0 365 0 1 0" {
		t.Errorf("before anything is saved: %q", got)
	}
	for _, tt := range []struct {
		rule                            string
		who                             caller
		notice, ahead, buffer, capacity any
		want                            string
	}{
		{"the least", w.owner, 0, 1, 0, 1, ""},
		{"the most", w.owner, 20160, 730, 240, 50, ""},
		{"by an admin", w.ada, 60, 30, 10, 2, ""},
		{"no notice below none", w.owner, -1, nil, nil, nil, "23514"},
		{"at most 14 days of notice", w.owner, 20161, nil, nil, nil, "23514"},
		{"today at least", w.owner, nil, 0, nil, nil, "23514"},
		{"at most two years ahead", w.owner, nil, 731, nil, nil, "23514"},
		{"no buffer below none", w.owner, nil, nil, -1, nil, "23514"},
		{"at most four hours of buffer", w.owner, nil, nil, 241, nil, "23514"},
		{"at least one at a time", w.owner, nil, nil, nil, 0, "23514"},
		{"at most 50 at a time", w.owner, nil, nil, nil, 51, "23514"},
		{"another's business", w.rival, 60, nil, nil, nil, "not_your_business"},
		{"a customer", w.ben, 60, nil, nil, nil, "not_your_business"},
		{"nobody", anon, 60, nil, nil, nil, "42501"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			w.fails(t, tt.who, tt.want, saveRules, w.shop, tt.notice, tt.ahead, tt.buffer, tt.capacity)
		})
	}
	for _, column := range []string{"booking_notice_minutes", "booking_buffer_minutes", "booking_capacity", "availability_revision"} {
		w.fails(t, w.owner, "42501", `update public.businesses set `+column+` = 2 where id = $1`, w.shop)
	}
	w.do(t, w.owner, saveRules, w.shop, 60, nil, nil, 3)
	w.do(t, w.owner, saveRules, w.shop, nil, 90, 15, nil)
	if got := w.text(t, rules, w.shop); got != "60 90 15 3 2" {
		t.Errorf("saved %q", got)
	}
	w.do(t, w.owner, `select public.save_availability($1, 'null', null, p_capacity => 3)`, w.shop)
	if got := w.text(t, `select count(*)::text from public.business_availability where business_id = $1 and is_open`, w.shop); got != "7" {
		t.Errorf("%s days are open, want the 7 of before", got)
	}
	// S-50
	if got := w.text(t, `select string_agg(new_data ->> 'booking_capacity', ' ') from public.audit_logs
		where user_id = $1 and table_name = 'businesses' and 'booking_capacity' = any (changed_fields)`, w.owner.id); got != "3" {
		t.Errorf("the log has capacities %q", got)
	}
}

// METRICS-32: a save only overwrites the revision on which it is based.
func TestStaleAvailabilityIsNotSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const save = `select public.save_availability($1, null, null, p_capacity => $2, p_revision => $3)::text`
	if got := w.ask(t, w.owner, save, w.shop, 2, 0); got != "1" {
		t.Errorf("the revision is %s, want 1", got)
	}
	w.do(t, w.owner, save, w.shop, 2, 0)
	w.fails(t, w.owner, "availability_changed", save, w.shop, 3, 0)
	w.fails(t, w.owner, "availability_changed", save, w.shop, 3, 2)
	w.fails(t, w.owner, "", save, w.shop, 3, 1)
	w.fails(t, w.owner, "", save, w.shop, 3, nil)
}

// BOOK-14, C-36: the notice is exact to the minute, affects the slots, and applies to customers
// only.
func TestNotice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// The number of minutes until the slot of 12:00 in seven days.
	const away = `select (extract(epoch from (current_date + 7 + time '12:00') at time zone 'Europe/Madrid' - now()) / 60)::numeric`
	atMost, tooMany := w.text(t, `select floor((`+away+`))::text`), w.text(t, `select ceil((`+away+`))::text`)
	const notice = `update public.businesses set booking_notice_minutes = $2::text::integer where id = $1`

	w.exec(t, notice, w.shop, atMost)
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "12:00")
	w.fails(t, w.ana, "booking_too_soon", book, w.shop, w.haircut, 7, "11:30")
	w.exec(t, notice, w.shop, tooMany)
	w.fails(t, w.ana, "booking_too_soon", book, w.shop, w.haircut, 7, "12:00")
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "12:30")
	got := w.ask(t, anon, `select string_agg(to_char(start_time, 'HH24:MI') || ' ' || coalesce(reason, 'free'), ', ') from public.booking_slots($1, $2, current_date + 7)
		where start_time between '11:30' and '12:30'`, w.shop, w.haircut)
	if want := "11:30 too_soon, 12:00 too_soon, 12:30 free"; got != want {
		t.Errorf("slots %q, want %q", got, want)
	}
	if got := w.ask(t, anon, `select (booking_date - current_date) || ' ' || start_time from public.next_free_slot($1, $2)`, w.shop, w.haircut); got != "7 12:30:00" {
		t.Errorf("the next free slot is %q", got)
	}
	w.fails(t, w.ben, "time_not_offered", propose, w.bensBooking, 7, "12:00")
	w.fails(t, w.owner, "", propose, w.bensBooking, 7, "12:00")
	w.fails(t, w.owner, "", walkIn, w.shop, w.haircut, 6, "12:00", "Pau", nil)

	w.exec(t, `update public.businesses set booking_days_ahead = 3 where id = $1`, w.shop)
	w.fails(t, w.owner, "", walkIn, w.shop, w.haircut, 9, "12:00", "Pau", nil)
}

// On days with a clock change, elapsed minutes count for the notice.
func TestNoticeWhenClocksChange(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	for _, tt := range []struct {
		rule, starts, zone, at string
		notice                 int
		want                   string
	}{
		{"a day of 24 hours", "2026-06-10 09:00", "Europe/Madrid", "2026-06-09 09:00+02", 1440, "false"},
		{"a minute less", "2026-06-10 09:00", "Europe/Madrid", "2026-06-09 09:01+02", 1440, "true"},
		{"the day of 23 hours", "2026-03-29 09:00", "Europe/Madrid", "2026-03-28 09:00+01", 1440, "true"},
		{"23 hours of it", "2026-03-29 09:00", "Europe/Madrid", "2026-03-28 09:00+01", 1380, "false"},
		{"the day of 25 hours", "2026-10-25 09:00", "Europe/Madrid", "2026-10-24 10:00+02", 1440, "false"},
		{"a minute more than 24 hours of it", "2026-10-25 09:00", "Europe/Madrid", "2026-10-24 10:01+02", 1440, "true"},
		{"an hour behind", "2026-06-10 09:00", "Atlantic/Canary", "2026-06-09 10:00+02", 1440, "false"},
		{"none", "2026-06-10 09:00", "Europe/Madrid", "2026-06-10 09:00+02", 0, "false"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got := queryText(t, db, `select private.is_too_soon($1::text::timestamp, $2, $3, $4::text::timestamptz)::text`, tt.starts, tt.zone, tt.notice, tt.at)
			if got != tt.want {
				t.Errorf("too soon: %s, want %s", got, tt.want)
			}
		})
	}
}

// BOOK-09, C-37: with a buffer, adjacent times are too close; ben has 10:00 to 11:00.
func TestBuffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, 30, nil)
	for _, tt := range []struct{ start, want string }{
		{"09:00", "23P01"}, {"08:31", "23P01"}, {"08:30", ""}, {"11:00", "23P01"}, {"11:29", "23P01"}, {"11:30", ""},
	} {
		t.Run("entered at "+tt.start, func(t *testing.T) { w.fails(t, w.owner, tt.want, walkIn, w.shop, w.haircut, 7, tt.start, "Pau", nil) })
	}
	w.fails(t, w.ana, "23P01", book, w.shop, w.haircut, 7, "11:00")
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "11:30")
	w.fails(t, w.ben, "", propose, w.bensBooking, 7, "10:30") // overlapping itself
	got := w.ask(t, anon, `select string_agg(to_char(start_time, 'HH24:MI'), ' ') from public.booking_slots($1, $2, current_date + 7) where reason = 'taken'`, w.shop, w.haircut)
	if want := "09:00 09:30 10:00 10:30 11:00"; got != want {
		t.Errorf("taken %q, want %q", got, want)
	}
	if got := w.ask(t, anon, `select string_agg(start_time || '-' || end_time, ' ') from public.booked_slots($1, current_date + 7)`, w.shop); got != "10:00:00-11:30:00" {
		t.Errorf("booked %q", got)
	}

	// Past midnight, too.
	w.do(t, w.owner, walkIn, w.shop, w.haircut, 8, "22:50", "Late", nil)
	w.fails(t, w.owner, "23P01", walkIn, w.shop, w.haircut, 9, "00:15", "Early", nil)
	w.fails(t, w.owner, "", walkIn, w.shop, w.haircut, 9, "00:20", "Early", nil)

	// A longer buffer keeps existing bookings; a shorter one frees time at once.
	w.do(t, w.owner, walkIn, w.shop, w.haircut, 7, "11:30", "Pau", nil)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, 60, nil)
	w.fails(t, w.owner, "", `select public.set_booking_status($1, 'confirmed')`, w.bensBooking)
	w.fails(t, w.owner, "23P01", walkIn, w.shop, w.haircut, 7, "13:00", "Ona", nil)
	w.do(t, w.owner, walkIn, w.shop, w.haircut, 7, "13:30", "Ona", nil)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, 0, nil)
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "14:30")
	w.do(t, w.ana, book, w.shop, w.haircut, 7, "12:30")
	if got := w.text(t, `select max(place)::text from public.bookings where business_id = $1`, w.shop); got != "1" {
		t.Errorf("%s places are in use, want the one there is", got)
	}
}

// BOOK-09: up to the business's capacity at a time; ben has 10:00 to 11:00.
func TestCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, nil, 2)
	w.do(t, w.ana, book, w.shop, w.haircut, 7, "10:30")
	for _, tt := range []struct{ start, want string }{
		{"09:30", ""}, {"10:00", "23P01"}, {"10:30", "23P01"}, {"11:00", ""}, {"11:30", ""},
	} {
		t.Run("booked at "+tt.start, func(t *testing.T) { w.fails(t, w.ana, tt.want, book, w.shop, w.haircut, 7, tt.start) })
	}
	taken := func() string {
		return w.ask(t, anon, `select string_agg(to_char(start_time, 'HH24:MI'), ' ') from public.booking_slots($1, $2, current_date + 7) where reason = 'taken'`, w.shop, w.haircut)
	}
	if got, want := taken(), "10:00 10:30"; got != want {
		t.Errorf("taken %q, want %q", got, want)
	}
	if got := w.ask(t, anon, `select string_agg(start_time || '-' || end_time, ' ') from public.booked_slots($1, current_date + 7)`, w.shop); got != "10:30:00-11:00:00" {
		t.Errorf("S-26: booked %q", got)
	}
	w.fails(t, w.owner, "23P01", walkIn, w.shop, w.haircut, 7, "10:15", "Pau", nil)
	w.fails(t, w.owner, "", propose, w.bensBooking, 7, "10:45")
	w.fails(t, w.owner, "", walkIn, w.shop, w.haircut, 7, "11:00", "Pau", nil)

	// A lower capacity keeps existing bookings, and allows none next to them.
	w.do(t, w.owner, saveRules, w.shop, nil, nil, nil, 1)
	w.fails(t, w.owner, "", `select public.set_booking_status($1, 'confirmed')`, w.bensBooking)
	if got, want := taken(), "09:30 10:00 10:30 11:00"; got != want {
		t.Errorf("after lowering, taken %q, want %q", got, want)
	}
	w.fails(t, w.ana, "23P01", book, w.shop, w.haircut, 7, "09:30")
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "09:00")
	w.exec(t, `update public.bookings set status = 'cancelled' where id = $1`, w.bensBooking)
	w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "09:30")
	w.fails(t, w.ana, "23P01", book, w.shop, w.haircut, 7, "10:00")
	w.fails(t, service, "23P01", `update public.bookings set status = 'completed' where id = $1`, w.bensBooking)
}

// A booking that moves is ignored at its old time, and needs space under the same rule when it is
// accepted.
func TestMovingWithCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, nil, 2)
	w.do(t, w.ana, book, w.shop, w.haircut, 8, "13:00")
	w.do(t, w.owner, propose, w.bensBooking, 8, "13:00")
	w.do(t, w.owner, walkIn, w.shop, w.haircut, 8, "13:30", "Pau", nil)
	w.fails(t, w.ben, "23P01", answer, w.bensBooking, true, 8, "13:00")
	w.do(t, w.owner, saveRules, w.shop, nil, nil, nil, 3)
	w.do(t, w.ben, answer, w.bensBooking, true, 8, "13:00")
	got := w.text(t, `select string_agg(place::text, ' ' order by place) from public.bookings where business_id = $1 and booking_date = current_date + 8`, w.shop)
	if got != "1 2 3" {
		t.Errorf("places %q", got)
	}
}

// A gap split across two places can be used: bookings are moved between places to make space.
func TestBookingsMoveBetweenPlaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, nil, 2)
	for _, start := range []string{"09:00", "10:00", "10:00"} {
		w.do(t, w.owner, walkIn, w.shop, w.haircut, 9, start, "At "+start, nil)
	}
	w.exec(t, `update public.bookings set status = 'cancelled' where booking_date = current_date + 9 and start_time = '10:00' and place = 1`)
	const places = `select string_agg(to_char(start_time, 'HH24:MI') || '/' || place, ' ' order by start_time, place) from public.bookings
		where business_id = $1 and booking_date = current_date + 9 and status <> 'cancelled'`
	if got := w.text(t, places, w.shop); got != "09:00/1 10:00/2" {
		t.Fatalf("places are %q", got)
	}
	logged := w.text(t, `select count(*)::text from public.audit_logs where table_name = 'bookings'`)
	w.do(t, w.ana, book, w.shop, w.haircut, 9, "09:30")
	if got := w.text(t, places, w.shop); got != "09:00/1 09:30/2 10:00/1" {
		t.Errorf("places are %q", got)
	}
	if got := w.text(t, `select (count(*) - $1::text::bigint)::text from public.audit_logs where table_name = 'bookings'`, logged); got != "1" {
		t.Errorf("%s rows in the log, want that of the new booking", got)
	}
	w.fails(t, w.ana, "23P01", book, w.shop, w.haircut, 9, "09:30")
}

// BOOK-09: of fifty concurrent requests, as many succeed as the business has capacity.
func TestCapacityUnderConcurrency(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	people := customers(t, db, 50)
	for capacity, day := range map[int]int{2: 10, 3: 11} {
		execCommitted(t, db, `update public.businesses set booking_capacity = $2 where id = $1`, w.shop, capacity)
		calls := make([]concurrentCall, len(people))
		for i, who := range people {
			calls[i] = concurrentCall{who, bookAt, []any{w.shop, w.haircut, day, "15:00"}}
		}
		want := map[string]int{"": capacity, "23P01": len(people) - capacity}
		if diff := cmp.Diff(want, runConcurrently(db, calls)); diff != "" {
			t.Errorf("capacity %d, results by code (-want +got):\n%s", capacity, diff)
		}
	}
}

// Concurrent bookings of various lengths, cancellations and rule changes: no deadlock, and never
// more at a time than the capacity.
func TestRulesUnderConcurrentChanges(t *testing.T) {
	t.Parallel()
	w, db := committedWorld(t)
	long := queryText(t, db, `insert into public.services (business_id, name, price, duration) values ($1, 'Long', 10, 90) returning id::text`, w.shop)
	people := customers(t, db, 40)
	execCommitted(t, db, `update public.businesses set booking_capacity = 3 where id = $1`, w.shop)
	for round := range 3 {
		day := 20 + round
		var calls []concurrentCall
		for i, who := range people {
			service := w.haircut
			if i%3 == 0 {
				service = long
			}
			calls = append(calls, concurrentCall{who, bookAt, []any{w.shop, service, day, fmt.Sprintf("%02d:%02d", 9+i%5, i%2*30)}})
			if i%8 == 0 {
				calls = append(calls,
					concurrentCall{who, `select public.cancel_booking(b.id) from public.bookings b where b.user_id = $1 and b.status = 'pending'`, []any{who.id}},
					concurrentCall{w.owner, saveRules, []any{w.shop, nil, nil, i % 16, 3}})
			}
		}
		for code, n := range runConcurrently(db, calls) {
			if code != "" && code != "23P01" && !strings.HasPrefix(code, "too_many") {
				t.Errorf("round %d: %d times %s", round, n, code)
			}
		}
		most := queryText(t, db, `select max(private.most_at_once(array(
				select k.during from public.bookings k where k.business_id = b.business_id and k.booking_date = b.booking_date and k.status <> 'cancelled'), b.during))::text
			from public.bookings b where b.business_id = $1 and b.status <> 'cancelled'`, w.shop)
		if most != "3" {
			t.Errorf("round %d: %s at a time, want 3", round, most)
		}
	}
}

// A write that bypasses the trigger cannot take a place twice: the constraint is sufficient.
func TestPlaceIsTakenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.owner, saveRules, w.shop, nil, nil, nil, 2)
	w.do(t, w.ana, book, w.shop, w.haircut, 7, "10:00")
	w.fails(t, service, "23P01", `update public.bookings set place = 1 where business_id = $1`, w.shop)
	w.fails(t, service, "23514", `update public.bookings set place = 51 where business_id = $1`, w.shop)
}
