package s3

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

const (
	defaultType  = "application/octet-stream"
	defaultCache = "no-cache" // Source: supabase/storage
	metaPrefix   = "X-Amz-Meta-"
	// maxMetadata is the maximum size of an object's user metadata, in bytes. Source:
	// Amazon S3 allows 2 KB.
	maxMetadata = 8 << 10
	// emptyFolder is the name of the object that represents an empty folder.
	emptyFolder = ".emptyFolderPlaceholder"
)

// userMetadata returns the metadata in the headers x-amz-meta-….
//
// Errors: 400 MetadataTooLarge.
func userMetadata(header http.Header) (json.RawMessage, error) {
	found := map[string]string{}
	size := 0
	for name, values := range header {
		if suffix, ok := strings.CutPrefix(name, metaPrefix); ok {
			value := strings.ToValidUTF8(strings.Join(values, ","), "\uFFFD")
			found[strings.ToLower(suffix)] = value
			size += len(suffix) + len(value)
		}
	}
	if size > maxMetadata {
		return nil, apierr.New(http.StatusBadRequest, "MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size")
	}
	if size == 0 {
		return nil, nil
	}
	return json.Marshal(found)
}

// setMetadata sets the headers for user metadata, as far as the values are valid in headers.
func setMetadata(header http.Header, metadata json.RawMessage) {
	var found map[string]any
	_ = json.Unmarshal(metadata, &found) // SQL may have written arbitrary metadata
	for name, value := range found {
		text, ok := value.(string)
		if ok && printable(name, true) && printable(text, false) {
			header[textproto.CanonicalMIMEHeaderKey(metaPrefix+name)] = []string{text}
		}
	}
}

// printable reports whether a text is valid in a header's value or, if name is set, in its
// name.
func printable(text string, name bool) bool {
	for _, char := range []byte(text) {
		if char < ' ' || char > '~' || name && strings.IndexByte(" \"(),/:;<=>?@[\\]{}", char) >= 0 {
			return false
		}
	}
	return text != "" || !name
}

// target returns the target of an upload, from its headers.
func (c *request) target(header http.Header) (core.Target, error) {
	metadata, err := userMetadata(header)
	t := core.Target{
		Bucket: c.bucket, Key: c.key, Upsert: true, Owner: c.Who.Subject, MimeType: header.Get("Content-Type"), Length: c.size, UserMetadata: metadata,
	}
	if t.MimeType == "" {
		t.MimeType = defaultType
	}
	return t, err
}

func cacheControl(header http.Header) string {
	if given := header.Get("Cache-Control"); given != "" {
		return given
	}
	return defaultCache
}

var errExists = apierr.New(http.StatusPreconditionFailed, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")

func (s *Server) putObject(w http.ResponseWriter, r *http.Request, c *request) error {
	if strings.HasSuffix(c.key, "/") && c.size == 0 {
		c.key += emptyFolder
	}
	t, err := c.target(r.Header)
	if err != nil {
		return err
	}
	t.Upsert = r.Header.Get("If-None-Match") != "*"
	made, err := s.core.Upload(r.Context(), c.Call, core.Upload{Target: t, CacheControl: cacheControl(r.Header), Size: c.size, Body: c.body}, false)
	if known := apierr.As(err); known != nil && known.Code == storageerr.CodeKeyExists {
		err = errExists.WithCause(err)
	}
	if err != nil {
		httpx.DrainBody(w, r)
		return err
	}
	c.setChecksum(w.Header())
	w.Header().Set("ETag", made.ETag)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (c *request) setChecksum(header http.Header) {
	if name, value := c.checksum(); name != "" {
		header.Set(name, value)
	}
}

// copySource returns the bucket and key of the object to copy.
//
// Errors: 400 InvalidRequest.
func copySource(header http.Header) (bucket, key string, err error) {
	source, _, _ := strings.Cut(header.Get("X-Amz-Copy-Source"), "?versionId=")
	source, err = url.PathUnescape(strings.TrimPrefix(source, "/"))
	bucket, key, found := strings.Cut(source, "/")
	if err != nil || !found || bucket == "" || key == "" {
		return "", "", apierr.New(http.StatusBadRequest, storageerr.CodeInvalidRequest, "Copy Source must mention the source bucket and key: sourcebucket/sourcekey")
	}
	return bucket, key, nil
}

// copyConditions checks the request's conditions on the source of a copy.
//
// Errors: 412 PreconditionFailed.
func copyConditions(header http.Header, o core.Object) error {
	when := func(name string) (time.Time, bool) {
		moment, err := http.ParseTime(header.Get("X-Amz-Copy-Source-If-" + name))
		return moment, err == nil
	}
	is := func(name string) bool {
		tag := header.Get("X-Amz-Copy-Source-If-" + name)
		return tag == "*" || strings.Trim(tag, `"`) == strings.Trim(o.ETag, `"`)
	}
	given := func(name string) bool { return header.Get("X-Amz-Copy-Source-If-"+name) != "" }
	modified := o.Modified.Truncate(time.Second)
	failed := false
	if given("Match") {
		failed = !is("Match")
	} else if since, ok := when("Unmodified-Since"); ok {
		failed = modified.After(since)
	}
	if given("None-Match") {
		failed = failed || is("None-Match")
	} else if since, ok := when("Modified-Since"); ok {
		failed = failed || !modified.After(since)
	}
	if failed {
		return errExists
	}
	return nil
}

func (s *Server) copyObject(w http.ResponseWriter, r *http.Request, c *request) error {
	bucket, key, err := copySource(r.Header)
	if err != nil {
		return err
	}
	from, err := s.core.Object(r.Context(), c.Call, bucket, key)
	if err == nil {
		err = copyConditions(r.Header, from)
	}
	if err != nil {
		return err
	}
	t, err := c.target(r.Header)
	if err != nil {
		return err
	}
	wanted := core.Copy{Bucket: bucket, Key: key, To: t, KeepMetadata: r.Header.Get("X-Amz-Metadata-Directive") != "REPLACE"}
	if !wanted.KeepMetadata {
		wanted.Change = map[string]string{"mimetype": t.MimeType, "cacheControl": cacheControl(r.Header)}
	}
	made, err := s.core.Copy(r.Context(), c.Call, wanted)
	if err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName      xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ CopyObjectResult"`
		ETag         string
		LastModified string
	}{ETag: made.ETag, LastModified: made.Modified.UTC().Format(time.RFC3339)})
}

// isForm reports whether a request is a form upload, whose signature is in its fields.
func isForm(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") && r.Header.Get("Authorization") == ""
}

var errForm = apierr.New(http.StatusBadRequest, "MalformedPOSTRequest", "The body of your POST request is not well-formed multipart/form-data.")

// errTooSmall is returned for a file that is smaller than its policy requires.
var errTooSmall = apierr.New(http.StatusBadRequest, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")
