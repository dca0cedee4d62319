// Package site serves a built single-page client from a file system: hashed assets,
// which are cached forever, and the page itself for all other paths, with the public API
// key inserted and a strict content security policy.
package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"plaza/server/lazyregexp"
)

// Values of Cache-Control. Files under assets/ have a hash of their content in their name.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheHour    = "public, max-age=3600"
	cacheNever   = "no-cache"
)

// keyPlaceholder is the placeholder for the public API key in the page.
const keyPlaceholder = "__SUPABASE_ANON_KEY__"

// policy restricts the page to its own origin. Inline styles are allowed, because
// positioning libraries set them; inline scripts are not allowed.
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https:; " +
	"font-src 'self'; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

// manifestName is the file in which Vite maps source modules to built files.
const manifestName = ".vite/manifest.json"

// Describe returns the metadata of a page and the data for its first screen.
type Describe func(r *http.Request) Meta

// Options configures a Site.
type Options struct {
	AnonKey   string        // public API key, inserted into the page
	Describe  Describe      // may be nil
	API       http.Handler  // the data API, behind httpx.Observe, for the first screens of pages
	Timeout   time.Duration // of the data of a page's first screen; 0: DefaultTimeout
	Extras    Extras        // the project's additions
	PageCache *PageCache    // cache of finished pages; nil means that each request builds its page
}

// Site serves one client.
type Site struct {
	Options

	client   fs.FS
	files    map[string]*file
	page     []byte
	policy   string
	preloads map[string][]string // tags, by source module
	scripts  map[string]string   // tags by source module
}

// New returns a Site for a built client. Files are read when they are sent, except for those
// that are compressed here because the build has not done so.
func New(client fs.FS, options Options) (*Site, error) {
	options.Timeout = cmp.Or(options.Timeout, DefaultTimeout)
	s := &Site{Options: options, client: client, policy: policy}
	var manifest []byte
	sizes := make(map[string]int64)
	err := fs.WalkDir(client, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Base(name)[0] == '.' {
			return err
		}
		switch name {
		case "index.html":
			s.page, err = fs.ReadFile(client, name)
			s.page = bytes.ReplaceAll(s.page, []byte(keyPlaceholder), []byte(html.EscapeString(options.AnonKey)))
		case manifestName:
			manifest, err = fs.ReadFile(client, name)
		default:
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				sizes[name] = info.Size()
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the client: %w", err)
	}
	if s.files, err = collect(client, sizes); err != nil {
		return nil, err
	}
	if s.page == nil {
		return nil, fmt.Errorf("read the client: it has no index.html; build it with `make build`")
	}
	s.add(options.Extras)
	if manifest != nil {
		if s.preloads, err = preloads(manifest, s.page); err != nil {
			return nil, fmt.Errorf("read the client's %s: %w", manifestName, err)
		}
		if s.scripts, err = scripts(manifest); err != nil {
			return nil, fmt.Errorf("read the client's %s: %w", manifestName, err)
		}
	}
	return s, nil
}

// ServeHTTP serves the file at the request's path, or the page if the path is no file's.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	secure(w.Header(), s.policy)
	if f, ok := s.files[r.URL.Path]; ok {
		s.serveFile(w, r, f)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/assets/") || fileName().MatchString(r.URL.Path) {
		http.NotFound(w, r) // the page would be used as a script or an image
		return
	}
	s.servePage(w, r)
}

// fileName matches paths that are requested as files. Pages have no such names.
var fileName = lazyregexp.New(`\.(?:avif|css|gif|html?|ico|jpe?g|js|json|map|mjs|pdf|php|png|svg|txt|wasm|webmanifest|webp|woff2?|xml)$`)

func secure(header http.Header, policy string) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(self)")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func (s *Site) servePage(w http.ResponseWriter, r *http.Request) {
	made := s.PageCache.get(r, s.make)
	if made.location != "" {
		w.Header().Set("Location", made.location)
		w.Header().Set("Cache-Control", cacheHour)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	isZipped := accepts(r, "gzip")
	page, err := made.body(isZipped)
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", cacheNever)
	w.Header().Set("Vary", "Accept-Encoding")
	if isZipped {
		w.Header().Set("Content-Encoding", "gzip")
	}
	send(w, r, made.status, int64(len(page)), bytes.NewReader(page))
}

// make builds the page of a request.
func (s *Site) make(r *http.Request) *built {
	made := &built{status: http.StatusOK, plain: s.page}
	if s.Describe != nil {
		meta := s.Describe(r)
		if meta.Location != "" {
			return &built{location: meta.Location}
		}
		made.plain, made.status, made.isWhole = s.build(r, meta)
		made.isWhole = made.isWhole && made.status == http.StatusOK && !meta.IsPartial
		made.tags = meta.Tags
	}
	var err error
	if made.zipped, err = zip(made.plain, gzip.DefaultCompression); err != nil {
		panic("site: a page cannot be compressed in memory: " + err.Error())
	}
	return made
}

func send(w http.ResponseWriter, r *http.Request, status int, size int64, content io.Reader) {
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, content) // fails only if the client has disconnected
	}
}
