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
	name, err := o.blob()
	if err != nil {
		return nil, err
	}
	return s.blobs.Get(ctx, name, offset, length)
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
	name, err := o.blob()
	if err != nil {
		return 0, BlobError(err)
	}
	info, err := s.blobs.Stat(ctx, name)
	return info.Size, BlobError(err)
}

// blob names the object's bytes. Errors: blob.ErrNotFound, where SQL wrote a row
// that can have none.
func (o Object) blob() (string, error) {
	name := blobName(o.Bucket, o.Name, o.Version)
	if name == "" {
		return "", blob.ErrNotFound
	}
	return name, nil
}
