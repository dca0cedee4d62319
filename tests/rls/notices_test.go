package rls

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func noticeAccess(w *world) []access {
	bens := rowWhere("ben's setting", "notification_settings", "user_id", w.ben.id)
	setting := func(name string, whose caller) row {
		return newRow(name, "notification_settings", "(user_id, kind, by_mail) values ('%s', 'message_unread', false)", whose.id)
	}
	return []access{
		{w.ben, "select", bens, allowed},
		{w.ben, "update by_mail = true", bens, allowed},
		{w.ana, "select", bens, hidden},
		{w.ana, "update by_mail = true", bens, hidden},
		{w.ada, "select", bens, hidden},
		{anon, "select", bens, refused},
		{w.ben, "delete", bens, refused},
		{w.ana, "insert", setting("an own setting", w.ana), allowed},
		{w.ana, "insert", setting("a setting of ben's", w.ben), refused},
		{anon, "insert", setting("a setting of ben's", w.ben), refused},
	}
}

// mails lists the mails queued for a user since the last call: kind, subject and text.
func (w *world) mails(t *testing.T, who caller) []string {
	t.Helper()
	found := list(t, w.tx, `delete from private.mail_outbox where user_id = $1 and kind <> 'booking_reminder'
		returning kind || ': ' || subject || ' | ' || content || ' | ' || link`, who.id)
	for i := range found {
		for id, name := range map[string]string{w.shop: "SHOP", w.bensBooking: "BOOKING"} {
			found[i] = strings.ReplaceAll(found[i], id, name)
		}
		found[i] = strings.ReplaceAll(found[i], w.text(t, `select name from public.businesses where id = $1`, w.shop), "Shop")
	}
	return found
}

func (w *world) isMailed(t *testing.T, who caller, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), w.mails(t, who)); diff != "" {
		t.Errorf("mails to %s (-want +got):\n%s", who.name, diff)
	}
}

