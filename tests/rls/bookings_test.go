package rls

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
)

const book = `insert into public.bookings (business_id, service_id, booking_date, start_time, end_time, status)
	values ($1, $2, current_date + $3::integer, $4::time, '23:00', 'completed')`

// BOOK-15, BOOK-10, S-27: the caller's status and end are not stored.
func TestBookingIsStoredAsPending(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.ana)
	if _, err := tx.Exec(t.Context(), book, w.shop, w.haircut, 9, "10:30"); err != nil {
		t.Fatal(err)
	}
	got := queryText(t, tx, `select concat_ws(' ', status, start_time, end_time, user_id = $1, service_name, service_price, service_duration, time_zone)
		from public.bookings where user_id = $1`, w.ana.id)
	if want := "pending 10:30:00 11:30:00 t Haircut 20.00 60 Europe/Madrid"; got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
}

func TestBookingRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set hours = '{"structured": {}}' where id = $1`, w.rivalShop)
	w.exec(t, `insert into public.blackout_dates values ($1, current_date + 12)`, w.shop)
	w.exec(t, `update public.business_availability set slots = '[{"start": "09:00", "end": "12:00"}]' where business_id = $1`, w.shop)
	long := w.text(t, `insert into public.services (business_id, name, price, duration) values ($1, 'All day', 90, 480) returning id::text`, w.shop)
	other := w.text(t, `insert into public.businesses (name, type, location, hours) values ('Late', 'Bar', 'Madrid', `+alwaysOpen+`) returning id::text`)
	allNight := w.text(t, `insert into public.services (business_id, name, price, duration) values ($1, 'Night', 90, 480) returning id::text`, other)

	none := "00000000-0000-4000-8000-000000000000"
	tests := []struct {
		rule, business, service string
		days                    int
		start, want             string
	}{
		{"a free slot", w.shop, w.haircut, 9, "09:00", ""},
		{"BOOK-12 the service exists", w.shop, none, 9, "09:00", "invalid_service"},
		{"S-27 the service is the business's", w.shop, w.rivalService, 9, "09:00", "service_of_another_business"},
		{"BOOK-14 SEED-11 not before today", w.shop, w.haircut, -1, "09:00", "booking_in_past"},
		{"C-36 on the grid of 30 minutes", w.shop, w.haircut, 9, "09:10", "slot_off_grid"},
		{"BOOK-07 from 09:00", w.shop, w.haircut, 9, "08:30", "slot_off_grid"},
		{"BOOK-07 to 17:30", w.shop, w.haircut, 9, "18:00", "slot_off_grid"},
		{"C-36 within opening hours", w.rivalShop, w.rivalService, 9, "09:00", "business_closed"},
		{"C-36 within availability", w.shop, w.haircut, 9, "13:00", "business_unavailable"},
		{"C-36 it ends within availability", w.shop, w.haircut, 9, "11:30", "business_unavailable"},
		{"a long service ends within availability", w.shop, long, 9, "09:00", "business_unavailable"},
		{"C-36 not on a blackout date", w.shop, w.haircut, 12, "09:00", "blackout_date"},
		{"SEED-11 it ends on its day", other, allNight, 9, "17:00", "business_closed"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			w.fails(t, w.ana, tt.want, book, tt.business, tt.service, tt.days, tt.start)
		})
	}
	w.fails(t, service, "booking_in_past", `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time)
		values ($1, $2, $3, current_date - 1, '09:00')`, w.shop, w.ana.id, w.haircut)
}

// BOOK-09, C-37: ben has 10:00 to 11:00.
func TestBookingsDoNotOverlap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	service := func(minutes int) string {
		return w.text(t, `insert into public.services (business_id, name, price, duration) values ($1, 'Other', 10, $2) returning id::text`, w.shop, minutes)
	}
	short, long := service(30), service(180)
	tests := []struct{ rule, service, start, want string }{
		{"ends when the other starts", w.haircut, "09:00", ""},
		{"starts when the other ends", w.haircut, "11:00", ""},
		{"ends inside", w.haircut, "09:30", "23P01"},
		{"starts inside", w.haircut, "10:30", "23P01"},
		{"is the same", w.haircut, "10:00", "23P01"},
		{"lies within", short, "10:30", "23P01"},
		{"encloses", long, "09:00", "23P01"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) { w.fails(t, w.ana, tt.want, book, w.shop, tt.service, 7, tt.start) })
	}
	w.exec(t, "update public.bookings set status = 'cancelled' where id = $1", w.bensBooking)
	t.Run("a cancelled one does not count", func(t *testing.T) { w.fails(t, w.ana, "", book, w.shop, w.haircut, 7, "10:00") })
}

// BOOK-09: of fifty concurrent bookings of one slot, one succeeds.
func TestOneOfFiftyGetsTheSlot(t *testing.T) {
	t.Parallel()
	db := testkit.DB(t)
	seed, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := fillWorld(t, seed)
	day := w.text(t, `select (current_date + 10)::text`) // the same day for all, even at midnight
	if err := seed.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	results := make([]string, 50)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() {
			err := pgx.BeginFunc(context.Background(), db, func(tx pgx.Tx) error {
				claims := fmt.Sprintf(`{"role": "authenticated", "sub": "%s"}`, w.ana.id)
				if _, err := tx.Exec(context.Background(), `select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)`, claims); err != nil {
					return err
				}
				_, err := tx.Exec(context.Background(), `insert into public.bookings (business_id, service_id, booking_date, start_time)
					values ($1, $2, $3::text::date, '15:00')`, w.shop, w.haircut, day)
				return err
			})
			results[i] = code(err)
		})
	}
	wait.Wait()
	count := map[string]int{}
	for _, result := range results {
		count[result]++
	}
	if diff := cmp.Diff(map[string]int{"": 1, "23P01": 49}, count); diff != "" {
		t.Errorf("results by code (-want +got):\n%s", diff)
	}
}

// BOOK-07, CONST-14, C-36: always 18 slots, each with the reason why it is not available.
func TestBookingSlots(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.business_availability set slots = '[{"start": "09:00", "end": "13:00"}]' where business_id = $1`, w.shop)
	const slots = `select concat_ws(' ', to_char(start_time, 'HH24:MI'), to_char(end_time, 'HH24:MI'), reason)
		from public.booking_slots($1, $2, current_date + $3::integer)`
	got := list(t, w.as(t, anon), slots, w.shop, w.haircut, 7)
	want := []string{
		"09:00 10:00", "09:30 10:30 taken", "10:00 11:00 taken", "10:30 11:30 taken", "11:00 12:00", "11:30 12:30", "12:00 13:00",
		"12:30 13:30 unavailable", "13:00 14:00 unavailable", "13:30 14:30 unavailable", "14:00 15:00 unavailable", "14:30 15:30 unavailable",
		"15:00 16:00 unavailable", "15:30 16:30 unavailable", "16:00 17:00 unavailable", "16:30 17:30 unavailable", "17:00 18:00 unavailable",
		"17:30 18:30 unavailable",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		reason string
		days   int
	}{{"past", -1}, {"blackout", 90}} {
		reasons := list(t, w.as(t, anon), `select distinct reason from public.booking_slots($1, $2, current_date + $3::integer)`, w.shop, w.haircut, tt.days)
		if diff := cmp.Diff([]string{tt.reason}, reasons); diff != "" {
			t.Errorf("reasons (-want +got):\n%s", diff)
		}
	}
	if next := queryText(t, w.as(t, anon), `select count(*)::text from public.next_free_slot($1, $2) where booking_date >= current_date`, w.shop, w.haircut); next != "1" {
		t.Errorf("next_free_slot gives %s rows, want 1", next)
	}
}

