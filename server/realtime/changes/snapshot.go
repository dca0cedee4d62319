package changes

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pauses between questions whether transactions have become visible.
const (
	visibleRetryMin = 100 * time.Microsecond
	visibleRetryMax = 20 * time.Millisecond
)

// awaitVisible waits until everybody sees what the changes' transactions have written.
//
// PostgreSQL writes a commit to the log before others see it, so the log may be ahead: by
// microseconds, or by the time that a synchronous standby takes. Asked at once, a caller would
// not see the row, nor would a client that reads it anew.
//
// Errors: errLag if the first of them is too late.
func (e *Engine) awaitVisible(ctx context.Context, slice []*change) error {
	seen, now, err := e.snapshot(ctx)
	if err == nil {
		err = e.Limits.checkTime(slice[0], now)
	}
	isOpen := func(c *change) bool { return !seen.sees(c.xid) }
	for pause := visibleRetryMin; err == nil && slices.ContainsFunc(slice, isOpen); pause = min(2*pause, visibleRetryMax) {
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

// snapshot says which transactions have ended.
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

// sees reports whether a transaction has ended. The log has only the lower half of its id.
func (s *snapshot) sees(lower uint32) bool {
	id := s.max + uint64(int64(int32(lower-uint32(s.max))))
	return id < s.min || id < s.max && !slices.Contains(s.open, id)
}
