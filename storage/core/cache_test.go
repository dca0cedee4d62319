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

// run has a service hear of changes until the test ends.
func (k *kit) run(s *core.Service) {
	k.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); s.Run(ctx) }()
	k.t.Cleanup(func() { stop(); <-ended })
	until(s.Hears)
}

func until(true func() bool) {
	for !true() {
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

// unheard changes the row without telling anybody, so that a reader shows where
// its row comes from.
const unheard = `alter table storage.objects disable trigger all;
	update storage.objects set metadata = metadata || '{"eTag": "unheard"}';
	alter table storage.objects enable trigger all`

func TestPublicRowsAreKept(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.run(k.Service)
	k.putOpen(k.Service, "one")
	first := etag(t, k.Service)
	k.exec(unheard)
	if got := etag(t, k.Service); got != first {
		t.Errorf("the row was read again: %s", got)
	}
	if got := etag(t, k.another()); got != "unheard" {
		t.Errorf("a server that hears of nothing has kept the row: %s", got)
	}
}

func TestWhatChangesIsForgotten(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(k *kit, other *core.Service){
		"written here":       func(k *kit, _ *core.Service) { k.putOpen(k.Service, "two") },
		"written by another": func(k *kit, other *core.Service) { k.putOpen(other, "two") },
		"changed by SQL": func(k *kit, _ *core.Service) {
			k.exec(`update storage.objects set metadata = metadata || '{"eTag": "sql"}'`)
		},
		"moved by another": func(k *kit, other *core.Service) {
			_, _ = other.Move(k.t.Context(), service, "open", "a", "open", "b", "")
		},
		"deleted by another":      func(k *kit, other *core.Service) { _ = other.Delete(k.t.Context(), service, "open", "a") },
		"in a bucket now private": func(k *kit, _ *core.Service) { k.exec(`update storage.buckets set public = false where id = 'open'`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			k.t = t
			k.run(k.Service)
			k.putOpen(k.Service, "one")
			first := etag(t, k.Service)
			change(k, k.another())
			if name == "written here" && etag(t, k.Service) == first {
				t.Error("a write of this server is not seen at once")
			}
			until(func() bool { return etag(t, k.Service) != first })
		})
	}
}

// A connection that is lost may have missed something.
func TestNothingIsKeptWhileChangesAreNotHeardOf(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.run(k.Service)
	k.putOpen(k.Service, "one")
	first := etag(t, k.Service)
	k.exec(unheard)
	k.exec(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN "plaza_storage"' and datname = current_database()`)
	until(func() bool { return etag(t, k.Service) != first })
	until(k.Hears)
}

func TestABlobThatIsGoneIsForgotten(t *testing.T) {
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
	k.exec(unheard)
	if got := etag(t, k.Service); got != "unheard" {
		t.Errorf("the row is kept: %s", got)
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

// An object that upstream's server wrote is read, copied and moved.
func TestForeignVersions(t *testing.T) {
	t.Parallel()
	k := start(t)
	const version = "8f14e45f-ceea-467f-9c3d-1a2b3c4d5e6f"
	if _, err := k.blobs.Put(t.Context(), "own/a/b.txt/"+version, strings.NewReader("old"), 3); err != nil {
		t.Fatal(err)
	}
	k.exec(`insert into storage.objects (bucket_id, name, version, metadata) values ('own', 'a/b.txt', $1, '{"size": 3, "mimetype": "text/plain"}')`, version)
	if content, _ := k.content("a/b.txt"); content != "old" {
		t.Errorf("it is %q", content)
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
	k.agree()
}

func TestContradictions(t *testing.T) {
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
