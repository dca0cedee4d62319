package core

import (
	"context"
	"errors"
	"io"
	"os"

	"plaza/storage/blob"
)

// Open opens an object's bytes at an offset; length is how many are read at most.
// Those of a small object that is asked for often are at hand. Where another write was in between, it gives blob.ErrNotFound, and the row is to be read
// anew.
func (s *Service) Open(ctx context.Context, o Object, offset, length int64) (io.ReadCloser, error) {
	if o.blob == "" {
		return nil, blob.ErrNotFound
	}
	if kept, ok := s.hot.get(o.blob); ok && 0 <= offset && offset <= kept.size {
		s.hot.hits.Add(1)
		return kept.part(offset, length), nil
	}
	s.hot.misses.Add(1)
	body, err := s.blobs.Get(ctx, o.blob, offset, length)
	if err != nil || offset != 0 || length != o.Size || !s.hot.wants(o.blob, o.Size) {
		return body, err
	}
	keep := kept{size: o.Size}
	if file, ok := body.(*os.File); ok && o.Size >= hotFile {
		keep.file = file
	} else {
		defer func() { _ = body.Close() }()
		keep.content = make([]byte, o.Size)
		if _, err := io.ReadFull(body, keep.content); err != nil {
			return nil, err
		}
	}
	s.hot.put(o.blob, keep)
	return keep.part(0, length), nil
}

// Gone reports whether an object's bytes are no longer there; what is kept of its
// row is then forgotten.
func (s *Service) Gone(o Object, err error) bool {
	if !errors.Is(err, blob.ErrNotFound) {
		return false
	}
	s.cache.forget(o.Bucket, o.Name)
	return true
}

// SizeOf returns an object's size in bytes, also where the row does not tell it.
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
