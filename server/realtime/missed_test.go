package realtime_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"plaza/server/realtime"
	"plaza/server/realtime/changes"
)

// After a gap all broadcasts from the database arrive, those of one transaction in order, even if there are many
// and even if they cannot be read at first. Earlier ones are not sent again, however long ago they were.
func TestBroadcastsAreComplete(t *testing.T) {
	t.Parallel()
	a := startChanges(t, everybody)
	const topic = "realtime:room"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join(topic, `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`)
	c.expect(system(topic, "system", "ok", "Replication connection established"))
	send := func(n int) { a.exec(t, fmt.Sprintf(`select realtime.send('{"n":%d}', 'e', 'room')`, n)) }
	send(1)
	expectStored(c, topic, `{"n":1}`)
	a.clock.Advance(3 * time.Minute)
	send(2)
	expectStored(c, topic, `{"n":2}`)
	a.clock.Advance(3 * time.Minute)
	a.exec(t, "revoke select on realtime.messages from supabase_realtime_admin")
	a.exec(t, "select pg_terminate_backend(active_pid) "+ownSlots)
	gaps := func() uint64 { return a.server.Stats().Changes.Gaps["lost"] }
	for end := time.Now().Add(testTimeout); gaps() < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d gaps", gaps())
		}
	}
	send(3)
	const many = 20_000
	a.exec(t, fmt.Sprintf(`select realtime.send(jsonb_build_object('n', n, 'text', repeat(n::text, 20)), 'e', 'room') from generate_series(4, %d) n`, many))
	a.exec(t, `insert into realtime.messages (topic, extension, event, private, payload) select 'other', 'broadcast', 'e', true, '{}' from generate_series(1, 10000)`)
	a.exec(t, "grant select on realtime.messages to supabase_realtime_admin")
	expectStored(c, topic, `{"n":3}`)
	c.expectNumbered(4, many)
	send(many + 1)
	expectStored(c, topic, fmt.Sprintf(`{"n":%d}`, many+1))
	c.expectNothing()
}

// expectNumbered expects broadcasts whose payloads begin with the member n, from first to last.
func (c *conn) expectNumbered(first, last int) {
	c.t.Helper()
	for n := first; n <= last; n++ {
		m := c.next()
		if start := fmt.Sprintf(`{"n":%d,`, n); !strings.HasPrefix(strings.ReplaceAll(m.payload, " ", ""), start) {
			c.t.Fatalf("got %.100s, want %s", m.payload, start)
		}
	}
}

// If the WAL was no longer read because nobody listened, a client that joins then does not receive the
// broadcasts of that time.
func TestBroadcastsWithoutListenersAreNotDelivered(t *testing.T) {
	t.Parallel()
	a := startWithin(t, everybody, changes.Limits{Check: 20 * time.Millisecond})
	const topic, ready = "realtime:room", `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`
	send := func(n int) { a.exec(t, fmt.Sprintf(`select realtime.send('{"n":%d}', 'e', 'room')`, n)) }
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	for n := range 2 {
		send(10 + n)
		c.join(topic, ready)
		c.expect(system(topic, "system", "ok", "Replication connection established"))
		send(n)
		expectStored(c, topic, fmt.Sprintf(`{"n":%d}`, n))
		ref := c.send(topic, "phx_leave", "{}")
		c.expectReply(topic, ref, "ok", "{}")
		c.next() // phx_close
		a.clock.Advance(11 * time.Minute)
		a.eventually(t, "select count(*) = 0 "+ownSlots)
	}
}

// A client that reads slowly gets all broadcasts of a large transaction, in order. If more broadcasts wait
// than are allowed, its channel ends with an error, and they are dropped.
func TestManyBroadcastsAtOnce(t *testing.T) {
	t.Parallel()
	a := start(t, everybody, func(c *realtime.Config) { c.Pool, c.Sockets.Write = 2, time.Hour }) // the client may read nothing for longer than the default
	a.run(t)
	const topic, count = "realtime:room", 8_000
	send := func(count int) {
		a.exec(t, fmt.Sprintf(`select realtime.send(jsonb_build_object('n', n, 'text', repeat('x', 1500)), 'e', 'room') from generate_series(1, %d) n`, count))
	}
	c, other := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	for _, c := range []*conn{c, other} {
		c.join(topic, `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`)
		c.expect(system(topic, "system", "ok", "Replication connection established"))
	}
	c.pause.Lock()
	send(count)
	other.expectNumbered(1, count)
	c.pause.Unlock()
	c.expectNumbered(1, count)

	c.pause.Lock()
	send(3 * count)
	other.expectNumbered(1, 3*count)
	c.pause.Unlock()
	for before := 0; ; before++ {
		if m := c.next(); m.event == "phx_error" {
			if m.payload != `{"reason":"changes were missed"}` || before < count/4 || before >= 2*count {
				t.Errorf("after %d: %+v", before, m)
			}
			break
		}
	}
	c.expectNothing()
}

// Where the WAL can be read, a transaction that sends many broadcasts does not keep a memory context for
// each: the trigger that notifies is disabled, also on new partitions.
func TestMemoryOfSending(t *testing.T) {
	t.Parallel()
	a := start(t, "drop table realtime.messages_"+time.Now().UTC().AddDate(0, 0, 1).Format("2006_01_02")+"; select realtime.renew_message_partitions()", nil)
	tx, err := a.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), `select realtime.send('{}', 'e', 'room') from generate_series(1, 1000)`); err != nil {
		t.Fatal(err)
	}
	var contexts, enabled int
	if err := tx.QueryRow(t.Context(), `select (select count(*) from pg_backend_memory_contexts where name = 'CurTransactionContext'),
		(select count(*) from pg_trigger where tgname = 'note_message' and tgenabled <> 'D')`).Scan(&contexts, &enabled); err != nil {
		t.Fatal(err)
	}
	if contexts > 10 || enabled > 0 {
		t.Errorf("%d memory contexts of subtransactions, %d triggers that notify", contexts, enabled)
	}
}
