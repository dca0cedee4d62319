package rls

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// BOOK-18: a request is declined with a reason, which the customer can read; who ended a booking is
// stored.
func TestCancellationReasons(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cancel = `select public.cancel_booking($1, $2)`
	w.fails(t, w.owner, "reason_required", cancel, w.bensBooking, nil)
	w.fails(t, w.owner, "reason_required", cancel, w.bensBooking, "  ")
	w.fails(t, w.ada, "reason_required", cancel, w.bensBooking, "")
	w.fails(t, w.ben, "", cancel, w.bensBooking, nil)
	long := w.text(t, `select repeat('x', 501)`)
	w.fails(t, w.owner, "reason_too_long", cancel, w.bensBooking, long)
	w.fails(t, w.ben, "reason_too_long", cancel, w.bensBooking, long)
	w.fails(t, w.rival, "booking_not_found", cancel, w.bensBooking, "Mine")
	w.fails(t, anon, "42501", cancel, w.bensBooking, "Mine")

	const ended = `select concat_ws(' ', b.status, b.cancel_kind, b.cancel_reason) from public.cancel_booking($1, ' Fully booked ') b`
	for _, tt := range []struct {
		who          caller
		status, want string
	}{
		{w.owner, "pending", "cancelled declined Fully booked"},
		{w.ada, "pending", "cancelled declined Fully booked"},
		{w.owner, "confirmed", "cancelled business Fully booked"},
		{w.ben, "pending", "cancelled customer Fully booked"},
		{w.ben, "confirmed", "cancelled customer Fully booked"},
	} {
		w.exec(t, `update public.bookings set status = $2 where id = $1`, w.bensBooking, tt.status)
		if got := w.ask(t, tt.who, ended, w.bensBooking); got != tt.want {
			t.Errorf("%s cancels a %s booking: %q, want %q", tt.who.name, tt.status, got, tt.want)
		}
	}
}

// BOOK-18: the business marks a no-show after the start, and can correct it.
func TestNoShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const miss = `select public.mark_no_show($1)`
	w.fails(t, w.owner, "status_not_allowed", miss, w.bensBooking)
	w.exec(t, `update public.bookings set status = 'confirmed' where id = $1`, w.bensBooking)
	w.fails(t, w.owner, "booking_not_started", miss, w.bensBooking)
	w.exec(t, `update public.bookings set booking_date = current_date - 3 where id = $1`, w.bensBooking)
	w.fails(t, w.owner, "", miss, w.bensBooking)
	w.fails(t, w.ada, "", miss, w.bensBooking)
	w.fails(t, w.ben, "status_not_allowed", miss, w.bensBooking)
	w.fails(t, w.rival, "booking_not_found", miss, w.bensBooking)
	w.fails(t, anon, "42501", miss, w.bensBooking)

	tx := w.as(t, w.owner)
	for _, want := range []string{"cancelled no_show", "cancelled no_show"} {
		if got := queryText(t, tx, `select concat_ws(' ', b.status, b.cancel_kind) from public.mark_no_show($1) b`, w.bensBooking); got != want {
			t.Errorf("a no-show is %q, want %q", got, want)
		}
	}
	if got := queryText(t, tx, `select concat_ws(' ', b.status, b.cancel_kind) from public.set_booking_status($1, 'completed') b`, w.bensBooking); got != "completed" {
		t.Errorf("put right it is %q", got)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.exec(t, `update public.bookings set status = 'cancelled', cancel_kind = 'customer' where id = $1`, w.bensBooking)
	w.fails(t, w.owner, "status_not_allowed", `select public.set_booking_status($1, 'completed')`, w.bensBooking)
}

