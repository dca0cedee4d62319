// Package imports runs the imports of businesses that admins have prepared from CSV files.
package imports

import (
	"context"
	"time"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/project"
)

const (
	// runEvery is the longest time that an admin waits for the start of an import.
	runEvery = 2 * time.Second
	// removeEvery is far below the day after which an import is removed.
	removeEvery = time.Hour
)

// Run returns the job that inserts the businesses of imports, each import in one transaction:
// nothing of it remains if the server is killed, and another server starts it again.
func Run(p project.Parts) jobs.Job {
	return jobs.Job{Name: "imports", Every: runEvery, Run: func(ctx context.Context) error {
		for {
			var found bool
			err := p.DB.QueryRowAsService(ctx, pg.ServiceRole, `select private.run_next_import()`, nil, &found)
			if err != nil || !found {
				return err
			}
		}
	}}
}

// RemoveOld returns the job that removes imports after a day, with the rows that were not
// imported.
func RemoveOld(p project.Parts) jobs.Job {
	return jobs.Job{Name: "imports_removal", Every: removeEvery, Run: func(ctx context.Context) error {
		var removed int
		return p.DB.QueryRowAsService(ctx, pg.ServiceRole, `select private.remove_old_imports()`, nil, &removed)
	}}
}
