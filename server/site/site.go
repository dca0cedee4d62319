// Package site serves a built single-page client from a file system: hashed
// assets for good, the page itself for every other path, with the public API
// key written into it and a strict content security policy.
package site

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Cache lives. Files under assets/ carry a hash of their content in their name.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheHour    = "public, max-age=3600"
	cacheNever   = "no-cache"
)

// keyPlace is what the page holds where the public API key belongs.
const keyPlace = "__SUPABASE_ANON_KEY__"

// policy lets the page load and reach its own origin only. Styles may be set by
// scripts, as positioning libraries do; inline scripts may not run at all.
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https:; " +
	"font-src 'self'; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

// Describe gives what a path's page says of itself.
type Describe func(r *http.Request) Meta

// Site serves one client.
type Site struct {
	files    map[string]*file
	page     []byte
	policy   string
	describe Describe
}

type file struct {
	plain, zipped []byte
	kind, cache   string
}

// New reads a built client into memory; all of it is needed often. anonKey is
// written into the page; describe may be nil.
func New(client fs.FS, anonKey string, describe Describe) (*Site, error) {
	s := &Site{files: make(map[string]*file), policy: policy, describe: describe}
	err := fs.WalkDir(client, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Base(name)[0] == '.' {
			return err
		}
		content, err := fs.ReadFile(client, name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			s.page = bytes.ReplaceAll(content, []byte(keyPlace), []byte(html.EscapeString(anonKey)))
			return nil
		}
		s.files["/"+name], err = newFile(name, content)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the client: %w", err)
	}
	if s.page == nil {
		return nil, fmt.Errorf("read the client: it has no index.html; build it with `make build`")
	}
	return s, nil
}

func newFile(name string, content []byte) (*file, error) {
	f := &file{plain: content, kind: mime.TypeByExtension(path.Ext(name)), cache: cacheHour}
	if path.Ext(name) == ".mvt" {
		f.kind = vectorTile
	}
	if f.kind == "" {
		f.kind = "application/octet-stream"
	}
	if strings.HasPrefix(name, "assets/") {
		f.cache = cacheForever
	}
	if !compressible(f.kind) {
		return f, nil
	}
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(content); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	if zipped.Len() < len(content) {
		f.zipped = zipped.Bytes()
	}
	return f, nil
}

// vectorTile is the media type of vector tiles, which systems' tables lack.
const vectorTile = "application/vnd.mapbox-vector-tile"

func compressible(kind string) bool {
	return kind == vectorTile || strings.HasPrefix(kind, "text/") || strings.Contains(kind, "javascript") || strings.Contains(kind, "json") || strings.Contains(kind, "svg")
}

// ServeHTTP answers with a file where the path names one, else with the page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	secure(w.Header(), s.policy)
	if f, ok := s.files[r.URL.Path]; ok {
		f.serve(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/assets/") {
		http.NotFound(w, r) // a page here would be cached as a script
		return
	}
	s.servePage(w, r)
}

func secure(header http.Header, policy string) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", f.cache)
	content := f.plain
	if f.zipped != nil {
		header.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
			content = f.zipped
		}
	}
	send(w, r, http.StatusOK, content)
}

func (s *Site) servePage(w http.ResponseWriter, r *http.Request) {
	page, status := s.page, http.StatusOK
	if s.describe != nil {
		meta := s.describe(r)
		page = meta.rewrite(page)
		if meta.Status != 0 {
			status = meta.Status
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", cacheNever)
	send(w, r, status, page)
}

func send(w http.ResponseWriter, r *http.Request, status int, content []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, bytes.NewReader(content)) // fails only where the client has gone
	}
}