// BOOK-18: an unanswered request expires at its start; both sides are notified.
func TestRequestsExpire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const expire = `select private.expire_booking()::text`
	if got := w.ask(t, service, expire); got != "false" {
		t.Errorf("a request of next week expired: %s", got)
	}
	for _, who := range []caller{anon, w.owner, w.ada} {
		w.fails(t, who, "42501", expire)
	}
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, current_date - 2, '10:00', 'confirmed')`, w.shop, w.ana.id, w.haircut)
	w.exec(t, `update public.bookings set booking_date = current_date - 1 where id = $1`, w.bensBooking)
	tx := w.as(t, service)
	if got := list(t, tx, expire); !cmp.Equal(got, []string{"true"}) {
		t.Errorf("an overdue request did not expire: %s", got)
	}
	if got := queryText(t, tx, expire); got != "false" {
		t.Errorf("something else expired: %s", got)
	}
	if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
		t.Fatal(err)
	}
	if got := queryText(t, tx, `select concat_ws(' ', status, cancel_kind) from public.bookings where id = $1`, w.bensBooking); got != "cancelled expired" {
		t.Errorf("it is %q", got)
	}
	notified := list(t, tx, `select concat_ws(' ', p.full_name, n.link) from public.notifications n join public.profiles p on p.id = n.user_id
		where n.title like '%expired%' or n.title like '%did not answer in time' order by 1`)
	if diff := cmp.Diff([]string{"ben /bookings?view=past", "owner /business/" + w.shop + "/bookings?booking=" + w.bensBooking}, notified); diff != "" {
		t.Errorf("notified (-want +got):\n%s", diff)
	}
}

// BOOK-15: a business without an owner accepts no requests and offers no slots.
func TestBusinessWithoutOwnerTakesNoBookings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cut := w.text(t, `insert into public.services (business_id, name, price, duration) values ($1, 'Haircut', 20, 60) returning id::text`, w.unclaimed)
	w.fails(t, w.ana, "business_without_owner", book, w.unclaimed, cut, 9, "10:30")
	w.fails(t, w.ada, "business_without_owner", book, w.unclaimed, cut, 9, "10:30")
	if got := w.ask(t, anon, `select string_agg(distinct reason, ' ') from public.booking_slots($1, $2, current_date + 7)`, w.unclaimed, cut); got != "unavailable" {
		t.Errorf("slots are %q", got)
	}
	if got := w.ask(t, anon, `select count(*)::text from public.next_free_slot($1, $2)`, w.unclaimed, cut); got != "0" {
		t.Errorf("%s free slots", got)
	}
}

const walkIn = `select public.add_walk_in($1, $2, current_date + $3::integer, $4::time, $5, $6)`

// BOOK-18: a booking entered by the business takes its slot; only the business can enter one.
func TestWalkIns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		rule        string
		who         caller
		service     string
		days        int
		start       string
		name, phone any
		want        string
	}{
		{"a free slot", w.owner, w.haircut, 7, "11:00", "Pau", "600 111 222", ""},
		{"by an admin", w.ada, w.haircut, 7, "11:00", "Pau", nil, ""},
		{"off the grid of customers", w.owner, w.haircut, 7, "19:10", "Pau", nil, ""},
		{"BOOK-09 ben has it", w.owner, w.haircut, 7, "10:30", "Pau", nil, "23P01"},
		{"another's business", w.rival, w.haircut, 7, "11:00", "Pau", nil, "not_your_business"},
		{"a customer", w.ben, w.haircut, 7, "11:00", "Pau", nil, "not_your_business"},
		{"nobody", anon, w.haircut, 7, "11:00", "Pau", nil, "42501"},
		{"another's service", w.owner, w.rivalService, 7, "11:00", "Pau", nil, "service_of_another_business"},
		{"yesterday", w.owner, w.haircut, -2, "11:00", "Pau", nil, "booking_in_past"},
		{"too far ahead", w.owner, w.haircut, 800, "11:00", "Pau", nil, "booking_too_far_ahead"},
		{"past midnight", w.owner, w.haircut, 7, "23:30", "Pau", nil, "business_closed"},
		{"no time", w.owner, w.haircut, 7, "", "Pau", nil, "22007"},
		{"no name", w.owner, w.haircut, 7, "11:00", " ", nil, "23514"},
		{"no name at all", w.owner, w.haircut, 7, "11:00", nil, nil, "23514"},
		{"a huge name", w.owner, w.haircut, 7, "11:00", w.text(t, `select repeat('x', 101)`), nil, "23514"},
		{"a huge number", w.owner, w.haircut, 7, "11:00", "Pau", w.text(t, `select repeat('6', 31)`), "23514"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			w.fails(t, tt.who, tt.want, walkIn, w.shop, tt.service, tt.days, tt.start, tt.name, tt.phone)
		})
	}
	w.fails(t, w.owner, "not_your_business", walkIn, nil, w.haircut, 7, "11:00", "Pau", nil)

	tx := w.as(t, w.owner)
	got := queryText(t, tx, `select concat_ws(' ', b.status, b.source, b.user_id is null, b.customer_name, b.customer_phone, b.end_time)
		from public.add_walk_in($1, $2, current_date + 7, '11:00', ' Pau ', '600 111 222') b`, w.shop, w.haircut)
	if want := "confirmed business t Pau 600 111 222 12:00:00"; got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
	reasons := queryText(t, tx, `select reason from public.booking_slots($1, $2, current_date + 7) where start_time = '11:00'`, w.shop, w.haircut)
	if reasons != "taken" {
		t.Errorf("its slot is %q to customers", reasons)
	}
}

const (
	propose = `select public.propose_booking_time($1, current_date + $2::integer, $3::time)`
	answer  = `select public.answer_booking_time($1, $2, current_date + $3::integer, $4::time)`
)

// BOOK-18: either side can propose another time, under its own rules.
func TestProposeTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, current_date + 8, '12:00', 'confirmed')`, w.shop, w.ana.id, w.haircut)
	for _, tt := range []struct {
		rule  string
		who   caller
		days  int
		start string
		want  string
	}{
		{"by the customer", w.ben, 8, "13:00", ""},
		{"by the business", w.owner, 8, "19:10", ""},
		{"over its own time", w.ben, 7, "10:30", ""},
		{"over its own time, by the business", w.owner, 7, "10:15", ""},
		{"C-36 a customer keeps to the grid", w.ben, 8, "13:10", "time_not_offered"},
		{"C-36 a customer keeps to blackout dates", w.ben, 90, "13:00", "time_not_offered"},
		{"the same time", w.ben, 7, "10:00", "same_time"},
		{"BOOK-09 ana has it", w.ben, 8, "11:30", "slot_taken"},
		{"BOOK-09 ana has it, by the business", w.owner, 8, "12:30", "slot_taken"},
		{"BOOK-14 not before now", w.owner, -1, "13:00", "booking_in_past"},
		{"too far ahead", w.owner, 800, "13:00", "booking_too_far_ahead"},
		{"past midnight", w.owner, 8, "23:30", "business_closed"},
		{"another customer", w.ana, 8, "13:00", "booking_not_found"},
		{"another owner", w.rival, 8, "13:00", "booking_not_found"},
		{"nobody", anon, 8, "13:00", "42501"},
	} {
		t.Run(tt.rule, func(t *testing.T) { w.fails(t, tt.who, tt.want, propose, w.bensBooking, tt.days, tt.start) })
	}
	// The same proposal again is none.
	w.do(t, w.ben, propose, w.bensBooking, 8, "13:00")
	const told = `select count(*)::text from public.notifications where user_id = $1 and title = 'A customer asks for another time'`
	before := w.text(t, told, w.owner.id)
	w.do(t, w.ben, propose, w.bensBooking, 8, "13:00")
	if after := w.text(t, told, w.owner.id); before != "1" || after != before {
		t.Errorf("%s notifications, after the same again %s", before, after)
	}
	// Nor may one side make the other's notifications overflow.
	for n := range 9 {
		w.do(t, w.ben, propose, w.bensBooking, 8, []string{"14:00", "13:00"}[n%2])
	}
	w.fails(t, w.ben, "too_many_proposals", propose, w.bensBooking, 8, "13:00")
	w.fails(t, w.owner, "", propose, w.bensBooking, 8, "15:00")
	w.fails(t, w.ben, "time_required", `select public.propose_booking_time($1, null, null)`, w.bensBooking)
	w.fails(t, w.ben, "booking_over", propose, w.bensVisit, 8, "13:00")
}

