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

// findObject returns an object that the caller may read. Its error distinguishes a missing
// bucket from a missing object.
func (s *Server) findObject(ctx context.Context, c *request) (core.Object, error) {
	found, err := s.core.Object(ctx, c.Call, c.bucket, c.key)
	if errors.Is(err, storageerr.ErrNoSuchKey) {
		if _, missing := s.core.Bucket(ctx, c.bucket); missing != nil {
			return found, missing
		}
	}
	return found, err
}

// overrides maps parameters of a GET request to the response headers that they set.
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
		if err := checkRange(r, size); err != nil {
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
	setHeaders(header, found)
	for parameter, name := range overrides {
		if value := c.query.Get(parameter); value != "" && !strings.ContainsAny(value, "\r\n\x00") {
			header.Set(name, value)
		}
	}
	http.ServeContent(w, r, "", found.Modified, body)
	return nil
}

// checkRange returns an error for a range after the end, for which ServeContent would
// respond with plain text. It removes several ranges, so that the response is the whole
// object, as in S3.
func checkRange(r *http.Request, size int64) error {
	text := strings.TrimSpace(strings.TrimPrefix(r.Header.Get("Range"), "bytes="))
	first, last, ok := strings.Cut(text, "-")
	if strings.Contains(text, ",") {
		r.Header.Del("Range")
		return nil
	}
	from, err := strconv.ParseInt(first, 10, 64)
	if ok && (err == nil && from >= size || first == "" && (last == "0" || size == 0)) {
		return apierr.New(http.StatusRequestedRangeNotSatisfiable, "InvalidRange", "The requested range is not satisfiable")
	}
	if err != nil && first != "" {
		r.Header.Del("Range") // ignore a malformed range
	}
	return nil
}

// setHeaders sets the response headers for an object.
func setHeaders(header http.Header, o core.Object) {
	kind := o.MimeType
	if kind == "" {
		kind = "application/octet-stream"
	}
	header.Set("Content-Type", kind)
	header.Set("X-Content-Type-Options", "nosniff")
	// A presigned URL can be opened in a browser on the site's own origin.
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'")
	if o.ETag != "" {
		header.Set("ETag", o.ETag)
	}
	if o.CacheControl != "" {
		header.Set("Cache-Control", o.CacheControl)
	}
	setMetadata(header, o.UserMetadata)
}

// content is an io.ReadSeekCloser of an object's bytes. It opens the object at the offset of
// the first read.
type content struct {
	ctx    context.Context
	core   *core.Service
	of     core.Object
	size   int64
	at     int64 // offset of the next read
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

// Seek sets the offset of the next read.
func (b *content) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.at
	case io.SeekEnd:
		offset += b.size
	}
	if offset < 0 {
		return 0, errors.New("seek to a negative offset")
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

// tagging responds that an object has no tags.
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
	var wanted deletion
	if err := readXML(c, &wanted); err != nil {
		return err
	}
	if len(wanted.Object) == 0 || len(wanted.Object) > maxKeys {
		return apierr.New(http.StatusBadRequest, "MalformedXML", "The request must name 1 to %d objects to delete.", maxKeys)
	}
	if _, err := s.core.Bucket(r.Context(), c.bucket); err != nil {
		return err
	}
	keys := make([]string, len(wanted.Object))
	for i, one := range wanted.Object {
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
			// If the object still exists, the caller was not allowed to delete it.
			if _, err := s.core.Trusted(r.Context(), c.Call, c.bucket, key); err == nil {
				answer.Error = append(answer.Error, deletionFailure{key, storageerr.CodeAccessDenied, "Access Denied"})
				continue
			}
		}
		if !wanted.Quiet {
			answer.Deleted = append(answer.Deleted, struct{ Key string }{key})
		}
	}
	return writeXML(w, http.StatusOK, answer)
}
