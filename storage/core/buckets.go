package core

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/storage/mimetype"
	"plaza/storage/storageerr"
)

// Bucket is a row of storage.buckets. Times are RFC 3339.
type Bucket struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Owner         string   `json:"owner"`
	Public        bool     `json:"public"`
	Type          string   `json:"type,omitempty"`
	FileSizeLimit *int64   `json:"file_size_limit"` // bytes; nil: none
	MimeTypes     []string `json:"allowed_mime_types"`
	StripMetadata bool     `json:"-"` // remove EXIF and other metadata from uploaded images
	Created       *string  `json:"created_at"`
	Updated       *string  `json:"updated_at"`
}

const bucketJSON = `json_build_object('id', b.id, 'name', b.name, 'owner', coalesce(b.owner::text, ''), 'public', coalesce(b.public, false), 'type', b.type,
	'file_size_limit', b.file_size_limit, 'allowed_mime_types', b.allowed_mime_types,
	'created_at', to_char(b.created_at at time zone 'utc', ` + jsTime + `), 'updated_at', to_char(b.updated_at at time zone 'utc', ` + jsTime + `))`

// Buckets makes, finds and changes buckets.
type Buckets struct {
	database
	cfg         Config
	cache       *cache
	wakeSweeper func()
}

// Change has the new properties of a bucket. Those that are nil or not Set do not change.
type Change struct {
	Public        *bool
	FileSizeLimit Size
	MimeTypes     MimeTypes
}

// Size is an optional limit in bytes.
type Size struct {
	Set   bool
	Bytes *int64 // nil: none
}

// MimeTypes is an optional list of types.
type MimeTypes struct {
	Set  bool
	List []string // nil: all
}

func (b *Buckets) check(c Change) error {
	if limit := c.FileSizeLimit.Bytes; limit != nil && *limit > b.cfg.FileSizeLimit {
		return storageerr.ErrTooLarge
	}
	return mimetype.CheckList(c.MimeTypes.List)
}

// mimeList returns the list as a parameter of SQL, without empty types.
func (m MimeTypes) mimeList() any {
	if m.List == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.List), func(mime string) bool { return mime == "" })
}

const createBucket = `insert into storage.buckets (id, name, public, owner, owner_id, file_size_limit, allowed_mime_types)
	values ($1, $2, coalesce($3::boolean, false), $4::uuid, $5, $6::bigint,
		case when $7::jsonb is not null then array(select jsonb_array_elements_text($7::jsonb)) end)`

// Create makes a bucket that the caller owns.
//
// Errors: InvalidBucketName, EntityTooLarge (its limit is above the server's),
// InvalidMimeType, BucketAlreadyExists, AccessDenied.
func (b *Buckets) Create(ctx context.Context, call Call, id, name string, c Change) error {
	if err := checkNewBucketName(name); err != nil {
		return err
	}
	if err := CheckBucketName(id); err != nil {
		return err
	}
	if err := b.check(c); err != nil {
		return err
	}
	owner, ownerID := owners(call.Who.Subject)
	err := b.query(ctx, call, createBucket, []any{id, name, c.Public, owner, ownerID, c.FileSizeLimit.Bytes, c.MimeTypes.mimeList()}, nil)
	if pg.ViolatesUnique(err, "") {
		return storageerr.ErrBucketExists.WithCause(err)
	}
	return storageerr.FromDatabase(err)
}

const findBucket = `select ` + bucketJSON + `, to_json(b.strip_metadata) from storage.buckets b where b.id = $1`

// Find returns a bucket that the caller may see. Errors: NoSuchBucket.
func (b *Buckets) Find(ctx context.Context, call Call, id string) (Bucket, error) {
	var found Bucket
	err := b.query(ctx, call, findBucket, []any{id}, func(row [][]byte) error {
		return errors.Join(json.Unmarshal(row[0], &found), json.Unmarshal(row[1], &found.StripMetadata))
	})
	if err == nil && found.ID == "" {
		return Bucket{}, storageerr.ErrNoSuchBucket
	}
	return found, storageerr.FromDatabase(err)
}

// BucketList describes a listing of buckets.
type BucketList struct {
	Limit, Offset *int64
	Column        string // id, name, created_at or updated_at; empty: unordered
	Descending    bool
	Search        string // a part of the name
}

const listBuckets = `select coalesce(json_agg(` + bucketJSON + `), '[]') from (
	select * from storage.buckets b where $1::text = '' or b.name ilike '%' || regexp_replace($1, '([\\%_])', '\\\1', 'g') || '%'
	order by
		case when not $3::boolean then case $2::text when 'id' then b.id when 'name' then b.name end end,
		case when $3 then case $2 when 'id' then b.id when 'name' then b.name end end desc,
		case when not $3 then case $2 when 'created_at' then b.created_at when 'updated_at' then b.updated_at end end,
		case when $3 then case $2 when 'created_at' then b.created_at when 'updated_at' then b.updated_at end end desc
	limit $4::bigint offset coalesce($5::bigint, 0)) b`

