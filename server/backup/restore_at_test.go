package backup_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/backup"
	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/server/walarchive"
	"plaza/sql"
	"plaza/storage/blob"
	"plaza/storage/blob/disk"
	"plaza/tests/testkit/cluster"
)

// archived is a project with its own PostgreSQL server, whose WAL is archived to a folder.
type archived struct {
	*kit
	archiveFolder string
	files         *disk.Store
	archive       *walarchive.Archive
}

// startArchived starts a project and its archive.
func startArchived(t *testing.T) *archived {
	t.Helper()
	own, err := cluster.StartWith(t.Context(), map[string]string{"wal_level": "logical"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Stop(context.Background()) })
	if _, err := migrate.Up(t.Context(), own.URL(), []migrate.Source{migrate.Platform(sql.FS)}, nil); err != nil {
		t.Fatal(err)
	}
	a := &archived{kit: startAt(t, "postgres", own.URL()), archiveFolder: t.TempDir()}
	if a.files, err = disk.Open(a.archiveFolder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.files.Close() })
	a.archive = walarchive.New(a.files)
	return a
}

// run archives until the returned function is called.
func (a *archived) run() (stop func()) {
	a.t.Helper()
	archiver, err := walarchive.NewArchiver(walarchive.Config{
		Open:        func(context.Context) (blob.Store, io.Closer, error) { return a.files, nil, nil },
		DatabaseURL: a.source.DatabaseURL, Interval: 50 * time.Millisecond, Keep: time.Hour, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Now: time.Now,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); archiver.Run(ctx) }()
	for archiver.Stats().Covered.IsZero() {
		select {
		case <-a.t.Context().Done():
			a.t.Fatal("nothing was archived")
		case <-time.After(5 * time.Millisecond):
		}
	}
	return func() { cancel(); <-done }
}

// now returns a time after all commits so far and before all later ones.
func (a *archived) now() time.Time {
	a.t.Helper()
	var now time.Time
	if err := a.db.QueryRow(a.t.Context(), "select pg_sleep(0.002), clock_timestamp()").Scan(nil, &now); err != nil {
		a.t.Fatal(err)
	}
	return now.UTC()
}

func (a *archived) pointInTime(at time.Time) *backup.Moment {
	return &backup.Moment{Archive: a.archive, At: at, Now: time.Now().Add(time.Minute)}
}

// table returns the rows of the table notes in a restored data folder, or nil if there is no table.
func table(t *testing.T, dataDir string) (notes []string) {
	t.Helper()
	config := postgres()
	config.DataDir = filepath.Join(dataDir, "postgres")
	server, err := embedded.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Stop(context.Background()) }()
	conn, err := pgx.Connect(t.Context(), server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), "select body from public.notes order by body")
	if err == nil {
		notes, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil && !strings.Contains(err.Error(), "does not exist") {
		t.Fatal(err)
	}
	return notes
}

func (a *archived) restore(dir string, to backup.Target, at time.Time) (backup.Restored, error) {
	to.Moment, to.Held = a.pointInTime(at), a.kit.store
	return backup.Restore(a.t.Context(), dir, to)
}

