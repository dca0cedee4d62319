package core

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/storage/blob"
	"plaza/storage/storageerr"
)

const (
	listResumableParts = `select coalesce(json_agg(json_build_object('number', p.number, 'size', p.size, 'etag', p.stored_as) order by p.number), '[]')
		from storage.resumable_uploads_parts p where p.version = $1`
	reserveResumable = `insert into storage.unused_blobs (name, delete_after)
		select storage.blob_name('', '', u.version), now() + $1::bigint * interval '1 second' from storage.resumable_uploads u
		where u.version = $2 and u.holder = $3 and u.finished_at is null for update
		on conflict (name) do update set delete_after = excluded.delete_after returning 1`

	// The row stays for clients that did not receive the response.
	finishResumable = `with ended as (
			update storage.resumable_uploads set finished_at = now(), holder = null where version = $9 and holder = $8 and finished_at is null returning version
		), parts as (
			delete from storage.resumable_uploads_parts p using ended where p.version = ended.version
		), used as (delete from storage.unused_blobs using ended where name = storage.blob_name('', '', $3) returning 1)`
	finishInsert = finishResumable + insertRow + `returning ` + objectJSON
	finishUpsert = finishResumable + upsertRow

	forgetResumable = `with gone as (delete from storage.resumable_uploads where version = $1 returning tail)
		update storage.unused_blobs b set delete_after = now() from gone where b.name = storage.blob_name('', '', nullif(gone.tail, ''))`
)

func base64Text(bytes []byte) string { return base64.StdEncoding.EncodeToString(bytes) }

// finish makes the object. If an earlier attempt has already made the blob, it only
// writes the row.
func (w *Writer) finish(ctx context.Context, call Call, t Target) error {
	s := w.s
	err := s.versions.reserveUpload(ctx, w.Version, reserveResumable, w.Version, w.holder)
	if errors.Is(err, storageerr.ErrNoSuchUpload) {
		return storageerr.ErrTakenOver
	}
	if err != nil {
		return err
	}
	defer s.versions.release(w.Version)
	if err := w.join(ctx); err != nil {
		return err
	}
	if !strings.HasSuffix(w.Key, emptyFolder) {
		err = s.checkBlob(ctx, t, blobName("", "", w.Version))
	}
	if err == nil {
		err = w.writeRow(ctx, call, t)
	}
	switch {
	case err == nil:
		w.Finished = true
		return nil
	case errors.Is(err, storageerr.ErrExpired):
		return storageerr.ErrTakenOver
	case errors.Is(err, storageerr.ErrKeyExists), storageerr.IsInvalidMimeType(err): // a retry would fail, too
		s.versions.discard(ctx, w.Version)
		return errors.Join(err, s.query(ctx, Call{}.asService(), forgetResumable, []any{w.Version}, nil))
	}
	return err
}

// writeRow writes the row of the blob and finishes the upload.
func (w *Writer) writeRow(ctx context.Context, call Call, t Target) error {
	s := w.s
	version, written, err := s.stripIfConfigured(ctx, t, w.Version, Written{
		ETag: `"` + hex.EncodeToString(w.sum.Sum(nil)) + `"`, Size: w.Length, CacheControl: w.Metadata.CacheControl,
	})
	if err != nil {
		return err
	}
	metadata, user := s.describe(t, written)
	sql := finishInsert
	if t.Upsert {
		sql = finishUpsert
	}
	_, err = s.writeRow(ctx, call, t, sql, version, metadata, user, w.holder, w.Version)
	if version != w.Version {
		s.releaseStripped(ctx, version, w.Version, err)
	}
	return err
}

// join joins the parts to a blob.
func (w *Writer) join(ctx context.Context) error {
	name := blobName("", "", w.Version)
	if w.Length == 0 {
		_, err := w.s.blobs.Put(ctx, name, strings.NewReader(""), 0)
		return storageerr.FromBlobs(err)
	}
	var parts []blob.Part
	err := w.s.query(ctx, Call{}.asService(), listResumableParts, []any{w.Version}, func(row [][]byte) error { return json.Unmarshal(row[0], &parts) })
	if err != nil {
		return storageerr.FromDatabase(err)
	}
	_, err = w.s.blobs.Join(ctx, name, w.StoredAs, parts)
	if errors.Is(err, blob.ErrNotFound) {
		info, statErr := w.s.blobs.Stat(ctx, name)
		if statErr != nil || info.Size != w.Length {
			return storageerr.ErrNoSuchResumable.WithCause(err)
		}
		return nil
	}
	return storageerr.FromBlobs(err)
}

// Terminate deletes an upload and what is stored of it. Errors: InvalidRequest if it is
// finished.
func (w *Writer) Terminate(ctx context.Context) error {
	if w.Finished {
		return storageerr.ErrResumableFinished
	}
	ctx, cancel := detach(ctx)
	defer cancel()
	if err := w.s.Resumables.discard(ctx, w.Resumable); err != nil {
		return storageerr.FromBlobs(err)
	}
	if err := w.s.query(ctx, Call{}.asService(), forgetResumable, []any{w.Version}, nil); err != nil {
		return storageerr.FromDatabase(err)
	}
	w.s.sweeper.Wake() // to delete the tail
	return nil
}

// discard deletes the parts of an upload from the store.
func (r *Resumables) discard(ctx context.Context, upload Resumable) error {
	name := blobName("", "", upload.Version)
	if upload.StoredAs != "" {
		return r.s.blobs.Discard(ctx, name, upload.StoredAs)
	}
	if upload.NextPart > 1 {
		return r.s.blobs.DiscardAll(ctx, name)
	}
	return nil
}

// expiredResumables selects uploads that expired at least uploadGrace ago, so that clients
// get status 410 for that long, and that no request has written to for as long.
const expiredResumables = `select ` + resumableJSON + ` from storage.resumable_uploads u
	where u.expires_at < $1 and u.updated_at < now() - $2::bigint * interval '1 second' order by u.expires_at limit $3 for update skip locked`

// Sweep deletes expired uploads and their parts. Several servers may sweep concurrently:
// each locks different uploads.
func (r *Resumables) Sweep(ctx context.Context) error {
	for {
		swept := 0
		err := r.s.db.AsService(ctx, pg.StorageAdmin, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, expiredResumables, r.s.now().Add(-uploadGrace), int64(uploadGrace.Seconds()), sweptAtOnce)
			if err != nil {
				return err
			}
			expired, err := pgx.CollectRows(rows, pgx.RowTo[Resumable])
			if err != nil {
				return err
			}
			swept = len(expired)
			for _, upload := range expired {
				if !upload.Finished {
					if err := r.discard(ctx, upload); err != nil {
						return fmt.Errorf("upload %s: %w", upload.Version, err)
					}
				}
				if _, err := tx.Exec(ctx, forgetResumable, upload.Version); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || swept < sweptAtOnce {
			return err
		}
	}
}
