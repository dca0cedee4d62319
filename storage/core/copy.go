package core

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"plaza/server/apierr"
	"plaza/storage/blob"
	"plaza/storage/storageerr"
)

// Copy describes what to copy where.
type Copy struct {
	Bucket, Key string
	To          Target // MimeType and Length are ignored

	// KeepMetadata keeps all metadata. Otherwise the user metadata is the target's, and
	// the other metadata is changed by Change.
	KeepMetadata bool
	Change       map[string]string // cacheControl and mimetype
}

// Copy copies an object that the caller may read to a key that it may write.
//
// Errors: NoSuchKey; as Authorize.
func (s *Service) Copy(ctx context.Context, call Call, c Copy) (Object, error) {
	if err := CheckKey(c.To.Key); err != nil {
		return Object{}, err
	}
	from, err := s.Object(ctx, call, c.Bucket, c.Key)
	if err != nil {
		return Object{}, err
	}
	metadata, err := c.metadata(&from)
	if err != nil {
		return Object{}, err
	}
	if err := s.authorize(ctx, call, c.To, metadata, ""); err != nil {
		return Object{}, err
	}
	version, err := s.copyBlob(ctx, call, from)
	if err != nil {
		return Object{}, err
	}
	to, err := s.Bucket(ctx, c.To.Bucket)
	if err == nil && to.StripMetadata {
		var w Written
		whole := version
		version, w, err = s.withoutMetadata(ctx, whole)
		s.versions.discard(ctx, whole)
		metadata["eTag"], metadata["size"], metadata["contentLength"] = w.ETag, w.Size, w.Size
	}
	if err != nil {
		return Object{}, err
	}
	metadata["lastModified"] = s.now().UTC().Format("2006-01-02T15:04:05.000Z")
	made, err := s.commit(ctx, call, c.To, version, metadata, orNull(c.To.UserMetadata))
	if err != nil {
		s.versions.discard(ctx, version)
		return Object{}, err
	}
	s.versions.release(version)
	return made, nil
}

// metadata returns the copy's metadata and sets its user metadata.
func (c *Copy) metadata(from *Object) (map[string]any, error) {
	metadata := map[string]any{}
	if len(from.Metadata) > 0 {
		if err := json.Unmarshal(from.Metadata, &metadata); err != nil || metadata == nil {
			metadata = map[string]any{} // SQL may have written anything
		}
	}
	if c.KeepMetadata {
		c.To.UserMetadata = from.UserMetadata
		if string(from.UserMetadata) == "null" {
			c.To.UserMetadata = nil
		}
		return metadata, nil
	}
	for name, value := range maps.All(c.Change) {
		metadata[name] = value
	}
	return metadata, nil
}

// copyBlob copies an object's blob to a new version. If the object was written in the
// meantime, it copies the new blob.
func (s *Service) copyBlob(ctx context.Context, call Call, from Object) (string, error) {
	version, err := s.versions.reserve(ctx)
	if err != nil {
		return "", err
	}
	copyTo := func(o Object) error {
		if o.blob == "" {
			return blob.ErrNotFound
		}
		return s.blobs.Copy(ctx, o.blob, blobName("", "", version))
	}
	if err = copyTo(from); errors.Is(err, blob.ErrNotFound) {
		if from, err = s.Trusted(ctx, call, from.Bucket, from.Name); err == nil {
			err = copyTo(from)
		}
	}
	if err != nil {
		s.versions.discard(ctx, version)
		return "", storageerr.FromBlobs(err)
	}
	return version, nil
}

const (
	moveObject = `update storage.objects o set bucket_id = $3, name = $4, owner = coalesce($5::uuid, o.owner), owner_id = coalesce($6, o.owner_id)
		where o.bucket_id = $1 and o.name = $2 returning ` + objectJSON

	// The name of an upstream version's blob contains bucket and key, so the blob is copied to
	// a version of ours.
	moveBlob = `with used as (delete from storage.unused_blobs where name = storage.blob_name('', '', $7) returning 1)
		update storage.objects o set bucket_id = $3, name = $4, owner = coalesce($5::uuid, o.owner), owner_id = coalesce($6, o.owner_id), version = $7
		from used where o.bucket_id = $1 and o.name = $2 and o.version = $8 returning ` + objectJSON
)

// Move changes the key or bucket of an object. Its blob is not moved.
//
// Errors: NoSuchKey; ResourceAlreadyExists; AccessDenied; InvalidRequest if the target
// bucket does not exist.
func (s *Service) Move(ctx context.Context, call Call, bucket, key, toBucket, toKey, owner string) (Object, error) {
	if err := errors.Join(CheckBucketName(bucket), CheckBucketName(toBucket)); err != nil {
		return Object{}, apierr.As(err)
	}
	if err := CheckKey(toKey); err != nil {
		return Object{}, err
	}
	from, err := s.Object(ctx, call, bucket, key)
	if err != nil {
		return Object{}, err
	}
	if bucket != toBucket {
		// Not from the cache, which a change made with SQL reaches only a moment later.
		to, err := s.Buckets.Find(ctx, Call{}.asService(), toBucket)
		switch {
		case to.StripMetadata:
			return Object{}, storageerr.ErrStripMove
		case err != nil && !errors.Is(err, storageerr.ErrNoSuchBucket): // which the move itself returns
			return Object{}, err
		}
	}
	uuid, ownerID := owners(owner)
	args := []any{bucket, key, toBucket, toKey, uuid, ownerID}
	defer func() {
		s.cache.invalidate(bucket, key)
		s.cache.invalidate(toBucket, toKey)
	}()
	var moved Object
	if ownVersion().MatchString(from.Version) || bucket == toBucket && key == toKey {
		err = s.query(ctx, call, moveObject, args, readObject(&moved))
	} else {
		moved, err = s.moveUpstream(ctx, call, from, args)
	}
	if err == nil && moved.ID == "" {
		return Object{}, storageerr.ErrNoSuchKey
	}
	return moved, storageerr.FromDatabase(err)
}

// moveUpstream moves an object that upstream's server wrote. It tries the move first, so that
// the blob is copied only if policies allow it.
func (s *Service) moveUpstream(ctx context.Context, call Call, from Object, args []any) (moved Object, err error) {
	if err := s.try(ctx, call, moveObject, args, readObject(&moved)); err != nil || moved.ID == "" {
		return moved, err
	}
	moved = Object{}
	version, err := s.copyBlob(ctx, call, from)
	if err != nil {
		return moved, err
	}
	ctx, cancel := detach(ctx)
	defer cancel()
	err = s.query(ctx, call.asService(), moveBlob, append(args, version, from.Version), readObject(&moved))
	if err != nil || moved.ID == "" {
		s.versions.discard(ctx, version)
		return moved, err
	}
	s.versions.release(version)
	s.sweeper.Wake()
	return moved, nil
}