// These tests share a history: a backup, rows and an object, both deleted, more rows.
func TestRestoreToATime(t *testing.T) {
	t.Parallel()
	a := startArchived(t)
	early, _, err := a.makeBackup(backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop := a.run()
	a.put("first", "of the backup")
	dir, made, err := a.makeBackup(backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a.exec("create table public.notes (body text)")
	a.exec("insert into public.notes values ('one')")
	a.put("kept", "after the backup")
	before := a.now()
	a.remove("kept")
	a.exec("drop table public.notes")
	after := a.now()
	a.exec("create table public.notes (body text)")
	a.exec("insert into public.notes values ('new')")
	stop()

	t.Run("before the table was dropped", func(t *testing.T) {
		t.Parallel()
		to := target(t)
		done, err := a.restore(dir, to, before)
		if err != nil {
			t.Fatal(err)
		}
		if got := table(t, to.DataDir); len(got) != 1 || got[0] != "one" {
			t.Errorf("notes: %q", got)
		}
		objects, _ := a.forSubtest(t).restoredContent(to.DataDir)
		if objects["kept"] != "after the backup" || objects["first"] != "of the backup" || len(objects) != 2 || done.Objects.Count != 2 {
			t.Errorf("objects: %q", objects)
		}
	})
	t.Run("after it was dropped", func(t *testing.T) {
		t.Parallel()
		to := target(t)
		if _, err := a.restore(dir, to, after); err != nil {
			t.Fatal(err)
		}
		if got := table(t, to.DataDir); got != nil {
			t.Errorf("notes: %q", got)
		}
		if objects, _ := a.forSubtest(t).restoredContent(to.DataDir); len(objects) != 1 {
			t.Errorf("objects: %q", objects)
		}
	})
	t.Run("the latest time", func(t *testing.T) {
		t.Parallel()
		to := target(t)
		if _, err := a.restore(dir, to, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got := table(t, to.DataDir); len(got) != 1 || got[0] != "new" {
			t.Errorf("notes: %q", got)
		}
	})
	t.Run("a missing object is reported", func(t *testing.T) {
		t.Parallel()
		to := target(t)
		var steps []string
		to.Moment, to.Progress = a.pointInTime(before), func(step string) { steps = append(steps, step) }
		_, err := backup.Restore(t.Context(), dir, to)
		mustFail(t, "restore", err, backup.ErrIncomplete, "1 of 2")
		if !strings.Contains(strings.Join(steps, "\n"), "damaged: own/kept") {
			t.Errorf("progress: %q", steps)
		}
	})
	t.Run("times that cannot be restored", func(t *testing.T) {
		t.Parallel()
		to := target(t)
		_, err := a.restore(dir, to, made.Database.Reached.Add(-time.Second))
		mustFail(t, "before the backup", err, backup.ErrTime, "use an earlier backup")
		_, err = a.restore(dir, to, time.Now())
		mustFail(t, "after the archive", err, walarchive.ErrTime, "the latest one is")
		_, err = a.restore(early, to, before)
		mustFail(t, "a backup from before the archive", err, backup.ErrTime, "PLAZA_ARCHIVE")
		_, err = a.pointInTime(time.Now().Add(time.Hour)).FindBase(dir)
		mustFail(t, "the future", err, backup.ErrTime, "future")
		_, err = a.pointInTime(made.Database.Reached.Add(-time.Second)).FindBase(filepath.Dir(dir))
		mustFail(t, "before all backups", err, backup.ErrTime, "earliest")
		if found, err := a.pointInTime(before).FindBase(filepath.Dir(dir)); found != dir {
			t.Errorf("the base is %s: %v", found, err)
		}
		expectEmpty(t, to.DataDir)
	})
	t.Run("an incomplete archive", func(t *testing.T) {
		t.Parallel()
		a.restoreIncomplete(t, dir, before)
	})
}

// forSubtest returns the kit for a subtest.
func (a *archived) forSubtest(t *testing.T) *kit {
	k := *a.kit
	k.t = t
	return &k
}

// restoreIncomplete restores from copies of the archive that lack something.
func (a *archived) restoreIncomplete(t *testing.T, dir string, at time.Time) {
	for name, test := range map[string]struct {
		change func(folder string, chunks []string) error
		want   error
		says   string
	}{
		"a chunk is missing": {func(folder string, chunks []string) error {
			return os.Remove(filepath.Join(folder, chunks[len(chunks)-2]))
		}, walarchive.ErrGap, "is missing"},
		"a chunk is damaged": {func(folder string, chunks []string) error {
			for _, chunk := range chunks {
				path := filepath.Join(folder, chunk)
				content, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				content[len(content)/2] ^= 1
				if err := os.WriteFile(path, content, 0o600); err != nil {
					return err
				}
			}
			return nil
		}, walarchive.ErrDamaged, "runs/"},
		"another database": {func(folder string, _ []string) error {
			return os.WriteFile(filepath.Join(folder, "archive.json"), []byte(`{"format": 1, "system": "1"}`), 0o600)
		}, walarchive.ErrOtherDatabase, "system identifier"},
	} {
		folder := filepath.Join(t.TempDir(), "archive")
		if err := os.CopyFS(folder, os.DirFS(a.archiveFolder)); err != nil {
			t.Fatal(err)
		}
		var chunks []string
		for _, file := range filesOf(t, folder) {
			if strings.HasPrefix(file, "runs/") && !strings.HasSuffix(file, ".json") {
				chunks = append(chunks, file)
			}
		}
		if err := test.change(folder, chunks); err != nil {
			t.Fatal(err)
		}
		store, err := disk.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		to := target(t)
		to.Moment = &backup.Moment{Archive: walarchive.New(store), At: at, Now: time.Now()}
		if test.want == walarchive.ErrGap {
			to.Moment.At = a.latestTime(t)
		}
		_, err = backup.Restore(t.Context(), dir, to)
		mustFail(t, name, err, test.want, test.says)
		expectEmpty(t, to.DataDir)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// latestTime returns the latest time of the archive.
func (a *archived) latestTime(t *testing.T) time.Time {
	t.Helper()
	runs, err := a.archive.Runs(t.Context())
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	state, err := a.archive.State(t.Context(), runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return state.Covered
}
