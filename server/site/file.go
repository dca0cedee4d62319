package site

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// file is a file of the client with its encodings.
type file struct {
	kind, cache string
	forms       []form // the smallest first, the uncompressed file last
}

// form is one encoding of a file. Forms created by the build are read when they are
// sent, so that they take no memory.
type form struct {
	encoding string // HTTP content encoding; "" for the uncompressed file
	name     string // in the client's file system
	size     int64
	made     []byte // compressed at the start, if the build has not created this form
}

// encodings maps the file name suffixes of compressed files in a build to HTTP content
// encodings.
var encodings = map[string]string{".br": "br", ".zst": "zstd", ".gz": "gzip"}

// collect returns the files of a client by URL path.
func collect(client fs.FS, sizes map[string]int64) (map[string]*file, error) {
	files := make(map[string]*file)
	for name, size := range sizes {
		ending := path.Ext(name)
		if _, whole := sizes[strings.TrimSuffix(name, ending)]; encodings[ending] != "" && whole {
			continue
		}
		f := newFile(name)
		for ending, encoding := range encodings {
			if packed, ok := sizes[name+ending]; ok && packed < size {
				f.forms = append(f.forms, form{encoding: encoding, name: name + ending, size: packed})
			}
		}
		if _, built := sizes[name+".gz"]; !built && compressible(f.kind) {
			if err := f.zip(client, name); err != nil {
				return nil, err
			}
		}
		f.forms = append(f.forms, form{name: name, size: size})
		slices.SortStableFunc(f.forms, func(a, b form) int { return int(a.size - b.size) })
		files["/"+name] = f
	}
	return files, nil
}

func newFile(name string) *file {
	f := &file{kind: mime.TypeByExtension(path.Ext(name)), cache: cacheHour}
	if kind, ok := kinds[path.Ext(name)]; ok {
		f.kind = kind
	}
	if f.kind == "" {
		f.kind = "application/octet-stream"
	}
	if strings.HasPrefix(name, "assets/") {
		f.cache = cacheForever
	}
	return f
}

// zip adds a gzip form, which every client accepts, if it is smaller.
func (f *file) zip(client fs.FS, name string) error {
	content, err := fs.ReadFile(client, name)
	if err != nil {
		return fmt.Errorf("compress %s: %w", name, err)
	}
	zipped, err := zip(content, gzip.BestCompression)
	if err != nil {
		return err
	}
	if len(zipped) < len(content) {
		f.forms = append(f.forms, form{encoding: "gzip", size: int64(len(zipped)), made: zipped})
	}
	return nil
}

func zip(content []byte, level int) ([]byte, error) {
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, level)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(content); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return zipped.Bytes(), nil
}

// kinds has media types that package mime may not know.
var kinds = map[string]string{".mvt": vectorTile, ".webmanifest": "application/manifest+json"}

const vectorTile = "application/vnd.mapbox-vector-tile"

func compressible(kind string) bool {
	return kind == vectorTile || strings.HasPrefix(kind, "text/") || strings.Contains(kind, "javascript") || strings.Contains(kind, "json") || strings.Contains(kind, "svg")
}

func (s *Site) serveFile(w http.ResponseWriter, r *http.Request, f *file) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", f.cache)
	if len(f.forms) > 1 {
		header.Set("Vary", "Accept-Encoding")
	}
	for _, one := range f.forms {
		if one.encoding != "" && !accepts(r, one.encoding) {
			continue
		}
		content, err := one.open(s.client)
		if err != nil {
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
			return
		}
		defer func() { _ = content.Close() }() // read only
		if one.encoding != "" {
			header.Set("Content-Encoding", one.encoding)
		}
		send(w, r, http.StatusOK, one.size, content)
		return
	}
}

func (one form) open(client fs.FS) (io.ReadCloser, error) {
	if one.made != nil {
		return io.NopCloser(bytes.NewReader(one.made)), nil
	}
	return client.Open(one.name)
}

// accepts reports whether Accept-Encoding lists an encoding with a weight above 0.
// Without the header only the plain file is sent.
func accepts(r *http.Request, encoding string) bool {
	for one := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, parameter, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) != encoding {
			continue
		}
		weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(parameter), "q="), 64)
		return err != nil || weight > 0 // without a weight it is 1
	}
	return false
}
