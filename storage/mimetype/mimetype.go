// Package mimetype checks the type of an object: the declared one against a bucket's
// list, and the content against the declared one.
package mimetype

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"plaza/server/lazyregexp"
	"plaza/storage/storageerr"
)

// HeadSize is how many bytes at the beginning of an object determine its type.
// Source: http.DetectContentType looks at no more.
const HeadSize = 512

// maxLength is the maximum length of a type in a bucket's list, in bytes.
const maxLength = 1000

// Source: supabase/storage.
var valid = lazyregexp.New(`^([a-zA-Z0-9\-+.]+)/([a-zA-Z0-9\-+.]+)(;\s*charset=[a-zA-Z0-9\-]+)?$|\*$`)

// CheckList returns InvalidMimeType if an entry of a bucket's list is not a valid type.
func CheckList(list []string) error {
	for _, entry := range list {
		if len(entry) > maxLength || !valid().MatchString(entry) {
			return storageerr.InvalidMimeType(entry)
		}
	}
	return nil
}

// CheckDeclared compares a declared type with a bucket's list; an empty list allows
// all. "image/*" allows all images; parameters such as a charset are ignored.
//
// Errors: InvalidMimeType.
func CheckDeclared(declared string, list []string) error {
	if len(list) == 0 || allowed(declared, list) {
		return nil
	}
	return storageerr.InvalidMimeType(declared)
}

func allowed(declared string, list []string) bool {
	plain, _, _ := strings.Cut(declared, ";")
	plain = strings.TrimSpace(plain)
	kind, _, ok := strings.Cut(plain, "/")
	return ok && slices.ContainsFunc(list, func(entry string) bool {
		return entry == declared || strings.EqualFold(entry, plain) || strings.EqualFold(entry, kind+"/*") || entry == "*" || entry == "*/*"
	})
}

// CheckBody compares the first bytes of a body with the declared type and a bucket's
// list, and returns the whole body. With an empty list nothing is checked, and the
// object is served as the type that was declared.
//
// Errors: InvalidMimeType; body's own.
func CheckBody(body io.Reader, declared string, list []string) (io.Reader, error) {
	if len(list) == 0 {
		return body, nil
	}
	head := make([]byte, HeadSize)
	n, err := io.ReadFull(body, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // io.ReadFull returns them unwrapped
		return nil, err
	}
	if err := CheckHead(head[:n], declared, list); err != nil {
		return nil, err
	}
	rest := body
	if err == io.EOF {
		rest = bytes.NewReader(nil)
	}
	return io.MultiReader(bytes.NewReader(head[:n]), rest), nil
}

// CheckHead is CheckBody for the first bytes of a body and a list that is not empty.
//
// Errors: InvalidMimeType.
func CheckHead(head []byte, declared string, list []string) error {
	if found := http.DetectContentType(head); len(head) > 0 && Contradicts(declared, found, list) {
		return storageerr.InvalidMimeType(found)
	}
	return nil
}

// recognised are types whose first bytes always identify them.
var recognised = []string{
	"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "application/pdf", "application/gzip", "application/zip",
}

// Contradicts reports whether content that was found to be of one type cannot be of the
// declared one. Kinds of text are not distinguished, since their first bytes do not
// identify them. If text was declared, the bucket's list may allow the type found.
func Contradicts(declared, found string, list []string) bool {
	plain, _, err := mime.ParseMediaType(declared)
	if err != nil {
		plain = declared
	}
	found, _, _ = strings.Cut(found, ";")
	switch {
	case plain == found, isText(plain) && isText(found), isImage(plain) && isImage(found):
		return false
	case slices.Contains(recognised, plain):
		return true
	case isText(found):
		return isMedia(plain)
	}
	return isText(plain) && found != "application/octet-stream" && !allowed(found, list)
}

// isImage reports whether a type is a raster image; SVG counts as text.
func isImage(plain string) bool {
	return strings.HasPrefix(plain, "image/") && !isText(plain)
}

func isText(plain string) bool {
	return strings.HasPrefix(plain, "text/") || strings.HasSuffix(plain, "xml") || strings.HasSuffix(plain, "json") ||
		strings.HasSuffix(plain, "javascript") || plain == "application/x-ndjson" || plain == "application/yaml"
}

func isMedia(plain string) bool {
	return strings.HasPrefix(plain, "image/") || strings.HasPrefix(plain, "audio/") || strings.HasPrefix(plain, "video/")
}
