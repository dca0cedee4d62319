package core

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"plaza/storage/blob"
	"plaza/storage/storageerr"
)

// expectedBytes is the least number of bytes that an upload can have; empty where
// the metadata that policies see tell it.
func (t Target) expectedBytes() string {
	if t.Overhead <= 0 || t.Length < 0 {
		return ""
	}
	return strconv.FormatInt(max(t.Length-t.Overhead, 0), 10)
}

// alreadyCounted has storage.count_objects leave a row out that is tried for an
// upload that counts for the quotas by itself.
const alreadyCounted = "-1"

// authorizeCounted is Authorize for an upload in pieces that has begun.
func (s *Service) authorizeCounted(ctx context.Context, call Call, t Target) error {
	metadata := map[string]any{}
	if t.MimeType != "" {
		metadata["mimetype"] = t.MimeType
	}
	if t.Length >= 0 {
		metadata["contentLength"] = t.Length
	}
	return s.authorize(ctx, call, t, metadata, alreadyCounted)
}

// partQuota is the number of bytes that a part may have: what the quotas leave, and
// what the part that it replaces gives back. Null: there is no quota.
const partQuota = `select to_json(storage.quota_left($1, $2)
	+ coalesce((select p.size from storage.s3_multipart_uploads_parts p where p.upload_id = $3 and p.part_number = $4::int), 0))`

// withinQuota returns a part's body that fails where it goes past the quotas of the
// upload's owner. Errors: QuotaExceeded where its size already does.
func (m *Multiparts) withinQuota(ctx context.Context, call Call, upload Multipart, number int, body io.Reader, size int64) (io.Reader, error) {
	owner := ""
	if upload.Owner != nil {
		owner = *upload.Owner
	}
	var left int64
	limited := false
	err := m.s.query(ctx, call.asService(), partQuota, []any{upload.Bucket, owner, upload.ID, number}, func(row [][]byte) error {
		if limited = row[0] != nil; !limited {
			return nil
		}
		return decodeNumber(&left)(row)
	})
	switch {
	case err != nil:
		return nil, storageerr.FromDatabase(err)
	case !limited:
		return body, nil
	case size > left:
		return nil, storageerr.ErrQuota
	}
	return &quotaReader{from: body, left: left}, nil
}

// quotaReader fails behind the last byte that a quota allows.
type quotaReader struct {
	from io.Reader
	left int64
}

func (q *quotaReader) Read(to []byte) (int, error) {
	n, err := q.from.Read(to)
	if q.left -= int64(n); q.left < 0 {
		return n, storageerr.ErrQuota
	}
	return n, err
}

// emptyPart frees the bytes of a part that was stored, but does not count.
func (m *Multiparts) emptyPart(ctx context.Context, upload Multipart, number int) error {
	_, err := m.s.blobs.PutPart(ctx, blobName("", "", upload.Version), upload.ID, number, strings.NewReader(""), 0)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	return err
}
