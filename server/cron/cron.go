// Package cron runs the jobs of the stand-in for the extension pg_cron.
//
// Of several servers one runs the jobs: it holds a lock on a connection of its own. Another takes
// over when it ends, and starts the runs that became due meanwhile. A job never overlaps with
// itself; runs that become due meanwhile wait.
package cron

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
	_ "time/tzdata" // the host may have no time zone database

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/server/wake"
)

// Limits of the scheduler.
const (
	leadInterval    = 5 * time.Second // how often a server looks whether it is to run the jobs
	cleanInterval   = time.Hour       // of removing old runs
	maxRemoved      = 1000            // runs that are removed at once
	maxPending      = 60              // runs of a job that wait for one under way
	maxRunningLimit = 32              // Source: pg_cron's default
)

// Config configures the jobs. Names and defaults are pg_cron's where it has the setting.
type Config struct {
	MaxRunning int           `env:"MAX_RUNNING_JOBS" envDefault:"8"` // each uses a connection; pg_cron: 32
	Timezone   string        `env:"TIMEZONE" envDefault:"GMT"`       // of schedules
	LogRun     bool          `env:"LOG_RUN" envDefault:"true"`       // into cron.job_run_details
	Retention  time.Duration `env:"RUN_RETENTION" envDefault:"168h"` // of runs; 0 keeps all, as pg_cron does
}

// Check returns an error that lists all invalid settings.
func (c Config) Check() error {
	var wrong []error
	if c.MaxRunning < 1 || c.MaxRunning > maxRunningLimit {
		wrong = append(wrong, fmt.Errorf("CRON_MAX_RUNNING_JOBS is %d: use 1 to %d", c.MaxRunning, maxRunningLimit))
	}
	if _, err := time.LoadLocation(c.Timezone); err != nil {
		wrong = append(wrong, fmt.Errorf("CRON_TIMEZONE is %q: use a name such as Europe/Madrid", c.Timezone))
	}
	if c.Retention < 0 {
		wrong = append(wrong, fmt.Errorf("CRON_RUN_RETENTION is %s: use 0 or a duration such as 168h", c.Retention))
	}
	return errors.Join(wrong...)
}

// Scheduler runs the jobs of a database.
type Scheduler struct {
	cfg  Config
	zone *time.Location
	db   *pg.DB
	log  *slog.Logger
	now  func() time.Time

	wake.Signal // makes Run read the jobs again
}

// New returns a Scheduler. Run runs its jobs.
func New(cfg Config, db *pg.DB, now func() time.Time, log *slog.Logger) (*Scheduler, error) {
	zone, err := time.LoadLocation(cfg.Timezone)
	if err != nil {
		return nil, err
	}
	return &Scheduler{cfg: cfg, zone: zone, db: db, log: log, now: now, Signal: wake.NewSignal()}, nil
}

// minute returns the start of the current minute in the time zone of the schedules.
func (s *Scheduler) minute() time.Time { return s.now().In(s.zone).Truncate(time.Minute) }

// Run runs jobs until ctx ends; those under way are cancelled then.
func (s *Scheduler) Run(ctx context.Context) {
	since := s.minute() // the last minute whose jobs this server need not start
	for ctx.Err() == nil {
		var standIn, led bool
		err := s.db.Owner().QueryRow(ctx, selectState, lockKey).Scan(&standIn, &led)
		if err == nil && standIn && !led {
			led, err = s.lead(ctx, since)
		}
		if err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "the jobs of cron.job cannot be run", "error", err)
		}
		again := time.After(leadInterval)
		if err == nil {
			since = s.minute()
			if !standIn {
				again = nil // its creation wakes this loop
			}
		}
		select {
		case <-ctx.Done():
		case <-s.Signal:
		case <-again:
		}
	}
}

// lead runs jobs while this server holds the lock. led reports that another server holds it.
func (s *Scheduler) lead(ctx context.Context, since time.Time) (led bool, err error) {
	conn, err := s.db.Connect(ctx, func(c *pgx.ConnConfig) { c.RuntimeParams["application_name"] = "pg_cron scheduler" })
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var leads bool
	if err := conn.QueryRow(ctx, tryLead, lockKey).Scan(&leads); err != nil || !leads {
		return !leads, err
	}
	if _, err := conn.Exec(ctx, failInterrupted); err != nil {
		return false, err
	}
	t := newTurn(s, conn, since)
	defer t.stop()
	if err := t.resume(ctx); err != nil {
		return false, err
	}
	return false, t.run(ctx)
}
