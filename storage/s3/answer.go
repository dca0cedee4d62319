package s3

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/storageerr"
)

var errInternal = apierr.New(http.StatusInternalServerError, storageerr.CodeInternal, "Internal Server Error")

// failure is the document of an error.
type failure struct {
	XMLName   xml.Name `xml:"Error"`
	Resource  string
	Code      string
	Message   string
	RequestID string `xml:"RequestId"`
}

// renderError writes an error in S3's shape, with its true status.
func (s *Server) renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	status := e.Status
	if e.Code == storageerr.CodeQuota { // as S3 servers that have quotas do, such as Ceph
		status = http.StatusForbidden
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return
	}
	_ = writeXML(w, status, failure{
		Resource: strings.Trim(strings.TrimPrefix(r.URL.Path, s.prefix), "/"), Code: e.Code, Message: e.Message,
		RequestID: httpx.RequestID(r.Context()),
	}) // texts always encode
}

// writeXML answers with a document.
func writeXML(w http.ResponseWriter, status int, document any) error {
	var text bytes.Buffer
	text.WriteString(xml.Header)
	if err := xml.NewEncoder(&text).Encode(document); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Content-Length", strconv.Itoa(text.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the client may have gone
	return nil
}

// maxDocument bounds the documents that requests carry, in bytes: a thousand keys
// to delete, or ten thousand parts.
const maxDocument = 4 << 20

// readXML reads the document of a request, which its signature covers.
//
// Errors: 400 MalformedXML; what the body gives.
func readXML(c *request, document any) error {
	text, err := io.ReadAll(io.LimitReader(c.body, maxDocument+1))
	if err != nil {
		return err
	}
	if len(text) > maxDocument {
		return storageerr.ErrTooLarge
	}
	if err := xml.Unmarshal(text, document); err != nil {
		return apierr.New(http.StatusBadRequest, "MalformedXML", "The XML you provided was not well-formed or did not validate against our published schema.").WithCause(err)
	}
	return nil
}

// number reads a parameter; its default where it is not there.
//
// Errors: 400 InvalidParameter.
func (c *request) number(name string, otherwise, least, most int) (int, error) {
	text := c.query.Get(name)
	if text == "" {
		return otherwise, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < least {
		return 0, apierr.New(http.StatusBadRequest, storageerr.CodeInvalidParameter, "Invalid Parameter %s", name)
	}
	return min(value, most), nil
}

// name returns a key as the client wants it: plain, or escaped.
func (c *request) name(key string) string {
	if c.query.Get("encoding-type") != "url" {
		return key
	}
	return escape(key)
}

// escape escapes a key for a document, as S3 does: slashes stay.
func escape(key string) string {
	const hex = "0123456789ABCDEF"
	var made strings.Builder
	for _, char := range []byte(key) {
		if char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9' || strings.IndexByte("-_.*/", char) >= 0 {
			made.WriteByte(char)
		} else {
			made.WriteByte('%')
			made.WriteByte(hex[char>>4])
			made.WriteByte(hex[char&15])
		}
	}
	return made.String()
}
