package core

import (
	"context"
	"errors"
	"io"

	"plaza/storage/blob"
)

// Open opens an object's bytes at an offset; length is how many are read at most.
// Where another write was in between, it gives blob.ErrNotFound, and the row is to
// be read anew.
func (s *Service) Open(ctx context.Context, o Object, offset, length int64) (io.ReadCloser, error) {
	if o.blob == "" {
		return nil, blob.ErrNotFound
	}
	return s.blobs.Get(ctx, o.blob, offset, length)
}

// Gone tells whether an object's bytes are no longer there; what is kept of its
// row is then forgotten.
func (s *Service) Gone(o Object, err error) bool {
	if !errors.Is(err, blob.ErrNotFound) {
		return false
	}
	s.cache.forget(o.Bucket, o.Name)
	return true
}

// SizeOf gives an object's size in bytes, also where the row does not tell it.
// Errors: NoSuchKey.
func (s *Service) SizeOf(ctx context.Context, o Object) (int64, error) {
	if o.Size != UnknownSize {
		return o.Size, nil
	}
	if o.blob == "" {
		return 0, ErrNoSuchKey
	}
	info, err := s.blobs.Stat(ctx, o.blob)
	return info.Size, BlobError(err)
}
