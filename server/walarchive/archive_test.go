package walarchive_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/walarchive"
	"plaza/storage/blob"
	"plaza/storage/blob/disk"
	"plaza/tests/testkit/cluster"
)

// kit is a PostgreSQL server and a store for its archive.
type kit struct {
	*testing.T
	own     *cluster.Cluster
	conn    *pgx.Conn
	store   *refusingStore
	archive *walarchive.Archive
}

// refusingStore is a store that can refuse to write.
type refusingStore struct {
	blob.Store
	refuses atomic.Bool
}

var errRefused = errors.New("the store refuses to write")

func (a *refusingStore) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	if a.refuses.Load() {
		return 0, errRefused
	}
	return a.Store.Put(ctx, name, r, size)
}

func start(t *testing.T, settings map[string]string) *kit {
	t.Helper()
	own, err := cluster.StartWith(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Stop(context.Background()) })
	conn, err := pgx.Connect(t.Context(), own.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	files, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	k := &kit{T: t, own: own, conn: conn, store: &refusingStore{Store: files}}
	k.archive = walarchive.New(k.store)
	return k
}

func (k *kit) exec(sql string) {
	k.Helper()
	if _, err := k.conn.Exec(k.Context(), sql); err != nil {
		k.Fatal(err)
	}
}

// run archives until stop is called.
func (k *kit) run() (archiver *walarchive.Archiver, stop func()) {
	k.Helper()
	archiver, err := walarchive.NewArchiver(walarchive.Config{
		Open:        func(context.Context) (blob.Store, io.Closer, error) { return k.store, nil, nil },
		DatabaseURL: k.own.URL(), Interval: 20 * time.Millisecond, Keep: time.Hour, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		k.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); archiver.Run(ctx) }()
	return archiver, func() { cancel(); <-done }
}

// wait waits until a condition holds.
func (k *kit) wait(what string, holds func() bool) {
	k.Helper()
	for !holds() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-k.Context().Done():
			k.Fatal(what)
		}
	}
}

func (k *kit) runs() []walarchive.Run {
	k.Helper()
	runs, err := k.archive.Runs(k.Context())
	if err != nil {
		k.Fatal(err)
	}
	return runs
}

func (k *kit) state(run string) walarchive.State {
	k.Helper()
	state, err := k.archive.State(k.Context(), run)
	if err != nil {
		k.Fatal(err)
	}
	return state
}

func TestARunContinuesAfterAStopAndAnOutage(t *testing.T) {
	t.Parallel()
	k := start(t, nil)
	archiver, stop := k.run()
	k.wait("the start", func() bool { return !archiver.Stats().Covered.IsZero() })
	k.exec("create table notes as select generate_series(1, 100000)")
	stop()
	k.exec("insert into notes select generate_series(1, 1000)")
	k.store.refuses.Store(true)
	archiver, stop = k.run()
	k.wait("a failure", func() bool { return archiver.Stats().Failures > 0 })
	k.store.refuses.Store(false)
	k.wait("the end of the outage", func() bool { return !archiver.Stats().Covered.IsZero() })
	stop()
	runs := k.runs()
	if len(runs) != 1 {
		t.Fatalf("%d runs", len(runs))
	}
	if state := k.state(runs[0].ID); state.Gap || archiver.Stats().Gaps != 0 {
		t.Errorf("a gap: %+v, %+v", state, archiver.Stats())
	}
}

func TestALostSlotBeginsANewRun(t *testing.T) {
	t.Parallel()
	k := start(t, map[string]string{"max_slot_wal_keep_size": "16MB", "max_wal_size": "32MB", "min_wal_size": "32MB"})
	archiver, stop := k.run()
	k.wait("the start", func() bool { return !archiver.Stats().Covered.IsZero() })
	stop()
	k.exec("create table notes (n int)")
	for range 4 {
		k.exec("insert into notes select generate_series(1, 300000)")
		k.exec("checkpoint")
	}
	archiver, stop = k.run()
	k.wait("a new run", func() bool { return !archiver.Stats().Covered.IsZero() })
	stop()
	if runs := k.runs(); len(runs) != 2 || archiver.Stats().Gaps != 1 {
		t.Errorf("%d runs, %d gaps", len(runs), archiver.Stats().Gaps)
	}
}

func TestAnotherDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	k := start(t, nil)
	content := `{"format": 1, "system": "1"}`
	if _, err := k.store.Put(t.Context(), "archive.json", strings.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	archiver, stop := k.run()
	k.wait("a failure", func() bool { return archiver.Stats().Failures > 0 })
	stop()
	if runs := k.runs(); len(runs) > 0 {
		t.Errorf("runs: %v", runs)
	}
	var slots int
	if err := k.conn.QueryRow(t.Context(), "select count(*) from pg_replication_slots").Scan(&slots); err != nil || slots != 0 {
		t.Errorf("%d slots: %v", slots, err)
	}
}

func TestPruning(t *testing.T) {
	t.Parallel()
	k := start(t, nil)
	archiver, stop := k.run()
	k.wait("the start", func() bool { return !archiver.Stats().Covered.IsZero() })
	k.exec("select pg_switch_wal()")
	k.exec("create table notes as select generate_series(1, 1000)")
	k.exec("select pg_switch_wal()")
	stop()
	run := k.runs()[0]
	names := func() (names []string) {
		err := k.store.List(t.Context(), "runs/", func(info blob.Info) error { names = append(names, info.Name); return nil })
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		return names
	}
	all := names()
	base := walarchive.Base{Run: run.ID, Start: run.Start + walarchive.LSN(run.Segment), Reached: time.Now()}
	if err := k.archive.RecordBase(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	if err := k.archive.Prune(t.Context(), run.ID, base.Reached.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	if left := names(); len(left) != len(all) {
		t.Errorf("a backup that is too new: %d of %d files are left", len(left), len(all))
	}
	if err := k.archive.Prune(t.Context(), run.ID, base.Reached.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	left := names()
	if len(left) == len(all) || len(left) < 2 {
		t.Errorf("%d of %d files are left", len(left), len(all))
	}
	if state := k.state(run.ID); state.Gap || !state.Based {
		t.Errorf("%+v", state)
	}
}
