package embedded

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	cfg.Port = listener.Addr().(*net.TCPAddr).Port
	if _, err := Start(t.Context(), cfg); !errors.Is(err, ErrPortInUse) {
		t.Errorf("start on a taken port: %v, want ErrPortInUse", err)
	}
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	mustStop(t, mustStart(t, cfg))
	cfg.Password = "another"
	if _, err := Start(t.Context(), cfg); !errors.Is(err, ErrPassword) {
		t.Errorf("start with another password: %v, want ErrPassword", err)
	}
}

func TestCancelledStartCleansUp(t *testing.T) {
	t.Parallel()
	parent := openDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cfg := testConfig(filepath.Join(parent, "data"))
	cfg.Progress = func(string) { cancel() } // initdb is about to start
	if _, err := Start(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled start: %v, want context.Canceled", err)
	}
	left, err := filepath.Glob(filepath.Join(parent, "data*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || filepath.Base(left[0]) != "data.lock" {
		t.Errorf("left behind: %v, want only the lock file", left)
	}
	cfg.Progress = nil
	mustStart(t, cfg)
}

func TestFolderWithOtherFilesIsRefused(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(dir + ".lock") })
	if _, err := Start(t.Context(), testConfig(dir)); !errors.Is(err, ErrNotWritable) {
		t.Errorf("start: %v, want ErrNotWritable", err)
	}
}

func TestUnwritableParent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(openDir(t), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), testConfig(filepath.Join(file, "data"))); !errors.Is(err, ErrNotWritable) {
		t.Errorf("start below a file: %v, want ErrNotWritable", err)
	}
}

func TestOtherDataVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "PG_VERSION"), []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), testConfig(dir)); !errors.Is(err, ErrDataVersion) {
		t.Errorf("start: %v, want ErrDataVersion", err)
	}
}

func TestMissingBinaries(t *testing.T) {
	t.Parallel()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	cfg.BinDir = t.TempDir()
	_, err := Start(t.Context(), cfg)
	if !errors.Is(err, ErrNoBinaries) {
		t.Fatalf("start: %v, want ErrNoBinaries", err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has more than one line: %v", err)
	}
}
