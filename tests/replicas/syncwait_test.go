package replicas

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

// A commit that waits for a synchronous replica when its request times out is cancelled, and PostgreSQL reports
// success with a warning. As a new primary may lack it, it must not be acknowledged.
func TestCommitWithoutItsReplicaIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	primary, err := cluster.StartWith(t.Context(), map[string]string{"synchronous_standby_names": "absent"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	admin := testkit.Open(t, primary.URL())
	if _, err := admin.Exec(t.Context(), "create table written (by text)"); err != nil {
		t.Fatal(err)
	}
	role := pg.Service(admin.Config().ConnConfig.User)
	const insert = "insert into written values ($1) returning by"
	for _, replicas := range [][]string{nil, {primary.URL()}} {
		waiting := primary.URL() + "&synchronous_commit=on"
		db, err := pg.Open(t.Context(), pg.Config{
			CallerURL: waiting, ServiceURL: waiting, ReplicaURLs: replicas, MaxCallers: 1, MaxService: 1, AcquireTimeout: time.Minute, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(db.Close)
		var by string
		for name, write := range map[string]func(context.Context) error{
			"a statement": func(ctx context.Context) error {
				return db.QueryRowAsService(ctx, role, insert, []any{"a statement"}, &by)
			},
			"a transaction": func(ctx context.Context) error {
				return db.AsService(ctx, role, func(tx pgx.Tx) error {
					return tx.QueryRow(ctx, insert, "a transaction").Scan(&by)
				})
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			outcome := make(chan error, 1)
			go func() { outcome <- write(ctx) }()
			tick := time.NewTicker(time.Millisecond)
			for waits := false; !waits; <-tick.C {
				if err := admin.QueryRow(t.Context(), "select exists (select from pg_stat_activity where wait_event = 'SyncRep')").Scan(&waits); err != nil {
					t.Fatal(err)
				}
			}
			tick.Stop()
			cancel()
			if err := <-outcome; err == nil {
				t.Errorf("%s is acknowledged (replicas: %d)", name, len(replicas))
			}
			// The connection is in order: what needs no replica succeeds.
			if err := db.QueryRowAsService(t.Context(), role, "select 'read'", nil, &by); err != nil {
				t.Errorf("after %s: %v", name, apierr.As(err))
			}
		}
	}
}
