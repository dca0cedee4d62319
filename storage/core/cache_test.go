package core_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"plaza/storage/core"
	"plaza/storage/mimetype"
	"plaza/storage/storageerr"
)

// run runs a service until the test ends, and waits until it receives change notifications.
func (k *kit) run(s *core.Service) {
	k.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); s.Run(ctx) }()
	k.t.Cleanup(func() { stop(); <-ended })
	waitUntil(s.IsListening)
}

// waitUntil polls a condition.
func waitUntil(condition func() bool) {
	for !condition() {
		runtime.Gosched()
	}
}

func (k *kit) putOpen(s *core.Service, content string) {
	k.t.Helper()
	u := upload("a", content, true)
	u.Bucket = "open"
	if _, err := s.Upload(k.t.Context(), service, u, false); err != nil {
		k.t.Fatal(err)
	}
}

func etag(t *testing.T, s *core.Service) string {
	t.Helper()
	found, err := s.Public(t.Context(), "open", "a")
	if err != nil && !errors.Is(err, storageerr.ErrNoSuchKey) && !errors.Is(err, storageerr.ErrNoSuchBucket) {
		t.Fatal(err)
	}
	return found.ETag
}

// silentUpdate changes the row without a notification. The ETag "unnoticed" then shows whether a
// row was read from the database or the cache.
const silentUpdate = `alter table storage.objects disable trigger all;
	update storage.objects set metadata = metadata || '{"eTag": "unnoticed"}';
	alter table storage.objects enable trigger all`

func TestPublicRowsAreCached(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.run(k.Service)
	k.putOpen(k.Service, "one")
	first := etag(t, k.Service)
	k.exec(silentUpdate)
	if got := etag(t, k.Service); got != first {
		t.Errorf("the row was not cached: %s", got)
	}
	if got := etag(t, k.another()); got != "unnoticed" {
		t.Errorf("a server without notifications has cached the row: %s", got)
	}
}

func TestChangesInvalidateCache(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(k *kit, other *core.Service){
		"written by this server":    func(k *kit, _ *core.Service) { k.putOpen(k.Service, "two") },
		"written by another server": func(k *kit, other *core.Service) { k.putOpen(other, "two") },
		"changed by SQL": func(k *kit, _ *core.Service) {
			k.exec(`update storage.objects set metadata = metadata || '{"eTag": "sql"}'`)
		},
		"moved by another server": func(k *kit, other *core.Service) {
			_, _ = other.Move(k.t.Context(), service, "open", "a", "open", "b", "")
		},
		"deleted by another server": func(k *kit, other *core.Service) { _ = other.Delete(k.t.Context(), service, "open", "a") },
		"bucket made private":       func(k *kit, _ *core.Service) { k.exec(`update storage.buckets set public = false where id = 'open'`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			k.t = t
			k.run(k.Service)
			k.putOpen(k.Service, "one")
			first := etag(t, k.Service)
			change(k, k.another())
			if name == "written by this server" && etag(t, k.Service) == first {
				t.Error("a write of this server is not visible immediately")
			}
			waitUntil(func() bool { return etag(t, k.Service) != first })
		})
	}
}

