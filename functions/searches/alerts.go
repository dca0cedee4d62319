// Package searches does what searches need without anybody asking.
package searches

import (
	"context"
	"log/slog"
	"time"

	"plaza/functions/job"
	"plaza/server/pg"
)

const (
	// askEvery is how late somebody who waits for a search may hear of a new business.
	askEvery = time.Minute
	// mostAtOnce bounds one pass; what is left is due at the next one.
	mostAtOnce = 500
)

// askOne asks one search that is waited for anew, in a transaction of its own.
const askOne = `select private.ask_search_alert()`

// Alerts tells users of searches that found nobody as soon as somebody is found.
type Alerts struct {
	DB  *pg.DB
	Log *slog.Logger
}

// Ask asks the searches that may find more than they did, and returns how many.
// Servers may do it at once: a search is asked by one of them.
func (a Alerts) Ask(ctx context.Context) (int, error) {
	for asked := range mostAtOnce {
		var found bool
		if err := a.DB.QueryRowAsService(ctx, pg.ServiceRole, askOne, nil, &found); err != nil || !found {
			return asked, err
		}
	}
	return mostAtOnce, nil
}

// Run asks every minute, until ctx ends.
func (a Alerts) Run(ctx context.Context) {
	job.Every(askEvery, a.Log, "asking searches that are waited for", func(ctx context.Context) error {
		_, err := a.Ask(ctx)
		return err
	})(ctx)
}
