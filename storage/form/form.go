// Package form reads uploads by forms: a few fields, then the file. What comes before
// the file is bounded, whatever it is: fields, headers of parts, or text between them.
package form

import (
	"io"
	"mime/multipart"
	"net/http"

	"plaza/server/apierr"
)

// MaxHead is how many bytes may come before the content of the file. Package
// mime/multipart alone keeps 10 MB of headers for each part.
const MaxHead = 2 << 20

// errHead has storage's code and text for what is too large.
var errHead = apierr.New(http.StatusRequestEntityTooLarge, "EntityTooLarge", "The fields of the form exceeded the maximum allowed size")

// Reader reads the parts of a form.
type Reader struct {
	*multipart.Reader
	head *headReader
}

// NewReader returns a Reader of a body. Before FileBegins is called, it fails with
// EntityTooLarge behind MaxHead bytes.
func NewReader(body io.Reader, boundary string) *Reader {
	head := &headReader{from: body, left: MaxHead}
	return &Reader{multipart.NewReader(head, boundary), head}
}

// FileBegins lifts the bound: the part that was returned last is the file.
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