// Each change of a booking is mailed to the other side, once.
func TestBookingsAreMailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const status = `select public.set_booking_status($1, $2, $3)`
	const propose, answer = `select public.propose_booking_time($1, '2100-03-10', $2)`, `select public.answer_booking_time($1, $2, '2100-03-10', $3)`
	const again = `update public.bookings set status = $2, cancel_kind = null, cancel_reason = null, booking_date = '2100-03-09', start_time = '10:00',
		end_time = '11:00' where id = $1`
	const visit, moved = "Haircut on Tuesday 9 March 2100 at 10:00 (Madrid time)", "Haircut on Wednesday 10 March 2100 at 12:00 (Madrid time)"
	begin := func(state string) {
		t.Helper()
		w.exec(t, `set plaza.seeding = on`)
		w.exec(t, again, w.bensBooking, state)
		w.exec(t, `set plaza.seeding = off`)
		w.exec(t, `delete from private.mail_outbox`)
	}
	// Within 730 days, whenever the test runs.
	w.exec(t, `create or replace function private.check_new_time(booking public.bookings, p_date date, p_start time, by_business boolean) returns void language sql as $$ $$`)

	begin("pending")
	w.do(t, w.ben, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time)
		values ($1, $2, $3, current_date + 9, '12:00')`, w.shop, w.ben.id, w.haircut)
	mails := w.mails(t, w.owner)
	if len(mails) != 1 || !strings.HasPrefix(mails[0], "booking_asked: New booking request for Shop | ben asks for Haircut on ") ||
		!strings.Contains(mails[0], " at 12:00 (Madrid time). | /business/SHOP/bookings?booking=") {
		t.Errorf("a request is mailed as %q", mails)
	}
	w.isMailed(t, w.ben)

	for _, tt := range []struct {
		name, from string
		who        caller
		to, reason string
		customer   []string
		owner      []string
	}{
		{"confirmed", "pending", w.owner, "confirmed", "",
			[]string{"booking_answered: Shop confirmed your booking | " + visit + ". | /bookings"}, nil},
		{"declined", "pending", w.owner, "cancelled", "Full",
			[]string{"booking_answered: Shop declined your booking | " + visit + ".\n\nReason: Full | /bookings?view=past"}, nil},
		{"cancelled by the business", "confirmed", w.owner, "cancelled", "",
			[]string{"booking_answered: Shop cancelled your booking | " + visit + ". | /bookings?view=past"}, nil},
		{"cancelled by the customer", "confirmed", w.ben, "cancelled", "Ill", nil,
			[]string{"booking_answered: A booking at Shop was cancelled | ben cancelled: " + visit + ".\n\nReason: Ill | /business/SHOP/bookings?booking=BOOKING"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			begin(tt.from)
			w.do(t, tt.who, status, w.bensBooking, tt.to, tt.reason)
			w.isMailed(t, w.ben, tt.customer...)
			w.isMailed(t, w.owner, tt.owner...)
		})
	}

	begin("pending")
	w.do(t, w.owner, propose, w.bensBooking, "12:00")
	w.isMailed(t, w.ben, "booking_changed: Shop proposes another time | Haircut on Wednesday 10 March 2100 at 12:00 (Madrid time), instead of "+
		"Tuesday 9 March 2100 at 10:00 (Madrid time). | /bookings")
	w.do(t, w.ben, answer, w.bensBooking, true, "12:00")
	w.isMailed(t, w.owner, "booking_changed: A customer of Shop accepted the other time | ben now comes for "+moved+". | /business/SHOP/bookings?booking=BOOKING")
	w.isMailed(t, w.ben)

	begin("pending")
	w.do(t, w.ben, propose, w.bensBooking, "12:00")
	w.isMailed(t, w.owner, "booking_changed: A customer of Shop asks for another time | ben asks for Haircut on Wednesday 10 March 2100 at 12:00 (Madrid time), "+
		"instead of Tuesday 9 March 2100 at 10:00 (Madrid time). | /business/SHOP/bookings?booking=BOOKING")
	w.do(t, w.owner, answer, w.bensBooking, true, "12:00")
	w.isMailed(t, w.ben, "booking_changed: Shop moved your booking | It is confirmed: "+moved+". | /bookings")
	w.isMailed(t, w.owner)

	begin("confirmed")
	w.do(t, w.ben, propose, w.bensBooking, "12:00")
	w.mails(t, w.owner)
	w.do(t, w.owner, answer, w.bensBooking, false, "12:00")
	w.isMailed(t, w.ben, "booking_changed: Shop cannot take the other time | Your booking stays as it was: "+visit+". | /bookings")
	w.do(t, w.owner, propose, w.bensBooking, "13:00")
	w.mails(t, w.ben)
	w.do(t, w.ben, answer, w.bensBooking, false, "13:00")
	w.isMailed(t, w.owner, "booking_changed: A customer of Shop refused the other time | ben keeps "+visit+". | /business/SHOP/bookings?booking=BOOKING")
	w.do(t, w.owner, propose, w.bensBooking, "14:00")
	w.mails(t, w.ben)
	w.do(t, w.owner, answer, w.bensBooking, false, "14:00") // withdrawn
	w.isMailed(t, w.ben)
	w.isMailed(t, w.owner)

	begin("pending")
	w.exec(t, `update public.bookings set booking_date = '2020-03-10' where id = $1`, w.bensBooking)
	w.mails(t, w.ben)
	w.exec(t, `select private.expire_booking()`)
	w.isMailed(t, w.ben, "booking_answered: Shop did not answer in time | Your request has expired: "+
		"Haircut on Tuesday 10 March 2020 at 10:00 (Madrid time). | /bookings?view=past")
	w.isMailed(t, w.owner)
}

// A review is requested by mail an hour after a visit, once per business.
func TestReviewInvitationMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from private.mail_outbox`)
	const visited = `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, current_date - $4::integer, '12:00', 'confirmed') returning id::text`
	for day := range 2 {
		booking := w.text(t, visited, w.shop, w.ana.id, w.haircut, day+1)
		w.do(t, w.owner, `select public.set_booking_status($1, 'completed')`, booking)
	}
	const queued = `select string_agg(concat_ws(' ', kind, due_at = now() + interval '1 hour', private.is_mail_wanted(m)), ', ') from private.mail_outbox m where user_id = $1`
	if got := w.text(t, queued, w.ana.id); got != "review_asked t t" {
		t.Errorf("queued: %q", got)
	}
	w.exec(t, `insert into public.reviews (business_id, user_id, rating) values ($1, $2, 5)`, w.shop, w.ana.id)
	if got := w.text(t, queued, w.ana.id); got != "review_asked t f" {
		t.Errorf("after a review: %q", got)
	}
}