// BOOK-18: the other side accepts; the exclusion constraint decides whether the time is still free.
func TestAnswerProposedTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const proposed = `update public.bookings set proposed_date = current_date + 8, proposed_start = '13:00', proposed_by = $2 where id = $1`
	w.fails(t, w.owner, "proposal_changed", answer, w.bensBooking, true, 8, "13:00")
	for _, tt := range []struct {
		by     string
		who    caller
		accept bool
		start  string
		want   string
	}{
		{"business", w.ben, true, "13:00", ""},
		{"business", w.ben, false, "13:00", ""},
		{"business", w.owner, false, "13:00", ""},
		{"business", w.owner, true, "13:00", "own_proposal"},
		{"business", w.ben, true, "14:00", "proposal_changed"},
		{"business", w.ana, true, "13:00", "booking_not_found"},
		{"business", anon, true, "13:00", "42501"},
		{"customer", w.owner, true, "13:00", ""},
		{"customer", w.ada, true, "13:00", ""},
		{"customer", w.ben, true, "13:00", "own_proposal"},
		{"customer", w.ben, false, "13:00", ""},
		{"customer", w.rival, true, "13:00", "booking_not_found"},
	} {
		w.exec(t, proposed, w.bensBooking, tt.by)
		t.Run("of the "+tt.by, func(t *testing.T) { w.fails(t, tt.who, tt.want, answer, w.bensBooking, tt.accept, 8, tt.start) })
	}

	w.exec(t, proposed, w.bensBooking, "business")
	const after = `select concat_ws(' ', b.status, b.booking_date - current_date, b.start_time, b.end_time, b.proposed_by)
		from public.answer_booking_time($1, $2, current_date + 8, '13:00') b`
	if got := w.ask(t, w.ben, after, w.bensBooking, true); got != "confirmed 8 13:00:00 14:00:00" {
		t.Errorf("accepted it is %q", got)
	}
	if got := w.ask(t, w.ben, after, w.bensBooking, false); got != "pending 7 10:00:00 11:00:00" {
		t.Errorf("refused it is %q", got)
	}
	w.exec(t, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, current_date + 8, '12:30', 'pending')`, w.shop, w.ana.id, w.haircut)
	w.fails(t, w.ben, "23P01", answer, w.bensBooking, true, 8, "13:00")
	w.fails(t, w.ben, "", answer, w.bensBooking, false, 8, "13:00")
}

// BOOK-18: the new time of a walk-in customer needs no acceptance.
func TestWalkInIsMovedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.owner)
	id := queryText(t, tx, `select b.id::text from public.add_walk_in($1, $2, current_date + 7, '11:00', 'Pau') b`, w.shop, w.haircut)
	got := queryText(t, tx, `select concat_ws(' ', b.status, b.start_time, b.end_time, b.proposed_by)
		from public.propose_booking_time($1, current_date + 7, '12:00') b`, id)
	if got != "confirmed 12:00:00 13:00:00" {
		t.Errorf("it is %q", got)
	}
}

// shortTime matches a formatted time: 'Wed 25 Nov, 11:00'.
var shortTime = regexp.MustCompile(`: [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d`)

// NOTIF-05, S-30: the notifications of each side about a booking, and their links.
func TestBookingNotificationsLinkToTheBooking(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	desk := "/business/" + w.shop + "/bookings?booking=" + w.bensBooking
	for _, tt := range []struct {
		event      string
		who        caller
		sql        string
		notified   caller
		title, ref string
	}{
		{"accepted", w.owner, `select public.set_booking_status($1, 'confirmed')`, w.ben, "confirmed your booking", "/bookings"},
		{"declined", w.owner, `select public.cancel_booking($1, 'Full')`, w.ben, "declined your booking", "/bookings?view=past"},
		{"withdrawn", w.ben, `select public.cancel_booking($1)`, w.owner, "A booking was cancelled", desk},
		{"moved by the business", w.owner, `select public.propose_booking_time($1, current_date + 8, '13:00')`, w.ben, "proposes another time", "/bookings"},
		{"moved by the customer", w.ben, `select public.propose_booking_time($1, current_date + 8, '13:00')`, w.owner, "A customer asks for another time", desk},
	} {
		t.Run(tt.event, func(t *testing.T) {
			tx := w.as(t, tt.who)
			if _, err := tx.Exec(t.Context(), tt.sql, w.bensBooking); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
				t.Fatal(err)
			}
			got := queryText(t, tx, `select string_agg(link, ' ') from public.notifications where user_id = $1 and title like '%' || $2`, tt.notified.id, tt.title)
			if got != tt.ref {
				t.Errorf("the notification of %s links to %q, want %q", tt.notified.name, got, tt.ref)
			}
			content := queryText(t, tx, `select string_agg(content, ' ') from public.notifications where user_id = $1 and title like '%' || $2`, tt.notified.id, tt.title)
			if !shortTime.MatchString(content) {
				t.Errorf("%q contains no formatted day", content)
			}
		})
	}
	w.exec(t, `delete from public.businesses where id = $1`, w.shop)
	if got := w.text(t, `select cancel_kind from public.bookings where id = $1`, w.bensBooking); got != "business" {
		t.Errorf("the booking of a deleted business was ended by %q", got)
	}
}
