package core

import (
	"context"
	"encoding/json"

	"plaza/storage/storageerr"
)

const (
	deleteOne = `delete from storage.objects o where o.bucket_id = $1 and o.name = $2 returning 1`

	deleteMany = `with gone as (
			delete from storage.objects o where o.bucket_id = $1 and o.name = any(array(select jsonb_array_elements_text($2::jsonb))) returning o.*)
		select coalesce(json_agg(` + objectJSON + `), '[]') from gone o`
)

// deletedAtOnce is the maximum number of objects that one statement deletes.
// Source: supabase/storage's batches.
const deletedAtOnce = 500

// Delete deletes one object. Errors: NoSuchKey; AccessDenied if the object exists and the
// caller may not delete it.
func (s *Service) Delete(ctx context.Context, call Call, bucket, key string) error {
	if err := CheckBucketName(bucket); err != nil {
		return err
	}
	deleted := false
	if err := s.query(ctx, call, deleteOne, []any{bucket, key}, func([][]byte) error { deleted = true; return nil }); err != nil {
		return storageerr.FromDatabase(err)
	}
	s.cache.invalidate(bucket, key)
	if deleted {
		s.sweeper.Wake()
		return nil
	}
	var hidden Object
	if err := s.query(ctx, call.asService(), findObject, []any{bucket, key}, readObject(&hidden)); err != nil {
		return storageerr.FromDatabase(err)
	}
	if hidden.ID == "" {
		return storageerr.ErrNoSuchKey
	}
	return storageerr.ErrAccessDenied
}

// DeleteMany deletes those of the given objects that exist and that the caller may delete,
// and returns their rows.
func (s *Service) DeleteMany(ctx context.Context, call Call, bucket string, keys []string) ([]json.RawMessage, error) {
	if err := CheckBucketName(bucket); err != nil {
		return nil, err
	}
	deleted := []json.RawMessage{}
	for len(keys) > 0 {
		some := keys[:min(len(keys), deletedAtOnce)]
		keys = keys[len(some):]
		var rows []json.RawMessage
		err := s.query(ctx, call, deleteMany, []any{bucket, some}, func(row [][]byte) error { return json.Unmarshal(row[0], &rows) })
		for _, key := range some {
			s.cache.invalidate(bucket, key)
		}
		if err != nil {
			return nil, storageerr.FromDatabase(err)
		}
		deleted = append(deleted, rows...)
	}
	if len(deleted) > 0 {
		s.sweeper.Wake()
	}
	return deleted, nil
}
