package rest

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plaza/storage/blobcache"
	"plaza/storage/core"
	"plaza/storage/signedurl"
	"plaza/storage/storageerr"
)

// find returns the row of an object. It is called again if a concurrent write has
// replaced the object.
type find func(ctx context.Context) (core.Object, error)

func (s *Server) public(c *request) find {
	return func(ctx context.Context) (core.Object, error) { return s.core.Public(ctx, c.bucket, c.key) }
}

func (s *Server) visible(c *request) find {
	return func(ctx context.Context) (core.Object, error) {
		return s.core.Visible(ctx, c.Call, c.known, c.bucket, c.key)
	}
}

func (s *Server) getPublic(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.send(w, r, s.public(c), nil)
}

func (s *Server) headPublic(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.send(w, r, s.public(c), nil)
}

func (s *Server) get(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.send(w, r, s.visible(c), nil)
}

func (s *Server) head(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.send(w, r, s.visible(c), nil)
}

func (s *Server) getSigned(w http.ResponseWriter, r *http.Request, c *request) error {
	signed, row, err := s.signed(r, c)
	if err != nil {
		return err
	}
	return s.send(w, r, row, &signed.Expires)
}

// signed verifies the token of a signed URL, and returns a function that finds its object.
func (s *Server) signed(r *http.Request, c *request) (signedurl.Claims, find, error) {
	query := readQuery(r.URL.Query())
	query.require("token")
	if err := query.check(); err != nil {
		return signedurl.Claims{}, nil, err
	}
	signed, err := s.verifyDownload(query.text("token"), c)
	return signed, func(ctx context.Context) (core.Object, error) {
		return s.core.Trusted(ctx, c.Call, signed.Bucket, signed.Key)
	}, err
}

// verifyDownload verifies a token. storage-js escapes the path of a signed URL a second
// time, so that an escaped "?" in a key arrives double-escaped.
func (s *Server) verifyDownload(token string, c *request) (signedurl.Claims, error) {
	signed, err := s.core.URLs.VerifyDownload(token, c.bucket, c.key)
	if err == nil {
		return signed, nil
	}
	if key, bad := url.PathUnescape(c.key); bad == nil && key != c.key {
		if signed, again := s.core.URLs.VerifyDownload(token, c.bucket, key); again == nil {
			return signed, nil
		}
	}
	return signedurl.Claims{}, err
}

// send responds with an object's bytes, a part of them, or 304. expires is set for a
// signed URL.
func (s *Server) send(w http.ResponseWriter, r *http.Request, row find, expires *time.Time) error {
	for again := false; ; again = true {
		found, err := row(r.Context())
		if err != nil {
			return err
		}
		size, err := s.core.SizeOf(r.Context(), found)
		if err != nil {
			return err
		}
		switch precondition(r.Header, found) {
		case http.StatusNotModified:
			setHeaders(w.Header(), r, found, expires)
			w.WriteHeader(http.StatusNotModified)
			return nil
		case http.StatusPreconditionFailed:
			return errPrecondition
		}
		part, err := rangeOf(r, found, size)
		if err != nil {
			w.Header().Set("Content-Range", "bytes */"+strconv.FormatInt(size, 10))
			return err
		}
		var body io.ReadCloser
		if r.Method != http.MethodHead {
			body, err = s.core.Open(r.Context(), found, part.from, part.length)
			if err != nil && s.core.Gone(found, err) && !again {
				continue // a concurrent write has replaced the row or the bytes
			}
			if err != nil {
				return storageerr.FromBlobs(err)
			}
		}
		setHeaders(w.Header(), r, found, expires)
		sendPart(w, r, body, part, size)
		return nil
	}
}

// sendPart writes the status, the length and the bytes. The kernel sends the bytes of
// a file directly (sendfile).
func sendPart(w http.ResponseWriter, r *http.Request, body io.ReadCloser, p part, size int64) {
	status := http.StatusOK
	if p.length < size {
		status = http.StatusPartialContent
		w.Header().Set("Content-Range", "bytes "+strconv.FormatInt(p.from, 10)+"-"+strconv.FormatInt(p.from+p.length-1, 10)+"/"+strconv.FormatInt(size, 10))
	}
	setUnlessEmpty(w.Header(), "Content-Length", strconv.FormatInt(p.length, 10))
	w.WriteHeader(status)
	if body == nil {
		return
	}
	defer func() { _ = body.Close() }()
	// If sending fails, the client notices that the response is too short.
	_ = blobcache.Send(w, body, p.length)
}

// Constant header values. Header names in this file are in canonical form, because
// canonicalizing them is expensive.
var (
	inBytes  = []string{"bytes"}
	noRobots = []string{"none"}
	noSniff  = []string{"nosniff"}
)

// setHeaders sets the response headers for an object.
func setHeaders(header http.Header, r *http.Request, o core.Object, expires *time.Time) {
	header["Accept-Ranges"] = inBytes
	setUnlessEmpty(header, "Content-Type", o.MimeType)
	setUnlessEmpty(header, "Etag", o.ETag)
	header["X-Robots-Tag"] = noRobots
	if o.RobotsTag != "" && checkRobotsTag(o.RobotsTag) == nil {
		header.Set("X-Robots-Tag", o.RobotsTag)
	}
	setUnlessEmpty(header, "Last-Modified", o.LastModified)
	if expires != nil {
		header.Set("Expires", expires.UTC().Format(http.TimeFormat))
	} else {
		setUnlessEmpty(header, "Cache-Control", o.CacheControl)
	}
	disarm(header, o.MimeType)
	if strings.Contains(r.URL.RawQuery, "download") {
		if values, given := r.URL.Query()["download"]; given {
			header.Set("Content-Disposition", attachment(values[0]))
		}
	}
}

func setUnlessEmpty(header http.Header, name, value string) {
	if value != "" {
		header[name] = []string{value}
	}
}

// disarm prevents stored content from running scripts on the site's origin: HTML is
// served as text, and SVG and other markup is downloaded rather than displayed, unless it is
// embedded in a page as an image.
func disarm(header http.Header, kind string) {
	header["X-Content-Type-Options"] = noSniff
	kind = strings.ToLower(kind)
	switch {
	case strings.Contains(kind, "text/html"):
		header.Set("Content-Type", "text/plain")
	case strings.Contains(kind, "html"), strings.Contains(kind, "svg"), strings.Contains(kind, "xml") && !strings.Contains(kind, "openxml"):
		header.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'")
		header.Set("Content-Disposition", "attachment")
	}
}

// attachment returns a Content-Disposition for a download, with a file name if there is one.
func attachment(name string) string {
	if name == "" {
		return "attachment;"
	}
	escaped := escapeComponent(name)
	return "attachment; filename=" + escaped + "; filename*=UTF-8''" + escaped
}

// escapeComponent escapes text in the same way as JavaScript's encodeURIComponent.
func escapeComponent(text string) string {
	const hex = "0123456789ABCDEF"
	var made strings.Builder
	for _, char := range []byte(text) {
		if char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9' || strings.IndexByte("-_.!~*'()", char) >= 0 {
			made.WriteByte(char)
		} else {
			made.WriteByte('%')
			made.WriteByte(hex[char>>4])
			made.WriteByte(hex[char&15])
		}
	}
	return made.String()
}

func (s *Server) info(w http.ResponseWriter, r *http.Request, c *request) error {
	return sendInfo(w, r, s.visible(c))
}

func (s *Server) infoPublic(w http.ResponseWriter, r *http.Request, c *request) error {
	return sendInfo(w, r, s.public(c))
}
