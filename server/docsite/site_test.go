package docsite_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"plaza"
	"plaza/server/docsite"
)

func get(t *testing.T, site http.Handler, url string, header ...string) (*http.Response, string) {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, url, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	site.ServeHTTP(recorder, request)
	response := recorder.Result()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func small() *docsite.Site {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return docsite.New(fstest.MapFS{
		"README.md":              file("# Plaza\n\nSee [backup](docs/backup.md#verify), [all decisions](docs/decisions), [the licence](LICENSE) and [a test](tests/x_test.go).\n"),
		"LICENSE":                file("Free <as> in speech\n"),
		"docs/backup.md":         file("# Backup\n\nCopies. <script>alert(1)</script>\n\n## Verify\n\nReads the *copy* again.\n\n```sh\nplaza backup <DIR>\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
		"docs/shop.md":           file("<!-- section: Example -->\n# The shop\n\nSells.\n"),
		"docs/decisions/0001.md": file("# 1. Verify copies\n\nOf [backups](../backup.md) we keep two copies.\n"),
	}, "v1.2.3")
}

func TestPages(t *testing.T) {
	t.Parallel()
	site := small()
	tests := []struct {
		name, url string
		status    int
		has, not  []string
	}{
		{"links lead to pages, and texts without one stay", "/docs", 200,
			[]string{`<a href="/docs/backup#verify">backup</a>`, `<a href="/docs/decisions">all decisions</a>`, `<a href="/docs/LICENSE">the licence</a>`, "and a test.", "Version v1.2.3"},
			[]string{"x_test.go"}},
		{"code and tables scroll, headings have an address", "/docs/backup", 200,
			[]string{`<pre tabindex="0"><code>plaza backup &lt;DIR&gt;`, `<div class="scroll" tabindex="0"><table>`, `<h2 id="verify">Verify<a href="#verify" class="anchor"`, `<a href="/docs/backup" aria-current="page">Backup</a>`},
			[]string{"alert(1)</script>"}},
		{"the first line chooses the section", "/docs/shop", 200, []string{"<summary>Example</summary>"}, []string{"section: Example"}},
		{"a link from a folder below", "/docs/decisions/0001", 200, []string{`<a href="/docs/backup">backups</a>`, "<details open><summary>Decisions"}, nil},
		{"a folder lists its documents", "/docs/decisions", 200, []string{`<li><a href="/docs/decisions/0001">1. Verify copies</a></li>`}, nil},
		{"another text is shown as it is", "/docs/LICENSE", 200, []string{"Free &lt;as&gt; in speech"}, nil},
		{"a path that is unknown", "/docs/none", 404, []string{"There is no such page"}, nil},
		{"search: all words, with the place", "/docs/search?q=COPY+reads", 200,
			[]string{`<p role="status">1 result for “COPY reads”</p>`, `<a href="/docs/backup#verify"><strong>Backup</strong> <span>› Verify</span>`, "<mark>Reads</mark> the <mark>copy</mark> again."}, nil},
		{"search: guides before decisions", "/docs/search?q=verify", 200, []string{`2 results`, `<ol class="results"><li><a href="/docs/backup#verify">`}, nil},
		{"search: text is escaped", "/docs/search?q=%3Cdir%3E", 200, []string{"<mark>&lt;DIR&gt;</mark>", `value="&lt;dir&gt;"`}, []string{"<DIR>", "<dir>"}},
		{"search: nothing", "/docs/search?q=zebra", 200, []string{"Nothing found for “zebra”"}, nil},
		{"search: no words", "/docs/search?q=+", 200, []string{"Type what you look for"}, nil},
		{"search: a long query is cut between letters", "/docs/search?q=" + strings.Repeat("%C3%B1", 90), 200, []string{"“" + strings.Repeat("ñ", 50) + "”"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			response, body := get(t, site, tt.url)
			if response.StatusCode != tt.status {
				t.Fatalf("status %d, want %d", response.StatusCode, tt.status)
			}
			for _, text := range tt.has {
				if !strings.Contains(body, text) {
					t.Errorf("%s is missing in\n%s", text, body)
				}
			}
			for _, text := range append(tt.not, "<script>", " style=", " onclick=") {
				if strings.Contains(body, text) {
					t.Errorf("%s is in\n%s", text, body)
				}
			}
			if policy := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	site := small()
	response, plain := get(t, site, "/docs/backup")
	tag := response.Header.Get("ETag")
	if response.Header.Get("Cache-Control") != "no-cache" || tag == "" {
		t.Errorf("a page: %v", response.Header)
	}
	if again, body := get(t, site, "/docs/backup", "If-None-Match", tag); again.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("revalidation answers %s", again.Status)
	}
	zipped, body := get(t, site, "/docs/backup", "Accept-Encoding", "gzip")
	reader, err := gzip.NewReader(strings.NewReader(body))
	if err != nil || zipped.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%v, %v", err, zipped.Header)
	}
	if unzipped, err := io.ReadAll(reader); err != nil || string(unzipped) != plain {
		t.Errorf("the compressed page differs: %v", err)
	}
	for _, asset := range regexp.MustCompile(`"(/docs/assets/[^"]+\?v=[0-9a-f]{16})"`).FindAllStringSubmatch(plain, -1) {
		if found, _ := get(t, site, asset[1]); found.StatusCode != http.StatusOK || !strings.Contains(found.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %s, %v", asset[1], found.Status, found.Header)
		}
	}
	if found, _ := get(t, site, "/docs/backup/"); found.Header.Get("Location") != "/docs/backup" {
		t.Errorf("a slash at the end: %s", found.Status)
	}
}

var (
	hrefs     = regexp.MustCompile(`(?:href|src)="(/docs[^"?]*)`)
	documents = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)
)

// Every document has a page, and its links lead to pages and headings that exist. A relative link to
// a file without a page has to name a file of the repository.
func TestLinksOfAllDocuments(t *testing.T) {
	t.Parallel()
	site := docsite.New(plaza.Documents, "test")
	bodies := make(map[string]string)
	page := func(url string) string {
		if body, known := bodies[url]; known {
			return body
		}
		response, body := get(t, site, url)
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", url, response.Status)
		}
		bodies[url] = body
		return body
	}
	read := 0
	err := fs.WalkDir(plaza.Documents, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		read++
		url := "/docs/" + strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md")
		if name == "README.md" {
			url = "/docs"
		}
		for _, link := range hrefs.FindAllStringSubmatch(page(url), -1) {
			target, id, _ := strings.Cut(link[1], "#")
			if body := page(target); id != "" && !strings.Contains(body, ` id="`+id+`"`) {
				t.Errorf("%s: %s has no heading %q", name, target, id)
			}
		}
		text, err := fs.ReadFile(plaza.Documents, name)
		if err != nil {
			return err
		}
		for _, link := range documents.FindAllSubmatch(text, -1) {
			if _, err := os.Stat(path.Join("../..", path.Dir(name), string(link[1]))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil || read < 60 {
		t.Errorf("%d documents read: %v", read, err)
	}
}
