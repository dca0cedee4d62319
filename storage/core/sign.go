package core

import (
	"context"
	"encoding/json"

	"plaza/storage/signedurl"
	"plaza/storage/storageerr"
)

// SignDownload returns a token to read an object that the caller may read, valid for
// lifetime seconds.
//
// Errors: NoSuchKey; InvalidParameter.
func (s *Service) SignDownload(ctx context.Context, call Call, bucket, key string, lifetime int64, transformations, format string) (string, error) {
	if _, err := s.Object(ctx, call, bucket, key); err != nil {
		return "", err
	}
	return s.URLs.SignDownload(signedurl.Claims{Bucket: bucket, Key: key, Transformations: transformations, Format: format}, lifetime)
}

const visibleNames = `select coalesce(json_agg(o.name), '[]') from storage.objects o
	where o.bucket_id = $1 and o.name = any(array(select jsonb_array_elements_text($2::jsonb)))`

// SignDownloads returns tokens by key for those of the given objects that the caller may
// read.
func (s *Service) SignDownloads(ctx context.Context, call Call, bucket string, keys []string, lifetime int64) (map[string]string, error) {
	if err := CheckBucketName(bucket); err != nil {
		return nil, err
	}
	if err := signedurl.CheckLifetime(lifetime); err != nil {
		return nil, err
	}
	var names []string
	err := s.query(ctx, call, visibleNames, []any{bucket, keys}, func(row [][]byte) error { return json.Unmarshal(row[0], &names) })
	if err != nil {
		return nil, storageerr.FromDatabase(err)
	}
	tokens := make(map[string]string, len(names))
	for _, name := range names {
		if tokens[name], err = s.URLs.SignDownload(signedurl.Claims{Bucket: bucket, Key: name}, lifetime); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// SignUpload returns a token to write an object that the caller may write.
//
// Errors: as Authorize.
func (s *Service) SignUpload(ctx context.Context, call Call, t Target) (string, error) {
	if err := s.Authorize(ctx, call, t); err != nil {
		return "", err
	}
	return s.URLs.SignUpload(signedurl.Claims{Bucket: t.Bucket, Key: t.Key, Owner: t.Owner, Upsert: t.Upsert}, int64(s.cfg.UploadURLLifetime.Seconds()))
}
