package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/blob/blobtest"
	"plaza/storage/blob/disk"
)

func open(t *testing.T, folder string) *disk.Store {
	t.Helper()
	s, err := disk.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t *testing.T) blob.Store {
		folder := t.TempDir()
		t.Cleanup(func() {
			if left := files(t, filepath.Join(folder, ".plaza", "temporary")); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
		return open(t, folder)
	})
}

// files lists all files below a folder.
func files(t *testing.T, folder string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

func TestGetReturnsAFile(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	if _, err := s.Put(t.Context(), "9f/a", strings.NewReader("text"), 4); err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(t.Context(), "9f/a", 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if _, is := got.(*os.File); !is {
		t.Errorf("Get returned a %T", got)
	}
}

func TestNoLinkLeadsOutOfTheFolder(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), t.TempDir()
	s := open(t, folder)
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "link/secret", 0, 6); err == nil {
		t.Error("a file outside was read")
	}
	if _, err := s.Put(t.Context(), "link/planted", strings.NewReader("x"), 1); err == nil {
		t.Error("a file outside was written")
	}
	if _, err := s.Get(t.Context(), ".plaza/lock", 0, 1); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("the store's own files can be read: %v", err)
	}
}

func TestTooLongName(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	long := "bucket/" + strings.Repeat("y", 300) + "/v"
	if _, err := s.Put(t.Context(), long, strings.NewReader("x"), 1); err == nil {
		t.Error("Put accepted the name")
	}
	if _, err := s.Get(t.Context(), long, 0, 1); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Get: %v, want ErrNotFound", err)
	}
	if err := s.Delete(t.Context(), long); err != nil {
		t.Errorf("Delete: %v", err)
	}
}

func TestEmptyFoldersOfLongNamesAreRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, folder)
	for _, name := range []string{"bucket/a/b/c/v1", "bucket/a/v2", "9f/v3"} {
		if _, err := s.Put(t.Context(), name, strings.NewReader("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "bucket/a/b/c/v1", "9f/v3"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"bucket/a/b": false, "bucket/a": true, "9f": true} {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStoresShareAFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := open(t, folder)
	reading, writing := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := first.Put(t.Context(), "slow", reading, blob.UnknownSize)
		done <- err
	}()
	if _, err := io.WriteString(writing, "half "); err != nil {
		t.Fatal(err)
	}
	second := open(t, folder) // must not remove what the first store is writing
	if _, err := io.WriteString(writing, "and half"); err != nil {
		t.Fatal(err)
	}
	writing.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if info, err := second.Stat(t.Context(), "slow"); err != nil || info.Size != 13 {
		t.Errorf("Stat = %+v, %v", info, err)
	}
}
