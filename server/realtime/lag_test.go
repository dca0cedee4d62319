package realtime_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"plaza/server/pg/migrate"
	"plaza/server/realtime"
	"plaza/server/realtime/changes"
	"plaza/sql"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

// startWithin starts a server that reads changes within limits.
func startWithin(t *testing.T, schema string, limits changes.Limits) *api {
	t.Helper()
	return startOn(t, testkit.PlatformURL(t), schema, limits)
}

func startOn(t *testing.T, address, schema string, limits changes.Limits) *api {
	t.Helper()
	a := &api{db: testkit.Open(t, address), clock: testkit.NewClock(startTime)}
	a.exec(t, schema)
	a.serve(t, address, address, func(c *realtime.Config) { c.Pool, c.Lag = 2, limits })
	a.run(t)
	return a
}

// ownPostgres returns a database on a separate PostgreSQL: on a shared one, other tests could not create or
// drop databases while a process is stopped.
func ownPostgres(t *testing.T) string {
	t.Helper()
	own, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Stop(context.Background()) })
	if _, err := migrate.Up(t.Context(), own.URL(), []migrate.Source{migrate.Platform(sql.FS)}, nil); err != nil {
		t.Fatal(err)
	}
	return own.URL()
}

// eventually waits until a query returns true.
func (a *api) eventually(t *testing.T, question string, args ...any) {
	t.Helper()
	for end := time.Now().Add(2 * testTimeout); ; time.Sleep(5 * time.Millisecond) {
		var yes bool
		if err := a.db.QueryRow(t.Context(), question, args...).Scan(&yes); err != nil {
			t.Fatal(err)
		}
		if yes {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("never: %s", question)
		}
	}
}

const (
	missedText = `{"reason":"changes were missed"}`
	ownSlots   = `from pg_replication_slots where database = current_database()`
)

// expectMissed checks that the next message ends a channel because changes were missed.
func (c *conn) expectMissed(topic string) {
	c.t.Helper()
	m := c.next()
	if m.topic != topic || m.event != "phx_error" || m.payload != missedText {
		c.t.Fatalf("got %+v, want phx_error after a gap", m)
	}
}

// stopSender stops PostgreSQL's process that sends the WAL. resume continues it.
func (a *api) stopSender(t *testing.T) (resume func()) {
	t.Helper()
	var pid int
	if err := a.db.QueryRow(t.Context(), "select active_pid "+ownSlots).Scan(&pid); err != nil {
		t.Fatal(err)
	}
	resume = func() { _ = syscall.Kill(pid, syscall.SIGCONT) }
	t.Cleanup(resume)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, _ := strings.Cut(string(stat), ") "); err != nil || strings.HasPrefix(state, "T") {
			return resume
		}
	}
}

// RT-28: PostgreSQL's process that sends the WAL is stopped (SIGSTOP), but its connection stays open.
// Subscribers are notified that changes were missed, and the WAL is read by another process. Broadcasts from
// the database that were committed meanwhile arrive once each, even if the first process continues.
func TestLagIsReported(t *testing.T) {
	t.Parallel()
	for cause, limits := range map[string]changes.Limits{
		"lost": {Time: 4 * time.Second, Check: 200 * time.Millisecond},           // it does not answer
		"lag":  {Time: time.Hour, Bytes: 1 << 20, Check: 200 * time.Millisecond}, // more WAL was not received than is allowed
	} {
		t.Run(cause, func(t *testing.T) {
			t.Parallel()
			a := startOn(t, ownPostgres(t), marks+everybody, limits)
			const topic, table = "realtime:room", "realtime:marks"
			c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
			c.subscribe(table, a.auth.Keys.Anon, markEntry)
			c.join(topic, private)
			a.settle(t, c)
			a.exec(t, `select realtime.send('{"n":0}', 'e', 'room')`)
			expectStored(c, topic, `{"n":0}`)

			resume := a.stopSender(t)
			a.exec(t, `insert into marks default values; select pg_logical_emit_message(false, 'load', repeat('x', 2 << 20))`)
			for n := 1; n < 20; n++ {
				a.exec(t, fmt.Sprintf(`select realtime.send('{"n":%d}', 'e', 'room')`, n))
			}
			c.expectMissed(table)
			for n := 1; n < 20; n++ {
				expectStored(c, topic, fmt.Sprintf(`{"n":%d}`, n))
			}
			c.subscribe(table, a.auth.Keys.Anon, markEntry)
			a.settle(t, c)
			resume()
			a.eventually(t, "select count(*) = 1 "+ownSlots)
			a.exec(t, `select realtime.send('{"n":20}', 'e', 'room')`)
			expectStored(c, topic, `{"n":20}`)
			a.settle(t, c)
			if gaps := a.server.Stats().Changes.Gaps; len(gaps) != 1 || gaps[cause] != 1 {
				t.Errorf("gaps %v", gaps)
			}
		})
	}
}

