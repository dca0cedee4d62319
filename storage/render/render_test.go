package render_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/storage/blob/disk"
	"plaza/storage/core"
	images "plaza/storage/image"
	"plaza/storage/render"
	"plaza/storage/rest"
	"plaza/tests/testkit"
)

// objects is a storage service with one image, a.png in the public bucket open.
func objects(t *testing.T) (*core.Service, core.Object) {
	t.Helper()
	address := testkit.PlatformURL(t)
	log := slog.New(slog.DiscardHandler)
	serverDB, err := pg.Open(t.Context(), pg.Config{
		CallerURL: address, ServiceURL: address, MaxCallers: 4, MaxService: 2, AcquireTimeout: 10 * time.Second, SearchPath: []string{"public", "extensions"}, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serverDB.Close)
	store, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	service := core.New(core.Config{FileSizeLimit: 1 << 20}, core.Deps{DB: serverDB, Blobs: store, Log: log, Now: time.Now})
	if _, err := testkit.Open(t, address).Exec(t.Context(), `insert into storage.buckets (id, name, public) values ('open', 'open', true)`); err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	call := core.Call{Who: claims.ForRole(claims.ServiceRole), Operation: "storage.object.upload"}
	upload := core.Upload{Target: core.Target{Bucket: "open", Key: "a.png", MimeType: "image/png"}, Size: core.UnknownSize, Body: &picture}
	if _, err := service.Upload(t.Context(), call, upload, true); err != nil {
		t.Fatal(err)
	}
	stored, err := service.Public(t.Context(), "open", "a.png")
	if err != nil {
		t.Fatal(err)
	}
	return service, stored
}

func open(t *testing.T, service *core.Service, limits images.Limits, folder string) *render.Service {
	t.Helper()
	made, err := render.New(render.Config{Sides: images.DefaultSides, Limits: limits, CacheBytes: 1 << 20, Folder: folder, Version: "test"}, service)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := made.Close(); err != nil {
			t.Error(err)
		}
	})
	return made
}

// If the queue for rendering is full, the response is 429 with Retry-After.
func TestFullRenderQueueIsRefused(t *testing.T) {
	t.Parallel()
	service, _ := objects(t)
	limits := images.DefaultLimits
	limits.MaxWaiting = 0
	server := rest.New(rest.Config{}, service, open(t, service, limits, ""), nil)
	got := httptest.NewRecorder()
	server.Routes("").ServeHTTP(got, httptest.NewRequest(http.MethodGet, "/render/image/public/open/a.png", nil))
	if got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") == "" || !strings.Contains(got.Body.String(), `"code":"SlowDown"`) {
		t.Errorf("%d %v %s", got.Code, got.Header(), got.Body)
	}
}

// If a client leaves, its image is not generated; requests after it work.
func TestDisconnectedClientsImageIsNotGenerated(t *testing.T) {
	t.Parallel()
	service, stored := objects(t)
	folder := t.TempDir()
	pictures := open(t, service, images.DefaultLimits, folder)
	wanted := render.Wanted{Object: stored, Options: images.Options{Width: 10}}
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, _, err := pictures.Open(left, wanted); err == nil {
		t.Error("made for a client that has left")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("%d files are kept, %v", len(entries), err)
	}
	file, contentType, err := pictures.Open(t.Context(), wanted)
	if err != nil || contentType != "image/png" {
		t.Fatal(contentType, err)
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(file)
	if made, bad := png.DecodeConfig(bytes.NewReader(content)); err != nil || bad != nil || made.Width != 10 {
		t.Errorf("%d wide, %v, %v", made.Width, err, bad)
	}
}

// Images cached by one server are used by the next server of the same version.
func TestResultsOutliveTheServer(t *testing.T) {
	t.Parallel()
	service, stored := objects(t)
	folder := t.TempDir()
	wanted := render.Wanted{Object: stored, Options: images.Options{Width: 10}}
	first, _, err := open(t, service, images.DefaultLimits, folder).Open(t.Context(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	_ = first.Close()
	unable := images.DefaultLimits
	unable.MaxWaiting = 0
	second, _, err := open(t, service, unable, folder).Open(t.Context(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Close()
	other, err := render.New(render.Config{Limits: unable, CacheBytes: 1 << 20, Folder: folder, Version: "next"}, service)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Open(t.Context(), wanted); err == nil {
		t.Error("another version's result is given")
	}
}

// If no cache folder is configured, the cache is removed when the server closes.
func TestTheCacheGoesWithTheServer(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	pictures, err := render.New(render.Config{Limits: images.DefaultLimits, CacheBytes: 1 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d folders, %v: want one", len(entries), err)
	}
	if err := pictures.Close(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("%d folders are left, %v", len(entries), err)
	}
}

// A killed server cannot remove its temporary folder. The next one does, and keeps the folder of one that runs.
func TestFoldersOfKilledServersAreRemoved(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	open := func() *render.Service {
		t.Helper()
		pictures, err := render.New(render.Config{Limits: images.DefaultLimits, CacheBytes: 1 << 20}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := pictures.Close(); err != nil {
				t.Error(err)
			}
		})
		return pictures
	}
	open()
	inUse, err := os.ReadDir(folder)
	if err != nil || len(inUse) != 1 {
		t.Fatalf("%d folders, %v: want one", len(inUse), err)
	}
	abandoned := filepath.Join(folder, inUse[0].Name()+"0")
	if err := os.Mkdir(abandoned, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(abandoned, "a.png"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	open()
	if _, err := os.Stat(abandoned); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the abandoned folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, inUse[0].Name())); err != nil {
		t.Errorf("the folder in use: %v", err)
	}
}
