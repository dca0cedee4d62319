package tus

import (
	"net/http"
	"regexp"
	"strconv"
	"time"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
	"plaza/storage/surface"
)

// defaultType is that of an upload whose metadata does not tell.
const defaultType = "application/octet-stream"

// seconds is what cacheControl may be; anything else is as if it were not there.
var seconds = regexp.MustCompile(`^-?\d+$`)

func (s *Server) create(w http.ResponseWriter, r *http.Request, c *request) error {
	made, err := s.begin(r, c)
	if err != nil {
		httpx.Linger(w, r)
		return err
	}
	header := w.Header()
	header.Set("Location", s.location(r, c, made.Resumable))
	withBody := r.Header.Get("Content-Type") == content
	if withBody || made.Length == 0 {
		if err := s.first(w, r, c, &made); err != nil {
			return err
		}
		header.Set("Upload-Offset", strconv.FormatInt(made.Offset(), 10))
	}
	tellExpiry(header, made.Resumable)
	w.WriteHeader(http.StatusCreated)
	return nil
}

// begun is an upload that was just made.
type begun struct {
	core.Resumable
	target core.Target
}

func (s *Server) begin(r *http.Request, c *request) (begun, error) {
	header := r.Header
	switch {
	case header.Get("Upload-Concat") != "":
		return begun{}, errConcat
	case header.Get("Upload-Defer-Length") != "":
		return begun{}, errDefer
	case header.Get("Upload-Length") == "":
		return begun{}, errLength
	case header.Get("Upload-Metadata") == "":
		return begun{}, errNoMetadata
	}
	length, _ := count(header.Get("Upload-Length")) // checkHeaders has seen it
	described, err := parseMetadata(header.Get("Upload-Metadata"))
	if err != nil {
		return begun{}, err
	}
	t := core.Target{
		Bucket: described["bucketName"], Key: described["objectName"], MimeType: described["contentType"], Length: length,
		UserMetadata: surface.UserMetadata([]byte(described["metadata"])),
	}
	if t.MimeType == "" {
		t.MimeType = defaultType
	}
	if err := s.permit(r, c, &t); err != nil {
		return begun{}, err
	}
	cacheControl := "no-cache"
	if given := described["cacheControl"]; seconds.MatchString(given) {
		cacheControl = "max-age=" + given
	}
	made, err := s.core.Resumables.Begin(r.Context(), c.Call, t, cacheControl, header.Get("Upload-Metadata"), c.signed)
	return begun{made, t}, err
}

// first writes what came with a creation. The client does not hear where the upload
// is before that is over, so that one that breaks off ends.
func (s *Server) first(w http.ResponseWriter, r *http.Request, c *request, made *begun) error {
	held, err := s.core.Resumables.Hold(r.Context(), made.Resumable, interrupter(w))
	if err != nil {
		return err
	}
	defer held.Release(r.Context())
	if err := held.Write(r.Context(), c.Call, made.target, 0, r.Body, r.ContentLength); err != nil {
		refuse(w, r, err)
		_ = held.Terminate(r.Context()) // it expires otherwise
		return err
	}
	made.Resumable = held.Resumable
	return nil
}

// interrupter ends the reading of a request's body.
func interrupter(w http.ResponseWriter) func() {
	connection := http.NewResponseController(w)
	return func() { _ = connection.SetReadDeadline(time.Unix(1, 0)) } // else the newer request waits
}

// refuse reads what a refused client is still sending, unless another request has
// taken its place.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	if known := apierr.As(err); known == nil || known.Status != http.StatusLocked {
		httpx.Linger(w, r)
	}
}

func (s *Server) patch(w http.ResponseWriter, r *http.Request, c *request) error {
	left, finished, err := s.write(w, r, c)
	if err != nil {
		refuse(w, r, err)
		return err
	}
	header := w.Header()
	header.Set("Upload-Offset", strconv.FormatInt(left.Offset(), 10))
	if finished {
		header.Set("Tus-Complete", "1")
	}
	tellExpiry(header, left)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// write appends a request's body, and tells what the upload is then, and whether
// this finished it.
func (s *Server) write(w http.ResponseWriter, r *http.Request, c *request) (left core.Resumable, finished bool, err error) {
	offset, ok := count(r.Header.Get("Upload-Offset"))
	if !ok {
		return left, false, errNoOffset
	}
	if r.Header.Get("Content-Type") != content {
		return left, false, errType
	}
	upload, target, err := s.find(r, c)
	if err != nil {
		return left, false, err
	}
	if !upload.Finished { // a client asks again that did not hear the answer
		if err := s.core.Resumables.Authorize(r.Context(), c.Call, target, c.signed); err != nil {
			return left, false, err
		}
	}
	if at := upload.Offset(); offset < at || offset != at && !upload.Held { // in vain, and not worth to stop another request for
		return left, false, storageerr.ErrOffset
	}
	held, err := s.core.Resumables.Hold(r.Context(), upload, interrupter(w))
	if err != nil {
		return left, false, err
	}
	defer func() {
		held.Release(r.Context())
		if held.Interrupted() { // the connection can read no more
			w.Header().Set("Connection", "close")
		}
	}()
	before := held.Finished
	err = held.Write(r.Context(), c.Call, target, offset, r.Body, r.ContentLength)
	return held.Resumable, held.Finished && !before, err
}

func (s *Server) head(w http.ResponseWriter, r *http.Request, c *request) error {
	upload, _, err := s.find(r, c)
	if err != nil {
		return err
	}
	if upload.Held { // until its request ends, more may come
		held, err := s.core.Resumables.Hold(r.Context(), upload, func() {})
		if err != nil {
			return err
		}
		held.Release(r.Context())
		upload = held.Resumable
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Upload-Offset", strconv.FormatInt(upload.Offset(), 10))
	header.Set("Upload-Length", strconv.FormatInt(upload.Length, 10))
	header.Set("Upload-Metadata", upload.Describe)
	tellExpiry(header, upload)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Server) terminate(w http.ResponseWriter, r *http.Request, c *request) error {
	upload, target, err := s.find(r, c)
	if err != nil {
		return err
	}
	if !upload.Finished { // what was finished is refused, whoever asks
		if err := s.core.Resumables.Authorize(r.Context(), c.Call, target, c.signed); err != nil {
			return err
		}
	}
	held, err := s.core.Resumables.Hold(r.Context(), upload, func() {})
	if err != nil {
		return err
	}
	defer held.Release(r.Context())
	if err := held.Terminate(r.Context()); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// tellExpiry tells until when an upload may be resumed.
func tellExpiry(header http.Header, u core.Resumable) {
	if !u.Finished {
		header.Set("Upload-Expires", u.Expires.UTC().Format(http.TimeFormat))
	}
}
