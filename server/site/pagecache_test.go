package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
)

// cachedSite is a site whose pages name their path, and a clock.
type cachedSite struct {
	*Site

	made     atomic.Int64 // pages that were built
	now      atomic.Pointer[time.Time]
	describe func(r *http.Request) Meta
}

func newCachedSite(t *testing.T) *cachedSite {
	t.Helper()
	k := &cachedSite{describe: func(r *http.Request) Meta {
		return Meta{Head: Head{Title: r.URL.Path}, Tags: []string{"t:" + r.URL.Path}}
	}}
	start := time.Date(2026, 11, 26, 12, 0, 10, 0, time.UTC)
	k.now.Store(&start)
	kept := NewPageCache(func(r *http.Request) (string, bool) { return r.URL.Path, r.URL.Path != "/account" }, func() time.Time { return *k.now.Load() })
	client := fstest.MapFS{"index.html": {Data: []byte(`<html><head><title>Plaza</title></head><body><div id="root"></div></body></html>`)}}
	var err error
	k.Site, err = New(client, Options{PageCache: kept, API: http.NotFoundHandler(), Describe: func(r *http.Request) Meta {
		k.made.Add(1)
		return k.describe(r)
	}})
	if err != nil {
		t.Fatal(err)
	}
	kept.SetListening(true)
	return k
}

func (k *cachedSite) request(path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	k.ServeHTTP(w, r)
	return w
}

// wantMade requests paths and compares how many pages have been built in all.
func (k *cachedSite) wantMade(t *testing.T, want int64, paths ...string) {
	t.Helper()
	for _, path := range paths {
		k.request(path)
	}
	if got := k.made.Load(); got != want {
		t.Errorf("after %v: %d pages were built, want %d", paths, got, want)
	}
}

func TestKeptPages(t *testing.T) {
	t.Parallel()
	k := newCachedSite(t)
	plain, zipped := k.request("/a"), k.request("/a", "Accept-Encoding", "gzip")
	again := k.request("/a", "Cookie", "a=b")
	if k.made.Load() != 1 || again.Body.String() != plain.Body.String() || again.Code != http.StatusOK {
		t.Errorf("%d pages were built; %q, then %q", k.made.Load(), plain.Body, again.Body)
	}
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() == 0 {
		t.Errorf("compressed: %v", zipped.Header())
	}
	k.wantMade(t, 3, "/account", "/account") // never kept

	// Until the minute ends.
	later := k.now.Load().Add(49 * time.Second)
	k.now.Store(&later)
	k.wantMade(t, 3, "/a")
	later = later.Add(time.Second)
	k.now.Store(&later)
	k.wantMade(t, 4, "/a", "/a")

	k.PageCache.Drop([]string{"t:/b", "t:/c"})
	k.wantMade(t, 4, "/a")
	k.PageCache.Drop([]string{"t:/b", "t:/a"})
	k.wantMade(t, 5, "/a")
	k.PageCache.DropAll()
	k.wantMade(t, 6, "/a")
	k.PageCache.SetListening(false)
	k.wantMade(t, 8, "/a", "/a")
	if stats := k.PageCache.Stats(); stats.Pages != 0 || stats.Bytes != 0 || stats.Hits != 5 {
		t.Errorf("in the end: %+v", stats)
	}
}

// Pages that were moved, do not exist or lack something are not kept.
func TestPagesThatAreNotKept(t *testing.T) {
	t.Parallel()
	for name, meta := range map[string]Meta{
		"moved":          {Location: "/b"},
		"missing":        {Status: http.StatusNotFound},
		"failed":         {Status: http.StatusInternalServerError},
		"partly unknown": {IsPartial: true},
		"without data":   {Requests: []Request{{Path: "/rest/v1/none"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newCachedSite(t)
			k.describe = func(*http.Request) Meta { return meta }
			k.wantMade(t, 2, "/a", "/a")
		})
	}
}

func TestKeptPagesAreBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ requested, size, pages, bytes int }{
		{maxKept + 10, 100, maxKept, 100 * maxKept},
		{40, 1 << 20, 32, maxKeptBytes},
		{1, maxKeptBytes/16 + 1, 0, 0},
	} {
		kept := NewPageCache(func(r *http.Request) (string, bool) { return r.URL.Path, true }, time.Now)
		kept.SetListening(true)
		for n := range test.requested {
			made := &built{status: http.StatusOK, zipped: make([]byte, test.size), isWhole: true}
			kept.get(httptest.NewRequest(http.MethodGet, fmt.Sprintf("/%d", n), nil), func(*http.Request) *built { return made })
		}
		if stats := kept.Stats(); stats.Pages != test.pages || stats.Bytes != test.bytes {
			t.Errorf("%d pages of %d bytes: %+v", test.requested, test.size, stats)
		}
	}
}

// Concurrent requests have their page built once.
func TestPagesAreBuiltOnce(t *testing.T) {
	t.Parallel()
	k := newCachedSite(t)
	begun, goOn := make(chan bool), make(chan bool)
	k.describe = func(*http.Request) Meta {
		begun <- true
		<-goOn
		return Meta{}
	}
	var all sync.WaitGroup
	all.Go(func() { k.request("/a") })
	<-begun
	for range 8 {
		all.Go(func() {
			if w := k.request("/a"); w.Code != http.StatusOK || w.Body.Len() == 0 {
				t.Errorf("%d %q", w.Code, w.Body)
			}
		})
	}
	for k.PageCache.Stats().Hits < 8 {
		runtime.Gosched()
	}
	close(goOn)
	all.Wait()
	k.wantMade(t, 1)
}

// A page is not kept if its data changed while it was built, and no request that arrives after
// the change waits for it.
func TestChangesWhileAPageIsBuilt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*PageCache)
		isKept bool
	}{
		"its tag":       {func(k *PageCache) { k.Drop([]string{"t:/a"}) }, false},
		"another tag":   {func(k *PageCache) { k.Drop([]string{"t:/b"}) }, true},
		"all":           {(*PageCache).DropAll, false},
		"not listening": {func(k *PageCache) { k.SetListening(false); k.SetListening(true) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newCachedSite(t)
			begun, goOn := make(chan bool), make(chan bool)
			k.describe = func(r *http.Request) Meta {
				if k.made.Load() == 1 {
					begun <- true
					<-goOn
				}
				return Meta{Head: Head{Title: fmt.Sprint(k.made.Load())}, Tags: []string{"t:" + r.URL.Path}}
			}
			var first sync.WaitGroup
			first.Go(func() { k.request("/a") })
			<-begun
			test.change(k.PageCache)
			if !test.isKept {
				k.wantMade(t, 2, "/a") // it does not wait
			}
			close(goOn)
			first.Wait()
			before := k.made.Load()
			k.PageCache.mu.Lock()
			page, ok := k.PageCache.pages.Peek("/a")
			k.PageCache.mu.Unlock()
			if test.isKept {
				k.wantMade(t, before, "/a")
			} else if text, err := page.body(false); !ok || err != nil || string(text) == "" {
				t.Errorf("the newer page is not kept: %v %v", ok, err)
			}
		})
	}
}

// A build that fails does not leave others waiting.
func TestFailedBuild(t *testing.T) {
	t.Parallel()
	k := newCachedSite(t)
	whole := k.describe
	k.describe = func(*http.Request) Meta { panic(http.ErrAbortHandler) }
	func() {
		defer func() { _ = recover() }()
		k.request("/a")
	}()
	k.describe = whole
	k.wantMade(t, 2, "/a", "/a")
}
