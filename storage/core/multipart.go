package core

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"plaza/storage/blob"
	"plaza/storage/mimetype"
	"plaza/storage/storageerr"
)

// Multipart is an incomplete upload of the S3 protocol.
type Multipart struct {
	ID      string `json:"id"`
	Bucket  string `json:"bucket_id"`
	Key     string `json:"key"`
	Created string `json:"created_at"` // RFC 3339

	Owner        *string         `json:"owner_id"`
	Version      string          `json:"version"`
	UserMetadata json.RawMessage `json:"user_metadata"`
	Metadata     struct {
		MimeType     string `json:"mimetype"`
		CacheControl string `json:"cacheControl"`
	} `json:"metadata"`
}

// MultipartPart is a part of an upload.
type MultipartPart struct {
	Number   int    `json:"part_number"`
	Size     int64  `json:"size"` // bytes
	ETag     string `json:"etag"` // MD5, in hexadecimal
	Created  string `json:"created_at"`
	StoredAs string `json:"stored_as"` // the blob store's ETag
}

const (
	multipartJSON = `json_build_object('id', u.id, 'owner_id', u.owner_id, 'bucket_id', u.bucket_id, 'key', u.key, 'version', u.version,
		'user_metadata', u.user_metadata, 'metadata', coalesce(u.metadata, '{}'), 'created_at', to_char(u.created_at at time zone 'utc', ` + jsTime + `))`
	beginMultipart = `insert into storage.s3_multipart_uploads (id, bucket_id, key, version, owner_id, user_metadata, metadata)
		values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)`
	findMultipart = `select ` + multipartJSON + ` from storage.s3_multipart_uploads u where u.id = $1 and u.bucket_id = $2 and u.key = $3`
	endMultipart  = `delete from storage.s3_multipart_uploads where id = $1`
	savePart      = `with saved as (
			insert into storage.s3_multipart_uploads_parts as p (upload_id, part_number, size, etag, stored_as, bucket_id, key, owner_id, version)
			select u.id, $2::int, $3::bigint, $4, $5, u.bucket_id, u.key, $6, u.version from storage.s3_multipart_uploads u where u.id = $1
			on conflict (upload_id, part_number) do update
				set size = excluded.size, etag = excluded.etag, stored_as = excluded.stored_as, owner_id = excluded.owner_id, created_at = now()
			returning p.size, to_char(p.created_at at time zone 'utc', ` + jsTime + `) as created)
		update storage.s3_multipart_uploads u set in_progress_size = saved.size
			+ coalesce((select sum(size) from storage.s3_multipart_uploads_parts p where p.upload_id = $1 and p.part_number <> $2::int), 0)
		from saved where u.id = $1 returning to_json(saved.created)`
	otherParts = `select coalesce(sum(size), 0) from storage.s3_multipart_uploads_parts where upload_id = $1 and part_number <> $2::int`
	listParts  = `select coalesce(json_agg(json_build_object('part_number', p.part_number, 'size', p.size, 'etag', p.etag, 'stored_as', p.stored_as,
			'created_at', to_char(p.created_at at time zone 'utc', ` + jsTime + `)) order by p.part_number), '[]')
		from storage.s3_multipart_uploads_parts p where p.upload_id = $1`
	listMultiparts = `select coalesce(json_agg(` + multipartJSON + ` order by u.key, u.id collate "C"), '[]') from (
		select * from storage.s3_multipart_uploads where bucket_id = $1 and starts_with(key, $2) and (key, id collate "C") > ($3, $4)
		order by key, id collate "C" limit $5::bigint) u`

	// The blob of a completed upload is in use and must not be reserved again. Such an upload
	// has no row any more; both statements lock the row first.
	reserveMultipart = `insert into storage.unused_blobs (name, delete_after)
		select storage.blob_name('', '', u.version), now() + $1::bigint * interval '1 second' from storage.s3_multipart_uploads u where u.id = $2 for update
		on conflict (name) do update set delete_after = excluded.delete_after returning 1`
	commitParts = `with ended as (delete from storage.s3_multipart_uploads where id = $8 returning id),
		used as (delete from storage.unused_blobs using ended where name = storage.blob_name('', '', $3) returning 1)` + upsertRow
)

