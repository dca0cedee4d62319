// Package integrity runs the integrity checks every night.
package integrity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/project"
)

// lookEvery is the longest delay between the hour of the run and its start.
const lookEvery = 10 * time.Minute

const (
	begin = `select private.begin_integrity_run($1)`
	kinds = `select coalesce(array_agg(key order by "position"), '{}') from private.integrity_kinds()`
	// A check that takes longer is recorded as one that failed.
	setTimeout = `set local statement_timeout = '60s'`
	record     = `select private.record_integrity_check($1)`
	finish     = `select private.finish_integrity_run($1)`
)

// Nightly returns the job that runs all integrity checks once a night, stores what they found and
// notifies admins of what is new (ADMIN-INTEG).
func Nightly(p project.Parts) jobs.Job {
	return jobs.Job{Name: "integrity_checks", Every: lookEvery, Run: func(ctx context.Context) error { return Run(ctx, p) }}
}

// Run runs the checks if it is time and no server has done so tonight.
func Run(ctx context.Context, p project.Parts) error {
	var isBegun bool
	if err := p.DB.QueryRowAsService(ctx, pg.ServiceRole, begin, []any{p.Now()}, &isBegun); err != nil || !isBegun {
		return err
	}
	var keys []string
	if err := p.DB.QueryRowAsService(ctx, pg.ServiceRole, kinds, nil, &keys); err != nil {
		return err
	}
	for _, key := range keys {
		if err := recordCheck(ctx, p.DB, key); err != nil {
			return fmt.Errorf("record %s: %w", key, err)
		}
	}
	var added int
	if err := p.DB.QueryRowAsService(ctx, pg.ServiceRole, finish, []any{p.Now()}, &added); err != nil {
		return err
	}
	p.Log.InfoContext(ctx, "checked the integrity of the data", "checks", len(keys), "new", added)
	return nil
}

// recordCheck runs a check in a transaction of its own.
func recordCheck(ctx context.Context, db *pg.DB, key string) error {
	return db.AsService(ctx, pg.ServiceRole, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, setTimeout); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, record, key)
		return err
	})
}
