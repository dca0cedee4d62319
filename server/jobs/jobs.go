// Package jobs runs the background jobs of a cluster: each on one of its servers.
//
// A server counts its heartbeats in a row of plaza.job_servers, by one statement for all its jobs.
// After each it may run its jobs for leaseTime. Another server takes them over once it has itself seen
// the count stand still for takeoverTime, which is at least twice as long. Both measure with their own
// monotonic clocks, and no two clocks are ever compared, so clocks that are wrong, on a server or at the
// database, change nothing. A database that loses its last commits, as a replica that is promoted may,
// loses heartbeats of leaseTime at most: hence twice as long.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"plaza/server/pg"
	"plaza/server/wake"
)

// Times of the lease.
const (
	beatInterval = 1500 * time.Millisecond
	beatTimeout  = 2 * time.Second // of a heartbeat's statements
	retryBeat    = 500 * time.Millisecond
	leaseTime    = 4 * time.Second
	takeoverTime = 2 * leaseTime

	// MoveTime is how long a job may be without a leader after its server has died. The last heartbeat is seen up to
	// beatInterval late.
	MoveTime = beatInterval + takeoverTime

	recordInterval = 15 * time.Second // of storing results; a job that begins or ceases to fail is stored at once
	retryInterval  = time.Minute      // after a failed run; shorter for jobs whose Every is
	stopTimeout    = 5 * time.Second  // for the statements of a server that stops
)

// Job is background work. One server leads it and runs it at intervals.
type Job struct {
	Name  string        // in metrics and `plaza status`
	Every time.Duration // from the start of a run to the start of the next
	Run   func(ctx context.Context) error

	// Wake also starts runs, at once and on this server, whether it leads the job or not. It is for work
	// that waits in a table: rows must be claimed, so that runs on several servers share them. May be nil.
	Wake wake.Signal

	// Lead replaces Every and Run for work that decides itself what is due: it is called once this server
	// leads the job, and again if it returns, until ctx ends. vacant is for how long no server had led the
	// job; 0 means that none has since this server started, or that this server led it until now.
	Lead func(ctx context.Context, vacant time.Duration) error
}

// Options configure a Runner.
type Options struct {
	DB   *pg.DB // nil: this is the only server, and nothing is stored
	Name string // of this server, as `plaza status` shows it
	Log  *slog.Logger
	Now  func() time.Time // with a monotonic reading
}

// Runner runs jobs on this server while it leads them.
type Runner struct {
	db   *pg.DB
	name string
	log  *slog.Logger
	now  func() time.Time

	beatTimeout time.Duration

	// Only the goroutine of Run uses these.
	id       string           // of this server's row
	peers    map[string]*peer // by id
	instance string           // when PostgreSQL was started, as a text; empty: no heartbeat has succeeded yet
	steady   time.Time        // since when each heartbeat has reached that instance; zero: the last one failed
	stored   time.Time        // when results were stored last

	hasFailed bool // the last heartbeat failed

	mu    sync.Mutex
	jobs  []*job
	until time.Time // end of the lease
	timer *time.Timer
}

// peer is another server.
type peer struct {
	beats int64
	since time.Time // when this server first saw the count
}

// New returns a Runner without jobs.
func New(o Options) *Runner {
	return &Runner{db: o.DB, name: o.Name, log: o.Log, now: o.Now, beatTimeout: beatTimeout, id: uuid.NewString(), peers: make(map[string]*peer)}
}

// Add adds jobs. It must not be called after Run.
func (r *Runner) Add(jobs ...Job) {
	for _, j := range jobs {
		r.jobs = append(r.jobs, &job{Job: j, leads: make(chan lead, 1)})
	}
}

// Run runs the jobs until ctx ends and the runs under way have ended. It then gives the jobs up, so that
// another server runs them at once.
func (r *Runner) Run(ctx context.Context) {
	ended := r.startLoops(ctx)
	if r.db == nil {
		for _, j := range r.jobs {
			j.start(ctx, 0, r.now())
		}
		<-ended
		return
	}
	// The heartbeats outlast ctx: until its runs have ended, no other server may begin one.
	beating := context.WithoutCancel(ctx)
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-next.C:
			next.Reset(r.beat(beating, ctx))
		case <-ended:
			r.leave(beating)
			return
		}
	}
}

// startLoops starts a loop for each job, which waits until this server leads it, and returns a channel that
// is closed when all have ended after ctx.
func (r *Runner) startLoops(ctx context.Context) (ended chan struct{}) {
	var loops sync.WaitGroup
	for _, j := range r.jobs {
		loops.Go(func() { r.loop(ctx, j) })
	}
	ended = make(chan struct{})
	go func() {
		loops.Wait()
		close(ended)
	}()
	return ended
}

// expire ends the runs of this server's jobs when the lease has ended.
func (r *Runner) expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := r.until.Sub(r.now())
	if left > 0 {
		r.timer.Reset(left)
		return
	}
	r.dropAll("the database confirmed no heartbeat in time")
}

// extend sets the end of the lease, counted from when the heartbeat was sent. It reports whether that end is
// in the future.
func (r *Runner) extend(sent time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = sent.Add(leaseTime)
	left := r.until.Sub(r.now())
	if left <= 0 {
		r.dropAll("the database confirmed the heartbeat too late")
		return false
	}
	if r.timer == nil {
		r.timer = time.AfterFunc(left, r.expire)
	} else {
		r.timer.Reset(left)
	}
	return true
}

// dropAll ends the runs of all jobs that this server leads. r.mu is held.
func (r *Runner) dropAll(reason string) {
	dropped := 0
	for _, j := range r.jobs {
		if j.drop() {
			dropped++
		}
	}
	if dropped > 0 {
		r.log.Warn("this server gives up its background jobs", "reason", reason, "jobs", dropped)
	}
}

// run runs a job's function, and turns a panic into an error: otherwise a job that panics would end one
// server after the other.
func (r *Runner) run(ctx context.Context, j *job, work func(context.Context) error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
			r.log.ErrorContext(ctx, "a background job has panicked", "job", j.Name, "panic", cause, "stack", string(debug.Stack()))
		}
	}()
	return work(ctx)
}