// Multiparts are the uploads of the S3 protocol.
type Multiparts struct{ s *Service }

// Begin creates an upload if the caller may write the object.
//
// Errors: as Authorize; InvalidMimeType.
func (m *Multiparts) Begin(ctx context.Context, call Call, t Target, cacheControl string) (Multipart, error) {
	bucket, err := m.s.Bucket(ctx, t.Bucket)
	if err != nil {
		return Multipart{}, err
	}
	if err := mimetype.CheckDeclared(t.MimeType, bucket.MimeTypes); err != nil {
		return Multipart{}, err
	}
	t.Upsert = true
	if err := m.s.Authorize(ctx, call, t); err != nil {
		return Multipart{}, err
	}
	made := Multipart{Bucket: t.Bucket, Key: t.Key, Version: newVersion(m.s.now())}
	if made.ID, err = m.s.blobs.Begin(ctx, blobName("", "", made.Version)); err != nil {
		return Multipart{}, storageerr.FromBlobs(err)
	}
	_, owner := owners(t.Owner)
	metadata := map[string]string{"mimetype": t.MimeType, "cacheControl": cacheControl}
	err = m.s.query(ctx, call.asService(), beginMultipart, []any{made.ID, t.Bucket, t.Key, made.Version, owner, orNull(t.UserMetadata), metadata}, nil)
	if err != nil {
		return Multipart{}, errors.Join(storageerr.FromDatabase(err), m.s.blobs.Discard(context.WithoutCancel(ctx), blobName("", "", made.Version), made.ID))
	}
	return made, nil
}

// find returns an upload that the caller may continue. Errors: NoSuchUpload; as Authorize.
func (m *Multiparts) find(ctx context.Context, call Call, bucket, key, id string) (Multipart, Target, error) {
	var found Multipart
	err := m.s.query(ctx, call.asService(), findMultipart, []any{id, bucket, key}, func(row [][]byte) error { return json.Unmarshal(row[0], &found) })
	if err != nil {
		return found, Target{}, storageerr.FromDatabase(err)
	}
	if found.ID == "" {
		return found, Target{}, storageerr.ErrNoSuchUpload
	}
	t := Target{
		Bucket: bucket, Key: key, Upsert: true, Owner: call.Who.Subject, MimeType: found.Metadata.MimeType,
		Length: UnknownSize, UserMetadata: found.UserMetadata,
	}
	if string(t.UserMetadata) == "null" {
		t.UserMetadata = nil
	}
	return found, t, m.s.authorizeCounted(ctx, call, t)
}

// PutPart stores a part of an upload and replaces an earlier part of the same number.
//
// Errors: NoSuchUpload; as Authorize; EntityTooLarge if the parts together are larger than
// an object may be; QuotaExceeded.
func (m *Multiparts) PutPart(ctx context.Context, call Call, bucket, key, id string, number int, body io.Reader, size int64) (MultipartPart, error) {
	if number < 1 || number > blob.MaxPart {
		return MultipartPart{}, storageerr.ErrPartNumber
	}
	upload, _, err := m.find(ctx, call, bucket, key, id)
	if err != nil {
		return MultipartPart{}, err
	}
	limit, err := m.limit(ctx, upload)
	if err != nil {
		return MultipartPart{}, err
	}
	var others int64
	if err := m.s.query(ctx, call.asService(), otherParts, []any{id, number}, decodeNumber(&others)); err != nil {
		return MultipartPart{}, storageerr.FromDatabase(err)
	}
	if size > limit-others {
		return MultipartPart{}, storageerr.ErrTooLarge
	}
	limited, err := m.withinQuota(ctx, call, upload, number, body, size)
	if err != nil {
		return MultipartPart{}, err
	}
	sum := md5.New() // for the ETag
	counted := &countedReader{from: limited, limit: limit - others}
	stored, err := m.s.blobs.PutPart(ctx, blobName("", "", upload.Version), id, number, io.TeeReader(counted, sum), size)
	if errors.Is(err, blob.ErrNotFound) {
		return MultipartPart{}, storageerr.ErrNoSuchUpload.WithCause(err)
	}
	if err != nil {
		return MultipartPart{}, bodyError(err)
	}
	part := MultipartPart{Number: number, Size: stored.Size, ETag: hex.EncodeToString(sum.Sum(nil)), StoredAs: stored.ETag}
	ctx, cancel := detach(ctx)
	defer cancel()
	_, owner := owners(call.Who.Subject)
	err = m.s.query(ctx, call.asService(), savePart, []any{id, number, part.Size, part.ETag, part.StoredAs, owner},
		func(row [][]byte) error { return json.Unmarshal(row[0], &part.Created) })
	if err == nil && part.Created == "" {
		err = storageerr.ErrNoSuchUpload
	}
	if storageerr.IsQuota(err) {
		err = errors.Join(storageerr.FromDatabase(err), m.emptyPart(ctx, upload, number))
	}
	return part, storageerr.FromDatabase(err)
}

