// Package blobtest is the test suite for implementations of blob.Store.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/storage/blob"
)

// Run tests that a store fulfils the contract of blob.Store. open returns an empty store.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	for _, rule := range []struct {
		name  string
		check func(t *testing.T, s blob.Store)
	}{
		{"what is put is what is got", sizes},
		{"names of many shapes", names},
		{"reading begins at an offset", offsets},
		{"what is missing is ErrNotFound", absent},
		{"deleting twice is no error", deletes},
		{"a prefix is listed", lists},
		{"a copy outlives what it was made of", copies},
		{"a reader that fails leaves nothing", failingReader},
		{"a number of bytes that is not true leaves nothing", wrongSize},
		{"a context that ends leaves nothing", cancelled},
		{"many put at once", concurrent},
		{"one name put at once is whole", sameName},
		{"parts come in any order", joins},
		{"a part is replaced", replaced},
		{"only what was put is joined", joinErrors},
		{"an upload that is discarded is gone", discards},
		{"all uploads of a name are discarded", discardsAll},
	} {
		t.Run(rule.name, func(t *testing.T) {
			t.Parallel()
			rule.check(t, open(t))
		})
	}
}

// Bytes returns n pseudo-random bytes that depend on the seed.
func Bytes(seed uint64, n int64) []byte {
	content, err := io.ReadAll(Stream(seed, n))
	if err != nil {
		panic(err)
	}
	return content
}

// Stream returns a reader of the same bytes as Bytes, without holding them in memory.
func Stream(seed uint64, n int64) io.Reader {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	return io.LimitReader(rand.NewChaCha8(key), n)
}

func sizes(t *testing.T, s blob.Store) {
	for _, size := range []int64{0, 1, 100_000, 5<<20 + 1, 64 << 20} {
		for _, said := range []int64{size, blob.UnknownSize} {
			name := fmt.Sprintf("sizes/%d/%d", size, said)
			written, err := s.Put(t.Context(), name, struct{ io.Reader }{Stream(1, size)}, said)
			if err != nil || written != size {
				t.Fatalf("Put of %d bytes, said to be %d = %d, %v", size, said, written, err)
			}
			info, err := s.Stat(t.Context(), name)
			if err != nil || info.Size != size || info.Name != name || info.Modified.IsZero() {
				t.Errorf("Stat of %d bytes = %+v, %v", size, info, err)
			}
			MustHold(t, s, name, 0, Stream(1, size))
		}
	}
}

// MustHold fails the test unless the blob from offset on equals want.
func MustHold(t *testing.T, s blob.Store, name string, offset int64, want io.Reader) {
	t.Helper()
	got, err := s.Get(t.Context(), name, offset, 1<<40)
	if err != nil {
		t.Fatalf("Get(%s): %v", name, err)
	}
	defer func() { _ = got.Close() }()
	left, right := make([]byte, 64<<10), make([]byte, 64<<10)
	for at := offset; ; {
		n, err := io.ReadFull(got, left)
		m, wantErr := io.ReadFull(want, right)
		if !bytes.Equal(left[:n], right[:m]) {
			t.Fatalf("%s differs in the 64 KiB from %d on (%d bytes, want %d)", name, at, n, m)
		}
		if err != wantErr {
			t.Fatalf("%s at %d: %v, want %v", name, at, err, wantErr)
		}
		if err != nil {
			return
		}
		at += int64(n)
	}
}

func mustPut(t *testing.T, s blob.Store, name, content string) {
	t.Helper()
	if _, err := s.Put(t.Context(), name, strings.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
}

// mustBeGone fails the test if a blob exists or is listed.
func mustBeGone(t *testing.T, s blob.Store, name string) {
	t.Helper()
	if info, err := s.Stat(context.WithoutCancel(t.Context()), name); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Stat(%s) = %+v, %v, want ErrNotFound", name, info, err)
	}
	for _, listed := range list(t, s, name) {
		if strings.HasPrefix(listed, name+" ") {
			t.Errorf("%s is listed", name)
		}
	}
}

