package core

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"io"

	"plaza/storage/image"
	"plaza/storage/storageerr"
)

// withoutMetadata copies a blob to a new version without image metadata such as EXIF. The
// caller must release or discard both versions.
//
// Errors: InvalidMimeType if the image is malformed.
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
	if version, err = s.versions.reserve(ctx); err != nil {
		return "", Written{}, err
	}
	sum := md5.New() // for the ETag
	w.Size, err = s.blobs.Put(ctx, blobName("", "", version), io.TeeReader(image.StripMetadata(from), sum), UnknownSize)
	if err != nil {
		s.versions.discard(ctx, version)
		return "", Written{}, bodyError(err)
	}
	w.ETag = `"` + hex.EncodeToString(sum.Sum(nil)) + `"`
	return version, w, nil
}

// stripIfConfigured returns the version for an object's row: the given one, or that of a
// copy without metadata if the bucket strips them.
func (s *Service) stripIfConfigured(ctx context.Context, t Target, whole string, w Written) (string, Written, error) {
	bucket, err := s.Bucket(ctx, t.Bucket)
	if err != nil || !bucket.StripMetadata {
		return whole, w, err
	}
	version, stripped, err := s.withoutMetadata(ctx, whole)
	stripped.CacheControl, stripped.RobotsTag = w.CacheControl, w.RobotsTag
	return version, stripped, err
}

// releaseStripped releases a version without metadata and discards the original, or the
// other way round if its row was refused.
func (s *Service) releaseStripped(ctx context.Context, version, whole string, refused error) {
	if refused != nil {
		s.versions.discard(ctx, version)
		return
	}
	s.versions.release(version)
	s.versions.discard(ctx, whole)
}