// limit returns the maximum size of all parts of an upload together.
func (m *Multiparts) limit(ctx context.Context, upload Multipart) (int64, error) {
	bucket, err := m.s.Bucket(ctx, upload.Bucket)
	return m.s.cfg.wholeLimit(bucket), err
}

// Parts returns the parts of an upload, ordered by number. Errors: NoSuchUpload; as
// Authorize.
func (m *Multiparts) Parts(ctx context.Context, call Call, bucket, key, id string) ([]MultipartPart, error) {
	if _, _, err := m.find(ctx, call, bucket, key, id); err != nil {
		return nil, err
	}
	return m.parts(ctx, call, id)
}

func (m *Multiparts) parts(ctx context.Context, call Call, id string) (parts []MultipartPart, err error) {
	err = m.s.query(ctx, call.asService(), listParts, []any{id}, func(row [][]byte) error { return json.Unmarshal(row[0], &parts) })
	return parts, storageerr.FromDatabase(err)
}

// List returns the uploads of a bucket that the caller may see, ordered by key and id,
// after the given ones.
func (m *Multiparts) List(ctx context.Context, call Call, bucket, prefix, afterKey, afterID string, limit int64) (found []Multipart, err error) {
	err = m.s.query(ctx, call, listMultiparts, []any{bucket, prefix, afterKey, afterID, limit}, func(row [][]byte) error { return json.Unmarshal(row[0], &found) })
	return found, storageerr.FromDatabase(err)
}

// PartName identifies a part.
type PartName struct {
	Number int
	ETag   string // with or without quotes
}

// Complete makes an object from the named parts of an upload, or from all if none is named.
//
// Errors: NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooSmall,
// EntityTooLarge, InvalidMimeType; as Authorize.
func (m *Multiparts) Complete(ctx context.Context, call Call, bucket, key, id string, named []PartName) (Object, error) {
	upload, target, err := m.find(ctx, call, bucket, key, id)
	if err != nil {
		return Object{}, err
	}
	there, err := m.parts(ctx, call, id)
	if err != nil {
		return Object{}, err
	}
	chosen, err := choose(there, named, m.s.blobs.MinPart())
	if err != nil {
		return Object{}, err
	}
	limit, err := m.limit(ctx, upload)
	if err != nil {
		return Object{}, err
	}
	written, err := summary(chosen, limit)
	if err != nil {
		return Object{}, err
	}
	written.CacheControl = upload.Metadata.CacheControl
	return m.join(ctx, call, upload, target, chosen, written)
}

// choose returns the named parts, or all if none is named. All but the last must have at
// least least bytes.
//
// Errors: InvalidPart, InvalidPartOrder, EntityTooSmall.
func choose(there []MultipartPart, named []PartName, least int64) ([]MultipartPart, error) {
	chosen := there
	if len(named) > 0 {
		byNumber := make(map[int]MultipartPart, len(there))
		for _, part := range there {
			byNumber[part.Number] = part
		}
		chosen = make([]MultipartPart, len(named))
		for i, name := range named {
			part, ok := byNumber[name.Number]
			if i > 0 && name.Number <= named[i-1].Number {
				return nil, storageerr.ErrPartOrder
			}
			if !ok || !strings.EqualFold(strings.Trim(name.ETag, `"`), part.ETag) {
				return nil, storageerr.ErrInvalidPart
			}
			chosen[i] = part
		}
	}
	if len(chosen) == 0 {
		return nil, storageerr.ErrInvalidPart
	}
	for _, part := range chosen[:len(chosen)-1] {
		if part.Size < least {
			return nil, storageerr.ErrPartSmall
		}
	}
	return chosen, nil
}

