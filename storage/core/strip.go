package core

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"

	"plaza/storage/image"
	"plaza/storage/storageerr"
)

// withoutMetadata copies a blob to a new version without what cameras write beside
// the pixels. The old one stays for the caller to give up, and so does the new one.
//
// Errors: InvalidMimeType where it is no whole picture.
func (s *Service) withoutMetadata(ctx context.Context, old string) (version string, w Written, err error) {
	whole, err := s.blobs.Stat(ctx, blobName("", "", old))
	if err != nil {
		return "", Written{}, storageerr.FromBlobs(err)
	}
	from, err := s.blobs.Get(ctx, whole.Name, 0, whole.Size)
	if err != nil {
		return "", Written{}, storageerr.FromBlobs(err)
	}
	defer func() { _ = from.Close() }()
	if version, err = s.noted.take(ctx); err != nil {
		return "", Written{}, err
	}
	sum := md5.New() // what an ETag is, for S3's clients too
	w.Size, err = s.blobs.Put(ctx, blobName("", "", version), io.TeeReader(image.StripMetadata(from), sum), UnknownSize)
	if err != nil {
		s.noted.giveUp(ctx, version)
		return "", Written{}, bodyError(err)
	}
	w.ETag = `"` + hex.EncodeToString(sum.Sum(nil)) + `"`
	return version, w, nil
}

// asBucketWants returns the version that an object's row is to name: that of the blob,
// or of a copy without metadata, where the bucket wants it so.
func (s *Service) asBucketWants(ctx context.Context, t Target, whole string, w Written) (string, Written, error) {
	bucket, err := s.Bucket(ctx, t.Bucket)
	if err != nil || !bucket.StripMetadata {
		return whole, w, err
	}
	version, stripped, err := s.withoutMetadata(ctx, whole)
	stripped.CacheControl, stripped.RobotsTag = w.CacheControl, w.RobotsTag
	return version, stripped, err
}

// settle ends the holding of a version that was written without metadata. Where its
// row was refused it is given up, otherwise the whole one is.
func (s *Service) settle(ctx context.Context, version, whole string, refused error) {
	if refused != nil {
		s.noted.giveUp(ctx, version)
		return
	}
	s.noted.drop(version)
	s.noted.giveUp(ctx, whole)
}

// malformed reports whether a picture's file was refused for its form.
func malformed(err error) bool { return errors.Is(err, image.ErrMalformed) }
