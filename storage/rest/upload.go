package rest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/form"
	"plaza/storage/storageerr"
	"plaza/storage/surface"
)

// Limits of multipart bodies.
// Source: supabase/storage allows 10 fields and 1 MB of user metadata.
const (
	maxFields       = 10
	maxUserMetadata = 1 << 20

	// formOverhead is the assumed maximum size of a part's headers, in bytes. With larger
	// headers, a file that exceeds a quota is rejected later.
	formOverhead = 16 << 10
)

// defaultCacheControl is the default Cache-Control of uploads.
const defaultCacheControl = "no-cache"

func (s *Server) upload(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.store(w, r, c, r.Header.Get("X-Upsert") == "true")
}

func (s *Server) update(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.store(w, r, c, true)
}

func (s *Server) store(w http.ResponseWriter, r *http.Request, c *request, upsert bool) error {
	target := core.Target{Bucket: c.bucket, Key: c.key, Upsert: upsert, Owner: c.Who.Subject}
	made, err := s.take(w, r, c, target, false)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"Id": made.ID, "Key": c.bucket + "/" + c.key})
}

func (s *Server) uploadSigned(w http.ResponseWriter, r *http.Request, c *request) error {
	query := readQuery(r.URL.Query())
	query.require("token")
	if err := query.check(); err != nil {
		return err
	}
	signed, err := s.core.URLs.VerifyUpload(query.text("token"), c.bucket, c.key)
	if err != nil {
		return err
	}
	c.Headers = httpx.HeadersJSON(r.Header)
	if _, err := s.take(w, r, c, core.Target{Bucket: c.bucket, Key: c.key, Upsert: signed.Upsert, Owner: signed.Owner}, true); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"Key": c.bucket + "/" + c.key})
}

// take stores the body of a request. After an error it reads the remaining body, within
// limits, because clients do not read the response before they have sent the body.
func (s *Server) take(w http.ResponseWriter, r *http.Request, c *request, target core.Target, trusted bool) (core.Object, error) {
	upload, err := readUpload(r, target)
	if err == nil {
		var made core.Object
		if made, err = s.core.Upload(r.Context(), c.Call, upload, trusted); err == nil {
			return made, nil
		}
	}
	httpx.DrainBody(w, r)
	return core.Object{}, err
}

// readUpload reads the upload's headers and fields, up to the start of the bytes.
func readUpload(r *http.Request, target core.Target) (core.Upload, error) {
	upload := core.Upload{Target: target, RobotsTag: r.Header.Get("X-Robots-Tag"), Size: core.UnknownSize}
	if err := checkRobotsTag(upload.RobotsTag); upload.RobotsTag != "" && err != nil {
		return upload, err
	}
	upload.Length = r.ContentLength
	kind := r.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "multipart/form-data") {
		return readForm(r, upload)
	}
	if upload.MimeType = kind; kind == "" {
		upload.MimeType = "application/octet-stream"
	}
	if upload.CacheControl = r.Header.Get("Cache-Control"); upload.CacheControl == "" {
		upload.CacheControl = defaultCacheControl
	}
	upload.UserMetadata = userMetadata(r.Header.Get("X-Metadata"))
	upload.Size, upload.Body = r.ContentLength, r.Body
	return upload, nil
}

// userMetadata decodes a JSON object in base64. It returns nil if the text is invalid.
func userMetadata(text string) json.RawMessage {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return surface.UserMetadata(decoded)
}

// readForm reads the fields of a form up to its file.
func readForm(r *http.Request, upload core.Upload) (core.Upload, error) {
	_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || parameters["boundary"] == "" {
		return upload, storageerr.ErrNoContent
	}
	parts := form.NewReader(r.Body, parameters["boundary"])
	fields := map[string]string{}
	upload.Overhead = formOverhead
	for range maxFields + 1 {
		next, err := parts.NextRawPart()
		if err != nil {
			return upload, formError(err)
		}
		if isFile(next) {
			parts.FileBegins()
			return fileUpload(upload, next, fields)
		}
		text, err := io.ReadAll(io.LimitReader(next, maxUserMetadata+1))
		if err != nil {
			return upload, formError(err)
		}
		if len(text) > maxUserMetadata {
			return upload, apierr.New(storageerr.ErrTooLarge.Status, storageerr.CodeTooLarge, "The user_metadata exceeded the maximum allowed size")
		}
		fields[next.FormName()] = string(text)
		upload.Overhead += int64(len(text)) + formOverhead
	}
	return upload, storageerr.ErrNoContent
}

func formError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	if known := apierr.As(err); known != nil {
		return known
	}
	return storageerr.ErrNoContent.WithCause(err)
}

// isFile reports whether a form part is a file rather than a field.
func isFile(p *multipart.Part) bool {
	_, parameters, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	_, named := parameters["filename"]
	return err == nil && (named || p.Header.Get("Content-Type") == "application/octet-stream")
}

func fileUpload(upload core.Upload, file *multipart.Part, fields map[string]string) (core.Upload, error) {
	if upload.MimeType = fields["contentType"]; upload.MimeType == "" {
		upload.MimeType = file.Header.Get("Content-Type")
	}
	if upload.MimeType == "" {
		upload.MimeType = "application/octet-stream"
	}
	upload.CacheControl = defaultCacheControl
	if seconds := fields["cacheControl"]; seconds != "" {
		upload.CacheControl = "max-age=" + seconds
	}
	metadata, given := fields["metadata"]
	if !given {
		metadata = fields["userMetadata"]
	}
	upload.UserMetadata = surface.UserMetadata([]byte(metadata))
	upload.Body = file
	return upload, nil
}
