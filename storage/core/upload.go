package core

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/storage/image"
	"plaza/storage/mimetype"
	"plaza/storage/storageerr"
)

// Target is the object that an upload makes. With Upsert it may replace an existing one.
type Target struct {
	Bucket, Key  string
	Upsert       bool
	Owner        string // the user's id; empty: none
	MimeType     string
	Length       int64           // bytes, as declared by the client, for policies; or UnknownSize
	Overhead     int64           // bytes of Length that may be the form around the object
	UserMetadata json.RawMessage // nil: none
}

// Upload is a whole object in one request.
type Upload struct {
	Target
	CacheControl string
	RobotsTag    string
	Size         int64 // bytes of Body, or UnknownSize
	Body         io.Reader
}

const (
	tryInsert = `insert into storage.objects (bucket_id, name, version, owner, owner_id, metadata, user_metadata)
		select $1, $2, '1', $3::uuid, $4, $5::jsonb, $6::jsonb where set_config('storage.expected_bytes', $7, true) is not null`
	tryUpsert = tryInsert + ` on conflict (name, bucket_id) do update set metadata = excluded.metadata, user_metadata = excluded.user_metadata,
		version = excluded.version, owner = coalesce(excluded.owner, objects.owner), owner_id = coalesce(excluded.owner_id, objects.owner_id) returning id`
)

// Authorize checks whether the caller may write an object, by writing a row and rolling
// back. An existing object needs the privilege to update it.
//
// Errors: NoSuchBucket, InvalidKey, KeyAlreadyExists, AccessDenied, QuotaExceeded.
func (s *Service) Authorize(ctx context.Context, call Call, t Target) error {
	metadata := map[string]any{}
	if t.MimeType != "" {
		metadata["mimetype"] = t.MimeType
	}
	if t.Length >= 0 {
		metadata["contentLength"] = t.Length
	}
	return s.authorize(ctx, call, t, metadata, t.expectedBytes())
}

// authorize is Authorize with the metadata that policies see, and the size for the quotas:
// see storage.count_objects.
func (s *Service) authorize(ctx context.Context, call Call, t Target, metadata any, expected string) error {
	if err := CheckKey(t.Key); err != nil {
		return err
	}
	if _, err := s.Bucket(ctx, t.Bucket); err != nil {
		return err
	}
	sql := tryInsert
	if t.Upsert {
		sql = tryUpsert
	}
	owner, ownerID := owners(t.Owner)
	err := s.try(ctx, call, sql, []any{t.Bucket, t.Key, owner, ownerID, metadata, orNull(t.UserMetadata), expected}, nil)
	if pg.ViolatesUnique(err, "") {
		return storageerr.ErrKeyExists.WithCause(err)
	}
	return storageerr.FromDatabase(err)
}

func orNull(object json.RawMessage) any {
	if len(object) == 0 {
		return nil
	}
	return object
}

// Limit returns the maximum size in bytes of an upload in one request.
func (s *Service) Limit(bucket Bucket, key string) int64 {
	if strings.HasSuffix(key, emptyFolder) {
		return 0
	}
	limit := s.cfg.FileSizeLimit
	if s.cfg.PlainSizeLimit > 0 {
		limit = min(limit, s.cfg.PlainSizeLimit)
	}
	if bucket.FileSizeLimit != nil {
		limit = min(limit, *bucket.FileSizeLimit)
	}
	return limit
}

// Upload stores an object as the caller. trusted skips the policies: they were checked
// when the caller's upload URL was signed.
//
// Of several concurrent uploads of one key without Upsert, exactly one succeeds. A failed
// upload changes nothing.
//
// Errors: as Authorize; EntityTooLarge; InvalidMimeType, also if the content is not of the
// declared type; InsufficientStorage if there is no room.
func (s *Service) Upload(ctx context.Context, call Call, u Upload, trusted bool) (Object, error) {
	bucket, err := s.Bucket(ctx, u.Bucket)
	if err != nil {
		return Object{}, err
	}
	if err := CheckKey(u.Key); err != nil {
		return Object{}, err
	}
	listed := !strings.HasSuffix(u.Key, emptyFolder)
	if listed {
		if err := mimetype.CheckDeclared(u.MimeType, bucket.MimeTypes); err != nil {
			return Object{}, err
		}
	}
	limit := s.Limit(bucket, u.Key)
	if u.Size > limit {
		return Object{}, storageerr.ErrTooLarge
	}
	if trusted {
		call = call.asService()
	}
	if err := s.Authorize(ctx, call, u.Target); err != nil {
		return Object{}, err
	}
	body := u.Body
	if listed {
		if body, err = mimetype.CheckBody(body, u.MimeType, bucket.MimeTypes); err != nil {
			return Object{}, bodyError(err)
		}
	}
	counted := io.Reader(&countedReader{from: body, limit: limit})
	if bucket.StripMetadata {
		counted, u.Size = image.StripMetadata(counted), UnknownSize
	}
	return s.store(ctx, call, u, counted)
}