// summary returns size and ETag of the parts together. The ETag is S3's: the MD5 of their
// MD5s, and their number.
func summary(parts []MultipartPart, limit int64) (Written, error) {
	var w Written
	sums := md5.New()
	for _, part := range parts {
		sum, err := hex.DecodeString(part.ETag)
		if err != nil {
			return w, fmt.Errorf("the ETag of part %d: %w", part.Number, err)
		}
		sums.Write(sum)
		w.Size += part.Size
	}
	if w.Size > limit {
		return w, storageerr.ErrTooLarge
	}
	w.ETag = fmt.Sprintf(`"%x-%d"`, sums.Sum(nil), len(parts))
	return w, nil
}

// join makes the blob and writes the row. If an earlier attempt has already made the blob,
// it only writes the row.
func (m *Multiparts) join(ctx context.Context, call Call, upload Multipart, t Target, parts []MultipartPart, w Written) (Object, error) {
	if err := m.s.versions.reserveUpload(ctx, upload.Version, reserveMultipart, upload.ID); err != nil {
		return Object{}, err
	}
	defer m.s.versions.release(upload.Version)
	name := blobName("", "", upload.Version)
	joined := make([]blob.Part, len(parts))
	for i, part := range parts {
		joined[i] = blob.Part{Number: part.Number, Size: part.Size, ETag: part.StoredAs}
	}
	_, err := m.s.blobs.Join(ctx, name, upload.ID, joined)
	if errors.Is(err, blob.ErrNotFound) {
		info, statErr := m.s.blobs.Stat(ctx, name)
		if statErr != nil || info.Size != w.Size {
			return Object{}, storageerr.ErrInvalidPart.WithCause(err)
		}
		err = nil
	}
	if err != nil {
		return Object{}, storageerr.FromBlobs(err)
	}
	version, err := upload.Version, m.s.checkBlob(ctx, t, name)
	if err == nil {
		version, w, err = m.s.stripIfConfigured(ctx, t, upload.Version, w)
	}
	if storageerr.IsInvalidMimeType(err) {
		m.s.versions.discard(ctx, upload.Version)
		return Object{}, errors.Join(err, m.s.query(ctx, call.asService(), endMultipart, []any{upload.ID}, nil))
	}
	if err != nil {
		return Object{}, err
	}
	metadata, user := m.s.describe(t, w)
	made, err := m.s.writeRow(ctx, call, t, commitParts, version, metadata, user, upload.ID)
	if version != upload.Version {
		m.s.releaseStripped(ctx, version, upload.Version, err)
	}
	return made, err
}

// checkBlob compares the first bytes of a blob with the declared type and the types that
// the bucket allows.
//
// Errors: InvalidMimeType.
func (s *Service) checkBlob(ctx context.Context, t Target, name string) error {
	bucket, err := s.Bucket(ctx, t.Bucket)
	if err != nil || len(bucket.MimeTypes) == 0 {
		return err
	}
	head, err := s.blobs.Get(ctx, name, 0, mimetype.HeadSize)
	if err != nil {
		return storageerr.FromBlobs(err)
	}
	_, err = mimetype.CheckBody(head, t.MimeType, bucket.MimeTypes)
	return errors.Join(err, head.Close())
}

// Abort deletes an upload and its parts. Errors: NoSuchUpload; as Authorize.
func (m *Multiparts) Abort(ctx context.Context, call Call, bucket, key, id string) error {
	upload, _, err := m.find(ctx, call, bucket, key, id)
	if err != nil {
		return err
	}
	if err := m.s.blobs.Discard(ctx, blobName("", "", upload.Version), id); err != nil {
		return storageerr.FromBlobs(err)
	}
	return storageerr.FromDatabase(m.s.query(ctx, call.asService(), endMultipart, []any{id}, nil))
}
