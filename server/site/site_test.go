package site_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"plaza/server/site"
)

const page = `<!doctype html>
<html lang="es">
  <head>
    <title>Home</title>
    <meta
      name="description"
      content="the client's own words"
    />
    <meta name="supabase-anon-key" content="__SUPABASE_ANON_KEY__" />
    <meta property="og:title" content="Home" />
    <meta property="og:image" content="/og.png" />
  </head>
  <body><div id="root"></div><script type="module" src="/assets/main.js"></script></body>
</html>`

func client() fstest.MapFS {
	return fstest.MapFS{
		"index.html":     {Data: []byte(page)},
		"assets/main.js": {Data: []byte(strings.Repeat("console.log(1);", 100))},
		"assets/0.mvt":   {Data: bytes.Repeat([]byte("tile"), 100)},
		"favicon.svg":    {Data: []byte("<svg/>")},
		".gitkeep":       {},
	}
}

func get(t *testing.T, s http.Handler, path string, header ...string) (*http.Response, string) {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, request)
	response := recorder.Result()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func serve(t *testing.T, describe site.Describe) *site.Site {
	t.Helper()
	s, err := site.New(client(), site.Options{AnonKey: `key"quoted`, Describe: describe})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOtherPathsServeThePage(t *testing.T) {
	t.Parallel()
	response, body := get(t, serve(t, nil), "/business/x")
	if response.StatusCode != http.StatusOK || !strings.Contains(body, `content="key&#34;quoted"`) {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	for name, want := range map[string]string{"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") {
		t.Errorf("inline script is not ruled out: %s", policy)
	}
}

func TestAssetsAreCachedAndCompressed(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	response, body := get(t, s, "/assets/main.js", "Accept-Encoding", "gzip")
	if response.Header.Get("Content-Encoding") != "gzip" || len(body) > 200 || !strings.Contains(response.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%v, %d bytes", response.Header, len(body))
	}
	if response, body := get(t, s, "/assets/main.js"); response.Header.Get("Content-Encoding") != "" || len(body) != 1500 {
		t.Errorf("without gzip: %v, %d bytes", response.Header, len(body))
	}
	response, _ = get(t, s, "/assets/0.mvt", "Accept-Encoding", "gzip")
	if response.Header.Get("Content-Encoding") != "gzip" || response.Header.Get("Content-Type") != "application/vnd.mapbox-vector-tile" {
		t.Errorf("a vector tile: %v", response.Header)
	}
	if response, _ := get(t, s, "/assets/gone.js"); response.StatusCode != http.StatusNotFound {
		t.Errorf("a missing asset answers %d", response.StatusCode)
	}
	if response, _ := get(t, s, "/.gitkeep"); strings.HasPrefix(response.Header.Get("Content-Type"), "application/octet") {
		t.Error("hidden files are served")
	}
}

// A build contains compressed variants of its files. Clients that accept none get the
// file itself, and the variants cannot be requested directly.
func TestCompressedVariants(t *testing.T) {
	t.Parallel()
	built := client()
	built["assets/main.js.br"] = &fstest.MapFile{Data: []byte("brotli")}
	built["assets/main.js.zst"] = &fstest.MapFile{Data: []byte("zstandard")}
	built["assets/main.js.old.br"] = &fstest.MapFile{Data: []byte("of no file")}
	s, err := site.New(built, site.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for takes, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "gzip, br;q=0, zstd": "zstd", "gzip;q=0.5 , br; q=0.0": "gzip", "zstd;q=1": "zstd",
		"br;q=0": "", "identity": "", "": "", "brotli": "",
	} {
		response, body := get(t, s, "/assets/main.js", "Accept-Encoding", takes)
		if got := response.Header.Get("Content-Encoding"); got != want || response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: sent as %q, want %q", takes, got, want)
		}
		if want == "" && len(body) != 1500 || want == "br" && body != "brotli" {
			t.Errorf("%q: %d bytes", takes, len(body))
		}
	}
	if response, _ := get(t, s, "/assets/main.js.br"); response.StatusCode != http.StatusNotFound {
		t.Errorf("a form is served as a file: %d", response.StatusCode)
	}
	response, _ := get(t, s, "/", "Accept-Encoding", "gzip")
	if response.Header.Get("Content-Encoding") != "gzip" || response.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("the page: %v", response.Header)
	}
}