// A reminder is sent a day before, at the same local time of the business; it follows changes of
// the booking.
func TestReminders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const reminders = `select coalesce(string_agg(to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), ', ' order by due_at), 'none')
		from private.mail_outbox where booking_id = $1 and kind = 'booking_reminder'`
	const move = `update public.bookings set status = 'confirmed', booking_date = $2, time_zone = $3 where id = $1`
	for _, tt := range []struct{ date, zone, want string }{
		{"2100-03-27", "Europe/Madrid", "2100-03-26 09:00"},
		{"2100-03-28", "Europe/Madrid", "2100-03-27 09:00"}, // the clock goes forward in the night between
		{"2100-03-29", "Europe/Madrid", "2100-03-28 08:00"},
		{"2100-03-27", "Atlantic/Canary", "2100-03-26 10:00"},
		{"2020-03-27", "Europe/Madrid", "none"},
	} {
		w.exec(t, move, w.bensBooking, tt.date, tt.zone)
		if got := w.text(t, reminders, w.bensBooking); got != tt.want {
			t.Errorf("a visit on %s in %s: %s, want %s", tt.date, tt.zone, got, tt.want)
		}
	}
	w.exec(t, move, w.bensBooking, "2100-03-27", "Europe/Madrid")
	w.do(t, w.ben, `select public.cancel_booking($1, null)`, w.bensBooking)
	if got := w.text(t, reminders, w.bensBooking); got != "none" {
		t.Errorf("of a cancelled booking: %s", got)
	}
	w.exec(t, `update public.bookings set status = 'confirmed', cancel_kind = null, booking_date = (now() at time zone 'Europe/Madrid')::date where id = $1`, w.bensBooking)
	if got := w.text(t, reminders, w.bensBooking); got != "none" {
		t.Errorf("of a booking of the same day: %s", got)
	}
}

// One mail is sent per conversation until its recipient has read it.
func TestUnreadMessagesAreMailedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from private.mail_outbox`)
	const write = `insert into public.messages (sender_id, recipient_id, business_id, content) values ($1, $2, $3, $4)`
	const queued = `select coalesce(string_agg(concat_ws(' ', m.kind, m.due_at = now() + interval '1 hour', private.is_mail_wanted(m)), ', ' order by m.created_at, x.read desc), 'none')
		from private.mail_outbox m join public.messages x on x.id = m.message_id where m.user_id = $1`
	for _, text := range []string{"Hello", "Are you there?"} {
		w.do(t, w.ana, write, w.ana.id, w.owner.id, w.shop, text)
	}
	if got := w.text(t, queued, w.owner.id); got != "message_unread t t" {
		t.Errorf("after two messages: %s", got)
	}
	w.do(t, w.owner, `select public.mark_conversation_read((select id from public.conversations where customer_id = $1))`, w.ana.id)
	if got := w.text(t, queued, w.owner.id); got != "message_unread t f" {
		t.Errorf("once they are read: %s", got)
	}
	w.do(t, w.ana, write, w.ana.id, w.owner.id, w.shop, "Thanks")
	if got := w.text(t, queued, w.owner.id); got != "message_unread t f, message_unread t t" {
		t.Errorf("after one more: %s", got)
	}
	w.do(t, w.owner, `select public.block_conversation((select id from public.conversations where customer_id = $1), true)`, w.ana.id)
	if got := w.text(t, queued, w.owner.id); got != "message_unread t f, message_unread t f" {
		t.Errorf("once it is blocked: %s", got)
	}
}

// No mail is sent to users who cannot get it, do not want it, or caused the event themselves.
func TestMailRecipients(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"":                    `select $1::uuid`,
		"unconfirmed address": `update auth.users set email_confirmed_at = null where id = $1`,
		"no address":          `update auth.users set email = null, phone = '34600000000' where id = $1`,
		"banned":              `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
		"deleted":             `update auth.users set deleted_at = now() where id = $1`,
		"switched off":        `insert into public.notification_settings (user_id, kind, by_mail) values ($1, 'booking_answered', false)`,
		"unsubscribed":        `select private.unsubscribe($1, 'booking_answered')`,
		"seeding":             `select set_config('plaza.seeding', 'on', true), $1::uuid`,
		"mailed too much today": `insert into private.mail_outbox (event, user_id, kind, subject, content, action, link, due_at, expires_at)
			select 'test.' || n, $1, 'review_asked', 'x', 'x', 'x', '/', now(), now() from generate_series(1, 200) n`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.exec(t, change, w.ben.id)
			w.exec(t, `update public.bookings set status = 'confirmed' where id = $1`, w.bensBooking)
			got := w.text(t, `select count(*) from private.mail_outbox where user_id = $1 and kind = 'booking_answered'`, w.ben.id)
			if want := map[bool]string{true: "1", false: "0"}[name == ""]; got != want {
				t.Errorf("%s mails, want %s", got, want)
			}
		})
	}
}

