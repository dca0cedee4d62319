package core

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/storage/blob"
)

// Statements of a backup, which runs on a connection of its own and without a server.
const (
	hasObjects = `select to_regclass('storage.objects') is not null and to_regclass('storage.unused_blobs') is not null`

	// Sweeps take the lock shared, and do nothing if it is held.
	holdBlobsForBackup = `select pg_advisory_lock(hashtextextended('storage.blobs', 0))`
	mayDeleteBlobs     = `select pg_try_advisory_xact_lock_shared(hashtextextended('storage.blobs', 0))`

	// The blob of a row that was deleted since the database was copied is listed in
	// storage.unused_blobs.
	copyBlobList = `copy (
			select distinct on (blob collate "C") blob, size, etag, bucket, key from (
				select storage.blob_name(bucket_id, name, version) as blob, metadata ->> 'size' as size, metadata ->> 'eTag' as etag, bucket_id as bucket, name as key
				from storage.objects
				union all select name, null, null, null, null from storage.unused_blobs where $unused
			) named where blob is not null
			order by blob collate "C", bucket nulls last
		) to stdout (format csv)`

	endUploads = `delete from storage.resumable_uploads where finished_at is null;
		delete from storage.s3_multipart_uploads`
)

// holdWait bounds the wait for a running sweep, which deletes some hundred blobs at most.
const holdWait = time.Minute

// Hold keeps all servers from deleting blobs until conn is closed. It returns false if the
// database has no storage schema.
//
// Errors: another backup is running, or a sweep does not end.
func Hold(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var there bool
	if err := conn.QueryRow(ctx, hasObjects).Scan(&there); err != nil || !there {
		return false, err
	}
	wait := fmt.Sprintf("set statement_timeout = 0; set idle_session_timeout = 0; set lock_timeout = %d", holdWait.Milliseconds())
	if _, err := conn.Exec(ctx, wait); err != nil {
		return false, err
	}
	if _, err := conn.Exec(ctx, holdBlobsForBackup); err != nil {
		return false, fmt.Errorf("keep objects from being deleted: another backup may be running: %w", err)
	}
	return true, nil
}

// ListBlobs writes CSV without a header, ordered by the bytes of the blob's name: the
// name of the blob, and size, ETag, bucket and key of its row. With unused it also lists
// the blobs in storage.unused_blobs, which have a name only and may not exist.
func ListBlobs(ctx context.Context, conn *pgx.Conn, unused bool, to io.Writer) error {
	sql := strings.Replace(copyBlobList, "$unused", strconv.FormatBool(unused), 1)
	_, err := conn.PgConn().CopyTo(ctx, to, sql)
	return err
}

// markAtOnce is the number of blobs that one statement compares with the rows. Each statement
// reads all rows.
const markAtOnce = 50_000

const markUnnamed = `insert into storage.unused_blobs (name, delete_after)
	select given.name, now() + interval '1 hour' from unnest($1::text[]) as given (name)
	where not exists (select from storage.objects o where storage.blob_name(o.bucket_id, o.name, o.version) = given.name)
	on conflict (name) do nothing`

// MarkUnnamed adds the blobs that no row of a restored database names to storage.unused_blobs,
// so that a sweep deletes them after an hour. It considers only blobs whose names own reports to
// be Plaza's. It returns how many it added.
func MarkUnnamed(ctx context.Context, conn *pgx.Conn, blobs blob.Store, own func(name string) bool) (marked int64, err error) {
	var names []string
	mark := func() error {
		tag, err := conn.Exec(ctx, markUnnamed, names)
		marked, names = marked+tag.RowsAffected(), names[:0]
		return err
	}
	err = blobs.List(ctx, "", func(info blob.Info) error {
		if own(info.Name) {
			names = append(names, info.Name)
		}
		if len(names) < markAtOnce {
			return nil
		}
		return mark()
	})
	if err == nil && len(names) > 0 {
		err = mark()
	}
	return marked, err
}

// EndUploads deletes the incomplete uploads of a restored database, since a backup does
// not contain their parts.
func EndUploads(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	if err := conn.QueryRow(ctx, hasObjects).Scan(&there); err != nil || !there {
		return err
	}
	_, err := conn.Exec(ctx, endUploads)
	return err
}