func list(t *testing.T, s blob.Store, prefix string) []string {
	t.Helper()
	var found []string
	err := s.List(t.Context(), prefix, func(info blob.Info) error {
		found = append(found, fmt.Sprintf("%s %d", info.Name, info.Size))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

func names(t *testing.T, s blob.Store) {
	all := []string{
		"a", "9f/0190a2c4-9f00-7000-8000-00000000009f", "bucket/folder/file.txt/5e8f4d34-0f5e-4a62-9b7c-6a3f1f0f1a2b",
		"bucket/folder/5e8f4d34-0f5e-4a62-9b7c-6a3f1f0f1a2b", "b/with space & 'all' ($=@;:+,?) - it _!*/v",
		"b/per%20cent%2f/v", "b/.hidden/v", "b/..dots../v", "b/" + strings.Repeat("x", 200) + "/v",
	}
	for i, name := range all {
		mustPut(t, s, name, strings.Repeat("n", i))
	}
	for i, name := range all {
		MustHold(t, s, name, 0, strings.NewReader(strings.Repeat("n", i)))
	}
	for _, name := range []string{"", "/a", "a/", "../a", "a/../a", "a/./b", "a\x00b", ".."} {
		if _, err := s.Put(t.Context(), name, strings.NewReader("bad"), 3); err == nil {
			t.Errorf("Put took the name %q", name)
		}
		if _, err := s.Begin(t.Context(), name); err == nil {
			t.Errorf("Begin took the name %q", name)
		}
		if got, err := s.Get(t.Context(), name, 0, 3); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Get(%q) = %v, %v, want ErrNotFound", name, got, err)
		}
	}
	if listed := list(t, s, ""); len(listed) != len(all) {
		t.Errorf("there are %d blobs, want %d: %q", len(listed), len(all), listed)
	}
}

func offsets(t *testing.T, s blob.Store) {
	content := Bytes(2, 300_000)
	mustPut(t, s, "whole", string(content))
	for _, offset := range []int64{0, 1, 65_536, 299_999, 300_000} {
		MustHold(t, s, "whole", offset, bytes.NewReader(content[offset:]))
	}
	got, err := s.Get(t.Context(), "whole", 100, 50)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Close() }()
	part := make([]byte, 50)
	if _, err := io.ReadFull(got, part); err != nil || !bytes.Equal(part, content[100:150]) {
		t.Errorf("50 bytes from 100 on differ (%v)", err)
	}
}

func absent(t *testing.T, s blob.Store) {
	mustPut(t, s, "folder/there", "x")
	for _, name := range []string{"nothing", "folder", "folder/nothing", "folder/there/below"} {
		if got, err := s.Get(t.Context(), name, 0, 1); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Get(%s) = %v, %v, want ErrNotFound", name, got, err)
		}
		if _, err := s.Stat(t.Context(), name); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Stat(%s): %v, want ErrNotFound", name, err)
		}
		if err := s.Copy(t.Context(), name, "copy"); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Copy(%s): %v, want ErrNotFound", name, err)
		}
	}
	mustBeGone(t, s, "copy")
}

func deletes(t *testing.T, s blob.Store) {
	for _, name := range []string{"one/two/three/a", "one/two/b", "c", "d"} {
		mustPut(t, s, name, "x")
	}
	for range 2 {
		if err := s.Delete(t.Context(), "one/two/three/a", "never", "c"); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
	if err := s.Delete(t.Context()); err != nil {
		t.Errorf("Delete of nothing: %v", err)
	}
	if diff := cmp.Diff([]string{"d 1", "one/two/b 1"}, list(t, s, "")); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	mustPut(t, s, "one/two/three/a", "again")
	MustHold(t, s, "one/two/three/a", 0, strings.NewReader("again"))
}

func lists(t *testing.T, s blob.Store) {
	for i, name := range []string{"a", "ab/1", "ab/2", "ab/c/3", "abc", "b/1"} {
		mustPut(t, s, name, strings.Repeat("x", i))
	}
	for prefix, want := range map[string][]string{
		"":      {"a 0", "ab/1 1", "ab/2 2", "ab/c/3 3", "abc 4", "b/1 5"},
		"a":     {"a 0", "ab/1 1", "ab/2 2", "ab/c/3 3", "abc 4"},
		"ab":    {"ab/1 1", "ab/2 2", "ab/c/3 3", "abc 4"},
		"ab/":   {"ab/1 1", "ab/2 2", "ab/c/3 3"},
		"ab/c":  {"ab/c/3 3"},
		"ab/c/": {"ab/c/3 3"},
		"b/1":   {"b/1 5"},
		"x/":    nil,
		"../":   nil,
	} {
		if diff := cmp.Diff(want, list(t, s, prefix)); diff != "" {
			t.Errorf("List(%q) (-want +got):\n%s", prefix, diff)
		}
	}
	stop, calls := errors.New("enough"), 0
	err := s.List(t.Context(), "", func(blob.Info) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("List went on for %d calls and said %v", calls, err)
	}
}

func copies(t *testing.T, s blob.Store) {
	mustPut(t, s, "from", "the bytes")
	for _, to := range []string{"to/here", "to/here", "from"} {
		if err := s.Copy(t.Context(), "from", to); err != nil {
			t.Fatalf("Copy to %s: %v", to, err)
		}
	}
	if err := s.Delete(t.Context(), "from"); err != nil {
		t.Fatal(err)
	}
	MustHold(t, s, "to/here", 0, strings.NewReader("the bytes"))
	if diff := cmp.Diff([]string{"to/here 9"}, list(t, s, "")); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
}

func concurrent(t *testing.T, s blob.Store) {
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			name := fmt.Sprintf("%02x/deep/%d", i%4, i)
			content := Bytes(uint64(i), int64(i*1000))
			if _, err := s.Put(t.Context(), name, bytes.NewReader(content), int64(len(content))); err != nil {
				t.Error(err)
				return
			}
			if i%3 == 0 {
				if err := s.Delete(t.Context(), name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for i := range 64 {
		name := fmt.Sprintf("%02x/deep/%d", i%4, i)
		if i%3 == 0 {
			mustBeGone(t, s, name)
		} else {
			MustHold(t, s, name, 0, Stream(uint64(i), int64(i*1000)))
		}
	}
}

func sameName(t *testing.T, s blob.Store) {
	const size = 200_000
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := s.Put(t.Context(), "one", Stream(uint64(i), size), size); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := s.Get(t.Context(), "one", 0, size)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Close() }()
	content, err := io.ReadAll(got)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if bytes.Equal(content, Bytes(uint64(i), size)) {
			return
		}
	}
	t.Error("the blob is none of those that were put")
}
