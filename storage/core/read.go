package core

import (
	"context"
	"errors"
	"io"

	"plaza/storage/blob"
	"plaza/storage/storageerr"
)

// Open opens an object's bytes at an offset; length is how many are read at most. It
// returns blob.ErrNotFound where the object was written in the meantime: its row must
// then be read again.
func (s *Service) Open(ctx context.Context, o Object, offset, length int64) (io.ReadCloser, error) {
	if o.blob == "" {
		return nil, blob.ErrNotFound
	}
	if body, ok := s.contents.Open(o.blob, offset, length); ok {
		return body, nil
	}
	body, err := s.blobs.Get(ctx, o.blob, offset, length)
	if err != nil || offset != 0 || length != o.Size || !s.contents.Admits(o.blob, o.Size) {
		return body, err
	}
	return s.contents.Add(o.blob, body, o.Size)
}

// Gone reports whether err means that an object's blob no longer exists, and then
// invalidates its cached row.
func (s *Service) Gone(o Object, err error) bool {
	if !errors.Is(err, blob.ErrNotFound) {
		return false
	}
	s.cache.invalidate(o.Bucket, o.Name)
	return true
}

// SizeOf returns an object's size in bytes, also if its row has none.
// Errors: NoSuchKey.
func (s *Service) SizeOf(ctx context.Context, o Object) (int64, error) {
	if o.Size != UnknownSize {
		return o.Size, nil
	}
	if o.blob == "" {
		return 0, storageerr.ErrNoSuchKey
	}
	info, err := s.blobs.Stat(ctx, o.blob)
	return info.Size, storageerr.FromBlobs(err)
}
