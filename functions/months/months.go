// Package months keeps the partitions of the tables that grow with time.
package months

import (
	"context"
	"time"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/project"
)

// keepEvery is far below a month, which a partition is made ahead of.
const keepEvery = time.Hour

// Keep returns the job that makes the partitions of the next months and drops those past their
// retention (private.market_settings).
func Keep(p project.Parts) jobs.Job {
	return jobs.Job{Name: "months", Every: keepEvery, Run: func(ctx context.Context) error {
		for dropped := 1; dropped > 0; {
			if err := p.DB.QueryRowAsService(ctx, pg.ServiceRole, `select private.keep_months()`, nil, &dropped); err != nil {
				return err
			}
		}
		return nil
	}}
}
