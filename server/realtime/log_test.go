package realtime_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// RT-27: with many writers each change arrives once, in the order of commits. One statement has more
// changes than a queue holds.
func TestOrderAndCompleteness(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`create table log (id bigint generated always as identity primary key, writer int, n int, at bigint);
		create sequence commits; grant select on log to anon; alter publication supabase_realtime add table log;
		create function number() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); new.at := nextval('commits'); return new; end $$;
		create trigger number before insert on log for each row execute function number();`)
	entry := `{"event":"*","schema":"public","table":"log"}`
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:log", a.auth.Keys.Anon, entry, markEntry)
	const writers, each, bulk = 8, 500, 6000
	var writing sync.WaitGroup
	for writer := range writers {
		writing.Go(func() {
			for n := range each {
				end := "commit"
				if n%10 == 3 {
					end = "rollback"
				}
				sql := fmt.Sprintf(`begin; savepoint s; insert into log (writer, n) values (%d, -1); rollback to s; insert into log (writer, n) values (%d, %d); %s`, writer, writer, n, end)
				if _, err := a.db.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	a.exec(t, fmt.Sprintf(`insert into log (writer, n) select 99, n from generate_series(0, %d) n; insert into marks default values`, bulk-1))
	next, last := make(map[int]int), 0
	for {
		text := c.change()
		if strings.HasPrefix(text, "INSERT marks") {
			break
		}
		var at, id, n, writer int
		if _, err := fmt.Sscanf(text, `INSERT log {"at":%d,"id":%d,"n":%d,"writer":%d}`, &at, &id, &n, &writer); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if at <= last {
			t.Fatalf("number %d after %d", at, last)
		}
		last = at
		if writer != 99 && next[writer]%10 == 3 {
			next[writer]++
		}
		if n != next[writer] {
			t.Fatalf("writer %d: %d instead of %d", writer, n, next[writer])
		}
		next[writer]++
	}
	for writer := range writers {
		if next[writer] != each {
			t.Errorf("%d of writer %d", next[writer], writer)
		}
	}
	if next[99] != bulk {
		t.Errorf("%d of %d changes of one statement", next[99], bulk)
	}
}

// RT-28: when reading the WAL ends, subscribers to changes are notified. Broadcasts from the database
// are delivered when it is read again.
func TestGapsAreReported(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+everybody)
	const topic = "realtime:room"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:marks", a.auth.Keys.Anon, markEntry)
	c.join(topic, private)
	c.join("realtime:quiet", plain)
	a.settle(t, c)
	a.exec(t, `select realtime.send('{"n":1}', 'e', 'room')`)
	expectStored(c, topic, `{"n":1}`)
	for n := 2; n < 5; n++ {
		a.exec(t, `select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database(); select realtime.send('{"n":`+fmt.Sprint(n)+`}', 'e', 'room')`)
		c.expect(message{joinRef("realtime:marks"), "1", "realtime:marks", "phx_error", `{"reason":"changes were missed"}`, false})
		expectStored(c, topic, fmt.Sprintf(`{"n":%d}`, n))
		c.refs = 0 // the next join has the same ref
		c.subscribe("realtime:marks", a.auth.Keys.Anon, markEntry)
	}
	a.settle(t, c)
	if gaps := a.server.Stats().Changes.Gaps["lost"]; gaps != 3 {
		t.Errorf("%d gaps", gaps)
	}
}

// Where the WAL cannot be read, subscriptions to changes get an error. Broadcasts from the database are
// delivered nevertheless.
func TestSubscriptionsWithoutWAL(t *testing.T) {
	t.Parallel()
	a := startWithoutLog(t)
	a.exec(t, "create table t (id int primary key); grant select on t to anon; alter publication supabase_realtime add table t;"+everybody)
	const topic, unavailable = "realtime:room", "Postgres changes need wal_level = logical and a role with REPLICATION"
	a.exec(t, `select realtime.send('{"n":0}', 'e', 'room')`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join(topic, `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`)
	c.expect(system(topic, "system", "ok", "Replication connection established"))
	if state := a.server.State(); state != "unavailable" {
		t.Errorf("state %q", state)
	}
	var ids []int
	c.requestChanges("realtime:t", a.auth.Keys.Anon, &ids, []string{`{"event":"*","schema":"public","table":"t"}`})
	c.expect(system("realtime:t", "postgres_changes", "error", unavailable))
	c.expectRefusedJoin("realtime:waiting", `{"config":{"postgres_changes":[{"event":"*","schema":"public","table":"t"}],"postgres_changes_options":{"wait":true}}}`,
		"RealtimeDisabledForConfiguration: "+unavailable)
	for n := 1; n < 5; n++ {
		a.exec(t, `select realtime.send('{"n":`+fmt.Sprint(n)+`}', 'e', 'room')`)
		expectStored(c, topic, fmt.Sprintf(`{"n":%d}`, n))
	}
	// A client that joins later does not receive earlier broadcasts.
	a.exec(t, `select realtime.send('{"n":4}', 'e', 'empty'); select realtime.send('{"n":5}', 'e', 'room')`)
	expectStored(c, topic, `{"n":5}`)
	c.join("realtime:empty", private)
	a.exec(t, `select realtime.send('{"n":6}', 'e', 'empty')`)
	expectStored(c, "realtime:empty", `{"n":6}`)
	c.expectNothing()
}

// expectStored checks that the next message is a broadcast from the database.
func expectStored(c *conn, topic, payload string) {
	c.t.Helper()
	m := c.next()
	text := strings.Replace(m.payload, `, "id": "`, `,"id":"`, 1)
	if !m.binary || m.topic != topic || !strings.HasPrefix(m.event, `e {"id":"`) || !strings.HasPrefix(strings.ReplaceAll(text, " ", ""), strings.TrimSuffix(payload, "}")) {
		c.t.Errorf("got %+v, want %s", m, payload)
	}
}

// Broadcasts from the database, JSON or bytes, reach private and public channels in both versions.
func TestBroadcastsOfTheDatabase(t *testing.T) {
	t.Parallel()
	a := startChanges(t, everybody+`create table posts (id int primary key, text text);
		create function tell() returns trigger language plpgsql security definer as $$ begin
			perform realtime.broadcast_changes('room', tg_op, tg_op, tg_table_name, tg_table_schema, new, old); return null; end $$;
		create trigger tell after insert or update or delete on posts for each row execute function tell();`)
	const topic = "realtime:room"
	inside, old, outside := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "1.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	ready := `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`
	inside.join(topic, ready)
	inside.expect(system(topic, "system", "ok", "Replication connection established"))
	old.join(topic, ready)
	old.expect(system(topic, "system", "ok", "Replication connection established"))
	outside.join(topic, plain)
	a.exec(t, `insert into posts values (1, 'a')`)
	m := old.next()
	if m.event != "broadcast" || !strings.Contains(m.payload, `"event":"INSERT"`) || !strings.Contains(m.payload, `"record":{"id":1,"text":"a"}`) || !strings.Contains(m.payload, `"meta":{"id":"`) || !strings.Contains(m.payload, `"schema":"public"`) {
		t.Errorf("got %+v", m)
	}
	if m = inside.next(); !m.binary || !strings.HasPrefix(m.event, "INSERT {") || !strings.Contains(m.payload, `"operation": "INSERT"`) {
		t.Errorf("got %+v", m)
	}
	a.exec(t, `select realtime.send_binary('\x00ff', 'e', 'room')`)
	if m = inside.next(); !m.binary || m.payload != "\x00\xff" || !strings.HasSuffix(m.event, "} 0") {
		t.Errorf("got %+v", m)
	}
	a.exec(t, `select realtime.send('{"id":7}', 'e', 'room', false)`)
	if m = outside.next(); m.payload != `{"id": 7}` {
		t.Errorf("got %+v", m)
	}
	a.exec(t, `begin; select realtime.send('{}', 'e', 'room'); rollback; insert into realtime.messages (topic, extension, private) values ('room', 'broadcast', true)`)
	a.exec(t, `select realtime.send('{"last":1}', 'e', 'room')`)
	m = old.next()
	if !strings.Contains(m.payload, `"last":1`) {
		t.Errorf("got %+v", m)
	}
	outside.expectNothing()
}

// Replay sends stored broadcasts once, in order.
func TestReplay(t *testing.T) {
	t.Parallel()
	a := startChanges(t, everybody)
	const topic = "realtime:room"
	a.exec(t, `select realtime.send(jsonb_build_object('n', n, 'id', 0), 'e', 'room'), realtime.send('{"n":0}', 'e', 'other'), realtime.send('{"n":0}', 'e', 'room', false)
		from generate_series(1, 30) n`)
	for limit, want := range map[string]int{"": 25, `,"limit":3`: 3} {
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		c.join(topic, `{"private":true,"broadcast":{"replay":{"since":0`+limit+`}},"presence":{"enabled":false}}`)
		for n := 30 - want + 1; n <= 30; n++ {
			if m := c.next(); m.payload != fmt.Sprintf(`{"n": %d, "id": 0}`, n) || !strings.HasPrefix(m.event, `e {"replayed":true,"id":"`) {
				t.Fatalf("got %+v, want %d", m, n)
			}
		}
		c.expectNothing()
	}
	old := a.dial(t, "1.0.0", a.auth.Keys.Anon)
	old.join(topic, fmt.Sprintf(`{"private":true,"broadcast":{"replay":{"since":%d}},"presence":{"enabled":true}}`, startTime.AddDate(10, 0, 0).UnixMilli()))
	old.expect(message{"", "", topic, "presence_state", "{}", false})
	old.expectNothing()
}
