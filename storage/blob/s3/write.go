package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/minio/minio-go/v7"

	"plaza/storage/blob"
)

// cleanUpTimeout is the timeout for removing the remains of a failed upload.
const cleanUpTimeout = 10 * time.Second

// Put sends an object: from a buffer with retries if it fits, in a single stream if its
// size is known, otherwise as a multipart upload.
func (s *Store) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	key, err := s.key(name)
	var written int64
	if err == nil {
		written, err = s.put(ctx, key, r, size)
	}
	if err != nil {
		return 0, fmt.Errorf("write blob %s: %w", name, translateError(err))
	}
	return written, nil
}

func (s *Store) put(ctx context.Context, key string, r io.Reader, size int64) (int64, error) {
	if size > bufferSize && size <= maxSinglePut {
		body := newStream(ctx, r, size)
		defer body.end()
		_, err := s.client.PutObject(ctx, s.bucket, key, body, size, "", "", minio.PutObjectOptions{})
		if err = body.readError(err); err != nil {
			return 0, errors.Join(err, s.removeFailed(ctx, key))
		}
		return size, nil
	}
	buffer, err := s.buffer(ctx)
	if err != nil {
		return 0, err
	}
	defer s.release(buffer)
	n, last, err := fill(ctx, buffer, r)
	if err != nil {
		return 0, err
	}
	if !last && (size == blob.UnknownSize || size > bufferSize) {
		return s.putParts(ctx, key, buffer, r, size)
	}
	if size != blob.UnknownSize && (int64(n) != size || !last && !atEnd(r)) {
		return 0, io.ErrUnexpectedEOF
	}
	err = retry(ctx, bytes.NewReader(buffer[:n]), func(body io.Reader) error {
		_, err := s.client.PutObject(ctx, s.bucket, key, body, int64(n), "", "", minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		return 0, errors.Join(err, s.removeFailed(ctx, key))
	}
	return int64(n), nil
}

// removeFailed removes an object whose request failed, because the server may have
// stored it nevertheless.
func (s *Store) removeFailed(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTimeout)
	defer cancel()
	return s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{})
}

// buffer waits for a free buffer.
func (s *Store) buffer(ctx context.Context) ([]byte, error) {
	select {
	case buffer := <-s.buffers:
		if buffer == nil {
			buffer = make([]byte, bufferSize)
		}
		return buffer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Store) release(buffer []byte) { s.buffers <- buffer }

// fill reads until the buffer is full or r ends. last reports whether r has ended.
func fill(ctx context.Context, buffer []byte, r io.Reader) (n int, last bool, err error) {
	for n < len(buffer) && err == nil {
		if err = ctx.Err(); err != nil {
			return n, false, err
		}
		var read int
		read, err = r.Read(buffer[n:])
		n += read
	}
	if errors.Is(err, io.EOF) {
		return n, true, ctx.Err()
	}
	return n, false, errors.Join(err, ctx.Err())
}

// putParts sends a full buffer and the rest of r as a multipart upload.
func (s *Store) putParts(ctx context.Context, key string, buffer []byte, r io.Reader, size int64) (int64, error) {
	upload, err := s.client.NewMultipartUpload(ctx, s.bucket, key, minio.PutObjectOptions{})
	if err != nil {
		return 0, err
	}
	written, err := s.sendParts(ctx, key, upload, buffer, r, size)
	if err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTimeout)
		defer cancel()
		return 0, errors.Join(err, s.abort(ctx, key, upload), s.removeFailed(ctx, key))
	}
	return written, nil
}

func (s *Store) sendParts(ctx context.Context, key, upload string, buffer []byte, r io.Reader, size int64) (int64, error) {
	var parts []minio.CompletePart
	var written int64
	for n, last := len(buffer), false; n > 0; {
		number := len(parts) + 1
		if number > blob.MaxPart {
			return 0, fmt.Errorf("%w: an upload of unknown size is too large", blob.ErrFull)
		}
		part, err := s.retryPart(ctx, key, upload, number, bytes.NewReader(buffer[:n]))
		if err != nil {
			return 0, err
		}
		parts = append(parts, minio.CompletePart{PartNumber: number, ETag: part.ETag})
		written += int64(n)
		if n = 0; !last {
			if n, last, err = fill(ctx, buffer, r); err != nil {
				return 0, err
			}
		}
	}
	if size != blob.UnknownSize && written != size {
		return 0, io.ErrUnexpectedEOF
	}
	_, err := s.client.CompleteMultipartUpload(ctx, s.bucket, key, upload, parts, minio.PutObjectOptions{})
	return written, err
}

func (s *Store) abort(ctx context.Context, key, upload string) error {
	err := s.client.AbortMultipartUpload(ctx, s.bucket, key, upload)
	if errors.Is(translateError(err), blob.ErrNotFound) {
		return nil
	}
	return err
}
