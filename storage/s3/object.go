package s3

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

// find finds an object that the caller may see, and tells whether it is the bucket
// that is missing.
func (s *Server) findObject(ctx context.Context, c *request) (core.Object, error) {
	found, err := s.core.Object(ctx, c.Call, c.bucket, c.key)
	if errors.Is(err, storageerr.ErrNoSuchKey) {
		if _, missing := s.core.Bucket(ctx, c.bucket); missing != nil {
			return found, missing
		}
	}
	return found, err
}

// overrides are parameters of a GET that set headers of its answer.
var overrides = map[string]string{
	"response-content-type": "Content-Type", "response-cache-control": "Cache-Control", "response-content-disposition": "Content-Disposition",
	"response-content-encoding": "Content-Encoding", "response-content-language": "Content-Language", "response-expires": "Expires",
}

func (s *Server) getObject(w http.ResponseWriter, r *http.Request, c *request) error {
	var body *content
	var found core.Object
	for again := false; ; again = true {
		var err error
		if found, err = s.findObject(r.Context(), c); err != nil {
			return err
		}
		size, err := s.core.SizeOf(r.Context(), found)
		if err != nil {
			return err
		}
		if err := satisfiable(r, size); err != nil {
			return err
		}
		body = &content{ctx: r.Context(), core: s.core, of: found, size: size}
		if r.Method == http.MethodHead {
			break
		}
		if err = body.open(); err == nil {
			break
		}
		if again || !s.core.Gone(found, err) {
			return storageerr.FromBlobs(err)
		}
	}
	defer func() { _ = body.Close() }()
	header := w.Header()
	describe(header, found)
	for parameter, name := range overrides {
		if value := c.query.Get(parameter); value != "" && !strings.ContainsAny(value, "\r\n\x00") {
			header.Set(name, value)
		}
	}
	http.ServeContent(w, r, "", found.Modified, body)
	return nil
}

// satisfiable refuses a range behind the end, which ServeContent would answer
// with a text. Several ranges are answered with all of the object, as S3 does.
func satisfiable(r *http.Request, size int64) error {
	asked := strings.TrimSpace(strings.TrimPrefix(r.Header.Get("Range"), "bytes="))
	first, last, is := strings.Cut(asked, "-")
	if strings.Contains(asked, ",") {
		r.Header.Del("Range")
		return nil
	}
	from, err := strconv.ParseInt(first, 10, 64)
	if is && (err == nil && from >= size || first == "" && (last == "0" || size == 0)) {
		return apierr.New(http.StatusRequestedRangeNotSatisfiable, "InvalidRange", "The requested range is not satisfiable")
	}
	if err != nil && first != "" {
		r.Header.Del("Range") // one that cannot be read counts for nothing
	}
	return nil
}

// describe sets the headers that an object's row tells.
func describe(header http.Header, o core.Object) {
	kind := o.MimeType
	if kind == "" {
		kind = "application/octet-stream"
	}
	header.Set("Content-Type", kind)
	header.Set("X-Content-Type-Options", "nosniff")
	// A signed address can be opened in a browser, on the site's own origin.
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'")
	if o.ETag != "" {
		header.Set("ETag", o.ETag)
	}
	if o.CacheControl != "" {
		header.Set("Cache-Control", o.CacheControl)
	}
	setMetadata(header, o.UserMetadata)
}

// content is an object's bytes, opened where they are read from.
type content struct {
	ctx    context.Context
	core   *core.Service
	of     core.Object
	size   int64
	at     int64 // where the next read is to be
	body   io.ReadCloser
	bodyAt int64
}

func (b *content) open() error {
	body, err := b.core.Open(b.ctx, b.of, b.at, b.size-b.at)
	if err == nil {
		b.body, b.bodyAt = body, b.at
	}
	return err
}

// Seek moves where the next read is.
func (b *content) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.at
	case io.SeekEnd:
		offset += b.size
	}
	if offset < 0 {
		return 0, errors.New("a place before the beginning")
	}
	b.at = offset
	return offset, nil
}

func (b *content) Read(p []byte) (int, error) {
	if b.at >= b.size {
		return 0, io.EOF
	}
	if b.body != nil && b.bodyAt != b.at {
		if err := b.Close(); err != nil {
			return 0, err
		}
	}
	if b.body == nil {
		if err := b.open(); err != nil {
			return 0, err
		}
	}
	n, err := b.body.Read(p[:min(int64(len(p)), b.size-b.at)])
	b.at += int64(n)
	b.bodyAt = b.at
	return n, err
}

func (b *content) Close() error {
	if b.body == nil {
		return nil
	}
	body := b.body
	b.body = nil
	return body.Close()
}

// tagging tells that there are no tags.
func (s *Server) tagging(w http.ResponseWriter, r *http.Request, c *request) error {
	if _, err := s.findObject(r.Context(), c); err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ Tagging"`
		TagSet  struct{}
	}{})
}

func (s *Server) deleteObject(w http.ResponseWriter, r *http.Request, c *request) error {
	if err := s.core.Delete(r.Context(), c.Call, c.bucket, c.key); err != nil {
		if !errors.Is(err, storageerr.ErrNoSuchKey) {
			return err
		}
		if _, err := s.core.Bucket(r.Context(), c.bucket); err != nil {
			return err
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

type deletion struct {
	Quiet  bool
	Object []struct{ Key string }
}

type deletionFailure struct {
	Key, Code, Message string
}

func (s *Server) deleteObjects(w http.ResponseWriter, r *http.Request, c *request) error {
	var asked deletion
	if err := readXML(c, &asked); err != nil {
		return err
	}
	if len(asked.Object) == 0 || len(asked.Object) > maxKeys {
		return apierr.New(http.StatusBadRequest, "MalformedXML", "A deletion names 1 to %d objects.", maxKeys)
	}
	if _, err := s.core.Bucket(r.Context(), c.bucket); err != nil {
		return err
	}
	keys := make([]string, len(asked.Object))
	for i, one := range asked.Object {
		keys[i] = one.Key
	}
	rows, err := s.core.DeleteMany(r.Context(), c.Call, c.bucket, keys)
	if err != nil {
		return err
	}
	gone := make(map[string]bool, len(rows))
	for _, row := range rows {
		var deleted struct{ Name string }
		if err := json.Unmarshal(row, &deleted); err != nil {
			return err
		}
		gone[deleted.Name] = true
	}
	answer := struct {
		XMLName xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ DeleteResult"`
		Deleted []struct{ Key string }
		Error   []deletionFailure
	}{}
	for _, key := range keys {
		if !gone[key] {
			// What is there still was not the caller's to delete.
			if _, err := s.core.Trusted(r.Context(), c.Call, c.bucket, key); err == nil {
				answer.Error = append(answer.Error, deletionFailure{key, storageerr.CodeAccessDenied, "Access Denied"})
				continue
			}
		}
		if !asked.Quiet {
			answer.Deleted = append(answer.Deleted, struct{ Key string }{key})
		}
	}
	return writeXML(w, http.StatusOK, answer)
}
