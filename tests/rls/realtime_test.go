package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who may listen and send on the private channels. The policies are checked as the server does:
// by a message with the topic.
func TestPrivateChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conversation := "conversation:" + w.text(t, `select conversation_id::text from public.messages where id = $1`, w.bensMessage)
	for _, c := range []struct {
		who                 caller
		topic, extension    string
		mayReceive, maySend bool
	}{
		{anon, "slots:" + w.shop, "broadcast", true, false},
		{w.ana, "slots:" + w.shop, "broadcast", true, false},
		{w.owner, "slots:" + w.shop, "broadcast", true, false},
		{anon, "slots:" + w.shop, "presence", false, false},
		{w.ben, conversation, "broadcast", true, true},
		{w.owner, conversation, "broadcast", true, true},
		{w.ben, conversation, "presence", false, false},
		{w.ana, conversation, "broadcast", false, false},
		{w.ada, conversation, "broadcast", false, false},
		{anon, conversation, "broadcast", false, false},
		{w.ben, conversation + "x", "broadcast", false, false},
		{w.ben, "conversation:", "broadcast", false, false},
		{w.ben, "anything", "broadcast", false, false},
	} {
		w.exec(t, `insert into realtime.messages (topic, extension) values ($1, $2)`, c.topic, c.extension)
		w.exec(t, `select set_config('realtime.topic', $1, true)`, c.topic)
		const received = `select count(*)::text from realtime.messages where topic = $1 and extension = $2`
		if got := w.ask(t, c.who, received, c.topic, c.extension) != "0"; got != c.mayReceive {
			t.Errorf("%s may receive %s on %s: %t", c.who.name, c.extension, c.topic, got)
		}
		tx := w.as(t, c.who)
		_, err := tx.Exec(t.Context(), `insert into realtime.messages (topic, extension) values ($1, $2)`, c.topic, c.extension)
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := err == nil; got != c.maySend {
			t.Errorf("%s may send %s on %s: %t, %v", c.who.name, c.extension, c.topic, got, err)
		}
	}
}

// A broadcast tells the page of a business when times are taken or free again, and nothing else.
func TestSlotChangesAreBroadcast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	broadcasts := func() string {
		return w.text(t, `select coalesce(string_agg((payload ->> 'date')::date - current_date || ' ' || private, ',' order by payload ->> 'date'), '')
			from realtime.messages where topic = 'slots:' || $1 and event = 'slots'`, w.shop)
	}
	var got []string
	for _, sql := range []string{
		`update public.bookings set notes = 'Changed' where id = $1`,
		`update public.bookings set status = 'confirmed' where id = $1`,
		`update public.bookings set booking_date = booking_date + 1 where id = $1`,
		`update public.bookings set status = 'cancelled', cancel_kind = 'customer' where id = $1`,
		`update public.bookings set notes = 'Again' where id = $1`,
		`update public.bookings set status = 'pending', cancel_kind = null where id = $1`,
		`delete from public.bookings where id = $1`,
	} {
		w.exec(t, `delete from realtime.messages`)
		w.exec(t, sql, w.bensBooking)
		got = append(got, broadcasts())
	}
	w.exec(t, `delete from realtime.messages`)
	w.do(t, w.ana, `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time) values ($1, $2, $3, current_date + 9, '11:00')`, w.shop, w.ana.id, w.haircut)
	got = append(got, broadcasts())
	if diff := cmp.Diff([]string{"", "", "7 true,8 true", "8 true", "", "8 true", "8 true", "9 true"}, got); diff != "" {
		t.Errorf("broadcasts (-want +got):\n%s", diff)
	}
}

// Only what filters need leaves the database.
func TestPublishedColumns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.text(t, `select string_agg(tablename || ': ' || attnames::text, ' ' order by tablename) from pg_publication_tables where pubname = 'supabase_realtime'`)
	want := "bookings: {id,business_id,user_id} claim_requests: {id} messages: {id,sender_id,recipient_id} notifications: {id,user_id}" +
		" reports: {id} seller_applications: {id} support_tickets: {id}"
	if got != want {
		t.Errorf("published:\n%s\nwant:\n%s", got, want)
	}
}