// slow is a table whose policy waits while another session holds a lock. It ignores cancellation.
const slow = `create table slow (id int primary key); grant select on slow to anon; alter publication supabase_realtime add table slow;
	create function wait() returns boolean language plpgsql as $$ begin
		loop begin perform pg_advisory_xact_lock_shared(1); return true; exception when query_canceled then null; end; end loop; end $$;
	alter table slow enable row level security; create policy slow on slow for select using (wait());`

// blockChanges blocks the processing of changes until release is called.
func (a *api) blockChanges(t *testing.T) (release func()) {
	t.Helper()
	held, err := a.db.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := held.Exec(t.Context(), "select pg_advisory_lock(1)"); err != nil {
		t.Fatal(err)
	}
	isHeld := true
	release = func() {
		if !isHeld {
			return
		}
		isHeld = false
		if _, err := held.Exec(context.Background(), "select pg_advisory_unlock(1)"); err != nil {
			t.Error(err)
		}
		held.Release()
	}
	t.Cleanup(release)
	a.exec(t, "insert into slow values (1)")
	a.eventually(t, "select exists (select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database()))")
	return release
}

const slowEntry = `{"event":"INSERT","schema":"public","table":"slow"}`

// A change that is too late is not delivered: subscribers are notified that changes were missed. Transactions
// that were replicated from another database are never late: their commit time is by its clock.
func TestLateChangesAreMissed(t *testing.T) {
	t.Parallel()
	limits := changes.Limits{Time: 2 * time.Second, Check: 200 * time.Millisecond}
	a := startWithin(t, marks+slow, limits)
	const topic = "realtime:t"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe(topic, a.auth.Keys.Anon, markEntry, slowEntry)
	a.settle(t, c)
	release := a.blockChanges(t)
	var committed time.Time
	if err := a.db.QueryRow(t.Context(), "with made as (insert into marks default values) select now()").Scan(&committed); err != nil {
		t.Fatal(err)
	}
	a.eventually(t, "select clock_timestamp() > $1", committed.Add(limits.Time))
	release()
	m := c.next()
	if m.event == "postgres_changes" && strings.Contains(m.payload, `"slow"`) { // it was processed before the late change
		m = c.next()
	}
	if m.event != "phx_error" || m.payload != missedText {
		t.Fatalf("got %+v", m)
	}
	c.refs = 0
	c.subscribe(topic, a.auth.Keys.Anon, markEntry, slowEntry)
	a.settle(t, c)

	other, err := a.db.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	for _, statement := range []string{
		"select pg_replication_origin_create(current_database())", "select pg_replication_origin_session_setup(current_database())",
		"begin; select pg_replication_origin_xact_setup('0/1', '2000-01-01'); insert into marks default values; commit",
		"select pg_replication_origin_session_reset()", "select pg_replication_origin_drop(current_database())",
	} {
		if _, err := other.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if text := c.change(); !strings.HasPrefix(text, "INSERT marks") {
		t.Errorf("got %s", text)
	}
	if gaps := a.server.Stats().Changes.Gaps; len(gaps) != 1 || gaps["lag"] != 1 {
		t.Errorf("gaps %v", gaps)
	}
}

// When reading ends, subscribers are notified at once, even while a policy is waiting.
func TestGapWhilePolicyWaits(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+slow)
	const topic = "realtime:t"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe(topic, a.auth.Keys.Anon, markEntry, slowEntry)
	a.settle(t, c)
	a.blockChanges(t)
	a.exec(t, "select pg_terminate_backend(active_pid) "+ownSlots)
	c.expectMissed(topic)
	c.refs = 0
	c.subscribe(topic, a.auth.Keys.Anon, markEntry, slowEntry)
	a.settle(t, c)
}
