package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"plaza/storage/blob"
	"plaza/storage/core"
)

// copyObjects copies the blobs to which the restored rows refer to the blob store.
func (r *restorer) copyObjects(ctx context.Context, conn *pgx.Conn, blobs blob.Store) (err error) {
	draft, err := os.OpenRoot(r.draft)
	if err != nil {
		return err
	}
	defer func() { _ = draft.Close() }()
	rows, err := spoolRows(ctx, draft, func(to io.Writer) error { return core.ListBlobs(ctx, conn, false, to) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close(), draft.Remove(rowsFile)) }()
	find := func(string) (object, bool, error) { return object{}, false, nil }
	if r.from != nil {
		list, err := readList(r.from)
		if err != nil {
			return err
		}
		defer func() { _ = list.Close() }()
		find = list.find
	}
	r.t.Progress("Copying the objects")
	seen := 0
	report := throttle(func() { r.t.Progress(fmt.Sprintf("%d objects so far", seen)) })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(copiers)
	var linked atomic.Int64
	err = readRows(rows, func(row row) error {
		o, ok, err := find(row.blob)
		seen++
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		report()
		group.Go(func() error {
			existed, err := r.restoreObject(ctx, blobs, row, o, ok)
			if err != nil {
				return fmt.Errorf("copy %s: %w", row, err)
			}
			if existed {
				linked.Add(1)
			}
			return nil
		})
		return nil
	})
	err = errors.Join(group.Wait(), err)
	r.done.Objects.Linked = linked.Load()
	return err
}

// restoreObject restores an object from the backup if it is there, or else with restoreHeld.
// existed reports that the store already had it.
func (r *restorer) restoreObject(ctx context.Context, blobs blob.Store, row row, o object, ok bool) (existed bool, err error) {
	if ok && o.problem == "" {
		r.count(row, o.bytes, "")
		return r.copyObject(ctx, blobs, o)
	}
	bytes, problem, existed, err := r.restoreHeld(ctx, blobs, row)
	if err != nil {
		return false, err
	}
	if problem == "" {
		r.count(row, bytes, "")
		return existed, nil
	}
	if !ok {
		r.count(row, 0, problem)
		return false, nil
	}
	r.count(row, o.bytes, o.problem)
	if o.sum == "" {
		return false, nil
	}
	return r.copyObject(ctx, blobs, o)
}

// count counts an object, and reports one that is missing or damaged.
func (r *restorer) count(row row, bytes int64, problem string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done.Objects.Count++
	r.done.Objects.Bytes += bytes
	if problem != "" {
		r.done.Objects.Damaged++
		r.t.Progress(fmt.Sprintf("damaged: %s: %s", row, problem))
	}
}

// copyObject copies and verifies a blob. existed reports that the store already had it.
func (r *restorer) copyObject(ctx context.Context, blobs blob.Store, o object) (existed bool, err error) {
	if r.t.ReuseBlobs {
		if sum, err := storedSum(ctx, blobs, o.blob); err == nil && sum == o.sum {
			return true, nil
		}
	}
	file, err := r.from.Open(o.file)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	if _, err := blobs.Put(ctx, o.blob, file, o.bytes); err != nil {
		return false, err
	}
	sum, err := storedSum(ctx, blobs, o.blob)
	if err == nil && sum != o.sum {
		err = errors.New("what was written is not what is read")
	}
	return false, err
}

// storedSum reads a blob and returns its checksum.
func storedSum(ctx context.Context, blobs blob.Store, name string) (string, error) {
	stored, err := blobs.Get(ctx, name, 0, math.MaxInt64)
	if err != nil {
		return "", err
	}
	defer func() { _ = stored.Close() }()
	if file, ok := stored.(*os.File); ok {
		dropCache(file)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, stored); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
