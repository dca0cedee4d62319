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

// expectedBytes returns the minimum size of an upload in bytes, or "" if the metadata that
// policies see contain the size or if it is unknown.
func (t Target) expectedBytes() string {
	if t.Overhead <= 0 || t.Length < 0 {
		return ""
	}
	return strconv.FormatInt(max(t.Length-t.Overhead, 0), 10)
}

// alreadyCounted tells storage.count_objects to ignore a trial row: the upload already
// counts towards the quotas.
const alreadyCounted = "-1"

// authorizeCounted is Authorize for a multipart or resumable upload that exists, and so
// already counts towards the quotas.
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

// partQuota selects the maximum size of a part: what the quotas leave plus the size of the
// part that it replaces. Null means that there is no quota.
const partQuota = `select to_json(storage.quota_left($1, $2)
	+ coalesce((select p.size from storage.s3_multipart_uploads_parts p where p.upload_id = $3 and p.part_number = $4::int), 0))`

// withinQuota returns a part's body that fails when it exceeds the quotas of the upload's
// owner. Errors: QuotaExceeded if the declared size already does.
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

// quotaReader fails after the last byte that a quota allows.
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

// emptyPart replaces a stored part that exceeded a quota with an empty one.
func (m *Multiparts) emptyPart(ctx context.Context, upload Multipart, number int) error {
	_, err := m.s.blobs.PutPart(ctx, blobName("", "", upload.Version), upload.ID, number, strings.NewReader(""), 0)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	return err
}
