// Package searches does what searches need without anybody asking.
package searches

import (
	"log/slog"

	"plaza/functions/job"
	"plaza/server/pg"
)

// Alerts tells users of searches that found nobody as soon as somebody is found.
func Alerts(db *pg.DB, log *slog.Logger) job.OneByOne {
	return job.OneByOne{DB: db, Log: log, What: "asking searches that are waited for", Next: `select private.ask_search_alert()`}
}
