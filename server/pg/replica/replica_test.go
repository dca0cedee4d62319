package replica_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/pg/replica"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

// servers are a primary and its replicas. The second replica has received less of the log than the first.
type servers struct {
	primary  *cluster.Cluster
	db       *pgxpool.Pool // of the primary
	pools    []*pgxpool.Pool
	replicas []*replica.Replica
}

func start(t *testing.T) *servers {
	t.Helper()
	s := &servers{primary: startPrimary(t)}
	s.db = testkit.Open(t, s.primary.URL())
	for range 2 {
		s.follow(t, s.primary)
	}
	full, behind := s.pools[0], s.pools[1]
	s.reach(t, full)
	s.reach(t, behind)
	s.check(t, true, true)
	exec(t, behind, "alter system set primary_conninfo = ''", "select pg_reload_conf()")
	for receives := true; receives; {
		scan(t, behind, "select exists (select from pg_stat_wal_receiver)", &receives)
	}
	exec(t, s.db, "create table filling as select repeat('.', 1000) from generate_series(1, 10000)")
	s.reach(t, full)
	return s
}

func startPrimary(t *testing.T) *cluster.Cluster {
	t.Helper()
	primary, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	return primary
}

// follow adds a replica of a primary.
func (s *servers) follow(t *testing.T, primary *cluster.Cluster) {
	t.Helper()
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
	pool := testkit.Open(t, standby.URL())
	s.pools = append(s.pools, pool)
	s.replicas = append(s.replicas, replica.New(pool, time.Hour, slog.New(slog.DiscardHandler)))
}

func exec(t *testing.T, on *pgxpool.Pool, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := on.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

func scan(t *testing.T, on *pgxpool.Pool, query string, into any) {
	t.Helper()
	if err := on.QueryRow(t.Context(), query).Scan(into); err != nil {
		t.Fatal(err)
	}
}

// reach waits until a replica has replayed all of the primary's log.
func (s *servers) reach(t *testing.T, standby *pgxpool.Pool) {
	t.Helper()
	exec(t, s.db, "set synchronous_commit = on; select pg_logical_emit_message(true, 'reach', '')") // flushes the log
	var written string
	scan(t, s.db, "select pg_current_wal_flush_lsn()::text", &written)
	for has := false; !has; {
		scan(t, standby, "select pg_last_wal_replay_lsn() >= '"+written+"'", &has)
	}
}

// check checks the replicas, asking for the primary's position, and compares which are used.
func (s *servers) check(t *testing.T, used ...bool) {
	t.Helper()
	for i, r := range s.replicas {
		r.AskPrimary()
		r.Check(t.Context(), s.db, s.replicas)
		if got := r.Replayed() != 0; got != used[i] {
			t.Errorf("replica %d is used: %t", i, got)
		}
	}
}

// A primary may vanish without a word. What it has acknowledged may have reached only one of the replicas.
func TestReplicaWithoutTheLastWritesWhenThePrimaryIsSilent(t *testing.T) {
	t.Parallel()
	s := start(t)
	thaw, err := s.primary.Freeze(t.Context())
	t.Cleanup(thaw)
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, true, false)
}

// A replica of another cluster stays unused when the primary dies, and its position says nothing about the others.
func TestReplicaOfAnotherCluster(t *testing.T) {
	t.Parallel()
	s := &servers{primary: startPrimary(t)}
	s.db = testkit.Open(t, s.primary.URL())
	s.follow(t, s.primary)
	s.reach(t, s.pools[0])
	other := startPrimary(t)
	s.follow(t, other)
	exec(t, testkit.Open(t, other.URL()), "create table filling as select repeat('.', 1000) from generate_series(1, 10000)")
	for isAhead := false; !isAhead; {
		var ours string
		scan(t, s.pools[0], "select pg_last_wal_receive_lsn()::text", &ours)
		scan(t, s.pools[1], "select pg_last_wal_replay_lsn() > '"+ours+"'", &isAhead)
	}
	s.check(t, true, false)
	if err := s.primary.Kill(); err != nil {
		t.Fatal(err)
	}
	s.check(t, true, false)
}

// If the replica that received less is promoted, a server that starts then knows of no earlier primary.
func TestReplicaAheadOfThePrimary(t *testing.T) {
	t.Parallel()
	s := start(t)
	if err := s.primary.Kill(); err != nil {
		t.Fatal(err)
	}
	exec(t, s.pools[1], "select pg_promote()")
	fresh := servers{db: s.pools[1], replicas: []*replica.Replica{replica.New(s.pools[0], time.Hour, slog.New(slog.DiscardHandler))}}
	fresh.check(t, false)
}
