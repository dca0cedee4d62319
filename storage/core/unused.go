package core

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/wake"
	"plaza/storage/storageerr"
)

// Times of unused blobs.
const (
	// uploadGrace is how long the blob of an unused name is kept, unless a server renews
	// the reservation because it is still being uploaded.
	uploadGrace = time.Hour

	// sweepEvery is how often unused blobs are deleted, and reservations renewed.
	sweepEvery = 5 * time.Minute

	// reservedAtOnce is how many names are reserved in one transaction, so that most
	// uploads need none of their own.
	reservedAtOnce = 16

	// sweptAtOnce is the maximum number of blobs deleted in one transaction.
	sweptAtOnce = 500
)

// versions reserves versions for new objects: the names of their blobs are in
// storage.unused_blobs, and only this server writes them.
type versions struct {
	s     *Service
	mu    sync.Mutex
	spare []string // reserved in advance
	made  time.Time
	held  map[string]struct{} // names of blobs that are being written
}

func newVersions(s *Service) *versions { return &versions{s: s, held: make(map[string]struct{})} }

const reserveBlobs = `insert into storage.unused_blobs (name, delete_after)
	select storage.blob_name('', '', version), now() + $2::bigint * interval '1 second' from jsonb_array_elements_text($1::jsonb) as version`

// reserve returns a new version. The caller must release it once a row names it, or
// discard it.
func (v *versions) reserve(ctx context.Context) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.s.now()
	if len(v.spare) == 0 || now.Sub(v.made) > uploadGrace/4 {
		v.spare = v.spare[:0] // older ones may be swept
		made := make([]string, reservedAtOnce)
		for i := range made {
			made[i] = newVersion(now)
		}
		if err := v.s.query(ctx, Call{}.asService(), reserveBlobs, []any{made, int64(uploadGrace.Seconds())}, nil); err != nil {
			return "", storageerr.FromDatabase(err)
		}
		v.spare, v.made = made, now
	}
	version := v.spare[0]
	v.spare = v.spare[1:]
	v.held[blobName("", "", version)] = struct{}{}
	return version, nil
}

// reserveUpload reserves the version of an upload while its object is made. sql does so for
// the upload that args identify. Errors: NoSuchUpload if the upload has ended.
func (v *versions) reserveUpload(ctx context.Context, version, sql string, args ...any) error {
	v.mu.Lock()
	v.held[blobName("", "", version)] = struct{}{}
	v.mu.Unlock()
	found := false
	err := v.s.query(ctx, Call{}.asService(), sql, append([]any{int64(uploadGrace.Seconds())}, args...), func([][]byte) error { found = true; return nil })
	if err == nil && found {
		return nil
	}
	v.release(version)
	if err == nil {
		return storageerr.ErrNoSuchUpload
	}
	return storageerr.FromDatabase(err)
}

// release ends a reservation. A blob that is still unused is swept later.
func (v *versions) release(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.held, blobName("", "", version))
}

func (v *versions) names() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	names := make([]string, 0, len(v.held))
	for name := range v.held {
		names = append(names, name)
	}
	return names
}

const (
	renewBlobs = `update storage.unused_blobs set delete_after = greatest(delete_after, now() + $2::bigint * interval '1 second')
		where name in (select jsonb_array_elements_text($1::jsonb))`
	discardBlob = `update storage.unused_blobs set delete_after = now() where name = $1`
)

// discard ends a reservation whose blob is not needed, and has the blob deleted soon.
func (v *versions) discard(ctx context.Context, version string) {
	ctx, cancel := detach(ctx)
	defer cancel()
	v.release(version)
	if err := v.s.query(ctx, Call{}.asService(), discardBlob, []any{blobName("", "", version)}, nil); err != nil {
		v.s.log.WarnContext(ctx, "an unneeded blob is kept for some time", "error", err)
		return
	}
	v.s.sweeper.Wake()
}

// renew extends the reservations of blobs that are still being uploaded.
func (v *versions) renew(ctx context.Context) error {
	names := v.names()
	if len(names) == 0 {
		return nil
	}
	return v.s.query(ctx, Call{}.asService(), renewBlobs, []any{names, int64(uploadGrace.Seconds())}, nil)
}

// sweeper deletes unused blobs.
type sweeper struct {
	s *Service
	wake.Signal
	counts counts
}

func newSweeper(s *Service) *sweeper { return &sweeper{s: s, Signal: wake.NewSignal()} }

// Jobs returns the background jobs of a service: deleting unused blobs, regularly and as soon as some become unused,
// and deleting uploads that have expired.
func Jobs(s *Service) []jobs.Job {
	return []jobs.Job{
		{Name: "storage_sweep", Every: sweepEvery, Wake: s.sweeper.Signal, Run: func(ctx context.Context) error {
			if err := s.Sweep(ctx); err != nil {
				return err
			}
			return s.sweeper.countUnused(ctx)
		}},
		{Name: "storage_uploads", Every: sweepEvery, Run: s.Resumables.Sweep},
	}
}

// renewPeriodically extends the reservations of this server's uploads until ctx ends.
func (v *versions) renewPeriodically(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := v.renew(ctx); err != nil && ctx.Err() == nil {
				v.s.log.WarnContext(ctx, "could not renew the reservations of running uploads", "error", err)
			}
		}
	}
}

const (
	dueBlobs = `select name from storage.unused_blobs where delete_after <= clock_timestamp() - $2::bigint * interval '1 second'
		order by delete_after limit $1 for update skip locked`
	forgetBlobs = `delete from storage.unused_blobs where name = any($1)`
)

// Sweep deletes the blobs that are due. Several servers may sweep concurrently: each locks
// different names. A name is deleted after its blob. While a backup copies blobs, none is
// deleted. Blobs are held for Config.KeepDeleted, so that the database can be restored to an
// earlier time.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		swept := 0
		err := s.db.AsService(ctx, pg.StorageAdmin, func(tx pgx.Tx) error {
			var may bool
			if err := tx.QueryRow(ctx, mayDeleteBlobs).Scan(&may); err != nil || !may {
				return err
			}
			rows, err := tx.Query(ctx, dueBlobs, sweptAtOnce, int64(s.cfg.KeepDeleted.Seconds()))
			if err != nil {
				return err
			}
			names, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil || len(names) == 0 {
				return err
			}
			swept = len(names)
			if err := s.blobs.Delete(ctx, names...); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, forgetBlobs, names)
			return err
		})
		if err == nil {
			s.sweeper.counts.swept.Add(uint64(swept))
		}
		if err != nil || swept < sweptAtOnce {
			return err
		}
	}
}

// decodeNumber returns a function that parses a row of one number.
func decodeNumber(to *int64) func(row [][]byte) error {
	return func(row [][]byte) error { return json.Unmarshal(row[0], to) }
}
