package core

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/server/tally"
	"plaza/storage/blobcache"
)

// Stats tells of the blobs that no row names, and of those in memory.
type Stats struct {
	Unused        int64     // noted as such, of all servers, as of the last sweep; countedAtMost: so many or more
	Uploading     int       // that this server is writing
	Swept         uint64    // deleted by this server since it started
	SweepFailures uint64    // … sweeps that failed
	LastSweep     time.Time // … the last that went well; zero: none
	Memory        blobcache.Stats
}

// Stats tells of the blobs that no row names, and of those in memory.
func (s *Service) Stats() Stats {
	c := &s.sweeper.counts
	return Stats{
		Unused: c.unused.Load(), Uploading: len(s.noted.names()),
		Swept: c.swept.Load(), SweepFailures: c.failures.Load(), LastSweep: c.lastSweep.Get(), Memory: s.contents.Stats(),
	}
}

// counts are what Stats tells of.
type counts struct {
	unused          atomic.Int64
	swept, failures atomic.Uint64
	lastSweep       tally.Moment
}

// countedAtMost bounds what counting unused blobs costs.
const countedAtMost = 100_000

const countUnused = `select count(*) from (select from storage.unused_blobs limit $1) noted`

// note takes in how a sweep went.
func (c *counts) note(err error, now time.Time) {
	if err != nil {
		c.failures.Add(1)
		return
	}
	c.lastSweep.Set(now)
}

// countUnused counts the blobs that are noted as unused.
func (w *sweeper) countUnused(ctx context.Context) error {
	return w.s.db.AsService(ctx, pg.StorageAdmin, func(tx pgx.Tx) error {
		var unused int64
		err := tx.QueryRow(ctx, countUnused, countedAtMost).Scan(&unused)
		if err == nil {
			w.counts.unused.Store(unused)
		}
		return err
	})
}
