package tus

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

// version is the protocol version.
const version = "1.0.0"

// extensions lists the supported extensions of the protocol.
const extensions = "creation,creation-with-upload,termination,expiration"

// content is the media type of appended bodies.
const content = "application/offset+octet-stream"

// exposed lists the response headers that pages of other origins may read.
var exposed = []string{
	"Location", "Tus-Complete", "Tus-Extension", "Tus-Max-Size", "Tus-Resumable", "Tus-Version", "Upload-Expires", "Upload-Length",
	"Upload-Metadata", "Upload-Offset",
}

// accepted lists the request headers that pages of other origins may send.
var accepted = []string{
	"Authorization", "Content-Type", "Tus-Resumable", "Upload-Defer-Length", "Upload-Length", "Upload-Metadata", "Upload-Offset",
	"X-HTTP-Method-Override", "X-Requested-With", "X-Upsert", "Upload-Expires", "ApiKey", "X-Signature",
}

func (s *Server) options(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Tus-Version", version)
	header.Set("Tus-Extension", extensions)
	header.Set("Tus-Max-Size", strconv.FormatInt(s.core.FileSizeLimit(), 10))
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Allow-Methods", "POST, HEAD, PATCH, OPTIONS, DELETE")
	allowed := slices.Clone(accepted)
	if more := r.Header.Get("Access-Control-Request-Headers"); more != "" {
		allowed = append(allowed, more)
	}
	header.Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

var (
	errVersion = apierr.New(http.StatusPreconditionFailed, storageerr.CodeInvalidRequest, "Tus-Resumable Required\n")
	errLength  = apierr.New(http.StatusBadRequest, storageerr.CodeInvalidRequest, "Upload-Length or Upload-Defer-Length header required\n")
	errDefer   = apierr.New(http.StatusNotImplemented, storageerr.CodeInvalidRequest, "creation-defer-length extension is not (yet) supported.\n")
	errConcat  = apierr.New(http.StatusNotImplemented, storageerr.CodeInvalidRequest, "Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.\n")
	errType    = apierr.New(http.StatusUnsupportedMediaType, storageerr.CodeInvalidMimeType, "Content-Type must be %s\n", content)

	// Source: upstream's library responds with 403.
	errNoOffset = apierr.New(http.StatusForbidden, storageerr.CodeInvalidRequest, "Upload-Offset header required\n")

	errNoMetadata = apierr.New(http.StatusBadRequest, storageerr.CodeInvalidRequest, "Metadata header is required")
)

// checkHeaders returns an error for another version of the protocol and for malformed
// headers.
func checkHeaders(response, header http.Header) error {
	if header.Get("Tus-Resumable") != version {
		response.Set("Tus-Version", version)
		return errVersion
	}
	for _, name := range []string{"Upload-Offset", "Upload-Length"} {
		if text := header.Get(name); text != "" {
			if _, ok := parseBytes(text); !ok {
				return errHeader(name)
			}
		}
	}
	return nil
}

func errHeader(name string) error {
	return apierr.New(http.StatusBadRequest, storageerr.CodeInvalidParameter, "Invalid %s\n", strings.ToLower(name))
}

// parseBytes parses a number of bytes.
func parseBytes(text string) (int64, bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil && number >= 0 && strconv.FormatInt(number, 10) == text
}

// parseMetadata parses Upload-Metadata: a comma-separated list of keys, each with a
// value in base64.
//
// Errors: InvalidParameter.
func parseMetadata(text string) (map[string]string, error) {
	found := make(map[string]string)
	for pair := range strings.SplitSeq(text, ",") {
		key, encoded, _ := strings.Cut(strings.TrimSpace(pair), " ")
		value, err := base64.StdEncoding.DecodeString(encoded)
		_, duplicate := found[key]
		if key == "" || err != nil || duplicate || strings.ContainsFunc(key, func(char rune) bool { return char > '~' || char < '!' }) {
			return nil, errHeader("Upload-Metadata")
		}
		found[key] = strings.ToValidUTF8(string(value), "\uFFFD")
	}
	return found, nil
}

// parseID parses the id at the end of an upload's URL: bucket, key and version in base64url.
func parseID(id string) (bucket, key, version string, ok bool) {
	decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(id, "="))
	bucket, rest, _ := strings.Cut(string(decoded), "/")
	slash := strings.LastIndex(rest, "/")
	if err != nil || slash < 0 || core.CheckBucketName(bucket) != nil || core.CheckKey(rest[:slash]) != nil || !isVersion(rest[slash+1:]) {
		return "", "", "", false
	}
	return bucket, rest[:slash], rest[slash+1:], true
}

// isVersion reports whether a text has the format of a version, which is a UUID.
func isVersion(text string) bool {
	return len(text) == 36 && !strings.ContainsFunc(text, func(char rune) bool { return !strings.ContainsRune("0123456789abcdef-", char) })
}

func formatID(u core.Resumable) string {
	return base64.RawURLEncoding.EncodeToString([]byte(u.Bucket + "/" + u.Key + "/" + u.Version))
}

// location returns the public URL of an upload.
func (s *Server) location(r *http.Request, c *request, u core.Resumable) string {
	path := s.prefix + Path
	if c.signed {
		path += "/sign"
	}
	path += "/" + formatID(u)
	if s.cfg.ForwardedPrefix {
		path = strings.TrimRight(r.Header.Get("X-Forwarded-Prefix"), "/") + path
	}
	if s.cfg.PublicURL != "" {
		return strings.TrimRight(s.cfg.PublicURL, "/") + path
	}
	scheme, host := origin(r)
	return scheme + "://" + host + path
}

// origin returns the public scheme and host of this server, from the headers of proxies.
func origin(r *http.Request) (scheme, host string) {
	scheme, host = "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if forwarded := r.Header.Get("X-Forwarded-Proto"); forwarded == "http" || forwarded == "https" {
		scheme = forwarded
	}
	forwarded := r.Header.Get("X-Forwarded-Host")
	if forwarded == "" {
		return scheme, host
	}
	port := r.Header.Get("X-Forwarded-Port")
	if _, ok := parseBytes(port); ok && port != "80" && port != "443" {
		name, _, _ := strings.Cut(forwarded, ":")
		forwarded = name + ":" + port
	}
	return scheme, forwarded
}
