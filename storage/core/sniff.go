package core

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// sniffed is how many bytes tell a type.
// Source: http.DetectContentType looks at no more.
const sniffed = 512

// checkDeclared holds a type to a bucket's list; an empty list allows all.
// "image/*" allows all images; parameters such as a charset do not matter.
//
// Errors: InvalidMimeType.
func checkDeclared(declared string, list []string) error {
	if len(list) == 0 || allowed(declared, list) {
		return nil
	}
	return errMimeType(declared)
}

func allowed(declared string, list []string) bool {
	plain, _, _ := strings.Cut(declared, ";")
	plain = strings.TrimSpace(plain)
	kind, _, ok := strings.Cut(plain, "/")
	return ok && slices.ContainsFunc(list, func(entry string) bool {
		return entry == declared || strings.EqualFold(entry, plain) || strings.EqualFold(entry, kind+"/*") || entry == "*" || entry == "*/*"
	})
}

// sniff holds the first bytes of a body to the declared type and a bucket's list,
// and gives the whole body. Without a list nothing was promised, and the bytes
// are served as what they were declared to be.
//
// Errors: InvalidMimeType; what the body gives.
func sniff(body io.Reader, declared string, list []string) (io.Reader, error) {
	if len(list) == 0 {
		return body, nil
	}
	head := make([]byte, sniffed)
	n, err := io.ReadFull(body, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // io.ReadFull gives them bare
		return nil, err
	}
	if found := http.DetectContentType(head[:n]); n > 0 && contradicts(declared, found, list) {
		return nil, errMimeType(found)
	}
	rest := body
	if err == io.EOF {
		rest = bytes.NewReader(nil)
	}
	return io.MultiReader(bytes.NewReader(head[:n]), rest), nil
}

// recognised are types that their first bytes always show.
var recognised = []string{
	"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "application/pdf", "application/gzip", "application/zip",
}

// contradicts reports whether bytes cannot be of the declared type. Texts are not
// told apart, as their beginnings do not tell what they are.
func contradicts(declared, found string, list []string) bool {
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

// isImage knows pictures of dots, which one program shows as well as another.
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
