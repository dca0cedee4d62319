package changes

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pauses between checks whether transactions have become visible.
const (
	visibleRetryMin = 100 * time.Microsecond
	visibleRetryMax = 20 * time.Millisecond
)

// addUnseen adds the transactions of a batch to the unseen ones, and returns all of them. mustWait means that
// they must be visible to new snapshots before the batch is processed. Otherwise nobody receives the batch, and a
// later subscriber waits for them.
func (e *Engine) addUnseen(batch []*change) (transactions []uint32, mustWait bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range batch {
		if n := len(e.unseen); n == 0 || e.unseen[n-1] != c.xid {
			e.unseen = append(e.unseen, c.xid)
		}
		// After a schema change, when the keys are reset, more may match.
		mustWait = mustWait || c.isStale || c.isMessage() || e.index.hasMatch(c)
	}
	return slices.Clone(e.unseen), mustWait || len(e.unseen) > maxUnseen
}

// setVisible removes the first of the unseen transactions, which have become visible.
func (e *Engine) setVisible(transactions int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unseen = append(e.unseen[:0], e.unseen[transactions:]...)
}

// maxUnseen is the maximum number of transactions that were not waited for.
const maxUnseen = 1000

// awaitVisible waits until transactions are visible to new snapshots. seen is a current one.
//
// PostgreSQL writes a commit to the WAL before others see it, so the WAL may be ahead: by
// microseconds, or by the time that a synchronous standby takes. If visibility was checked at once, a caller
// would not see the row, nor would a client that refetches it.
func (e *Engine) awaitVisible(ctx context.Context, seen snapshot, transactions []uint32) (err error) {
	isOpen := func(lower uint32) bool { return !seen.sees(lower) }
	for pause := visibleRetryMin; err == nil && slices.ContainsFunc(transactions, isOpen); pause = min(2*pause, visibleRetryMax) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		seen, _, err = e.snapshot(ctx)
	}
	return err
}

// snapshot returns which transactions have ended, and the database's time.
func (e *Engine) snapshot(ctx context.Context) (s snapshot, now time.Time, err error) {
	var text string
	if err = e.DB.Owner().QueryRow(ctx, "select pg_catalog.pg_current_snapshot()::text, pg_catalog.clock_timestamp()").Scan(&text, &now); err != nil {
		return s, now, err
	}
	s, err = parseSnapshot(text)
	return s, now, err
}

// snapshot is a pg_snapshot of PostgreSQL: which transactions have ended.
type snapshot struct {
	min, max uint64   // all below min have ended, none from max on
	open     []uint64 // those between that have not
}

var errSnapshot = errors.New("not a snapshot")

// parseSnapshot parses "min:max:open,open…".
func parseSnapshot(text string) (s snapshot, err error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return s, errSnapshot
	}
	numbers := parts[:2]
	if parts[2] != "" {
		numbers = append(numbers, strings.Split(parts[2], ",")...)
	}
	for i, number := range numbers {
		id, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			return s, errSnapshot
		}
		switch i {
		case 0:
			s.min = id
		case 1:
			s.max = id
		default:
			s.open = append(s.open, id)
		}
	}
	return s, nil
}

// sees reports whether a transaction has ended. The WAL has only the lower half of its id.
func (s *snapshot) sees(lower uint32) bool {
	id := s.max + uint64(int64(int32(lower-uint32(s.max))))
	return id < s.min || id < s.max && !slices.Contains(s.open, id)
}
