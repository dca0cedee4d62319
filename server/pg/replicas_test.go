package pg_test

import (
	"context"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/restkit"
)

// The known position of a replica may be wrong, for example if an older server took its
// address, so each read checks it.
func TestReadChecksReplicaPosition(t *testing.T) {
	t.Parallel()
	primary, standby := pair(t)
	api := restkit.Replicated(t, primary.URL(), []string{standby.URL()}, "create table notes (id int)", nil)
	replica := testkit.Open(t, standby.URL())
	inRecovery := func(who claims.Caller, set pg.Settings) (value string) {
		t.Helper()
		_, err := api.ServerDB.QueryAsCaller(t.Context(), who, set, pg.Statement{SQL: "select pg_is_in_recovery()"},
			func(row [][]byte) error { value = string(row[0]); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for inRecovery(user(ana), pg.Settings{ReadOnly: true}) != "t" {
	}
	if _, err := replica.Exec(t.Context(), "select pg_wal_replay_pause()"); err != nil {
		t.Fatal(err)
	}
	at, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{}, pg.Statement{SQL: "insert into notes values (1)"}, nil)
	if err != nil || at == 0 {
		t.Fatalf("committed at %s, %v", at, err)
	}
	for name, who := range map[string]claims.Caller{"the writer": user(ana), "a reader of the write": claims.ForRole(claims.Anon)} {
		api.ServerDB.TrustReplicas()
		if got := inRecovery(who, pg.Settings{ReadOnly: true, AtLeast: at}); got != "f" {
			t.Errorf("%s: in recovery is %q", name, got)
		}
	}
}

// threeServers is a primary with two replicas. One receives less of the primary's log than the other.
type threeServers struct {
	*restkit.API
	primary      *cluster.Cluster
	behind, full *pgxpool.Pool // the superuser's, on the replicas
}

// startThree starts the servers and a data API that reads from both replicas. The primary has two rows, the second of which is
// missing on one replica.
func startThree(t *testing.T, change func(c *pg.Config, primary, behind *cluster.Cluster)) *threeServers {
	t.Helper()
	primary, _ := newStoppableAPI(t, time.Hour)
	db := testkit.Open(t, primary.URL())
	exec := func(on *pgxpool.Pool, statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := on.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	exec(db, "create table notes (id int, filling text); grant select, insert on notes to anon; insert into notes values (1)")
	var addresses []string
	var standbys []*cluster.Cluster
	for range 2 {
		standby, err := primary.Standby(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = standby.Stop(context.Background()) })
		addresses, standbys = append(addresses, standby.URL()), append(standbys, standby)
	}
	s := &threeServers{primary: primary, behind: testkit.Open(t, addresses[0]), full: testkit.Open(t, addresses[1])}
	s.API = restkit.Replicated(t, primary.URL(), addresses, "", func(c *pg.Config) {
		c.FailoverTimeout = time.Hour
		change(c, primary, standbys[0])
	})
	s.readFrom(t, s.behind)
	s.readFrom(t, s.full)
	exec(s.behind, "alter system set primary_conninfo = ''", "select pg_reload_conf()")
	for receives := true; receives; {
		if err := s.behind.QueryRow(t.Context(), "select exists (select from pg_stat_wal_receiver)").Scan(&receives); err != nil {
			t.Fatal(err)
		}
	}
	exec(db, "insert into notes select 2, repeat('.', 100) from generate_series(1, 10000)")
	for has := false; !has; {
		if err := s.full.QueryRow(t.Context(), "select exists (select from notes where id = 2)").Scan(&has); err != nil {
			t.Fatal(err)
		}
	}
	if value := s.readFrom(t, s.behind); value != "1" { // for MaxReplicaLag
		t.Fatalf("the replica that receives nothing shows %s", value)
	}
	return s
}

// read returns what a caller sees, and the port of the server that answered.
func (s *threeServers) read(t *testing.T) (value, port string) {
	t.Helper()
	_, err := s.ServerDB.QueryAsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{ReadOnly: true},
		pg.Statement{SQL: "select max(id), current_setting('port') from notes"},
		func(row [][]byte) error { value, port = string(row[0]), string(row[1]); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return value, port
}

func portOf(pool *pgxpool.Pool) string { return strconv.Itoa(int(pool.Config().ConnConfig.Port)) }

// readFrom reads until a server answers.
func (s *threeServers) readFrom(t *testing.T, server *pgxpool.Pool) (value string) {
	t.Helper()
	for port := ""; port != portOf(server); {
		value, port = s.read(t)
	}
	return value
}

// The last writes that a primary has acknowledged before it died may have reached only one of its replicas.
func TestReplicaWithoutTheLastWritesWhenThePrimaryDies(t *testing.T) {
	t.Parallel()
	s := startThree(t, func(*pg.Config, *cluster.Cluster, *cluster.Cluster) {})
	used := func() (n int) {
		for _, r := range s.ServerDB.Stats().Replicas {
			if r.IsUsed {
				n++
			}
		}
		return n
	}
	if err := s.primary.Kill(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); used() == 2; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("the replica without the last write is still used")
		}
	}
	for range 10 {
		if value, server := s.read(t); value != "2" {
			t.Errorf("%s of %s", value, server)
		}
	}
}

// If the replica that received less is promoted, the other has records that the new primary lacks, and is at a position that the
// new one reaches with others.
func TestReplicaWithRecordsThatTheNewPrimaryLacks(t *testing.T) {
	t.Parallel()
	s := startThree(t, func(c *pg.Config, primary, behind *cluster.Cluster) { nameBoth(t, c, primary, behind) })
	if err := s.primary.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.behind.Exec(t.Context(), "select pg_promote()"); err != nil {
		t.Fatal(err)
	}
	at, err := s.ServerDB.QueryAsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{}, pg.Statement{SQL: "insert into notes values (3)"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var isOlder bool
	if err := s.full.QueryRow(t.Context(), "select $1::text::pg_lsn < pg_last_wal_replay_lsn()", at.String()).Scan(&isOlder); err != nil || !isOlder {
		t.Fatalf("the write is at %s, which the other replica seems to have: %t, %v", at, isOlder, err)
	}
	for range 10 {
		if value, server := s.read(t); value != "3" {
			t.Errorf("%s of %s", value, server)
		}
	}
}

// A failover closes all connections, so reads are retried.
func TestReadRetriesOnLostConnection(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, nil)
	var all [4]chan struct{}
	for range 3 {
		for i := range all { // several connections, all lost
			all[i] = make(chan struct{})
			go func() { defer close(all[i]); count(t, api.ServerDB, user(ana)) }()
		}
		for i := range all {
			<-all[i]
		}
		api.Exec(t, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'authenticator'")
		if got := count(t, api.ServerDB, user(ana)); got != "1" {
			t.Errorf("%s rows", got)
		}
	}
}
