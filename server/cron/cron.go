// Package cron runs the jobs of the stand-in for the extension pg_cron.
//
// One of several servers runs the jobs, see package jobs. When it ends, another takes over and starts the
// runs that became due meanwhile. A job never overlaps with itself; runs that become due meanwhile wait.
package cron

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
	_ "time/tzdata" // the host may have no time zone database

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/wake"
)

// Limits of the scheduler.
const (
	cleanInterval   = time.Hour     // between removals of old runs
	maxRemoved      = 1000          // runs that are removed at once
	maxPending      = 60            // runs of a job that wait for one under way
	maxRunningLimit = 32            // Source: pg_cron's default
	handoverMargin  = jobs.MoveTime // how long before it was last known to lead a dead leader may have stopped starting runs
)

// Config configures the jobs. Names and defaults are pg_cron's where it has the setting.
type Config struct {
	MaxRunning int           `env:"MAX_RUNNING_JOBS" envDefault:"8"` // each uses a connection; pg_cron: 32
	Timezone   string        `env:"TIMEZONE" envDefault:"GMT"`       // of schedules
	LogRun     bool          `env:"LOG_RUN" envDefault:"true"`       // into cron.job_run_details
	Retention  time.Duration `env:"RUN_RETENTION" envDefault:"168h"` // of rows in cron.job_run_details; 0 keeps all, as pg_cron does
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

	covered time.Time // jobs that were due up to this minute need not be started; used by lead alone

	wake.Signal // makes lead read the jobs again
}

// New returns a Scheduler. Its Job runs the jobs of the database.
func New(cfg Config, db *pg.DB, now func() time.Time, log *slog.Logger) (*Scheduler, error) {
	zone, err := time.LoadLocation(cfg.Timezone)
	if err != nil {
		return nil, err
	}
	s := &Scheduler{cfg: cfg, zone: zone, db: db, log: log, now: now, Signal: wake.NewSignal()}
	s.covered = s.minute(now())
	return s, nil
}

// minute returns the start of a time's minute in the time zone of the schedules.
func (s *Scheduler) minute(at time.Time) time.Time { return at.In(s.zone).Truncate(time.Minute) }

// Job returns the background job that runs those of the database.
func (s *Scheduler) Job() jobs.Job { return jobs.Job{Name: "pg_cron", Lead: s.lead} }

// lead runs jobs until ctx ends, then it cancels running ones. vacant is how long no server has run
// them; 0 means that this server still did, or that none has since it started.
func (s *Scheduler) lead(ctx context.Context, vacant time.Duration) error {
	if vacant > 0 {
		if s.cfg.LogRun { // the log shows what the former leader has started, so no run is started twice
			vacant += handoverMargin
		}
		s.covered = s.minute(s.now().Add(-vacant))
	}
	for {
		var standIn bool
		if err := s.db.Owner().QueryRow(ctx, isStandIn).Scan(&standIn); err != nil {
			return err
		}
		if standIn {
			return s.runTurn(ctx)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.Signal: // also sent when the stand-in is created
			s.covered = s.minute(s.now())
		}
	}
}

// runTurn runs jobs until ctx ends or a query fails. First it marks the runs of a former leader as failed.
func (s *Scheduler) runTurn(ctx context.Context) error {
	if _, err := s.db.Owner().Exec(ctx, failInterrupted); err != nil {
		return err
	}
	t := newTurn(s)
	defer t.stop()
	if err := t.resume(ctx); err != nil {
		return err
	}
	return t.run(ctx)
}
