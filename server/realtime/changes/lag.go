package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"plaza/server/realtime/wal"
)

// Limits bound how far the reader may be behind. Beyond, it starts again at the present, and changes
// were missed. The zero value of a field means its default.
type Limits struct {
	Time  time.Duration // between a commit and the delivery of its changes, and without an answer of PostgreSQL; 10 s
	Bytes int64         // of WAL that were not received; 256 MB
	Check time.Duration // interval of checks, and after which an answer of PostgreSQL is requested; 5 s
}

func (l Limits) withDefaults() Limits {
	return Limits{Time: cmp.Or(l.Time, 10*time.Second), Bytes: cmp.Or(l.Bytes, 256<<20), Check: cmp.Or(l.Check, 5*time.Second)}
}

// errLag ends reading: it is too late.
var errLag = errors.New("changes come faster than they are processed")

// checkTime checks by how much a change is late, by the database's clock.
func (l Limits) checkTime(c *change, now time.Time) error {
	if late := now.Sub(c.committed); late > l.Time && !c.committed.IsZero() {
		return fmt.Errorf("%w: one is %s late", errLag, late.Round(time.Millisecond))
	}
	return nil
}

// checkBytes checks how much of the WAL was not received: of what was written before the last
// check, since a status was requested in between.
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
