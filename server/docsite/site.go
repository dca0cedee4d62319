// Package docsite serves the documentation as a web site: a page for each document, with a
// navigation and a search. It needs nothing from other servers, so that it works offline.
package docsite

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Prefix is the path of the site's first page.
const Prefix = "/docs"

//go:embed assets
var assets embed.FS

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// policy allows only files of this server.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Values of Cache-Control. The addresses of style sheet and scripts contain their hash.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheNever   = "no-cache" // revalidated by ETag
)

// Site serves the documentation.
type Site struct {
	version string
	load    func() (*content, error)
}

// New returns a Site for the documents in files. They are rendered at the first request, so that
// they cost nothing at the start.
func New(files fs.FS, version string) *Site {
	return &Site{version: version, load: sync.OnceValues(func() (*content, error) { return build(files, version) })}
}

// content is the rendered site.
type content struct {
	files  map[string]file // by path
	nav    []section
	index  index
	assets map[string]string // addresses of style sheet and scripts, by name
}

// file is a page, a picture, a style sheet or a script.
type file struct {
	kind, cache, tag string
	body             []byte
	isZipped         bool
}

// section is a part of the navigation. The first one has no name.
type section struct {
	Name  string
	Links []link
}

type link struct{ URL, Title string }

// At returns the section as data for the template. The link to url is marked as the current one.
func (s section) At(url string) map[string]any {
	return map[string]any{"Links": s.Links, "Current": url}
}

// view is the data of a page.
type view struct {
	Title, Version, URL string
	Section             string // the current one
	Nav                 []section
	Headings            []heading
	Body                template.HTML
	Assets              map[string]string
	Search              *search // nil for a document
}

// build renders all documents.
func build(files fs.FS, version string) (*content, error) {
	documents, pictures, err := readDocuments(files)
	if err != nil {
		return nil, err
	}
	c := &content{files: make(map[string]file), assets: make(map[string]string)}
	if err := c.addAssets(); err != nil {
		return nil, err
	}
	for name, picture := range pictures {
		c.files[address(name)] = newFile(mime.TypeByExtension(path.Ext(name)), cacheNever, picture)
	}
	folders := folderLists(documents)
	for _, d := range documents {
		if n := len(c.nav); d.section != "" && (n == 0 || c.nav[n-1].Name != d.section) || d.name == root {
			c.nav = append(c.nav, section{Name: d.section})
		}
		if d.section != "" || d.name == root {
			last := &c.nav[len(c.nav)-1]
			last.Links = append(last.Links, link{d.url, d.title})
		}
	}
	known := make(map[string]bool)
	for _, d := range documents {
		known[d.name] = true
	}
	isPage := func(name string) bool { return known[name] || folders[name] != nil }
	for _, d := range documents {
		page, err := render(d, isPage, pictures)
		if err != nil {
			return nil, err
		}
		c.index.add(d, page.headings)
		if err := c.addPage(view{Title: d.title, URL: d.url, Section: d.section, Headings: page.headings[1:], Body: page.html, Version: version}); err != nil {
			return nil, err
		}
	}
	for name, list := range folders {
		if _, exists := c.files[address(name)]; exists {
			continue
		}
		if err := c.addPage(view{Title: list.Name, URL: address(name), Body: listHTML(list), Version: version}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *content) addAssets() error {
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		return fmt.Errorf("read the assets of the documentation: %w", err)
	}
	for _, entry := range entries {
		body, err := fs.ReadFile(assets, "assets/"+entry.Name())
		if err != nil {
			return fmt.Errorf("read the assets of the documentation: %w", err)
		}
		added := newFile(mime.TypeByExtension(path.Ext(entry.Name())), cacheForever, body)
		at := Prefix + "/assets/" + entry.Name()
		c.files[at] = added
		c.assets[strings.ReplaceAll(entry.Name(), ".", "_")] = at + "?v=" + strings.Trim(added.tag, `"`)
	}
	return nil
}

func (c *content) addPage(v view) error {
	body, err := c.execute(v)
	if err != nil {
		return err
	}
	c.files[v.URL] = newFile("text/html; charset=utf-8", cacheNever, body)
	return nil
}

func (c *content) execute(v view) ([]byte, error) {
	v.Nav, v.Assets = c.nav, c.assets
	var page bytes.Buffer
	if err := pageTemplate.Execute(&page, v); err != nil {
		return nil, fmt.Errorf("write %s: %w", v.URL, err)
	}
	return page.Bytes(), nil
}

// newFile returns a file, compressed if that makes it smaller.
func newFile(kind, cache string, body []byte) file {
	sum := sha256.Sum256(body)
	f := file{kind: kind, cache: cache, tag: `"` + hex.EncodeToString(sum[:8]) + `"`, body: body}
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, _ = writer.Write(body) // writing to a buffer does not fail
	_ = writer.Close()
	if zipped.Len() < len(body) {
		f.body, f.isZipped = bytes.Clone(zipped.Bytes()), true
	}
	return f
}

// folderLists returns the documents of each folder below docs/ as a list of links.
func folderLists(documents []document) map[string]*section {
	folders := make(map[string]*section)
	for _, d := range documents {
		folder := path.Dir(d.name)
		if !strings.HasPrefix(folder, guides) {
			continue
		}
		if folders[folder] == nil {
			name := path.Base(folder)
			folders[folder] = &section{Name: strings.ToUpper(name[:1]) + name[1:]}
		}
		folders[folder].Links = append(folders[folder].Links, link{d.url, d.title})
	}
	return folders
}

var listTemplate = template.Must(template.New("list").Parse(`<h1>{{.Name}}</h1><ul class="list">{{range .Links}}<li><a href="{{.URL}}">{{.Title}}</a></li>{{end}}</ul>`))

func listHTML(list *section) template.HTML {
	var out strings.Builder
	_ = listTemplate.Execute(&out, list) // the template is constant and valid
	return template.HTML(out.String())
}

// ServeHTTP serves the paths at and below Prefix.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	c, err := s.load()
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("X-Robots-Tag", "noindex") // search engines should find the project's pages instead
	switch found, ok := c.files[r.URL.Path]; {
	case r.URL.Path == Prefix+"/search":
		s.search(w, r, c)
	case ok:
		found.serve(w, r, http.StatusOK)
	case len(r.URL.Path) > len(Prefix) && strings.HasSuffix(r.URL.Path, "/"):
		http.Redirect(w, r, strings.TrimRight(r.URL.Path, "/"), http.StatusMovedPermanently)
	default:
		s.serveView(w, r, c, http.StatusNotFound, view{
			Title: "Not found", Body: `<h1>Not found</h1><p>There is no such page. Use the search or the navigation.</p>`,
		})
	}
}

// serveView renders a page and serves it.
func (s *Site) serveView(w http.ResponseWriter, r *http.Request, c *content, status int, v view) {
	v.Version = s.version
	body, err := c.execute(v)
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	newFile("text/html; charset=utf-8", cacheNever, body).serve(w, r, status)
}

func (f file) serve(w http.ResponseWriter, r *http.Request, status int) {
	header := w.Header()
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", f.tag)
	if status == http.StatusOK && r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", f.kind)
	body := io.Reader(bytes.NewReader(f.body))
	if f.isZipped {
		header.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
		} else if unzipped, err := gzip.NewReader(body); err == nil {
			body = unzipped
		}
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, body) // fails only if the client has disconnected
	}
}
