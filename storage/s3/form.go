package s3

import (
	"encoding/xml"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"path"
	"strconv"
	"strings"

	"plaza/server/httpx"
	"plaza/storage/core"
	forms "plaza/storage/form"
	"plaza/storage/s3/signature"
	"plaza/storage/storageerr"
)

const (
	// maxFields is the maximum number of fields in a form. Source: supabase/storage.
	maxFields = 20
	// maxField is the maximum size of a field, in bytes. Policies are the largest fields.
	maxField = 64 << 10
)

// form is an upload by a multipart form. The fields precede the file.
type form struct {
	fields map[string]string // by lower-case name
	file   *multipart.Part
	policy *signature.Policy
}

// identifyForm reads a form up to its file, verifies its policy and determines the caller.
func (s *Server) identifyForm(r *http.Request, c *request) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	signed, err := signature.ParseForm(f.fields)
	if err != nil {
		return err
	}
	key, err := s.secretOf(signed)
	if err != nil {
		return err
	}
	if err := s.verifier.VerifyForm(signed, key); err != nil {
		return err
	}
	if f.policy, err = s.verifier.ParsePolicy(signed); err != nil {
		return err
	}
	f.fields["bucket"] = c.bucket
	if err := f.policy.Check(f.fields); err != nil {
		return err
	}
	c.form = f
	c.Who, err = s.caller(signed)
	return err
}

// readForm reads the fields before the file.
//
// Errors: 400 MalformedPOSTRequest.
func readForm(r *http.Request) (*form, error) {
	_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || parameters["boundary"] == "" {
		return nil, errForm.WithCause(err)
	}
	parts := forms.NewReader(r.Body, parameters["boundary"])
	f := &form{fields: map[string]string{}}
	for range maxFields + 1 {
		part, err := parts.NextPart()
		if err != nil {
			return nil, errForm.WithCause(err)
		}
		name := strings.ToLower(part.FormName())
		if name == "file" {
			parts.FileBegins()
			f.file = part
			return f, nil
		}
		value, err := io.ReadAll(io.LimitReader(part, maxField+1))
		if _, duplicate := f.fields[name]; duplicate || err != nil || len(value) > maxField {
			return nil, errForm.WithCause(err)
		}
		f.fields[name] = string(value)
	}
	return nil, errForm
}

// sizedReader enforces the size limits of a policy.
type sizedReader struct {
	from        io.Reader
	least, most int64
	read        int64
}

func (s *sizedReader) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	if s.read += int64(n); s.read > s.most {
		return n, storageerr.ErrTooLarge
	}
	if err == io.EOF && s.read < s.least { // readers return io.EOF unwrapped
		return n, errTooSmall
	}
	return n, err
}

func (s *Server) postObject(w http.ResponseWriter, r *http.Request, c *request) error {
	if c.form == nil {
		return errForm
	}
	fields := c.form.fields
	c.key = strings.ReplaceAll(fields["key"], "${filename}", path.Base(c.form.file.FileName()))
	c.size = core.UnknownSize
	header := http.Header{}
	for name, value := range fields {
		header.Set(textproto.CanonicalMIMEHeaderKey(name), value)
	}
	t, err := c.target(header)
	if err != nil {
		return err
	}
	file := &sizedReader{from: c.form.file, least: c.form.policy.MinSize, most: c.form.policy.MaxSize}
	made, err := s.core.Upload(r.Context(), c.Call, core.Upload{Target: t, CacheControl: cacheControl(header), Size: core.UnknownSize, Body: file}, false)
	if err != nil {
		httpx.DrainBody(w, r)
		return err
	}
	return respondForm(w, r, fields, c, made.ETag)
}

// respondForm sends the response that the form's fields request.
func respondForm(w http.ResponseWriter, r *http.Request, fields map[string]string, c *request, etag string) error {
	location := "/" + c.bucket + "/" + escape(c.key)
	w.Header().Set("ETag", etag)
	w.Header().Set("Location", location)
	if back, err := url.Parse(fields["success_action_redirect"]); err == nil && (back.Scheme == "https" || back.Scheme == "http") {
		query := back.Query()
		query.Set("bucket", c.bucket)
		query.Set("key", c.key)
		query.Set("etag", etag)
		back.RawQuery = query.Encode()
		http.Redirect(w, r, back.String(), http.StatusSeeOther)
		return nil
	}
	// Source: the default of supabase/storage is 200; Amazon's is 204.
	status, err := strconv.Atoi(fields["success_action_status"])
	if err != nil || status != http.StatusNoContent && status != http.StatusCreated {
		status = http.StatusOK
	}
	if status != http.StatusCreated {
		w.WriteHeader(status)
		return nil
	}
	return writeXML(w, status, struct {
		XMLName                     xml.Name `xml:"PostResponse"`
		Location, Bucket, Key, ETag string
	}{Location: location, Bucket: c.bucket, Key: c.key, ETag: etag})
}
