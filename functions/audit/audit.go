// Package audit keeps the partitions of the audit log.
package audit

import (
	"context"
	"time"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/project"
)

// keepEvery is far below a month, which a partition is made ahead of.
const keepEvery = time.Hour

// KeepMonths returns the job that makes the audit log's partitions of the next months and drops
// those past the retention (private.market_settings).
func KeepMonths(p project.Parts) jobs.Job {
	return jobs.Job{Name: "audit_months", Every: keepEvery, Run: func(ctx context.Context) error {
		var dropped int
		return p.DB.QueryRowAsService(ctx, pg.ServiceRole, `select private.keep_audit_months()`, nil, &dropped)
	}}
}
