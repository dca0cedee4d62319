package backup_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"plaza/server/backup"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

// allRows selects all rows of objects as a copy of the database would contain them.
const allRows = `select coalesce(json_agg(o), '[]')::text from storage.objects o`

// A command copies the database at some point in time. Objects that are deleted after
// that are still backed up.
func TestCommandCopiesTheDatabase(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("kept", "kept")
	k.put("deleted", "to be deleted")
	var rows string
	progress := func(step string) {
		switch step {
		case "Running the command that copies the database":
			if err := k.db.QueryRow(t.Context(), allRows).Scan(&rows); err != nil {
				t.Error(err)
			}
		case "Copying the objects":
			k.remove("deleted")
			if err := k.objects.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	k.source.Command = `mkdir "$PLAZA_BACKUP_DIR/more" && echo 1 >"$PLAZA_BACKUP_DIR/dump" && echo 2 >"$PLAZA_BACKUP_DIR/more/dump"`
	dir, made, err := k.makeBackup(backup.Options{Progress: progress})
	if err != nil || !made.Database.Command || made.Database.Bytes != 4 {
		t.Fatalf("%+v: %v", made.Database, err)
	}
	_, err = backup.Restore(t.Context(), dir, target(t))
	mustFail(t, "without DATABASE_URL", err, backup.ErrIncompatible, "from database")

	to := target(t)
	_, to.DatabaseURL = newDatabase(t)
	db := testkit.Open(t, to.DatabaseURL)
	for _, sql := range []string{`insert into storage.buckets (id, name) values ('own', 'own')`,
		`insert into storage.objects (bucket_id, name, version, metadata) select bucket_id, name, version, metadata from json_populate_recordset(null::storage.objects, '` + rows + `')`} {
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	done, err := backup.Restore(t.Context(), dir, to)
	if err != nil || done.Objects.Count != 2 {
		t.Fatalf("%+v: %v", done.Objects, err)
	}
	found, err := db.Query(t.Context(), `select storage.blob_name(bucket_id, name, version) from storage.objects order by name desc`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var contents []string
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(to.DataDir, "storage", name))
		if err != nil {
			t.Error(err)
		}
		contents = append(contents, string(content))
	}
	if diff := cmp.Diff([]string{"kept", "to be deleted"}, contents); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "a second time", err, backup.ErrPlace, "--reuse-objects")
	if err := os.WriteFile(filepath.Join(to.DataDir, "secrets.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "beside other keys", err, backup.ErrPlace, "other keys")
	to = target(t)
	to.DatabaseURL = emptyURL(t)
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "to a database that was not restored", err, backup.ErrPlace, "restore it first")
}

func emptyURL(t *testing.T) string {
	t.Helper()
	own, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return own.URL()
}

func TestFailingCommandLeavesNoBackup(t *testing.T) {
	t.Parallel()
	k := start(t)
	for command, says := range map[string]string{
		"echo no such host >&2; exit 3": "no such host", "true": "wrote nothing", `ln -s /etc/passwd "$PLAZA_BACKUP_DIR/link"`: "no plain file",
	} {
		k.source.Command = command
		dir, _, err := k.makeBackup(backup.Options{})
		mustFail(t, command, err, err, says)
		if err == nil {
			t.Errorf("%s: no error", command)
		}
		expectEmpty(t, filepath.Dir(dir))
	}
}

// A database that PostgreSQL is still recovering cannot be changed. The error names the condition to wait for.
func TestRecoveringDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	primary, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	recovering, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recovering.Stop(context.Background()) })
	to := target(t)
	to.DatabaseURL, to.ReuseBlobs, to.Moment = recovering.URL(), true, &backup.Moment{At: time.Now(), Now: time.Now()}
	if err := os.MkdirAll(to.DataDir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to.DataDir, "secrets.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = backup.ReconcileObjects(t.Context(), "", to)
	mustFail(t, "restore", err, err, "pg_is_in_recovery()")
}
