package freespace_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/server/freespace"
)

func TestBallastIsRemovedOnAFullDiskAndRestored(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	folder := t.TempDir()
	free := int64(100 * size)
	var log bytes.Buffer
	b := freespace.NewMeasuredBallast(folder, "ballast", size, slog.New(slog.NewTextHandler(&log, nil)),
		func(string) (freespace.Space, error) { return freespace.Space{Free: free, Total: 1000 * size}, nil })
	steps := []struct {
		name    string
		free    int64
		there   bool
		wantLog string // the log contains it; empty: the log is empty
	}{
		{"plenty of room makes it", 100 * size, true, "ballast file created"},
		{"some room leaves it", size, true, ""},
		{"a full disk removes it", size/2 - 1, false, "was removed"},
		{"its own room does not bring it back", 2 * size, false, ""},
		{"plenty of room makes it again", 5 * size, true, "ballast file created"},
	}
	for _, step := range steps {
		free = step.free
		log.Reset()
		if err := b.Keep(t.Context()); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		info, err := os.Stat(filepath.Join(folder, "ballast"))
		if there := err == nil; there != step.there || b.Missing() == step.there {
			t.Errorf("%s: there %v, missing %v", step.name, there, b.Missing())
		}
		if err == nil && info.Size() != size {
			t.Errorf("%s: %d bytes", step.name, info.Size())
		}
		if step.wantLog == "" && log.Len() > 0 || !strings.Contains(log.String(), step.wantLog) {
			t.Errorf("%s: log %q", step.name, log.String())
		}
	}
}

func TestBallastOfZeroBytesIsRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "ballast"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := freespace.NewBallast(folder, "ballast", 0, slog.New(slog.DiscardHandler))
	if err := b.Keep(t.Context()); err != nil || b.Missing() {
		t.Errorf("%v, missing %v", err, b.Missing())
	}
	if _, err := os.Stat(filepath.Join(folder, "ballast")); err == nil {
		t.Error("it is still there")
	}
}
