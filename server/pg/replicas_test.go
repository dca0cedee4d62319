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

// The last writes that a primary has acknowledged before it died may have reached only one of its replicas.
func TestReplicaWithoutTheLastWritesWhenThePrimaryDies(t *testing.T) {
	t.Parallel()
	primary, _ := newStoppableAPI(t, time.Hour)
	db := testkit.Open(t, primary.URL())
	if _, err := db.Exec(t.Context(), "create table notes (id int); grant select on notes to anon; insert into notes values (1)"); err != nil {
		t.Fatal(err)
	}
	var addresses []string
	var replicas []*pgxpool.Pool
	for range 2 {
		standby, err := primary.Standby(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = standby.Stop(context.Background()) })
		addresses, replicas = append(addresses, standby.URL()), append(replicas, testkit.Open(t, standby.URL()))
	}
	api := restkit.Replicated(t, primary.URL(), addresses, "", func(c *pg.Config) { c.FailoverTimeout = time.Hour })
	read := func() (value, server string) {
		t.Helper()
		_, err := api.ServerDB.QueryAsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{ReadOnly: true},
			pg.Statement{SQL: "select max(id), current_setting('port') from notes"},
			func(row [][]byte) error { value, server = string(row[0]), string(row[1]); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return value, server
	}
	readFrom := func(replica *pgxpool.Pool) (value string) {
		for server := ""; server != strconv.Itoa(int(replica.Config().ConnConfig.Port)); {
			value, server = read()
		}
		return value
	}
	answering := func() (n int) {
		for _, r := range api.ServerDB.Stats().Replicas {
			if r.Answers {
				n++
			}
		}
		return n
	}
	for _, replica := range replicas {
		readFrom(replica)
	}
	// The first one receives nothing any more.
	for _, statement := range []string{"alter system set primary_conninfo = ''", "select pg_reload_conf()"} {
		if _, err := replicas[0].Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for receives := true; receives; {
		if err := replicas[0].QueryRow(t.Context(), "select exists (select from pg_stat_wal_receiver)").Scan(&receives); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(t.Context(), "insert into notes values (2)"); err != nil {
		t.Fatal(err)
	}
	for has := false; !has; {
		if err := replicas[1].QueryRow(t.Context(), "select exists (select from notes where id = 2)").Scan(&has); err != nil {
			t.Fatal(err)
		}
	}
	if value := readFrom(replicas[0]); value != "1" { // for MaxReplicaLag
		t.Fatalf("the replica that receives nothing shows %s", value)
	}
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); answering() == len(replicas); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("the replica without the last write is still used")
		}
	}
	for range 10 {
		if value, server := read(); value != "2" {
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
