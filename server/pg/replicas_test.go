package pg_test

import (
	"context"
	"testing"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/restkit"
)

// The known position of a replica may be wrong, for example if an older server took its
// address, so each read checks it.
func TestReadChecksReplicaPosition(t *testing.T) {
	t.Parallel()
	primary, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	if _, err := migrate.Up(t.Context(), primary.URL(), []migrate.Source{migrate.Platform(sql.FS)}, nil); err != nil {
		t.Fatal(err)
	}
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
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