// A lost connection may have missed notifications, so the cache is not used without it.
func TestNothingIsCachedWithoutNotifications(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.run(k.Service)
	k.putOpen(k.Service, "one")
	first := etag(t, k.Service)
	k.exec(silentUpdate)
	k.exec(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN "plaza_storage"' and datname = current_database()`)
	waitUntil(func() bool { return etag(t, k.Service) != first })
	waitUntil(k.IsListening)
}

func TestMissingBlobInvalidatesCache(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.run(k.Service)
	k.putOpen(k.Service, "one")
	found, err := k.Public(t.Context(), "open", "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.blobs.Delete(t.Context(), core.BlobName("", "", found.Version)); err != nil {
		t.Fatal(err)
	}
	_, err = k.Open(t.Context(), found, 0, 3)
	if !k.Gone(found, err) {
		t.Fatalf("error %v", err)
	}
	k.exec(silentUpdate)
	if got := etag(t, k.Service); got != "unnoticed" {
		t.Errorf("the row is still cached: %s", got)
	}
}

func TestBlobNames(t *testing.T) {
	t.Parallel()
	k := start(t)
	const own, foreign = "01931f2e-7c11-7b52-a0b3-5f2f7a3c9e4d", "8f14e45f-ceea-467f-9c3d-1a2b3c4d5e6f"
	for _, tt := range []struct{ bucket, key, version, want string }{
		{"own", "a/b.txt", own, "4d/" + own},
		{"own", "../../etc/passwd", own, "4d/" + own},
		{"own", "a/b.txt", foreign, "own/a/b.txt/" + foreign},
		{"own", "a/../b.txt", foreign, ""},
		{"own", "a//b.txt", foreign, ""},
		{"..", "b.txt", foreign, ""},
		{"own", ".", foreign, ""},
		{"own", "a/...", foreign, "own/a/.../" + foreign},
		{"own", "old", "", "own/old"},
		{"4d", own, "", ""},
		{".plaza", "uploads", foreign, ""},
	} {
		if got := core.BlobName(tt.bucket, tt.key, tt.version); got != tt.want {
			t.Errorf("%q %q %q: %q, want %q", tt.bucket, tt.key, tt.version, got, tt.want)
		}
		var inSQL string
		err := k.db.QueryRow(t.Context(), `select coalesce(storage.blob_name($1, $2, nullif($3, '')), '')`, tt.bucket, tt.key, tt.version).Scan(&inSQL)
		if err != nil || inSQL != tt.want {
			t.Errorf("in SQL, %q %q %q: %q (%v), want %q", tt.bucket, tt.key, tt.version, inSQL, err, tt.want)
		}
	}
}

// Objects that upstream's server wrote can be read, copied and moved.
func TestObjectsOfUpstreamsServer(t *testing.T) {
	t.Parallel()
	k := start(t)
	const version = "8f14e45f-ceea-467f-9c3d-1a2b3c4d5e6f"
	if _, err := k.blobs.Put(t.Context(), "own/a/b.txt/"+version, strings.NewReader("old"), 3); err != nil {
		t.Fatal(err)
	}
	k.exec(`insert into storage.objects (bucket_id, name, version, metadata) values ('own', 'a/b.txt', $1, '{"size": 3, "mimetype": "text/plain"}')`, version)
	if content, _ := k.content("a/b.txt"); content != "old" {
		t.Errorf("the object is %q", content)
	}
	if _, err := k.Copy(t.Context(), service, core.Copy{Bucket: "own", Key: "a/b.txt", To: core.Target{Bucket: "own", Key: "copied"}, KeepMetadata: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Move(t.Context(), service, "own", "a/b.txt", "own", "moved", ""); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"copied", "moved"} {
		if content, _ := k.content(key); content != "old" {
			t.Errorf("%s is %q", key, content)
		}
	}
	k.checkConsistency()
}

func TestContentContradictsDeclaredType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		declared, found string
		want            bool
	}{
		{"image/png", "image/png", false},
		{"image/png", "image/jpeg", false},
		{"image/png", "text/html; charset=utf-8", true},
		{"image/png", "text/plain; charset=utf-8", true},
		{"image/png", "application/octet-stream", true},
		{"image/png", "application/zip", true},
		{"image/svg+xml", "text/xml; charset=utf-8", false},
		{"image/svg+xml", "text/plain; charset=utf-8", false},
		{"image/avif", "application/octet-stream", false},
		{"image/avif", "text/html; charset=utf-8", true},
		{"video/mp4", "text/html; charset=utf-8", true},
		{"application/pdf", "text/html; charset=utf-8", true},
		{"text/plain;charset=UTF-8", "text/html; charset=utf-8", false},
		{"application/json", "text/plain; charset=utf-8", false},
		{"text/plain", "image/png", true},
		{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip", false},
	} {
		if got := mimetype.Contradicts(tt.declared, tt.found, []string{tt.declared}); got != tt.want {
			t.Errorf("%s with bytes of %s: %v", tt.declared, tt.found, got)
		}
	}
}
