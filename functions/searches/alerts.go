// Package searches runs the background work of searches.
package searches

import (
	"plaza/functions/job"
	"plaza/server/pg"
)

// Alerts returns the worker that repeats searches which found no business, and notifies their
// users as soon as there is a result.
func Alerts(db *pg.DB) job.Worker {
	return job.Worker{DB: db, Name: "search_alerts", Next: `select private.ask_search_alert()`}
}
