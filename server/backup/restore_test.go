package backup_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plaza/server/backup"
	"plaza/server/pg/embedded"
	"plaza/storage/blob"
	"plaza/storage/blob/disk"
)

// These tests share one backup. Each uses its own copy of it.
func TestRestore(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("one", "the first object")
	k.put("two", strings.Repeat("two", 1000))
	dir, _, err := k.makeBackup(backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T, string){
		"one altered byte is noticed": alteredByte, "a missing or additional file is noticed": otherFiles,
		"an unfit backup is refused": unfit, "a folder in use is refused": usedFolders,
		"existing objects are reused": reused, "a killed restore can be repeated": killedRestore, "a failing store leaves nothing": failedRestore,
		"a restore that fails at its end can be repeated": failedMove,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, copyOf(t, dir))
		})
	}
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backup")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func alteredByte(t *testing.T, dir string) {
	for _, name := range filesOf(t, dir) {
		path := filepath.Join(dir, name)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{len(whole) / 2, len(whole) - 1} {
			one := bytes.Clone(whole)
			one[at] ^= 1
			if err := os.WriteFile(path, one, 0o600); err != nil {
				t.Fatal(err)
			}
			says := name
			if name == "SHA256SUMS" {
				says = "" // the error may name another file
			}
			_, err := backup.Verify(t.Context(), dir)
			mustFail(t, name, err, backup.ErrAltered, says)
		}
		if name == "secrets.json" {
			to := target(t)
			_, err = backup.Restore(t.Context(), dir, to)
			mustFail(t, "restore with "+name, err, backup.ErrAltered, name)
			expectEmpty(t, to.DataDir)
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := backup.Verify(t.Context(), dir); err != nil {
		t.Errorf("the unchanged backup: %v", err)
	}
}

func otherFiles(t *testing.T, dir string) {
	for _, name := range filesOf(t, dir) {
		path := filepath.Join(dir, name)
		if err := os.Rename(path, dir+".away"); err != nil {
			t.Fatal(err)
		}
		want := backup.ErrAltered
		if name == "backup.json" {
			want = backup.ErrPlace // the folder is no longer recognized as a backup
		}
		_, err := backup.Verify(t.Context(), dir)
		mustFail(t, "without "+name, err, want, name)
		if err := os.Rename(dir+".away", path); err != nil {
			t.Fatal(err)
		}
	}
	more := filepath.Join(dir, "objects", "more")
	if err := os.WriteFile(more, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := backup.Verify(t.Context(), dir)
	mustFail(t, "with one more", err, backup.ErrAltered, "objects/more")
}

// describe changes backup.json and updates its checksum.
func describe(t *testing.T, dir, from, to string) {
	t.Helper()
	replace := func(name, from, to string) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), from) {
			t.Fatalf("%s has no %q", name, from)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sum := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "backup.json"))
		if err != nil {
			t.Fatal(err)
		}
		made := sha256.Sum256(text)
		return hex.EncodeToString(made[:])
	}
	before := sum()
	replace("backup.json", from, to)
	replace("SHA256SUMS", before, sum())
}

func unfit(t *testing.T, dir string) {
	to := target(t)
	to.Schema = 1
	_, err := backup.Restore(t.Context(), dir, to)
	mustFail(t, "a newer schema", err, backup.ErrIncompatible, "use Plaza test")
	machine := copyOf(t, dir)
	describe(t, machine, `"machine": "`, `"machine": "plan9/`)
	_, err = backup.Restore(t.Context(), machine, to)
	mustFail(t, "another machine", err, backup.ErrIncompatible, "plan9")
	machine = filepath.Join(t.TempDir(), "bin")
	const older = `mkdir "$0" && printf '#!/bin/sh\necho "postgres (PostgreSQL) 17.9"\n' >"$0/postgres" && chmod +x "$0/postgres"`
	if out, err := exec.Command("/bin/sh", "-c", older, machine).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	other := target(t)
	other.Postgres.BinDir = machine
	_, err = backup.Restore(t.Context(), dir, other)
	mustFail(t, "another PostgreSQL", err, embedded.ErrDataVersion, "install PostgreSQL")
	expectEmpty(t, other.DataDir)
	describe(t, dir, `"format": 1`, `"format": 2`)
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "a newer format", err, backup.ErrIncompatible, "format 2")
	_, err = backup.Restore(t.Context(), t.TempDir(), to)
	mustFail(t, "no backup", err, backup.ErrPlace, "is no backup")
	expectEmpty(t, to.DataDir)
}

