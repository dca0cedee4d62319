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

// Copy says what is copied where.
type Copy struct {
	Bucket, Key string
	To          Target // its Owner and Upsert count; MimeType and Length do not

	// KeepMetadata keeps all metadata. Otherwise the target's own user metadata
	// counts, and the others are changed as Change says.
	KeepMetadata bool
	Change       map[string]string // cacheControl and mimetype
}

// Copy copies an object that the caller may see to where it may write.
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
		s.noted.giveUp(ctx, whole)
		metadata["eTag"], metadata["size"], metadata["contentLength"] = w.ETag, w.Size, w.Size
	}
	if err != nil {
		return Object{}, err
	}
	metadata["lastModified"] = s.now().UTC().Format("2006-01-02T15:04:05.000Z")
	made, err := s.commit(ctx, call, c.To, version, metadata, orNull(c.To.UserMetadata))
	if err != nil {
		s.noted.giveUp(ctx, version)
		return Object{}, err
	}
	s.noted.drop(version)
	return made, nil
}

// metadata gives the copy's, and settles its user metadata.
func (c *Copy) metadata(from *Object) (map[string]any, error) {
	metadata := map[string]any{}
	if len(from.Metadata) > 0 {
		if err := json.Unmarshal(from.Metadata, &metadata); err != nil || metadata == nil {
			metadata = map[string]any{} // SQL wrote something else there
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

// copyBlob copies an object's bytes to a new version. Where another write was in
// between, the bytes are those of the row as it is now.
func (s *Service) copyBlob(ctx context.Context, call Call, from Object) (string, error) {
	version, err := s.noted.take(ctx)
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
		s.noted.giveUp(ctx, version)
		return "", storageerr.FromBlobs(err)
	}
	return version, nil
}

const (
	moveObject = `update storage.objects o set bucket_id = $3, name = $4, owner = coalesce($5::uuid, o.owner), owner_id = coalesce($6, o.owner_id)
		where o.bucket_id = $1 and o.name = $2 returning ` + objectJSON

	// A version of upstream's names its blob by bucket and key: it gets one of ours.
	moveBlob = `with used as (delete from storage.unused_blobs where name = storage.blob_name('', '', $7) returning 1)
		update storage.objects o set bucket_id = $3, name = $4, owner = coalesce($5::uuid, o.owner), owner_id = coalesce($6, o.owner_id), version = $7
		from used where o.bucket_id = $1 and o.name = $2 and o.version = $8 returning ` + objectJSON
)

// Move gives an object another key, or bucket. Its bytes stay where they are.
//
// Errors: NoSuchKey; ResourceAlreadyExists; AccessDenied; InvalidRequest where
// there is no such bucket.
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
		// Asked anew: a setting changed by SQL is heard of a moment later.
		to, err := s.Buckets.Find(ctx, Call{}.asService(), toBucket)
		switch {
		case to.StripMetadata:
			return Object{}, storageerr.ErrStripMove
		case err != nil && !errors.Is(err, storageerr.ErrNoSuchBucket): // which the move itself tells
			return Object{}, err
		}
	}
	uuid, ownerID := owners(owner)
	args := []any{bucket, key, toBucket, toKey, uuid, ownerID}
	defer func() {
		s.cache.forget(bucket, key)
		s.cache.forget(toBucket, toKey)
	}()
	var moved Object
	if ownVersion.MatchString(from.Version) || bucket == toBucket && key == toKey {
		err = s.query(ctx, call, moveObject, args, readObject(&moved))
	} else {
		moved, err = s.moveForeign(ctx, call, from, args)
	}
	if err == nil && moved.ID == "" {
		return Object{}, storageerr.ErrNoSuchKey
	}
	return moved, storageerr.FromDatabase(err)
}

// moveForeign moves an object that upstream's server wrote.
func (s *Service) moveForeign(ctx context.Context, call Call, from Object, args []any) (moved Object, err error) {
	if err := s.try(ctx, call, moveObject, args, readObject(&moved)); err != nil || moved.ID == "" {
		return moved, err
	}
	moved = Object{}
	version, err := s.copyBlob(ctx, call, from)
	if err != nil {
		return moved, err
	}
	ctx, cancel := finish(ctx)
	defer cancel()
	err = s.query(ctx, call.asService(), moveBlob, append(args, version, from.Version), readObject(&moved))
	if err != nil || moved.ID == "" {
		s.noted.giveUp(ctx, version)
		return moved, err
	}
	s.noted.drop(version)
	s.sweeper.wake()
	return moved, nil
}