// S-26, BOOK-08: only times, for everybody.
func TestBookedSlots(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := list(t, w.as(t, anon), `select row_to_json(s)::text from public.booked_slots($1, current_date + 7) s`, w.shop)
	if diff := cmp.Diff([]string{`{"start_time":"10:00:00","end_time":"11:00:00"}`}, got); diff != "" {
		t.Errorf("booked slots (-want +got):\n%s", diff)
	}
}

// BOOK-17, BOOK-18, S-28: who may change a booking's status.
func TestBookingStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct {
		who            caller
		from, to, want string
		days           int
	}{
		{w.owner, "pending", "confirmed", "", 7},
		{w.ada, "pending", "confirmed", "", 7},
		{w.ben, "pending", "confirmed", "status_not_allowed", 7},
		{w.ana, "pending", "confirmed", "booking_not_found", 7},
		{w.rival, "pending", "cancelled", "booking_not_found", 7},
		{anon, "pending", "cancelled", "42501", 7},
		{w.ben, "pending", "cancelled", "", 7},
		{w.ben, "confirmed", "cancelled", "", 7},
		{w.ben, "confirmed", "cancelled", "booking_started", -3},
		{w.owner, "confirmed", "cancelled", "", -3},
		{w.owner, "confirmed", "completed", "", -3},
		{w.owner, "confirmed", "completed", "booking_not_started", 7},
		{w.ben, "confirmed", "completed", "status_not_allowed", -3},
		{w.owner, "pending", "completed", "status_not_allowed", -3},
		{w.owner, "pending", "confirmed", "booking_started", -3},
		{w.owner, "cancelled", "confirmed", "status_not_allowed", 7},
		{w.owner, "completed", "cancelled", "status_not_allowed", -3},
		{w.owner, "confirmed", "pending", "status_not_allowed", 7},
		{w.owner, "pending", "no such status", "status_not_allowed", 7},
	}
	for _, tt := range tests {
		w.exec(t, `update public.bookings set status = $2, booking_date = current_date + $3::integer where id = $1`, w.bensBooking, tt.from, tt.days)
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			w.fails(t, tt.who, tt.want, `select public.set_booking_status($1, $2)`, w.bensBooking, tt.to)
		})
	}
}

