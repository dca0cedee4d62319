package jobs

import (
	"context"
	"sync"
	"time"
)

// job is a job of a Runner. Its fields below mu are shared by the Runner and the job's loop.
type job struct {
	Job
	leads chan lead // the newest term of leadership that the loop has not begun

	mu      sync.Mutex
	cancel  context.CancelFunc // ends the current term; nil: this server does not lead
	held    time.Time          // when a server was last known to lead the job; zero: never
	next    time.Time          // when a run is due
	unsaved outcome
	stat    Stat
}

// lead is a term in which this server leads a job.
type lead struct {
	ctx    context.Context
	vacant time.Duration
}

// outcome holds results of a job's runs that are not stored yet.
type outcome struct {
	runs, failures         int64
	started, ended, worked time.Time // of the last run; worked: of the last one without an error. Zero: unchanged
	err                    string    // of the last run
	isUrgent               bool      // the job has begun or ceased to fail
}

// start begins a term, whose first run is due at a time; the zero time leaves that as it was. The term ends
// with ctx, or by drop. It does nothing if this server leads the job already.
func (j *job) start(ctx context.Context, vacant time.Duration, due time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil || ctx.Err() != nil {
		return
	}
	term, cancel := context.WithCancel(ctx)
	j.cancel, j.stat.Leads = cancel, true
	if !due.IsZero() {
		j.next = due
	}
	select {
	case <-j.leads: // ended before the loop could begin it
	default:
	}
	j.leads <- lead{term, vacant}
}

// drop ends this server's term, and reports whether there was one.
func (j *job) drop() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel == nil {
		return false
	}
	j.cancel()
	j.cancel, j.stat.Leads = nil, false
	return true
}

// loop runs a job until ctx ends. No two runs of a job overlap on a server: a new term waits for the end of
// a run of the last one.
func (r *Runner) loop(ctx context.Context, j *job) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.Wake:
			r.runOnce(ctx, j)
		case term := <-j.leads:
			if j.Lead != nil {
				r.lead(term, j)
			} else {
				r.repeat(ctx, term.ctx, j)
			}
		}
	}
}

// repeat runs a job at its intervals until its term ends. ctx is that of the server.
func (r *Runner) repeat(ctx, term context.Context, j *job) {
	due := time.NewTimer(j.untilDue(r.now()))
	defer due.Stop()
	for {
		select {
		case <-term.Done():
			return
		case <-due.C:
			r.runOnce(term, j)
		case <-j.Wake:
			r.runOnce(ctx, j)
		}
		due.Reset(j.untilDue(r.now()))
	}
}

func (j *job) untilDue(now time.Time) time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	return max(0, j.next.Sub(now))
}

// runOnce runs a job and notes the outcome. A run that was cancelled has none, and is due again.
func (r *Runner) runOnce(ctx context.Context, j *job) {
	if ctx.Err() != nil {
		return
	}
	started := r.now()
	err := r.run(ctx, j, j.Run)
	if err != nil && ctx.Err() != nil {
		return
	}
	if err != nil {
		r.log.WarnContext(ctx, "a background job has failed", "job", j.Name, "error", err)
	}
	j.note(started, r.now(), err)
}

// lead runs a job that has a Lead function, until its term ends.
func (r *Runner) lead(term lead, j *job) {
	for vacant := term.vacant; term.ctx.Err() == nil; vacant = 0 {
		started := r.now()
		j.noteStart(started)
		err := r.run(term.ctx, j, func(ctx context.Context) error { return j.Lead(ctx, vacant) })
		if term.ctx.Err() != nil {
			return
		}
		if err != nil {
			r.log.WarnContext(term.ctx, "a background job has failed", "job", j.Name, "error", err)
		}
		j.note(started, r.now(), err)
		pause := time.NewTimer(leadPause)
		select {
		case <-term.ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// leadPause is the pause before Lead is called again.
const leadPause = time.Second

// noteStart notes the start of a call of Lead.
func (j *job) noteStart(at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.unsaved.started, j.unsaved.isUrgent = at, true
}

// note notes the outcome of a run and when the next one is due.
func (j *job) note(started, ended time.Time, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	o := &j.unsaved
	o.started, o.ended, o.err = started, ended, ""
	o.runs++
	hasFailed := err != nil
	o.isUrgent = o.isUrgent || j.stat.Runs == 0 || hasFailed != j.stat.HasFailed
	pause := j.Every
	if hasFailed {
		o.failures++
		o.err = shorten(err.Error())
		pause = min(pause, retryInterval)
		j.stat.Failures++
	} else {
		o.worked, j.stat.LastSuccess = ended, ended
	}
	j.next = started.Add(pause)
	j.stat.Runs++
	j.stat.HasFailed, j.stat.Took = hasFailed, ended.Sub(started)
}
