package site

import (
	"bytes"
	"compress/gzip"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// file is a file of the client in the forms it may be sent in.
type file struct {
	plain       []byte
	packed      []packed // the smallest first
	kind, cache string
}

// packed is a compressed form of a file.
type packed struct {
	encoding string // of HTTP
	content  []byte
}

// encodings are what a build leaves compressed forms as, by the ending that it
// adds to a file's name.
var encodings = map[string]string{".br": "br", ".zst": "zstd"}

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
	zipped, err := zip(content, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	f.add(packed{"gzip", zipped})
	return f, nil
}

// add keeps a form that is smaller than the file.
func (f *file) add(form packed) {
	if len(form.content) >= len(f.plain) {
		return
	}
	f.packed = append(f.packed, form)
	slices.SortFunc(f.packed, func(a, b packed) int { return len(a.content) - len(b.content) })
}

// join takes the compressed forms that stand beside files as forms of these.
func join(files map[string]*file) {
	for name, form := range files {
		ending := path.Ext(name)
		encoding, ok := encodings[ending]
		if whole := files[strings.TrimSuffix(name, ending)]; ok && whole != nil {
			whole.add(packed{encoding, form.plain})
			delete(files, name)
		}
	}
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

// vectorTile is the media type of vector tiles, which systems' tables lack.
const vectorTile = "application/vnd.mapbox-vector-tile"

func compressible(kind string) bool {
	return kind == vectorTile || strings.HasPrefix(kind, "text/") || strings.Contains(kind, "javascript") || strings.Contains(kind, "json") || strings.Contains(kind, "svg")
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", f.cache)
	content := f.plain
	if len(f.packed) > 0 {
		header.Set("Vary", "Accept-Encoding")
	}
	for _, form := range f.packed {
		if accepts(r, form.encoding) {
			header.Set("Content-Encoding", form.encoding)
			content = form.content
			break
		}
	}
	send(w, r, http.StatusOK, content)
}

// accepts tells whether a client takes an encoding that it names. One that it
// leaves out is never sent, though HTTP would let us where it names none.
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
