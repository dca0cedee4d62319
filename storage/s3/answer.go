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

// failure is the XML document of an error.
type failure struct {
	XMLName   xml.Name `xml:"Error"`
	Resource  string
	Code      string
	Message   string
	RequestID string `xml:"RequestId"`
}

// renderError writes an error in S3's format, with its own status.
func (s *Server) renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	status := e.Status
	if e.Code == storageerr.CodeQuota { // as in S3 servers with quotas, such as Ceph
		status = http.StatusForbidden
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return
	}
	_ = writeXML(w, status, failure{
		Resource: strings.Trim(strings.TrimPrefix(r.URL.Path, s.prefix), "/"), Code: e.Code, Message: e.Message,
		RequestID: httpx.RequestID(r.Context()),
	}) // strings can always be encoded
}

// writeXML responds with an XML document.
func writeXML(w http.ResponseWriter, status int, document any) error {
	var text bytes.Buffer
	text.WriteString(xml.Header)
	if err := xml.NewEncoder(&text).Encode(document); err != nil {
		return fmt.Errorf("encode the response: %w", err)
	}
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Content-Length", strconv.Itoa(text.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // fails only if the client has disconnected
	return nil
}

// maxDocument is the maximum size of a request's XML document, in bytes: 1000 keys to
// delete or 10,000 parts fit.
const maxDocument = 4 << 20

// readXML parses the XML document of a request. The signature covers it.
//
// Errors: 400 MalformedXML; errors of the body.
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

// number returns a numeric parameter, or otherwise if it is not given.
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

// name returns a key in the encoding that the client has requested.
func (c *request) name(key string) string {
	if c.query.Get("encoding-type") != "url" {
		return key
	}
	return escape(key)
}

// escape escapes a key as S3 does. Slashes are not escaped.
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