// store writes the blob of a new version, then the row.
func (s *Service) store(ctx context.Context, call Call, u Upload, body io.Reader) (Object, error) {
	version, err := s.versions.reserve(ctx)
	if err != nil {
		return Object{}, err
	}
	sum := md5.New() // for the ETag
	size, err := s.blobs.Put(ctx, blobName("", "", version), io.TeeReader(body, sum), u.Size)
	if err != nil {
		s.versions.discard(ctx, version)
		return Object{}, bodyError(err)
	}
	made, err := s.Commit(ctx, call, u.Target, version, Written{
		ETag: `"` + hex.EncodeToString(sum.Sum(nil)) + `"`, Size: size, CacheControl: u.CacheControl, RobotsTag: u.RobotsTag,
	})
	if err != nil {
		s.versions.discard(ctx, version)
		return Object{}, err
	}
	s.versions.release(version)
	return made, nil
}

// Written describes a stored blob.
type Written struct {
	ETag         string // in quotes
	Size         int64  // bytes
	CacheControl string
	RobotsTag    string
}

const (
	inUse     = `with used as (delete from storage.unused_blobs where name = storage.blob_name('', '', $3) returning 1)`
	insertRow = `
		insert into storage.objects as o (bucket_id, name, version, owner, owner_id, metadata, user_metadata)
		select $1, $2, $3, $4::uuid, $5, $6::jsonb, $7::jsonb from used `
	upsertRow = insertRow + `on conflict (name, bucket_id) do update set metadata = excluded.metadata, user_metadata = excluded.user_metadata,
		version = excluded.version, owner = coalesce(excluded.owner, o.owner), owner_id = coalesce(excluded.owner_id, o.owner_id)
		returning ` + objectJSON
	commitInsert = inUse + insertRow + `returning ` + objectJSON
	commitUpsert = inUse + upsertRow
)

// Commit writes the row of an object whose blob is stored, in the transaction that marks
// the blob as used.
//
// Errors: KeyAlreadyExists if another upload was faster; InternalError if the upload took so
// long that its blob was deleted.
func (s *Service) Commit(ctx context.Context, call Call, t Target, version string, w Written) (Object, error) {
	metadata, user := s.describe(t, w)
	return s.commit(ctx, call, t, version, metadata, user)
}

// describe returns the metadata of a new row.
func (s *Service) describe(t Target, w Written) (metadata map[string]any, user json.RawMessage) {
	metadata = map[string]any{
		"eTag": w.ETag, "size": w.Size, "mimetype": t.MimeType, "cacheControl": w.CacheControl, "contentLength": w.Size,
		"httpStatusCode": 200, "lastModified": s.now().UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	if w.RobotsTag != "" {
		metadata["xRobotsTag"] = w.RobotsTag
	}
	if user = t.UserMetadata; len(user) == 0 {
		user = json.RawMessage("{}")
	}
	return metadata, user
}

func (s *Service) commit(ctx context.Context, call Call, t Target, version string, metadata, userMetadata any) (Object, error) {
	sql := commitInsert
	if t.Upsert {
		sql = commitUpsert
	}
	return s.writeRow(ctx, call, t, sql, version, metadata, userMetadata)
}

func (s *Service) writeRow(ctx context.Context, call Call, t Target, sql, version string, metadata, userMetadata any, more ...any) (Object, error) {
	// The blob is stored: the row is written even if the client disconnects.
	ctx, cancel := detach(ctx)
	defer cancel()
	owner, ownerID := owners(t.Owner)
	args := append([]any{t.Bucket, t.Key, version, owner, ownerID, metadata, userMetadata}, more...)
	var made Object
	err := s.query(ctx, call.asService(), sql, args, readObject(&made))
	s.cache.invalidate(t.Bucket, t.Key)
	switch {
	case pg.ViolatesUnique(err, ""):
		return Object{}, storageerr.ErrKeyExists.WithCause(err)
	case err != nil:
		return Object{}, storageerr.FromDatabase(err)
	case made.ID == "":
		return Object{}, storageerr.ErrExpired
	}
	if t.Upsert {
		s.sweeper.Wake() // to delete the previous version
	}
	return made, nil
}

// countedReader fails after limit bytes.
type countedReader struct {
	from  io.Reader
	limit int64
	read  int64
}

func (c *countedReader) Read(to []byte) (int, error) {
	n, err := c.from.Read(to)
	c.read += int64(n)
	if c.read > c.limit {
		return n, storageerr.ErrTooLarge
	}
	return n, err
}

// bodyError translates an error of storing a body.
func bodyError(err error) error {
	if known := apierr.As(err); known != nil {
		return known
	}
	if errors.Is(err, image.ErrMalformed) {
		return storageerr.ErrMalformedImage.WithCause(err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return storageerr.ErrIncomplete.WithCause(err)
	}
	return storageerr.FromBlobs(err)
}
