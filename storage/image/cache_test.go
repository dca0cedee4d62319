package image_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"plaza/storage/image"
)

// cached returns how often content was generated while getting it from the cache.
func cached(t *testing.T, c *image.Cache, key, content string) (made int32) {
	t.Helper()
	file, contentType, err := c.Get(t.Context(), key, func() (image.Picture, error) {
		made++
		return image.Picture{Bytes: []byte(content), ContentType: "image/webp"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil || string(text) != content || contentType != "image/webp" {
		t.Errorf("%s: %q of %s, %v", key, text, contentType, err)
	}
	return made
}

func openCache(t *testing.T, folder string, size int64) *image.Cache {
	t.Helper()
	c, err := image.OpenCache(folder, size)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCache(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "images")
	c := openCache(t, folder, 30)
	ten := strings.Repeat("x", 10)
	made := func(c *image.Cache, want string) {
		t.Helper()
		got := ""
		for _, key := range []string{"a", "b", "c"} {
			if cached(t, c, key, ten) > 0 {
				got += key
			}
		}
		if got != want {
			t.Errorf("made %q, want %q", got, want)
		}
	}
	made(c, "abc")
	made(c, "")
	cached(t, c, "a", ten)
	cached(t, c, "d", ten) // b is the least recently used
	if got := cached(t, c, "b", ten) + cached(t, c, "a", ten); got != 1 {
		t.Errorf("%d made, want b alone", got)
	}
	if err := os.WriteFile(filepath.Join(folder, "half-1"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := openCache(t, folder, 30)
	if got := cached(t, again, "a", ten) + cached(t, again, "b", ten) + cached(t, again, "d", ten); got != 0 {
		t.Errorf("%d made of those that were there before the restart", got)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v: want the three results", len(entries), err)
	}
	if smaller := openCache(t, folder, 10); cached(t, smaller, "e", ten) != 1 {
		t.Error("a new result was there already")
	}
	if entries, err = os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v: want the newest alone", len(entries), err)
	}
}

// A file that was deleted is generated again.
func TestDeletedCacheFileIsGeneratedAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := openCache(t, folder, 100)
	cached(t, c, "a", "one")
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if cached(t, c, "a", "one") != 1 {
		t.Error("a result without its file was not generated again")
	}
}

// Concurrent requests for a key generate it once. Failures are not cached.
func TestConcurrentRequestsGenerateOnce(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 100)
	var made atomic.Int32
	begin := make(chan struct{})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			<-begin
			file, _, err := c.Get(t.Context(), "a", func() (image.Picture, error) {
				made.Add(1)
				return image.Picture{Bytes: []byte("one"), ContentType: "image/png"}, nil
			})
			if err != nil {
				t.Error(err)
				return
			}
			_ = file.Close()
		})
	}
	close(begin)
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	failed := errors.New("no")
	if _, _, err := c.Get(t.Context(), "b", func() (image.Picture, error) { return image.Picture{}, failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	if cached(t, c, "b", "two") != 1 {
		t.Error("a failure was kept")
	}
}

// A client that waits for a result gets it even if the client whose request started it
// leaves.
func TestWaitingRequestOutlivesTheFirst(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 100)
	synctest.Test(t, func(t *testing.T) {
		first, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			_, _, err := c.Get(first, "a", func() (image.Picture, error) {
				<-first.Done()
				return image.Picture{}, first.Err()
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v for the cancelled request", err)
			}
		})
		synctest.Wait() // the first request is generating it
		all.Go(func() {
			if cached(t, c, "a", "one") != 1 {
				t.Error("the second request did not generate the result")
			}
		})
		synctest.Wait() // the second request is waiting for it
		leave()
		all.Wait()
	})
}