// Neither repeated events nor a single active user can fill the outbox.
func TestMailLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from private.mail_outbox`)
	const queue = `select private.queue_mail($1, $2, 'booking_changed', E'Two\nlines', 'Text', 'See', '/bookings', $3)`
	for range 2 {
		w.exec(t, queue, "test", w.ben.id, w.bensBooking)
	}
	if got := w.text(t, `select string_agg(subject, ', ') from private.mail_outbox`); got != "Two lines" {
		t.Errorf("queued: %q", got)
	}
	for n := range 30 {
		w.exec(t, queue, "test"+strings.Repeat("x", n+1), w.ben.id, w.bensBooking)
	}
	if got := w.text(t, `select count(*) from private.mail_outbox`); got != "20" {
		t.Errorf("%s mails of one booking", got)
	}
}

// Only the server claims mails, each once; a recorded result is not changed later.
func TestClaimingMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from private.mail_outbox`)
	const claim = `select coalesce(string_agg(mail_subject || ' to ' || recipient, ', '), 'none') from private.claim_mail()`
	for _, who := range []caller{anon, w.ada} {
		w.fails(t, who, "42501", claim)
		w.fails(t, who, "42501", `select private.finish_mail(gen_random_uuid(), 'sent')`)
		w.fails(t, who, "42501", `select private.unsubscribe($1, 'message_unread')`, w.ben.id)
		w.fails(t, who, "42501", `select from private.mail_outbox`)
	}
	w.fails(t, service, "42501", `select from private.mail_outbox`)

	const queue = `insert into private.mail_outbox (event, user_id, kind, subject, content, action, link, due_at, expires_at)
		values ($1, $2, 'booking_changed', $1, 'Text', 'See', '/', now() + $3::interval, now() + $4::interval)`
	w.exec(t, queue, "later", w.ben.id, "1 hour", "2 hours")
	w.exec(t, queue, "late", w.ben.id, "-1 hour", "-1 minute")
	w.exec(t, queue, "unwanted", w.ana.id, "-1 hour", "1 hour")
	w.exec(t, `select private.unsubscribe($1, 'booking_changed')`, w.ana.id)
	w.exec(t, queue, "due", w.ben.id, "-1 minute", "1 hour")
	for _, want := range []string{"due to " + w.ben.id, "none"} {
		if got := w.text(t, claim); got != want {
			t.Errorf("claimed %s, want %s", got, want)
		}
	}
	const states = `select string_agg(event || ' ' || state || ' ' || tries, ', ' order by event) from private.mail_outbox`
	const finish = `select private.finish_mail(id, $1, 'relay says so') from private.mail_outbox where event = 'due'`
	if got, want := w.text(t, states), "due sending 1, late expired 0, later waiting 0, unwanted unwanted 0"; got != want {
		t.Errorf("after a claim: %s, want %s", got, want)
	}
	if got := w.text(t, finish, "waiting"); got != "waiting" {
		t.Errorf("a mail to be tried again is %s", got)
	}
	if got := w.text(t, `select (due_at - now())::text from private.mail_outbox where event = 'due'`); got != "00:01:00" {
		t.Errorf("it is tried again in %s", got)
	}
	w.exec(t, `update private.mail_outbox set state = 'sending', tries = 8 where event = 'due'`)
	if got := w.text(t, finish, "waiting"); got != "failed" {
		t.Errorf("after eight tries it is %s", got)
	}
	if got := w.text(t, finish, "sent"); got != "" {
		t.Errorf("one that has failed becomes %s", got)
	}

	// A sender that died.
	w.exec(t, `update private.mail_outbox set state = 'sending', changed_at = now() - interval '9 minutes' where event = 'due'`)
	for _, tt := range []struct{ age, want string }{{"9 minutes", "0 sending"}, {"11 minutes", "1 uncertain"}} {
		w.exec(t, `update private.mail_outbox set changed_at = now() - $1::interval where event = 'due'`, tt.age)
		lost := w.text(t, `select private.sweep_mails()`)
		if got := lost + " " + w.text(t, `select state from private.mail_outbox where event = 'due'`); got != tt.want {
			t.Errorf("after %s: %s, want %s", tt.age, got, tt.want)
		}
	}
	if got := w.text(t, claim); got != "none" {
		t.Errorf("claimed once more: %s", got)
	}
	w.exec(t, `update private.mail_outbox set changed_at = now() - interval '91 days'`)
	w.exec(t, `select private.sweep_mails()`)
	if got := w.text(t, states); got != "later waiting 0" {
		t.Errorf("after 91 days: %s", got)
	}
}