func TestAPageDescribesItself(t *testing.T) {
	t.Parallel()
	s := serve(t, func(r *http.Request) site.Meta {
		if r.URL.Path == "/gone" {
			return site.Meta{Status: http.StatusNotFound, Head: site.Head{ImageBase: "https://example.com", URL: "https://example.com/gone", Robots: site.NoIndex, Alternates: []site.Alternate{{Lang: "ca", URL: "https://example.com/ca/gone"}}}}
		}
		return site.Meta{Head: site.Head{
			Lang: "en", Title: `A "quoted" <name>`, Description: strings.Repeat("word ", 100), URL: "https://example.com/x", Alternates: []site.Alternate{{Lang: "ca", URL: "https://example.com/ca/x?a&b"}}, Image: "https://example.com/x.png",
			Data: []any{map[string]string{"name": "</script><b>"}, map[string]int{"position": 2}},
		}}
	})
	_, body := get(t, s, "/x")
	for _, want := range []string{
		`<html lang="en">`, `<title>A &#34;quoted&#34; &lt;name&gt;</title>`,
		`<meta property="og:title" content="A &#34;quoted&#34; &lt;name&gt;">`,
		`<meta property="og:image" content="https://example.com/x.png">`,
		`<link rel="canonical" href="https://example.com/x">`, `<link rel="alternate" hreflang="ca" href="https://example.com/ca/x?a&amp;b">`, `word…">`,
		`<script type="application/ld+json">{"name":"\u003c/script\u003e\u003cb\u003e"}</script><script type="application/ld+json">{"position":2}</script>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s:\n%s", want, body)
		}
	}
	response, body := get(t, s, "/gone")
	if response.StatusCode != http.StatusNotFound || !strings.Contains(body, `content="https://example.com/og.png"`) || !strings.Contains(body, "<title>Home</title>") ||
		!strings.Contains(body, `<meta name="robots" content="noindex, follow">`) || strings.Contains(body, "canonical") || strings.Contains(body, "hreflang") {
		t.Errorf("%d %s", response.StatusCode, body)
	}
}

// Data in the responses takes precedence over what was known of the page before.
func TestAViewAddsToTheHead(t *testing.T) {
	t.Parallel()
	s := serve(t, func(*http.Request) site.Meta {
		return site.Meta{Head: site.Head{Title: "Before", Lang: "en", URL: "https://example.com/a"}, Draw: func([]*site.Answer) site.View {
			return site.View{Head: site.Head{Title: "After", URL: "https://example.com/b"}}
		}}
	})
	_, body := get(t, s, "/x")
	if !strings.Contains(body, "<title>After</title>") || !strings.Contains(body, `<html lang="en">`) || strings.Count(body, `rel="canonical"`) != 1 ||
		!strings.Contains(body, `href="https://example.com/b"`) {
		t.Error(body)
	}
}

func TestAMovedPageIsRedirected(t *testing.T) {
	t.Parallel()
	s := serve(t, func(*http.Request) site.Meta { return site.Meta{Location: "/new?a=1"} })
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, httptest.NewRequest(method, "/old", nil))
		if recorder.Code != http.StatusMovedPermanently || recorder.Header().Get("Location") != "/new?a=1" || recorder.Body.Len() > 0 {
			t.Errorf("%s: %d %v", method, recorder.Code, recorder.Header())
		}
	}
}

func TestMissingFileIsNotThePage(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for path, status := range map[string]int{
		"/sitemap.xml": 404, "/favicon.ico": 404, "/a/b.js": 404, "/index.html": 404, "/favicon.svg": 200,
		"/users/john.doe": 200, "/v1.2": 200, "/html": 200,
	} {
		if response, body := get(t, s, path); response.StatusCode != status || status == http.StatusNotFound && strings.Contains(body, "<html") {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
}

func TestExtrasOfAProject(t *testing.T) {
	t.Parallel()
	s, err := site.New(client(), site.Options{Extras: site.Extras{
		Settings: map[string]string{"style": `https://tiles.test/?a="b"&c`, "unset": ""},
		Connect:  []string{"https://tiles.test", "https://*.fonts.test"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	response, body := get(t, s, "/")
	if !strings.Contains(body, `<meta name="style" content="https://tiles.test/?a=&#34;b&#34;&amp;c"></head>`) || strings.Contains(body, "unset") {
		t.Errorf("the page: %s", body)
	}
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "; connect-src 'self' https://tiles.test https://*.fonts.test; ") {
		t.Errorf("the policy: %s", policy)
	}
	// A worker's requests are subject to the policy sent with its script.
	response, _ = get(t, s, "/assets/main.js")
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "https://tiles.test") {
		t.Errorf("the policy of a script: %s", policy)
	}
}

func TestOnlyReadMethodsAreAllowed(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	serve(t, nil).ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/", nil))
	if recorder.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST answers %d", recorder.Code)
	}
}

func TestAClientWithoutAPageIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := site.New(fstest.MapFS{".gitkeep": {}}, site.Options{}); err == nil || !strings.Contains(err.Error(), "make") {
		t.Errorf("error %v", err)
	}
}
