package core_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"plaza/storage/blobcache"
)

var errStoreRead = errors.New("the store was read")

// countReads returns a counter of the store's reads.
func (k *kit) countReads() *int {
	reads := new(int)
	k.blobs.fail = func(step string) error {
		if step == "get" {
			*reads++
		}
		return nil
	}
	return reads
}

func TestSmallObjectsReadOftenAreCached(t *testing.T) {
	t.Parallel()
	k := start(t)
	if err := errors.Join(k.put("small", "one", false), k.put("kept open", strings.Repeat("y", 64<<10), false), k.put("large", strings.Repeat("x", 256<<10+1), false), k.put("empty", "", false)); err != nil {
		t.Fatal(err)
	}
	reads := k.countReads()
	for key, want := range map[string]int{"small": 2, "kept open": 2, "large": 4, "empty": 4} {
		*reads = 0
		for range 4 {
			k.content(key)
		}
		if *reads != want {
			t.Errorf("four reads of the %s object read the store %d times, want %d", key, *reads, want)
		}
	}
	if got, want := k.Stats().Memory, (blobcache.Stats{Bytes: 3 + 64<<10, Objects: 2, Hits: 4, Misses: 12}); got != want {
		t.Errorf("stats %+v, want %+v", got, want)
	}
	if err := k.put("small", "two", true); err != nil {
		t.Fatal(err)
	}
	if got, _ := k.content("small"); got != "two" {
		t.Errorf("after another upload the object is %q", got)
	}
	if err := k.Delete(t.Context(), service, "own", "small"); err != nil {
		t.Fatal(err)
	}
	if got, missing := k.content("small"); !missing {
		t.Errorf("after the deletion the object is %q", got)
	}
}

func TestRangesOfCachedObjects(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]struct {
		size   int
		remote bool
	}{"small": {size: 10}, "a file": {size: 100_000}, "large and remote": {size: 100_000, remote: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			k.blobs.remote = given.remote
			content := strings.Repeat("0123456789", given.size/10)
			if err := k.put("a", content, false); err != nil {
				t.Fatal(err)
			}
			k.content("a")
			k.content("a")
			found, err := k.Object(t.Context(), service, "own", "a")
			if err != nil {
				t.Fatal(err)
			}
			k.blobs.fail = func(string) error { return errStoreRead }
			size := int64(given.size)
			for _, part := range []struct{ from, length, sent int64 }{{0, size, size}, {3, 4, 4}, {size - 1, 1, 1}, {size, 1, 0}, {size - 2, 5, 2}, {5, size, size - 5}} {
				body, err := k.Open(t.Context(), found, part.from, part.length)
				if err != nil {
					t.Fatal(err)
				}
				var sent bytes.Buffer
				if err := blobcache.Send(&sent, body, part.sent); err != nil || sent.String() != content[part.from:part.from+part.sent] {
					t.Errorf("%d bytes from %d: %d bytes, %v", part.length, part.from, sent.Len(), err)
				}
				if err := blobcache.Send(&sent, body, 1); !errors.Is(err, io.EOF) {
					t.Errorf("%d bytes from %d: after the last byte, %v", part.length, part.from, err)
				}
				if err := body.Close(); err != nil {
					t.Error(err)
				}
			}
			if _, err := k.Open(t.Context(), found, size+1, 1); !errors.Is(err, errStoreRead) {
				t.Errorf("beyond the end: %v", err)
			}
		})
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	k := start(t)
	const size, objects = 200 << 10, 9 // five of them fit into 1 MiB
	content := strings.Repeat("x", size)
	for i := range objects {
		if err := k.put(strconv.Itoa(i), content, false); err != nil {
			t.Fatal(err)
		}
	}
	reads := k.countReads()
	for i := range objects {
		k.content(strconv.Itoa(i))
		k.content(strconv.Itoa(i))
	}
	*reads = 0
	for i := range objects {
		k.content(strconv.Itoa(i))
	}
	if cached := objects - *reads; cached < 2 || cached > 5 {
		t.Errorf("%d objects of %d bytes are cached", cached, size)
	}
	if runtime.GOOS != "linux" {
		return // other systems have no list of open files
	}
	for deadline := time.Now().Add(20 * time.Second); k.openFiles() > 5; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatalf("%d files are open", k.openFiles())
		}
	}
}

// openFiles returns the number of blobs that this process has open.
func (k *kit) openFiles() (count int) {
	k.t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		k.t.Fatal(err)
	}
	for _, link := range links {
		if file, err := os.Readlink(link); err == nil && strings.HasPrefix(file, k.folder+"/") {
			count++
		}
	}
	return count
}

func TestEvictionWhileReading(t *testing.T) {
	t.Parallel()
	k := start(t)
	content := strings.Repeat("0123456789", 20_000)
	for i := range 9 {
		if err := k.put(strconv.Itoa(i), content, false); err != nil {
			t.Fatal(err)
		}
	}
	k.content("0")
	k.content("0")
	found, err := k.Object(t.Context(), service, "own", "0")
	if err != nil {
		t.Fatal(err)
	}
	body, err := k.Open(t.Context(), found, 0, found.Size)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 9 {
		k.content(strconv.Itoa(i))
		k.content(strconv.Itoa(i))
	}
	reads := k.countReads()
	if k.content("0"); *reads == 0 {
		t.Error("the object was not evicted")
	}
	k.blobs.fail = nil
	if err := k.Delete(t.Context(), service, "own", "0"); err != nil {
		t.Fatal(err)
	}
	k.checkConsistency()
	runtime.GC()
	runtime.GC()
	var sent bytes.Buffer
	if err := blobcache.Send(&sent, body, found.Size); err != nil || sent.String() != content {
		t.Errorf("%d bytes, %v", sent.Len(), err)
	}
}
