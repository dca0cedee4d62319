package signature

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// What x-amz-content-sha256 may say other than a hash.
const (
	unsigned        = "UNSIGNED-PAYLOAD"
	streaming       = "STREAMING-"
	chunksSigned    = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
	trailerSigned   = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
	trailerUnsigned = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
)

// UnknownSize is of a body whose length the client does not tell.
const UnknownSize = -1

// Body gives the content of a request. Its end is io.EOF only where all that the
// client said of it is true: hash, checksums, signatures of its chunks, length.
// Whoever reads it must not keep what came before another error.
//
// Errors of reading: 403 SignatureDoesNotMatch; 400 XAmzContentSHA256Mismatch,
// BadDigest, IncompleteBody, InvalidRequest, MalformedTrailerError.
type Body struct {
	Size int64 // bytes, or UnknownSize

	source io.Reader
	closer io.Closer
	chunks *chunkReader // nil where the body is not in chunks
	checks []*check
	err    error
}

// Body opens the content of a request whose signature was found true.
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
		return nil, apierr.New(400, "InvalidRequest", "The content is aws-chunked, and x-amz-content-sha256 does not say how it is signed.")
	case s.Payload != "" && s.Payload != unsigned && !isHash(s.Payload):
		return nil, apierr.New(400, "InvalidRequest", "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-…, or a hash.")
	}
	return b, nil
}

func isHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// decode puts a reader of chunks in front of the body.
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

// Read returns content.
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

// verify holds what was read to what the client said of it.
func (b *Body) verify() error {
	for _, one := range b.checks {
		if one.want == nil {
			value, there := b.chunks.trailers[one.name]
			if !there {
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

// Checksum returns the checksum that the client sent, once all was read; the zero
// value where it sent none.
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
