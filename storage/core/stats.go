package core

import (
	"context"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/storage/blobcache"
)

// Stats are the figures of unused blobs and of the in-memory cache.
type Stats struct {
	Unused    int64  // of all servers, as of this one's last sweep; at most maxCounted
	Uploading int    // being written by this server
	Swept     uint64 // deleted by this server since it started
	Memory    blobcache.Stats
}

// Stats returns the figures of unused blobs and of the in-memory cache.
func (s *Service) Stats() Stats {
	c := &s.sweeper.counts
	return Stats{
		Unused: c.unused.Load(), Uploading: len(s.versions.names()),
		Swept: c.swept.Load(), Memory: s.contents.Stats(),
	}
}

// counts are counters for Stats.
type counts struct {
	unused atomic.Int64
	swept  atomic.Uint64
}

// maxCounted bounds the cost of counting unused blobs.
const maxCounted = 100_000

const countUnused = `select count(*) from (select from storage.unused_blobs limit $1) noted`

// countUnused counts the names in storage.unused_blobs.
func (w *sweeper) countUnused(ctx context.Context) error {
	return w.s.db.AsService(ctx, pg.StorageAdmin, func(tx pgx.Tx) error {
		var unused int64
		err := tx.QueryRow(ctx, countUnused, maxCounted).Scan(&unused)
		if err == nil {
			w.counts.unused.Store(unused)
		}
		return err
	})
}