func usedFolders(t *testing.T, dir string) {
	to := target(t)
	if err := os.MkdirAll(filepath.Join(to.DataDir, "postgres"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := backup.Restore(t.Context(), dir, to)
	mustFail(t, "a data folder", err, backup.ErrPlace, "not empty (postgres)")

	to = target(t)
	goesOn := filepath.Join(to.DataDir, "restore.partial")
	if err := os.MkdirAll(goesOn, 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(goesOn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "another restore", err, backup.ErrPlace, "another process")

	to = target(t)
	to.DataDir = filepath.Join(dir, "objects", "data")
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "inside the backup", err, backup.ErrPlace, "inside the backup")

	to = target(t)
	to.OpenBlobs = storeWithOther(t, t.TempDir())
	_, err = backup.Restore(t.Context(), dir, to)
	mustFail(t, "objects of others", err, backup.ErrPlace, "--reuse-objects")
	expectEmpty(t, to.DataDir)
}

// storeWithOther opens a store in another folder that contains an additional object.
func storeWithOther(t *testing.T, folder string) func(context.Context, string) (blob.Store, io.Closer, error) {
	t.Helper()
	return func(ctx context.Context, _ string) (blob.Store, io.Closer, error) {
		store, err := disk.Open(folder)
		if err == nil {
			_, err = store.Put(ctx, "aa/another", strings.NewReader("theirs"), 6)
		}
		return store, store, err
	}
}

// reused restores to a store in which one object is intact and one is damaged.
func reused(t *testing.T, dir string) {
	folder := t.TempDir()
	first := target(t)
	first.OpenBlobs = func(context.Context, string) (blob.Store, io.Closer, error) {
		store, err := disk.Open(folder)
		return store, store, err
	}
	if _, err := backup.Restore(t.Context(), dir, first); err != nil {
		t.Fatal(err)
	}
	var damaged string
	for _, name := range filesOf(t, dir) {
		if blob, ok := strings.CutPrefix(name, "objects/"); ok {
			damaged = filepath.Join(folder, blob)
		}
	}
	sound, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(damaged, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := target(t)
	second.ReuseBlobs, second.OpenBlobs = true, storeWithOther(t, folder)
	done, err := backup.Restore(t.Context(), dir, second)
	if err != nil || done.Objects.Linked != 1 || done.Objects.Count != 2 {
		t.Errorf("%+v: %v", done.Objects, err)
	}
	if now, err := os.ReadFile(damaged); err != nil || !bytes.Equal(now, sound) {
		t.Errorf("the damaged object is now %q: %v", now, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "aa", "another")); err != nil {
		t.Errorf("another object was not kept: %v", err)
	}
}

// A restore that was killed between its last steps leaves no data folder, and the next
// restore succeeds.
func killedRestore(t *testing.T, dir string) {
	to := target(t)
	for _, left := range []string{"restore.partial/postgres", "storage/left behind", "restore.partial/.x"} {
		if err := os.MkdirAll(filepath.Join(to.DataDir, left), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if !backup.Unfinished(to.DataDir) {
		t.Error("the killed restore is taken for a data folder")
	}
	if _, err := backup.Restore(t.Context(), dir, to); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(to.DataDir, "storage", "left behind")); !os.IsNotExist(err) || backup.Unfinished(to.DataDir) {
		t.Errorf("files of the killed restore are still there: %v", err)
	}
}

// corrupting is a store that changes the bytes it stores.
type corrupting struct{ blob.Store }

func (c *corrupting) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	whole, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	whole[0] ^= 1
	return c.Store.Put(ctx, name, bytes.NewReader(whole), size)
}

func failedRestore(t *testing.T, dir string) {
	broken := errors.New("the network is down")
	for what, broke := range map[string]func(*disk.Store) blob.Store{
		"what was written is not what is read": func(s *disk.Store) blob.Store { return &corrupting{s} },
		"the network is down":                  func(s *disk.Store) blob.Store { return &failing{Store: s, err: broken} },
	} {
		to, folder := target(t), t.TempDir()
		to.OpenBlobs = func(context.Context, string) (blob.Store, io.Closer, error) {
			store, err := disk.Open(folder)
			return broke(store), store, err
		}
		_, err := backup.Restore(t.Context(), dir, to)
		mustFail(t, "the restore", err, err, what, "own/")
		if err == nil {
			t.Errorf("%s: no error", what)
		}
		expectEmpty(t, to.DataDir)
	}
}

// A restore that cannot move everything to its place leaves no data folder, and the next
// restore succeeds.
func failedMove(t *testing.T, dir string) {
	to := target(t)
	open := to.OpenBlobs
	to.OpenBlobs = func(ctx context.Context, dataDir string) (blob.Store, io.Closer, error) {
		if err := os.MkdirAll(filepath.Join(to.DataDir, "postgres", "in the way"), 0o700); err != nil {
			return nil, nil, err
		}
		return open(ctx, dataDir)
	}
	_, err := backup.Restore(t.Context(), dir, to)
	mustFail(t, "with a folder in the way", err, fs.ErrExist, "postgres")
	if _, err := os.Stat(filepath.Join(to.DataDir, "storage")); err != nil {
		t.Errorf("the restore failed before the objects were moved: %v", err)
	}
	if !backup.Unfinished(to.DataDir) {
		t.Error("the moved files are taken for a data folder")
	}
	to.OpenBlobs = open
	if _, err := backup.Restore(t.Context(), dir, to); err != nil || backup.Unfinished(to.DataDir) {
		t.Errorf("the next restore: %v", err)
	}
}
