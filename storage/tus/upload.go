package tus

import (
	"net/http"
	"strconv"
	"time"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/lazyregexp"
	"plaza/storage/core"
	"plaza/storage/storageerr"
	"plaza/storage/surface"
)

// defaultType is the media type of uploads without contentType.
const defaultType = "application/octet-stream"

// seconds matches the valid values of cacheControl. Other values are ignored.
var seconds = lazyregexp.New(`^-?\d+$`)

func (s *Server) create(w http.ResponseWriter, r *http.Request, c *request) error {
	made, err := s.createUpload(r, c)
	if err != nil {
		httpx.DrainBody(w, r)
		return err
	}
	header := w.Header()
	header.Set("Location", s.location(r, c, made.Resumable))
	withBody := r.Header.Get("Content-Type") == content
	if withBody || made.Length == 0 {
		if err := s.writeBody(w, r, c, &made); err != nil {
			return err
		}
		header.Set("Upload-Offset", strconv.FormatInt(made.Offset(), 10))
	}
	setExpiry(header, made.Resumable)
	w.WriteHeader(http.StatusCreated)
	return nil
}

// newUpload is an upload that was just created.
type newUpload struct {
	core.Resumable
	target core.Target
}

func (s *Server) createUpload(r *http.Request, c *request) (newUpload, error) {
	header := r.Header
	switch {
	case header.Get("Upload-Concat") != "":
		return newUpload{}, errConcat
	case header.Get("Upload-Defer-Length") != "":
		return newUpload{}, errDefer
	case header.Get("Upload-Length") == "":
		return newUpload{}, errLength
	case header.Get("Upload-Metadata") == "":
		return newUpload{}, errNoMetadata
	}
	length, _ := parseBytes(header.Get("Upload-Length")) // validated by checkHeaders
	described, err := parseMetadata(header.Get("Upload-Metadata"))
	if err != nil {
		return newUpload{}, err
	}
	t := core.Target{
		Bucket: described["bucketName"], Key: described["objectName"], MimeType: described["contentType"], Length: length,
		UserMetadata: surface.UserMetadata([]byte(described["metadata"])),
	}
	if t.MimeType == "" {
		t.MimeType = defaultType
	}
	if err := s.setOwner(r, c, &t); err != nil {
		return newUpload{}, err
	}
	cacheControl := "no-cache"
	if given := described["cacheControl"]; seconds().MatchString(given) {
		cacheControl = "max-age=" + given
	}
	made, err := s.core.Resumables.Begin(r.Context(), c.Call, t, cacheControl, header.Get("Upload-Metadata"), c.signed)
	return newUpload{made, t}, err
}

// writeBody writes the body of a creation request. An interrupted upload is removed,
// because the client does not know its URL yet.
func (s *Server) writeBody(w http.ResponseWriter, r *http.Request, c *request, made *newUpload) error {
	held, err := s.core.Resumables.Hold(r.Context(), made.Resumable, interrupter(w))
	if err != nil {
		return err
	}
	defer held.Release(r.Context())
	if err := held.Write(r.Context(), c.Call, made.target, 0, r.Body, r.ContentLength); err != nil {
		drainBody(w, r, err)
		_ = held.Terminate(r.Context()) // on failure it expires
		return err
	}
	made.Resumable = held.Resumable
	return nil
}

// interrupter returns a function that interrupts reading a request's body.
func interrupter(w http.ResponseWriter) func() {
	connection := http.NewResponseController(w)
	return func() { _ = connection.SetReadDeadline(time.Unix(1, 0)) } // on failure the newer request waits
}

// drainBody reads the rest of the body after an error, unless another request has taken
// over the upload.
func drainBody(w http.ResponseWriter, r *http.Request, err error) {
	if known := apierr.As(err); known == nil || known.Status != http.StatusLocked {
		httpx.DrainBody(w, r)
	}
}

func (s *Server) patch(w http.ResponseWriter, r *http.Request, c *request) error {
	upload, finished, err := s.write(w, r, c)
	if err != nil {
		drainBody(w, r, err)
		return err
	}
	header := w.Header()
	header.Set("Upload-Offset", strconv.FormatInt(upload.Offset(), 10))
	if finished {
		header.Set("Tus-Complete", "1")
	}
	setExpiry(header, upload)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// write appends a request's body. It returns the resulting upload, and whether this
// request has finished it.
func (s *Server) write(w http.ResponseWriter, r *http.Request, c *request) (result core.Resumable, finished bool, err error) {
	offset, ok := parseBytes(r.Header.Get("Upload-Offset"))
	if !ok {
		return result, false, errNoOffset
	}
	if r.Header.Get("Content-Type") != content {
		return result, false, errType
	}
	upload, target, err := s.find(r, c)
	if err != nil {
		return result, false, err
	}
	if !upload.Finished { // otherwise the client retries because it did not get the response
		if err := s.core.Resumables.Authorize(r.Context(), c.Call, target, c.signed); err != nil {
			return result, false, err
		}
	}
	if at := upload.Offset(); offset < at || offset != at && !upload.Held { // fails anyway, so do not interrupt another request
		return result, false, storageerr.ErrOffset
	}
	held, err := s.core.Resumables.Hold(r.Context(), upload, interrupter(w))
	if err != nil {
		return result, false, err
	}
	defer func() {
		held.Release(r.Context())
		if held.Interrupted() { // the connection cannot be read any more
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
	if upload.Held { // wait for the request that is still writing
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
	setExpiry(header, upload)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Server) terminate(w http.ResponseWriter, r *http.Request, c *request) error {
	upload, target, err := s.find(r, c)
	if err != nil {
		return err
	}
	if !upload.Finished { // terminating a finished upload fails for every caller
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

// setExpiry sets the time until which an upload can be resumed.
func setExpiry(header http.Header, u core.Resumable) {
	if !u.Finished {
		header.Set("Upload-Expires", u.Expires.UTC().Format(http.TimeFormat))
	}
}
