package cron

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// definition is an active job of cron.job.
type definition struct {
	ID                          int64
	Command, Database, Username string
	Schedule                    Schedule
}

// job is the state of a job in a turn.
type job struct {
	definition
	active  bool                    // it is still in cron.job
	since   time.Time               // the last minute that was compared with the schedule
	started time.Time               // of the last run; before the first, when the job was read
	pending int                     // runs that are due and not started
	cancel  context.CancelCauseFunc // of the run under way; nil: none
}

// turn is the state of the scheduler while this server runs the jobs.
type turn struct {
	*Scheduler
	roles   roles
	jobs    map[int64]*job
	ended   chan int64 // ids of jobs whose run has ended
	running sync.WaitGroup
	started bool      // the jobs were read once; AtStart has no effect on jobs that are created later
	cleaned time.Time // when old runs were last removed
}

func newTurn(s *Scheduler) *turn {
	return &turn{Scheduler: s, jobs: make(map[int64]*job), ended: make(chan int64), roles: newRoles(s.db)}
}

// stop cancels the runs under way and waits for them.
func (t *turn) stop() {
	for _, job := range t.jobs {
		if job.cancel != nil {
			job.cancel(context.Canceled)
		}
	}
	finished := make(chan struct{})
	go func() {
		t.running.Wait()
		close(finished)
	}()
	for {
		select {
		case <-t.ended:
		case <-finished:
			return
		}
	}
}

// resume reads the jobs and when they were last started, so that a run that an earlier scheduler
// started is not started again.
func (t *turn) resume(ctx context.Context) error {
	if err := t.load(ctx); err != nil {
		return err
	}
	rows, err := t.db.Owner().Query(ctx, selectLastStarts, t.covered)
	if err != nil {
		return err
	}
	var id int64
	var at time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &at}, func() error {
		if job := t.jobs[id]; job != nil {
			job.started, job.since = at, t.minute(at)
		}
		return nil
	})
	return err
}

// load reads the jobs. A run of a job that is no longer active is cancelled.
func (t *turn) load(ctx context.Context) error {
	rows, err := t.db.Owner().Query(ctx, selectJobs, maxJobs)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d definition, err error) {
		s := &d.Schedule
		err = row.Scan(&d.ID, &d.Command, &d.Database, &d.Username, &s.Seconds, &s.AtStart, &s.Minutes, &s.Hours, &s.Days, &s.Months, &s.Weekdays,
			&s.AnyDay, &s.AnyWeekday, &s.LastDay)
		return d, err
	})
	if err != nil {
		return err
	}
	for _, job := range t.jobs {
		job.active = false
	}
	for _, d := range found {
		if known := t.jobs[d.ID]; known != nil {
			known.definition, known.active = d, true
			continue
		}
		made := &job{definition: d, active: true, since: t.covered, started: t.now()}
		if d.Schedule.AtStart && !t.started {
			made.pending = 1
		}
		t.jobs[d.ID] = made
	}
	t.started = true
	for id, job := range t.jobs {
		switch {
		case job.active:
		case job.cancel != nil:
			job.cancel(errCanceled)
		default:
			delete(t.jobs, id)
		}
	}
	return nil
}

// recordEnd records that a job's run has ended.
func (t *turn) recordEnd(id int64) {
	t.jobs[id].cancel = nil
	if !t.jobs[id].active {
		delete(t.jobs, id)
	}
}

// errCanceled ends the run of a job that was removed. Source: pg_cron's message.
var errCanceled = errors.New("job canceled")

// run starts jobs when they are due, until ctx ends or a query fails.
func (t *turn) run(ctx context.Context) error {
	for {
		t.collectDue()
		t.startPending(ctx)
		if err := t.clean(ctx); err != nil {
			return err
		}
		timer := time.NewTimer(t.nextDue())
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case id := <-t.ended:
			timer.Stop()
			t.recordEnd(id)
		case <-t.Signal:
			timer.Stop()
			if err := t.load(ctx); err != nil {
				return err
			}
		case <-timer.C:
			if err := t.load(ctx); err != nil {
				return err
			}
		}
	}
}

// collectDue counts the runs that have become due. Of a job with an interval, one run waits at most.
func (t *turn) collectDue() {
	minute := t.minute(t.now())
	for _, job := range t.jobs {
		if interval := time.Duration(job.Schedule.Seconds) * time.Second; interval > 0 {
			if job.pending == 0 && t.now().Sub(job.started) >= interval {
				job.pending = 1
			}
			continue
		}
		job.pending = min(maxPending, job.pending+job.Schedule.runs(job.since, minute))
		if minute.After(job.since) {
			job.since = minute
		}
	}
	if minute.After(t.covered) {
		t.covered = minute
	}
}

// startPending starts waiting runs, as many as may run at once.
func (t *turn) startPending(ctx context.Context) {
	running := 0
	for _, job := range t.jobs {
		if job.cancel != nil {
			running++
		}
	}
	for _, job := range t.jobs {
		if running >= t.cfg.MaxRunning {
			return
		}
		if job.pending == 0 || job.cancel != nil {
			continue
		}
		running++
		job.pending--
		job.started = t.now()
		one, cancel := context.WithCancelCause(ctx)
		job.cancel = cancel
		definition := job.definition
		t.running.Go(func() {
			t.execute(one, definition)
			cancel(nil)
			t.ended <- definition.ID
		})
	}
}

// nextDue returns how long it takes until a job may become due.
func (t *turn) nextDue() time.Duration {
	now := t.now()
	next := now.Truncate(time.Minute).Add(time.Minute).Sub(now)
	for _, job := range t.jobs {
		if interval := time.Duration(job.Schedule.Seconds) * time.Second; interval > 0 && job.cancel == nil && job.pending == 0 {
			next = min(next, max(time.Millisecond, job.started.Add(interval).Sub(now)))
		}
	}
	return next
}

// clean removes old runs.
func (t *turn) clean(ctx context.Context) error {
	if t.cfg.Retention == 0 || t.now().Sub(t.cleaned) < cleanInterval {
		return nil
	}
	t.cleaned = t.now()
	for {
		tag, err := t.db.Owner().Exec(ctx, removeRuns, t.cfg.Retention, maxRemoved)
		if err != nil || tag.RowsAffected() < maxRemoved {
			return err
		}
	}
}
