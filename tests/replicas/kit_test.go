// Package replicas tests the data API on a primary with a streaming replica: which server handles a
// read, and that callers always see their own writes.
package replicas

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/server/pg/replica"
	"plaza/sql"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/restkit"
)

// Each user has one row and sees all.
const fixture = `
	create table counters (owner text primary key, n int not null);
	alter table counters enable row level security;
	create policy counters_all on counters using (true) with check (true);
	create view seen with (security_invoker) as select owner, n, pg_is_in_recovery() as replica from counters;
	create unlogged table scratch (id int primary key);
	insert into scratch values (1);
	create function replica() returns boolean stable language sql as $$ select pg_is_in_recovery() $$;
	create function count_up(owner text) returns boolean language sql as
		$$ update counters set n = n + 1 where counters.owner = count_up.owner; select pg_is_in_recovery() $$;
	create function locked() returns boolean language plpgsql as
		$$ begin perform pg_advisory_xact_lock(7); return pg_is_in_recovery(); end $$;`

// site is a data API on a primary and its replica.
type site struct {
	*restkit.API
	primary, standby *cluster.Cluster
	replica          *pgxpool.Pool // the superuser's, on the replica
}

// start waits until the replica serves reads.
func start(t *testing.T, change func(*pg.Config)) *site {
	t.Helper()
	s := startPair(t)
	s.API = restkit.Replicated(t, s.primary.URL(), []string{s.standby.URL()}, fixture, change)
	s.catchUp(t)
	s.eventually(t, "the replica answers", func() bool { return s.onReplica(t, "ben") })
	return s
}

func startPair(t *testing.T) *site {
	t.Helper()
	s := &site{}
	var err error
	if s.primary, err = cluster.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.primary.Stop(context.Background()) })
	if _, err := migrate.Up(t.Context(), s.primary.URL(), []migrate.Source{migrate.Platform(sql.FS)}, nil); err != nil {
		t.Fatal(err)
	}
	if s.standby, err = s.primary.Standby(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.standby.Stop(context.Background()) })
	s.replica = testkit.Open(t, s.standby.URL())
	return s
}

// deadline is far longer than anything here takes.
const deadline = time.Minute

func (s *site) eventually(t *testing.T, what string, yes func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(deadline); !yes(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", deadline, what)
		}
	}
}

// ask returns the response to a user's request; a user without a name is anonymous.
func (s *site) ask(t *testing.T, user string, c restkit.Case) (*http.Response, string) {
	t.Helper()
	if user != "" {
		c.As = s.Token(t, user)
	}
	return s.Do(t, c)
}

// onReplica reports whether the replica handles a user's read.
func (s *site) onReplica(t *testing.T, user string) bool {
	t.Helper()
	response, body := s.ask(t, user, restkit.Case{Path: "/rpc/replica"})
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	return body == "true"
}

// add inserts a user's row and returns the position of the write.
func (s *site) add(t *testing.T, user, owner string) string {
	t.Helper()
	response, body := s.ask(t, user, restkit.Case{Method: http.MethodPost, Path: "/counters", Body: `{"owner":"` + owner + `","n":1}`})
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	at := response.Header.Get("Plaza-Commit-LSN")
	if replica.ParseLSN(at) == 0 {
		t.Fatalf("Plaza-Commit-LSN is %q", at)
	}
	return at
}

// sees returns the rows that a user sees.
func (s *site) sees(t *testing.T, user string, header map[string]string) string {
	t.Helper()
	response, body := s.ask(t, user, restkit.Case{Path: "/seen?order=owner", Header: header})
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	return body
}

// pause stops WAL replay on the replica.
func (s *site) pause(t *testing.T) {
	t.Helper()
	s.onStandby(t, "select pg_wal_replay_pause()")
	s.eventually(t, "replay is paused", func() (paused bool) {
		if err := s.replica.QueryRow(t.Context(), "select pg_get_wal_replay_pause_state() = 'paused'").Scan(&paused); err != nil {
			t.Fatal(err)
		}
		return paused
	})
}

func (s *site) resume(t *testing.T) {
	t.Helper()
	s.onStandby(t, "select pg_wal_replay_resume()")
}

// waitForLock waits until a read waits for a lock on the replica.
func (s *site) waitForLock(t *testing.T) {
	t.Helper()
	s.eventually(t, "a read waits on the replica", func() (waits bool) {
		if err := s.replica.QueryRow(t.Context(), "select exists (select from pg_locks where locktype = 'advisory' and not granted)").Scan(&waits); err != nil {
			t.Fatal(err)
		}
		return waits
	})
}

// catchUp waits until the replica has replayed everything written so far.
func (s *site) catchUp(t *testing.T) {
	t.Helper()
	s.Exec(t, "set local synchronous_commit = on; select pg_logical_emit_message(true, 'catch up', '')") // flushes the log
	var now string
	if err := s.DB.QueryRow(t.Context(), "select pg_current_wal_flush_lsn()::text").Scan(&now); err != nil {
		t.Fatal(err)
	}
	s.eventually(t, "the replica has caught up", func() (caught bool) {
		if err := s.replica.QueryRow(t.Context(), "select pg_last_wal_replay_lsn() >= $1::text::pg_lsn", now).Scan(&caught); err != nil {
			t.Fatal(err)
		}
		return caught
	})
}

func (s *site) onStandby(t *testing.T, statement string) {
	t.Helper()
	if _, err := s.replica.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
