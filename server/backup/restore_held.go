package backup

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"plaza/storage/blob"
)

// restoreHeld restores an object that the backup lacks, or has damaged: from the blob store itself
// if that is reused, where deleted objects are kept for some time, or from Target.Held. problem is
// the reason if neither has it. existed reports that the blob store already had it.
func (r *restorer) restoreHeld(ctx context.Context, blobs blob.Store, row row) (bytes int64, problem string, existed bool, err error) {
	problem = "the backup does not have it"
	if r.t.ReuseBlobs {
		bytes, problem, err = compareBlob(ctx, blobs, row)
		if err != nil || problem == "" {
			return bytes, problem, true, err
		}
	}
	if r.t.Held == nil {
		return 0, problem, false, nil
	}
	if bytes, problem, err = compareBlob(ctx, r.t.Held, row); err != nil || problem != "" {
		return 0, problem, false, err
	}
	from, err := r.t.Held.Get(ctx, row.blob, 0, math.MaxInt64)
	if err != nil {
		return 0, "", false, err
	}
	defer func() { _ = from.Close() }()
	if _, err := blobs.Put(ctx, row.blob, from, bytes); err != nil {
		return 0, "", false, err
	}
	_, problem, err = compareBlob(ctx, blobs, row)
	if err == nil && problem != "" {
		err = errors.New("what was written is not what is read")
	}
	return bytes, problem, false, err
}

// compareBlob reads a blob and compares it with its row.
func compareBlob(ctx context.Context, store blob.Store, row row) (bytes int64, problem string, err error) {
	from, err := store.Get(ctx, row.blob, 0, math.MaxInt64)
	if errors.Is(err, blob.ErrNotFound) {
		return 0, "it was deleted, and is no longer kept", nil
	}
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = from.Close() }()
	sum := md5.New() // an ETag is an MD5 sum
	if bytes, err = io.Copy(sum, from); err != nil {
		return 0, "", err
	}
	return bytes, row.differs(bytes, hex.EncodeToString(sum.Sum(nil))), nil
}

// ReconcileObjects makes the objects agree with a database that was restored to a point in time by
// other means. It looks for the objects to which rows refer in the blob store, in
// Target.Held and, if dir is not empty, in a backup. Objects to which no row refers are
// deleted by a later sweep.
//
// Errors: those of Verify; ErrPlace; ErrFull; ErrIncomplete if objects are missing.
func ReconcileObjects(ctx context.Context, dir string, t Target) (Restored, error) {
	r := restorer{t: t, dir: dir, draft: t.DataDir, done: Restored{At: t.Moment.At}}
	if dir != "" {
		t.Progress("Verifying the backup")
		made, err := Verify(ctx, dir)
		if err != nil {
			return r.done, err
		}
		r.done.Description = made
		if r.from, err = os.OpenRoot(dir); err != nil {
			return r.done, err
		}
		defer func() { _ = r.from.Close() }()
	}
	if err := os.MkdirAll(t.DataDir, 0o755); err != nil {
		return r.done, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if r.from != nil {
		if err := r.installSecrets(); err != nil {
			return r.done, err
		}
	} else if _, err := os.Stat(filepath.Join(t.DataDir, secretsFile)); err != nil {
		return r.done, fmt.Errorf("%w: %s has no keys: restore %s from a backup, or give its folder", ErrPlace, t.DataDir, secretsFile)
	}
	blobs, closer, err := r.openBlobs(ctx)
	if err != nil {
		return r.done, err
	}
	if closer != nil {
		defer func() { _ = closer.Close() }()
	}
	if err := r.fill(ctx, t.DatabaseURL, blobs); err != nil {
		return r.done, wrapFull(err, t.DataDir)
	}
	return r.done, r.incomplete()
}

// checkRecovered returns an error if PostgreSQL is still recovering the database, which cannot be changed then.
func checkRecovered(ctx context.Context, conn *pgx.Conn) error {
	var recovering bool
	if err := conn.QueryRow(ctx, "select pg_is_in_recovery()").Scan(&recovering); err != nil {
		return fmt.Errorf("ask whether the database was recovered: %w", err)
	}
	if recovering {
		return errors.New("PostgreSQL is still recovering the database of DATABASE_URL: run this again when `select pg_is_in_recovery()` returns false")
	}
	return nil
}
