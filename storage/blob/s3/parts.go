package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/minio/minio-go/v7"

	"plaza/storage/blob"
)

// MinPart returns S3's minimum size of all parts except the last.
func (s *Store) MinPart() int64 { return minPart }

// Begin creates a multipart upload.
func (s *Store) Begin(ctx context.Context, name string) (string, error) {
	key, err := s.key(name)
	var upload string
	if err == nil {
		upload, err = s.client.NewMultipartUpload(ctx, s.bucket, key, minio.PutObjectOptions{})
	}
	if err != nil {
		return "", fmt.Errorf("begin upload of blob %s: %w", name, translateError(err))
	}
	return upload, nil
}

// PutPart sends a part. A part of unknown size that is larger than a buffer is first
// written to a temporary file, because S3 requires the size.
func (s *Store) PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (blob.Part, error) {
	if number < 1 || number > blob.MaxPart {
		return blob.Part{}, fmt.Errorf("write part %d of blob %s: numbers go from 1 to %d", number, name, blob.MaxPart)
	}
	key, err := s.key(name)
	var part blob.Part
	if err == nil && upload == "" {
		err = blob.ErrNotFound
	}
	if err == nil {
		part, err = s.putPart(ctx, key, upload, number, r, size)
	}
	if err != nil {
		return blob.Part{}, fmt.Errorf("write part %d of blob %s: %w", number, name, translateError(err))
	}
	return part, nil
}

func (s *Store) putPart(ctx context.Context, key, upload string, number int, r io.Reader, size int64) (blob.Part, error) {
	if size > bufferSize {
		body := newStream(ctx, r, size)
		defer body.end()
		part, err := s.sendPart(ctx, key, upload, number, body, size)
		return part, body.readError(err)
	}
	buffer, err := s.buffer(ctx)
	if err != nil {
		return blob.Part{}, err
	}
	defer s.release(buffer)
	n, last, err := fill(ctx, buffer, r)
	switch {
	case err != nil:
		return blob.Part{}, err
	case size != blob.UnknownSize && (!last && !atEnd(r) || int64(n) != size):
		return blob.Part{}, io.ErrUnexpectedEOF
	case size == blob.UnknownSize && !last:
		return s.spool(ctx, key, upload, number, io.MultiReader(bytes.NewReader(buffer), r))
	}
	return s.retryPart(ctx, key, upload, number, bytes.NewReader(buffer[:n]))
}

// retryPart sends a part, with retries.
func (s *Store) retryPart(ctx context.Context, key, upload string, number int, body sized) (part blob.Part, err error) {
	err = retry(ctx, body, func(r io.Reader) error {
		part, err = s.sendPart(ctx, key, upload, number, r, body.Size())
		return err
	})
	return part, err
}

func (s *Store) sendPart(ctx context.Context, key, upload string, number int, body io.Reader, size int64) (blob.Part, error) {
	part, err := s.client.PutObjectPart(ctx, s.bucket, key, upload, number, body, size, minio.PutObjectPartOptions{})
	return blob.Part{Number: number, Size: size, ETag: part.ETag, Modified: part.LastModified}, err
}

// spool sends a part from a temporary file.
func (s *Store) spool(ctx context.Context, key, upload string, number int, r io.Reader) (part blob.Part, err error) {
	file, err := os.CreateTemp("", "part-*")
	if err != nil {
		return blob.Part{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := os.Remove(file.Name()); err != nil {
		return blob.Part{}, err
	}
	size, err := io.Copy(file, untilCancelled{ctx, r})
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return blob.Part{}, err
	}
	return s.retryPart(ctx, key, upload, number, io.NewSectionReader(file, 0, size))
}

// untilCancelled is a reader that fails when its context ends.
type untilCancelled struct {
	ctx context.Context
	r   io.Reader
}

func (u untilCancelled) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// partsPage is the number of parts that S3 lists in a response.
const partsPage = 1000

// Parts lists the parts of an upload.
func (s *Store) Parts(ctx context.Context, name, upload string) ([]blob.Part, error) {
	key, err := s.key(name)
	if err == nil && upload == "" {
		err = blob.ErrNotFound
	}
	var parts []blob.Part
	for after, more := 0, true; more && err == nil; {
		var page minio.ListObjectPartsResult
		page, err = s.client.ListObjectParts(ctx, s.bucket, key, upload, after, partsPage)
		for _, part := range page.ObjectParts {
			parts = append(parts, blob.Part{
				Number: part.PartNumber, Size: part.Size, ETag: trimQuotes(part.ETag), Modified: part.LastModified,
			})
		}
		after, more = page.NextPartNumberMarker, page.IsTruncated
	}
	if err != nil {
		return nil, fmt.Errorf("list parts of blob %s: %w", name, translateError(err))
	}
	return parts, nil
}

func trimQuotes(etag string) string {
	if len(etag) > 1 && etag[0] == '"' && etag[len(etag)-1] == '"' {
		return etag[1 : len(etag)-1]
	}
	return etag
}

// Join completes a multipart upload.
func (s *Store) Join(ctx context.Context, name, upload string, parts []blob.Part) (blob.Info, error) {
	key, err := s.key(name)
	if err == nil {
		err = blob.CheckParts(parts)
	}
	complete := make([]minio.CompletePart, len(parts))
	for i, part := range parts {
		complete[i] = minio.CompletePart{PartNumber: part.Number, ETag: part.ETag}
	}
	if err == nil {
		_, err = s.client.CompleteMultipartUpload(ctx, s.bucket, key, upload, complete, minio.PutObjectOptions{})
	}
	var info blob.Info
	if err == nil {
		info, err = s.Stat(ctx, name)
	}
	if err != nil {
		return blob.Info{}, fmt.Errorf("join parts of blob %s: %w", name, translateError(err))
	}
	return info, nil
}

// Discard aborts a multipart upload.
func (s *Store) Discard(ctx context.Context, name, upload string) error {
	key, err := s.key(name)
	if err != nil || upload == "" {
		return nil
	}
	if err := s.abort(ctx, key, upload); err != nil {
		return fmt.Errorf("discard upload of blob %s: %w", name, err)
	}
	return nil
}

// DiscardAll aborts the multipart uploads of a name.
func (s *Store) DiscardAll(ctx context.Context, name string) error {
	key, err := s.key(name)
	if err != nil {
		return nil
	}
	if err := s.client.RemoveIncompleteUpload(ctx, s.bucket, key); err != nil {
		return fmt.Errorf("discard uploads of blob %s: %w", name, err)
	}
	return nil
}
