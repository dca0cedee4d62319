// Package searches runs the background work of searches.
package searches

import (
	"log/slog"

	"plaza/functions/job"
	"plaza/server/pg"
)

// Alerts returns the job that repeats searches which found no business, and notifies their
// users as soon as there is a result.
func Alerts(db *pg.DB, log *slog.Logger) job.Worker {
	return job.Worker{DB: db, Log: log, What: "repeating searches with an alert", Next: `select private.ask_search_alert()`}
}
