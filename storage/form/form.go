// Package form reads uploads as multipart forms: a few fields, then the file. It limits
// everything before the file: fields, headers of parts, and text between them.
package form

import (
	"io"
	"mime/multipart"
	"net/http"

	"plaza/server/apierr"
)

// MaxHead is the maximum number of bytes before the content of the file. Package
// mime/multipart itself allows 10 MB of headers for each part.
const MaxHead = 2 << 20

// errHead is returned if the limit is exceeded. It has storage's code and message.
var errHead = apierr.New(http.StatusRequestEntityTooLarge, "EntityTooLarge", "The fields of the form exceeded the maximum allowed size")

// Reader reads the parts of a form.
type Reader struct {
	*multipart.Reader
	head *headReader
}

// NewReader returns a Reader for a body. Until FileBegins is called, it fails with
// EntityTooLarge after MaxHead bytes.
func NewReader(body io.Reader, boundary string) *Reader {
	head := &headReader{from: body, left: MaxHead}
	return &Reader{multipart.NewReader(head, boundary), head}
}

// FileBegins removes the limit. It must be called when the last returned part is the file.
func (r *Reader) FileBegins() { r.head.open = true }

type headReader struct {
	from io.Reader
	left int
	open bool
}

func (h *headReader) Read(to []byte) (int, error) {
	if h.open {
		return h.from.Read(to)
	}
	if h.left == 0 {
		return 0, errHead
	}
	n, err := h.from.Read(to[:min(len(to), h.left)])
	h.left -= n
	return n, err
}
