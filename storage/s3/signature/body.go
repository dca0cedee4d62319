package signature

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// Values of x-amz-content-sha256 other than a hash.
const (
	unsigned        = "UNSIGNED-PAYLOAD"
	streaming       = "STREAMING-"
	chunksSigned    = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
	trailerSigned   = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
	trailerUnsigned = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
)

// UnknownSize is the size of a body without a declared length.
const UnknownSize = -1

// Body is the content of a request. Reading it ends with io.EOF only if hash, checksums,
// chunk signatures and length are correct. After any other error, the reader must
// discard the content.
//
// Errors of reading: 403 SignatureDoesNotMatch; 400 XAmzContentSHA256Mismatch,
// BadDigest, IncompleteBody, InvalidRequest, MalformedTrailerError.
type Body struct {
	Size int64 // bytes, or UnknownSize

	source io.Reader
	closer io.Closer
	chunks *chunkReader // nil if the body is not aws-chunked
	checks []*check
	err    error
}

// Body opens the content of a request. The signature must be verified before.
//
// Errors: 400 InvalidRequest, InvalidDigest, MissingContentLength, NotSupported.
func (s *Signature) Body(r *http.Request, secret string) (*Body, error) {
	checks, err := checksOf(r.Header, s.Payload)
	if err != nil {
		return nil, err
	}
	b := &Body{Size: r.ContentLength, source: r.Body, closer: r.Body, checks: checks}
	chunked := strings.Contains(strings.ToLower(r.Header.Get("Content-Encoding")), "aws-chunked")
	switch {
	case strings.HasPrefix(s.Payload, streaming):
		return b, b.decode(r, s, secret)
	case chunked:
		return nil, apierr.New(400, "InvalidRequest", "The content is aws-chunked, but x-amz-content-sha256 is not a STREAMING-… value.")
	case s.Payload != "" && s.Payload != unsigned && !isHash(s.Payload):
		return nil, apierr.New(400, "InvalidRequest", "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-…, or a hash.")
	}
	return b, nil
}

func isHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// decode sets up the decoding of an aws-chunked body.
func (b *Body) decode(r *http.Request, s *Signature, secret string) error {
	size, ok := number(r.Header.Get("X-Amz-Decoded-Content-Length"))
	if !ok {
		return apierr.New(400, "MissingContentLength", "You must provide the Content-Length HTTP header.")
	}
	var announced []string
	for _, list := range r.Header.Values("X-Amz-Trailer") {
		for name := range strings.SplitSeq(list, ",") {
			announced = append(announced, strings.ToLower(strings.TrimSpace(name)))
		}
	}
	switch s.Payload {
	case chunksSigned, trailerSigned, trailerUnsigned:
	default:
		return apierr.New(400, "NotSupported", "The streaming algorithm %q is not supported.", s.Payload)
	}
	b.chunks = newChunkReader(r.Body, s, secret, size)
	b.Size, b.source = size, b.chunks
	if s.Payload == chunksSigned {
		return nil
	}
	for _, name := range announced {
		one := checkFor(name)
		if one == nil {
			return apierr.New(400, "InvalidRequest", "The value specified in the x-amz-trailer header is not supported")
		}
		b.checks = append(b.checks, one)
	}
	return nil
}

// Read reads content and verifies it at the end.
func (b *Body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.source.Read(p)
	for _, one := range b.checks {
		one.Write(p[:n])
	}
	switch {
	case errors.Is(err, io.EOF):
		b.err = io.EOF
		if wrong := b.verify(); wrong != nil {
			b.err = wrong
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		b.err = errIncomplete.WithCause(err)
	default:
		b.err = err
	}
	return n, b.err
}

var errIncomplete = apierr.New(400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header")

// verify compares the checksums of the content with the declared ones.
func (b *Body) verify() error {
	for _, one := range b.checks {
		if one.want == nil {
			value, ok := b.chunks.trailers[one.name]
			if !ok {
				return errTrailer
			}
			if err := one.expect(value); err != nil {
				return err
			}
		}
		if err := one.verify(); err != nil {
			return err
		}
	}
	return nil
}

// Checksum returns the checksum that the client sent, or the zero value if it sent none. It
// must be called after the content is read.
func (b *Body) Checksum() Checksum {
	for _, one := range b.checks {
		if one.name != "" && one.want != nil {
			return Checksum{Header: one.name, Value: encodeBase64(one.want)}
		}
	}
	return Checksum{}
}

// Close closes the body of the request.
func (b *Body) Close() error { return b.closer.Close() }
