package pg

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// pingAfter is how long an unused connection needs no ping. Source: pgxpool's default.
	pingAfter = time.Second

	// peekAfter is how long an unused connection is not checked for received data. On a busy server no connection is unused
	// for longer, so the check costs nothing there.
	peekAfter = 5 * time.Millisecond
)

// mayBeClosed reports whether an unused connection should be pinged before it is used. A write on one that PostgreSQL has
// closed fails in a way that leaves its outcome unknown.
func mayBeClosed(_ context.Context, unused pgxpool.ShouldPingParams) bool {
	if unused.IdleDuration > pingAfter {
		return true
	}
	if unused.IdleDuration < peekAfter {
		return false
	}
	guarded := guardOf(unused.Conn.PgConn())
	return guarded != nil && hasInput(guarded.Conn)
}
