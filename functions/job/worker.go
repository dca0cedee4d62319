package job

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/pg"
)

const (
	// pollEvery is the longest delay between the time an item becomes due and its processing.
	pollEvery = time.Minute
	// maxBatch bounds the items of one run; the others wait for the next run.
	maxBatch = 500
)

// Worker processes the items that are due in the database, each in a transaction of its
// own. Several servers may run it at the same time: an item is processed by one of them.
type Worker struct {
	DB   *pg.DB
	Log  *slog.Logger
	What string // describes the work in the log
	Next string // statement that processes one item and returns whether there was one
}

// ProcessDue processes the items that are due now, and returns how many there were.
func (w Worker) ProcessDue(ctx context.Context) (int, error) {
	for done := range maxBatch {
		var found bool
		if err := w.DB.QueryRowAsService(ctx, pg.ServiceRole, w.Next, nil, &found); err != nil || !found {
			return done, err
		}
	}
	return maxBatch, nil
}

// Run calls ProcessDue every minute, until ctx ends.
func (w Worker) Run(ctx context.Context) {
	Every(pollEvery, w.Log, w.What, func(ctx context.Context) error {
		_, err := w.ProcessDue(ctx)
		return err
	})(ctx)
}
