package spool

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"
)

func TestABufferContainsWhatWasWritten(t *testing.T) {
	t.Parallel()
	quota := NewQuota(16<<20, time.Second, t.TempDir())
	for _, size := range []int{0, 1, MaxInMemory, MaxInMemory + 1, 5 << 20} {
		want := bytes.Repeat([]byte("0123456789abcde\n"), size/16+1)[:size]
		b := quota.New()
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 100_000)
			if _, err := b.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		got, err := b.Bytes()
		if err != nil || !bytes.Equal(got, want) || b.Len() != int64(size) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
		b.Discard(got[:size/2])
		if !bytes.Equal(got, want) {
			t.Errorf("%d bytes: changed after half of them were discarded", size)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if !quota.bytes.TryAcquire(16 << 20) {
		t.Error("closed buffers still use the quota")
	}
}

func TestBuffersShareQuota(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	quota := NewQuota(2*step, time.Millisecond, folder)
	first, second := quota.New(), quota.New()
	defer func() { _ = second.Close() }()
	if _, err := first.Write(make([]byte, 2*step-1)); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Write(make([]byte, MaxInMemory)); err != nil {
		t.Errorf("a small one: %v", err)
	}
	if _, err := second.Write([]byte("x")); !errors.Is(err, ErrNoSpace) {
		t.Errorf("a large one: %v, want ErrNoSpace", err)
	}
	if err := second.Reserve(t.Context(), 2); !errors.Is(err, ErrNoSpace) {
		t.Errorf("a reservation: %v, want ErrNoSpace", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.Reserve(t.Context(), step); err != nil {
		t.Errorf("once the first is closed: %v", err)
	}
	if _, err := second.Write(make([]byte, step/2)); err != nil {
		t.Errorf("once the first is closed: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestAMissingFolderIsNoSpace(t *testing.T) {
	t.Parallel()
	b := NewQuota(16<<20, time.Second, t.TempDir()+"/none").New()
	if _, err := b.Write(make([]byte, MaxInMemory+1)); !errors.Is(err, ErrNoSpace) {
		t.Errorf("%v, want ErrNoSpace", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
