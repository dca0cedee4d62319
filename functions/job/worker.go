package job

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/pg"
)

const (
	// passEvery is how late work may be done that became due.
	passEvery = time.Minute
	// mostAtOnce bounds one pass; what is left is due at the next one.
	mostAtOnce = 500
)

// OneByOne does in the database what is due, each piece in a transaction of its own.
// Servers may do it at once: a piece is done by one of them.
type OneByOne struct {
	DB   *pg.DB
	Log  *slog.Logger
	What string // it does, for the log
	Next string // is a statement that does one piece and tells whether there was one
}

// Do does what is due now, and returns how many pieces there were.
func (o OneByOne) Do(ctx context.Context) (int, error) {
	for done := range mostAtOnce {
		var found bool
		if err := o.DB.QueryRowAsService(ctx, pg.ServiceRole, o.Next, nil, &found); err != nil || !found {
			return done, err
		}
	}
	return mostAtOnce, nil
}

// Run does it every minute, until ctx ends.
func (o OneByOne) Run(ctx context.Context) {
	Every(passEvery, o.Log, o.What, func(ctx context.Context) error {
		_, err := o.Do(ctx)
		return err
	})(ctx)
}