// List returns the buckets that the caller may see, as JSON.
func (b *Buckets) List(ctx context.Context, call Call, list BucketList) (found json.RawMessage, err error) {
	err = b.query(ctx, call, listBuckets, []any{list.Search, list.Column, list.Descending, list.Limit, list.Offset}, readJSON(&found))
	return found, storageerr.FromDatabase(err)
}

// readJSON returns a function that copies the one value of a row.
func readJSON(to *json.RawMessage) func(row [][]byte) error {
	return func(row [][]byte) error {
		*to = append(json.RawMessage(nil), row[0]...)
		return nil
	}
}

const updateBucket = `update storage.buckets set public = coalesce($2::boolean, public),
		file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
		allowed_mime_types = case when not $5::boolean then allowed_mime_types
			when $6::jsonb is not null then array(select jsonb_array_elements_text($6::jsonb)) end
	where id = $1 returning 1`

// Update changes a bucket. Errors: as Create; NoSuchBucket.
func (b *Buckets) Update(ctx context.Context, call Call, id string, c Change) error {
	if err := CheckBucketName(id); err != nil {
		return err
	}
	if c.Public == nil && !c.FileSizeLimit.Set && !c.MimeTypes.Set {
		return storageerr.ErrNoContent
	}
	if err := b.check(c); err != nil {
		return err
	}
	changed := false
	args := []any{id, c.Public, c.FileSizeLimit.Set, c.FileSizeLimit.Bytes, c.MimeTypes.Set, c.MimeTypes.mimeList()}
	err := b.query(ctx, call, updateBucket, args, func([][]byte) error { changed = true; return nil })
	b.cache.invalidate(id, "")
	if err == nil && !changed {
		return storageerr.ErrNoSuchBucket
	}
	return storageerr.FromDatabase(err)
}

const deleteBucket = `delete from storage.buckets where id = $1 returning 1`

// Delete deletes an empty bucket. Errors: NoSuchBucket, ResourceNotEmpty.
func (b *Buckets) Delete(ctx context.Context, call Call, id string) error {
	if err := CheckBucketName(id); err != nil {
		return err
	}
	deleted := false
	err := storageerr.FromDatabase(b.query(ctx, call, deleteBucket, []any{id}, func([][]byte) error { deleted = true; return nil }))
	b.cache.invalidate(id, "")
	if refused := apierr.As(err); refused != nil && refused.Code == storageerr.CodeReferenced {
		return storageerr.ErrNotEmpty.WithCause(err)
	}
	if err == nil && !deleted {
		return storageerr.ErrNoSuchBucket
	}
	return err
}

const (
	countObjects = `select count(*) from (select 1 from storage.objects where bucket_id = $1 limit $2::bigint) counted`

	emptySome = `with batch as (select id from storage.objects where bucket_id = $1 limit 1000), gone as (
			delete from storage.objects o using batch where o.id = batch.id returning 1)
		select count(*) from gone`
)

// Empty deletes all objects of a bucket that the caller may delete.
//
// Errors: NoSuchBucket; InvalidRequest if there are too many.
func (b *Buckets) Empty(ctx context.Context, call Call, id string) error {
	if _, err := b.Find(ctx, call, id); err != nil {
		return err
	}
	var count int64
	number := decodeNumber(&count)
	if err := b.query(ctx, call, countObjects, []any{id, b.cfg.EmptyBucketMaximum + 1}, number); err != nil {
		return storageerr.FromDatabase(err)
	}
	if count > b.cfg.EmptyBucketMaximum {
		return storageerr.ErrTooManyObjects
	}
	defer func() {
		b.cache.invalidate(id, "")
		b.wakeSweeper()
	}()
	for {
		if err := b.query(ctx, call, emptySome, []any{id}, number); err != nil || count == 0 {
			return storageerr.FromDatabase(err)
		}
	}
}

// Ensure makes a bucket, or changes an existing one.
func (b *Buckets) Ensure(ctx context.Context, name string, c Change) error {
	call := Call{Operation: "storage.bucket.create"}.asService()
	err := b.Create(ctx, call, name, name, c)
	if known := apierr.As(err); known == nil || known.Code != storageerr.CodeBucketExists {
		return err
	}
	if c.Public == nil && !c.FileSizeLimit.Set && !c.MimeTypes.Set {
		return nil
	}
	return b.Update(ctx, call, name, c)
}
