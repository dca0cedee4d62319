package signature

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strconv"
	"strings"

	"plaza/server/apierr"
)

const (
	// maxChunkLine is the maximum length of a chunk header or a trailer, in bytes.
	maxChunkLine = 1024
	// maxTrailers is the maximum number of lines after the last chunk.
	maxTrailers = 16
	// chunkBuffer is the size of the read buffer, in bytes.
	chunkBuffer = 32 << 10
)

var (
	errChunk   = apierr.New(400, "InvalidRequest", "Invalid chunk header")
	errTrailer = apierr.New(400, "MalformedTrailerError",
		"The request contained trailing data that was not well-formed or did not conform to our published schema.")
	emptyHash = hash256(nil)
)

func hash256(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

func encodeBase64(digest []byte) string { return base64.StdEncoding.EncodeToString(digest) }

// chunkReader decodes an aws-chunked body:
//
//	{size in hexadecimal}[;chunk-signature={signature}]CRLF {bytes} CRLF … 0[;…]CRLF [{trailers}] CRLF
//
// Each signature covers the chunk and the signature before it. Source: the
// documentation of Amazon S3, "Signature calculations for the authorization
// header: transferring a payload in multiple chunks".
type chunkReader struct {
	r          *bufio.Reader
	signed     bool
	hasTrailer bool
	key        []byte
	before     string // date and scope, which precede the previous signature in the signed string
	previous   string // the previous signature

	left      int64 // remaining bytes of the chunk
	inChunk   bool
	signature string // of the chunk
	digest    hash.Hash
	missing   int64 // remaining bytes of the content
	trailers  map[string]string
	err       error
}

func newChunkReader(r io.Reader, s *Signature, secret string, size int64) *chunkReader {
	return &chunkReader{
		r: bufio.NewReaderSize(r, chunkBuffer), key: s.Scope.key(secret),
		signed: s.Payload != trailerUnsigned, hasTrailer: s.Payload != chunksSigned,
		before:   s.Time.Format(timeFormat) + "\n" + s.Scope.String() + "\n",
		previous: s.signature, digest: sha256.New(), missing: size, trailers: map[string]string{},
	}
}

func (c *chunkReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, c.err
	}
	for c.left == 0 && c.err == nil {
		c.err = c.next()
	}
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	if c.signed {
		c.digest.Write(p[:n])
	}
	if err != nil {
		c.err = wrapEOF(err)
	}
	return n, c.err
}

// wrapEOF returns errIncomplete for an unexpected end of the body.
func wrapEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errIncomplete
	}
	return err
}

// next verifies the chunk that was read and begins the next one. It returns io.EOF after
// the last.
func (c *chunkReader) next() error {
	if c.inChunk {
		if err := c.lineEnd(); err != nil {
			return err
		}
		if err := c.verifyChunk(); err != nil {
			return err
		}
	}
	size, err := c.header()
	if err != nil {
		return err
	}
	if c.missing -= size; c.missing < 0 {
		return errIncomplete
	}
	c.left, c.inChunk = size, true
	if size > 0 {
		return nil
	}
	if c.missing > 0 {
		return errIncomplete
	}
	return c.finish()
}

// header reads the header line of a chunk and returns the chunk's size.
func (c *chunkReader) header() (int64, error) {
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	digits, extension, _ := strings.Cut(line, ";")
	size, err := strconv.ParseUint(digits, 16, 62)
	if err != nil {
		return 0, errChunk
	}
	signature, ok := strings.CutPrefix(extension, "chunk-signature=")
	if c.signed && (!ok || len(signature) != 64) {
		return 0, malformed("Missing chunk signature")
	}
	c.signature = signature
	return int64(size), nil
}

// line reads a line and returns it without the line break.
func (c *chunkReader) line() (string, error) {
	line, err := c.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || len(line) > maxChunkLine {
		return "", errChunk
	}
	if err != nil {
		return "", wrapEOF(err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), nil
}

// lineEnd reads a line break.
func (c *chunkReader) lineEnd() error {
	line, err := c.line()
	if err == nil && line != "" {
		err = apierr.New(400, "InvalidRequest", "Missing CRLF after chunk data")
	}
	return err
}

func (c *chunkReader) verifyChunk() error {
	if !c.signed {
		return nil
	}
	text := "AWS4-HMAC-SHA256-PAYLOAD\n" + c.before + c.previous + "\n" + emptyHash + "\n" + hex.EncodeToString(c.digest.Sum(nil))
	if !equal(sum(c.key, text), c.signature) {
		return errDoesNotMatch
	}
	c.previous = c.signature
	c.digest.Reset()
	return nil
}

// finish reads the trailers and the end of the body after the last, empty chunk.
func (c *chunkReader) finish() error {
	if err := c.verifyChunk(); err != nil {
		return err
	}
	if c.hasTrailer {
		if err := c.readTrailers(); err != nil {
			return err
		}
	} else if err := c.lineEnd(); err != nil {
		return err
	}
	if _, err := c.r.ReadByte(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = apierr.New(400, "InvalidRequest", "Unexpected data after final chunk")
		}
		return err
	}
	return io.EOF
}

// trailerSignature is the trailer with the signature of the preceding trailers.
const trailerSignature = "x-amz-trailer-signature"

// readTrailers reads trailers up to an empty line. Some clients send another empty line
// before the signature.
func (c *chunkReader) readTrailers() error {
	var text strings.Builder
	signature := ""
	for range maxTrailers {
		line, err := c.line()
		if err != nil {
			return err
		}
		switch name, value, ok := strings.Cut(line, ":"); {
		case line == "" && (!c.signed || signature != ""):
			return c.verifyTrailers(text.String(), signature)
		case line == "":
		case !ok || signature != "":
			return errTrailer
		case strings.EqualFold(name, trailerSignature):
			signature = strings.TrimSpace(value)
		default:
			name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
			if _, duplicate := c.trailers[name]; duplicate {
				return errTrailer
			}
			c.trailers[name] = value
			text.WriteString(name + ":" + value + "\n")
		}
	}
	return errTrailer
}

func (c *chunkReader) verifyTrailers(text, signature string) error {
	if !c.signed {
		return nil
	}
	text = "AWS4-HMAC-SHA256-TRAILER\n" + c.before + c.previous + "\n" + hash256([]byte(text))
	if !equal(sum(c.key, text), signature) {
		return errDoesNotMatch
	}
	return nil
}
