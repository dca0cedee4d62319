package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/backup"
)

// Changes to objects after the database was copied do not affect the backup, whether
// they happen before the objects are listed or before they are copied.
func TestBackupIsConsistentDuringChanges(t *testing.T) {
	t.Parallel()
	k := start(t)
	large := strings.Repeat("0123456789abcdef", 200_000)
	for key, content := range map[string]string{"kept": "kept", "deleted": "to be deleted", "at once": "deleted sooner", "replaced": "before", "empty": "", "a/b/large": large} {
		k.put(key, content)
	}
	// Blob names written by upstream's server: keys need not be valid file names.
	odd := strings.Repeat("long", 60) + "/ñ,\"\n.txt"
	k.exec(`insert into storage.objects (bucket_id, name, version) values ('own', $1, '8f14e45f-ceea-467f-9c3d-1a2b3c4d5e6f')`, odd)
	if _, err := k.store.Put(t.Context(), "own/"+odd+"/8f14e45f-ceea-467f-9c3d-1a2b3c4d5e6f", strings.NewReader("theirs"), 6); err != nil {
		t.Fatal(err)
	}
	k.exec(`insert into storage.resumable_uploads (version, bucket_id, key, length, expires_at) values ('v', 'own', 'half', 10, now() + interval '1 hour')`)
	k.exec(`insert into storage.s3_multipart_uploads (id, bucket_id, key, version) values ('u', 'own', 'half', 'w')`)
	blobOfDeleted := k.blobFile("deleted")
	sweep := func() {
		if err := k.objects.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
	}
	k.source.Blobs = &watched{Store: k.store, first: func() {
		k.remove("deleted")
		sweep()
	}}
	copied := func(step string) {
		if step == "Copying the objects" {
			k.remove("at once")
			k.put("replaced", "after")
			k.put("new", "after")
			sweep()
		}
	}
	dir, made, err := k.makeBackup(backup.Options{Progress: copied})
	if err != nil {
		t.Fatal(err)
	}
	if made.Objects.Damaged != 0 || made.Database.LSN == "" || made.Schema == 0 {
		t.Errorf("the backup's description: %+v", made)
	}
	// PostgreSQL may not have noticed yet that the backup's connection is closed.
	k.exec(`select pg_advisory_xact_lock_shared(hashtextextended('storage.blobs', 0))`)
	sweep()
	if _, err := os.Stat(blobOfDeleted); !os.IsNotExist(err) {
		t.Errorf("after the backup, an unused blob is not deleted: %v", err)
	}
	to := target(t)
	done, err := backup.Restore(t.Context(), dir, to)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"kept": "kept", "deleted": "to be deleted", "at once": "deleted sooner", "replaced": "before", "empty": "", "a/b/large": large, odd: "theirs"}
	objects, uploads := k.restoredContent(to.DataDir)
	if diff := cmp.Diff(want, objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if uploads != 0 || done.Objects.Count != int64(len(want)) {
		t.Errorf("%d unfinished uploads are left; objects: %+v", uploads, done.Objects)
	}
}

func TestDamagedObjectsAreReported(t *testing.T) {
	t.Parallel()
	k := start(t)
	for _, key := range []string{"sound", "missing", "short", "other"} {
		k.put(key, "content")
	}
	if err := os.Remove(k.blobFile("missing")); err != nil {
		t.Fatal(err)
	}
	for key, content := range map[string]string{"short": "con", "other": "CONTENT"} {
		if err := os.WriteFile(k.blobFile(key), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, made, err := k.makeBackup(backup.Options{})
	mustFail(t, "the backup", err, backup.ErrIncomplete, "3 of 4", "objects.csv")
	if diff := cmp.Diff([]string{"missing", "other", "short"}, sortedKeys(problems(t, dir))); diff != "" || made.Objects.Damaged != 3 {
		t.Errorf("%d damaged (-want +got):\n%s", made.Objects.Damaged, diff)
	}
	if _, err := backup.Verify(t.Context(), dir); err != nil {
		t.Errorf("the backup itself is not intact: %v", err)
	}
	to := target(t)
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "the restore", err, backup.ErrIncomplete, "3 of 4")
	if content, err := os.ReadFile(filepath.Join(to.DataDir, "postgres", "PG_VERSION")); err != nil || len(content) == 0 {
		t.Errorf("the database was not restored: %v", err)
	}
}

func TestObjectsAreSharedWithAnEarlierBackup(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("same", "the same")
	k.put("replaced", "before")
	first, _, err := k.makeBackup(backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k.put("replaced", "after")
	second, made, err := k.makeBackup(backup.Options{LinkDest: first})
	if err != nil || made.Objects.Linked != 1 || made.Objects.Count != 2 {
		t.Fatalf("%+v: %v", made.Objects, err)
	}
	name, err := filepath.Rel(k.folder, k.blobFile("same"))
	if err != nil {
		t.Fatal(err)
	}
	one, err := os.Stat(filepath.Join(first, "objects", name))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.Stat(filepath.Join(second, "objects", name))
	if err != nil || !os.SameFile(one, other) {
		t.Errorf("the file is not shared with the earlier backup: %v", err)
	}
	// Files linked from the earlier backup are verified, too.
	if err := os.WriteFile(filepath.Join(first, "objects", name), []byte("THE SAME"), 0o600); err != nil {
		t.Fatal(err)
	}
	third, _, err := k.makeBackup(backup.Options{LinkDest: first})
	mustFail(t, "a damaged earlier backup", err, backup.ErrAltered, name)
	expectEmpty(t, filepath.Dir(third))
}

func TestBackupFolderIsChecked(t *testing.T) {
	t.Parallel()
	k := start(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(k.folder, link); err != nil {
		t.Fatal(err)
	}
	for what, dir := range map[string]string{
		"a folder with something in it": full, "a file": filepath.Join(full, "mine"), "the data folder": k.source.DataDir,
		"below the data folder": filepath.Join(k.source.DataDir, "backups", "today"), "below the objects, by a link": filepath.Join(link, "today"),
	} {
		_, err := backup.Make(t.Context(), k.source, dir, backup.Options{Progress: quiet})
		mustFail(t, what, err, backup.ErrPlace)
	}
	if _, err := os.Stat(filepath.Join(full, "mine")); err != nil {
		t.Errorf("the file in the folder was not kept: %v", err)
	}
	if _, err := backup.Make(t.Context(), k.source, t.TempDir(), backup.Options{Progress: quiet}); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
}

// Of two concurrent backups to one folder, one succeeds and one fails.
func TestConcurrentBackupsToOneFolder(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("one", "1")
	dir := filepath.Join(t.TempDir(), "backup")
	var second error
	k.source.Blobs = &watched{Store: k.store, first: func() {
		_, second = backup.Make(t.Context(), k.source, dir, backup.Options{Progress: quiet})
	}}
	if _, err := backup.Make(t.Context(), k.source, dir, backup.Options{Progress: quiet}); err != nil {
		t.Errorf("the first: %v", err)
	}
	mustFail(t, "the second", second, backup.ErrPlace, "another process")
}

// If the store fails, no backup is left behind.
func TestFailingStoreLeavesNoBackup(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("one", "1")
	broken := errors.New("the network is down")
	k.source.Blobs = &failing{Store: k.store, err: broken}
	dir, _, err := k.makeBackup(backup.Options{})
	mustFail(t, "the backup", err, broken)
	expectEmpty(t, filepath.Dir(dir))
}
