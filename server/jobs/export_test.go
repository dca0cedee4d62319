package jobs

import (
	"context"
	"time"
)

// Times of the lease.
const (
	BeatInterval  = beatInterval
	LeaseTime     = leaseTime
	TakeoverTime  = takeoverTime
	RetryInterval = retryInterval
)

// Begin starts the loops of the jobs without heartbeats, which Beat sends.
func (r *Runner) Begin(ctx context.Context) (ended chan struct{}) {
	r.beatTimeout = time.Hour
	return r.startLoops(ctx)
}

// Beat sends a heartbeat.
func (r *Runner) Beat(ctx, running context.Context) { r.beat(ctx, running) }

// Expire does what the timer of the lease does.
func (r *Runner) Expire() { r.expire() }

// Leave gives all jobs up.
func (r *Runner) Leave(ctx context.Context) { r.leave(ctx) }

// Leads reports whether this server leads a job.
func (r *Runner) Leads(name string) bool {
	for _, s := range r.Stats() {
		if s.Name == name {
			return s.Leads
		}
	}
	return false
}