// S-41: a booking stays readable when its business, service or customer is deleted.
func TestBookingHistoryIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.services where id = $1`, w.haircut)
	w.exec(t, `delete from auth.users where id = $1`, w.ben.id)
	w.exec(t, `delete from public.businesses where id = $1`, w.shop)
	got := w.text(t, `select string_agg(concat_ws(' ', business_name = '', service_name, service_price, status), ', ' order by booking_date)
		from public.bookings where id in ($1, $2)`, w.bensVisit, w.bensBooking)
	if want := "f Haircut 20.00 completed, f Haircut 20.00 cancelled"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

// DATA-09, BIZ-14, C-45: the open minutes of a Wednesday.
func TestHoursOfDay(t *testing.T) {
	t.Parallel()
	tests := []struct{ rule, hours, want string }{
		{"open to close", `{"structured": {"wednesday": {"open": "09:00", "close": "17:00", "isOpen": true}}}`, "{[540,1020)}"},
		{"CONST-16 default times", `{"structured": {"wednesday": {"isOpen": true}}}`, "{[540,1020)}"},
		{"a missing day is closed", `{"structured": {"monday": {"open": "09:00", "close": "17:00"}}}`, "{}"},
		{"isOpen false", `{"structured": {"wednesday": {"open": "09:00", "close": "17:00", "isOpen": false}}}`, "{}"},
		{"C-45 closed wins over isOpen", `{"structured": {"wednesday": {"open": "09:00", "close": "17:00", "isOpen": true, "closed": true}}}`, "{}"},
		{"overnight, on its evening", `{"structured": {"wednesday": {"open": "18:00", "close": "02:00"}}}`, "{[1080,1440)}"},
		{"overnight, from the evening before", `{"structured": {"tuesday": {"open": "18:00", "close": "02:00"}}}`, "{[0,120)}"},
		{"all day", `{"structured": {"wednesday": {"open": "00:00", "close": "00:00"}}}`, "{[0,1440)}"},
		{"raw text is unknown", `"Mon-Fri 9-17"`, ""},
	}
	db := testkit.Tx(t)
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := queryText(t, db, `select private.hours_of_day($1::jsonb, '2026-01-14')::text`, tt.hours); got != tt.want {
				t.Errorf("open minutes %q, want %q", got, tt.want)
			}
		})
	}
}

// METRICS-28 to METRICS-32, C-58, S-44.
func TestSaveAvailability(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const save = `select public.save_availability($1, $2, array['2030-01-06', '2030-12-25']::date[])`
	const week = `{"monday": {"isOpen": true, "slots": [{"start": "09:00", "end": "13:00"}, {"start": "15:00", "end": "18:30"}]}}`
	w.fails(t, w.owner, "", save, w.shop, week)
	w.fails(t, w.ada, "", save, w.shop, week)
	w.fails(t, w.rival, "not_your_business", save, w.shop, week)
	w.fails(t, anon, "42501", save, w.shop, week)
	for rule, broken := range map[string]string{
		"an open day has a slot":  `{"monday": {"isOpen": true, "slots": []}}`,
		"a closed day has none":   `{"monday": {"isOpen": false, "slots": [{"start": "09:00", "end": "13:00"}]}}`,
		"steps of 30 minutes":     `{"monday": {"isOpen": true, "slots": [{"start": "09:10", "end": "13:00"}]}}`,
		"a slot ends after start": `{"monday": {"isOpen": true, "slots": [{"start": "13:00", "end": "09:00"}]}}`,
		"slots do not overlap":    `{"monday": {"isOpen": true, "slots": [{"start": "09:00", "end": "13:00"}, {"start": "12:00", "end": "14:00"}]}}`,
	} {
		t.Run(rule, func(t *testing.T) { w.fails(t, w.owner, "23514", save, w.shop, broken) })
	}
	tx := w.as(t, w.owner)
	if _, err := tx.Exec(t.Context(), save, w.shop, week); err != nil {
		t.Fatal(err)
	}
	got := queryText(t, tx, `select count(*) filter (where is_open) || ' of ' || count(*) from public.business_availability where business_id = $1`, w.shop)
	got += queryText(t, tx, `select ', ' || string_agg(blackout_date::text, ' ' order by blackout_date) from public.blackout_dates where business_id = $1`, w.shop)
	if want := "1 of 7, 2030-01-06 2030-12-25"; got != want {
		t.Errorf("saved %q, want %q", got, want)
	}
}
