// Package job processes items that are due in the database.
package job

import (
	"context"
	"time"

	"plaza/server/jobs"
	"plaza/server/pg"
)

const (
	// pollEvery is the longest delay between the time an item becomes due and its processing.
	pollEvery = time.Minute
	// maxBatch bounds the items of one run; the others wait for the next run.
	maxBatch = 500
)

// Worker processes the items that are due in the database, each in a transaction of its
// own. Several servers may do so at the same time: an item is processed by one of them.
type Worker struct {
	DB   *pg.DB
	Name string // of the background job
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

// Job returns the background job that calls ProcessDue every minute.
func (w Worker) Job() jobs.Job {
	return jobs.Job{Name: w.Name, Every: pollEvery, Run: func(ctx context.Context) error {
		_, err := w.ProcessDue(ctx)
		return err
	}}
}
