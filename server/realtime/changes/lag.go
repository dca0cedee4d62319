package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"plaza/server/realtime/wal"
)

// Limits limit how far reading the WAL may be behind. When one is exceeded, reading starts again at the
// current position, and subscribers have missed changes. The zero value of a field means its default.
type Limits struct {
	Time  time.Duration // from a commit to the delivery of its changes, and without an answer from PostgreSQL; 10 s
	Bytes int64         // of WAL that are not received yet; 256 MB
	Check time.Duration // interval of the checks, and of requests for an answer from PostgreSQL; 5 s
}

func (l Limits) withDefaults() Limits {
	return Limits{Time: cmp.Or(l.Time, 10*time.Second), Bytes: cmp.Or(l.Bytes, 256<<20), Check: cmp.Or(l.Check, 5*time.Second)}
}

// errLag means that a limit is exceeded. Reading ends.
var errLag = errors.New("changes come faster than they are processed")

// checkTime checks by how much a change is late, by the database's clock.
func (l Limits) checkTime(c *change, now time.Time) error {
	if late := now.Sub(c.committed); late > l.Time && !c.committed.IsZero() {
		return fmt.Errorf("%w: one is %s late", errLag, late.Round(time.Millisecond))
	}
	return nil
}

// checkBytes checks how much of the WAL is not received yet. It counts only the WAL from before the last
// check: since then the server has been asked for its position.
func (f *feed) checkBytes(ctx context.Context) error {
	written := f.written
	if err := f.engine.DB.Owner().QueryRow(ctx, "select pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), '0/0')::bigint").Scan(&f.written); err != nil {
		return err
	}
	if late := written - wal.LSN(f.stream.Received()); written > 0 && int64(late) > f.engine.Limits.Bytes {
		return fmt.Errorf("%w: %d bytes of WAL were not received", errLag, late)
	}
	return nil
}
