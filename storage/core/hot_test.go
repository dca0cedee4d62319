package core_test

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"plaza/storage/core"
)

var errNoStore = errors.New("the store was asked")

// stored counts how often the store is asked for bytes.
func (k *kit) stored() *int {
	asked := new(int)
	k.blobs.fail = func(step string) error {
		if step == "get" {
			*asked++
		}
		return nil
	}
	return asked
}

func TestSmallObjectsThatAreReadOftenAreInMemory(t *testing.T) {
	t.Parallel()
	k := start(t)
	if err := errors.Join(k.put("small", "one", false), k.put("large", strings.Repeat("x", 256<<10+1), false), k.put("empty", "", false)); err != nil {
		t.Fatal(err)
	}
	asked := k.stored()
	for key, want := range map[string]int{"small": 2, "large": 4, "empty": 4} {
		*asked = 0
		for range 4 {
			k.content(key)
		}
		if *asked != want {
			t.Errorf("four readings of the %s object asked the store %d times, want %d", key, *asked, want)
		}
	}
	if got, want := k.Stats().Memory, (core.MemoryStats{Bytes: 3, Objects: 1, Hits: 2, Misses: 10}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
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
		t.Errorf("after its removal the object is %q", got)
	}
}

func TestPartsOfAnObjectInMemory(t *testing.T) {
	t.Parallel()
	k := start(t)
	if err := k.put("a", "0123456789", false); err != nil {
		t.Fatal(err)
	}
	k.content("a")
	k.content("a")
	found, err := k.Object(t.Context(), service, "own", "a")
	if err != nil {
		t.Fatal(err)
	}
	k.blobs.fail = func(string) error { return errNoStore }
	for _, part := range []struct {
		from, length int64
		want         string
	}{{0, 10, "0123456789"}, {3, 4, "3456"}, {9, 1, "9"}, {10, 0, ""}, {8, 5, "89"}} {
		body, err := k.Open(t.Context(), found, part.from, part.length)
		if err != nil {
			t.Fatal(err)
		}
		var sent bytes.Buffer
		if err := core.Send(&sent, body, int64(len(part.want))); err != nil || sent.String() != part.want {
			t.Errorf("%d bytes from %d: %q, %v", part.length, part.from, sent.String(), err)
		}
	}
	if _, err := k.Open(t.Context(), found, 11, 1); !errors.Is(err, errNoStore) {
		t.Errorf("behind the end: %v", err)
	}
}

func TestTheMemoryOfObjectsIsBounded(t *testing.T) {
	t.Parallel()
	k := start(t)
	const size, objects = 200 << 10, 9 // of which 1 MiB holds five
	content := strings.Repeat("x", size)
	for i := range objects {
		if err := k.put(strconv.Itoa(i), content, false); err != nil {
			t.Fatal(err)
		}
	}
	asked := k.stored()
	for i := range objects {
		k.content(strconv.Itoa(i))
		k.content(strconv.Itoa(i))
	}
	*asked = 0
	for i := range objects {
		k.content(strconv.Itoa(i))
	}
	if kept := objects - *asked; kept < 2 || kept > 5 {
		t.Errorf("%d objects of %d bytes are in memory", kept, size)
	}
}
