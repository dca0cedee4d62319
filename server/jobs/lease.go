package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// state is what a heartbeat returns.
type state struct {
	instance string
	beats    map[string]int64    // of the other servers, by id
	jobs     map[string]jobState // of this server's jobs, those that a server has ever led
}

type jobState struct {
	Server     string   `json:"server"`      // empty: none
	SuccessAge *float64 `json:"success_age"` // seconds since the last success
}

// beat sends a heartbeat, and starts and ends jobs accordingly. It returns when the next one is due. No job
// is started once running has ended.
func (r *Runner) beat(ctx, running context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, r.beatTimeout)
	defer cancel()
	if err := r.tryBeat(ctx, running); err != nil {
		if !r.hasFailed {
			r.log.WarnContext(ctx, "a heartbeat of the background jobs has failed", "error", err)
		}
		r.hasFailed = true
		r.steady = time.Time{}
		return retryBeat
	}
	r.hasFailed = false
	wait := beatInterval
	for _, peer := range r.peers {
		if left := peer.since.Add(takeoverTime).Sub(r.now()); left > 0 {
			wait = min(wait, left)
		}
	}
	return wait
}

func (r *Runner) tryBeat(ctx, running context.Context) error {
	isFirst := r.instance == ""
	sent := r.now()
	found, err := r.sendBeat(ctx)
	if err != nil {
		return err
	}
	if !r.extend(sent) {
		return errLate
	}
	if r.steady.IsZero() || r.instance != found.instance {
		r.steady = sent
	}
	r.instance = found.instance
	if isFirst {
		if _, err := r.db.Owner().Exec(ctx, forgetJobs); err != nil {
			return err
		}
	}
	r.observe(found.beats)
	r.follow(running, sent, found.jobs)
	dead := r.dead(sent)
	for _, id := range dead {
		if err := r.remove(ctx, id); err != nil {
			return err
		}
	}
	if running.Err() == nil && (r.isSteady(sent) || isFirst && len(r.peers) == 0) {
		if err := r.take(ctx, running, found.jobs, dead); err != nil {
			return err
		}
	}
	return r.store(ctx, false)
}

var errLate = errors.New("the answer came after the end of the lease")

// isSteady reports whether all heartbeats have reached the same instance of PostgreSQL for the time of a
// lease. Before that, a job that is free in the database may still have a leader: when a replica was
// promoted, the commit that made it the leader may have been lost. That server notices with its next
// heartbeat, or its lease ends.
func (r *Runner) isSteady(sent time.Time) bool { return sent.Sub(r.steady) >= leaseTime }

func (r *Runner) sendBeat(ctx context.Context) (found state, err error) {
	names := make([]string, len(r.jobs))
	for i, j := range r.jobs {
		names[i] = j.Name
	}
	var beats, jobs []byte
	var off string
	if err := r.db.Owner().QueryRow(ctx, sendBeat, r.id, r.name, names).Scan(&off, &found.instance, &beats, &jobs); err != nil {
		return found, err
	}
	return found, errors.Join(json.Unmarshal(beats, &found.beats), json.Unmarshal(jobs, &found.jobs))
}

// observe notes the counts of the other servers.
func (r *Runner) observe(beats map[string]int64) {
	now := r.now()
	for id := range r.peers {
		if _, ok := beats[id]; !ok {
			delete(r.peers, id)
		}
	}
	for id, count := range beats {
		switch known := r.peers[id]; {
		case known == nil || known.beats != count:
			r.peers[id] = &peer{beats: count, since: now}
		case known.since.Before(r.steady): // during an outage of the database, no server could send a heartbeat
			known.since = now
		}
	}
}

// dead returns the servers whose count has stood still for takeoverTime.
func (r *Runner) dead(sent time.Time) []string {
	var ids []string
	for id, peer := range r.peers {
		if sent.Sub(peer.since) >= takeoverTime {
			ids = append(ids, id)
		}
	}
	return ids
}

// follow starts the jobs that the database says this server leads, and ends all others.
func (r *Runner) follow(running context.Context, sent time.Time, jobs map[string]jobState) {
	now := r.now()
	for _, j := range r.jobs {
		found := jobs[j.Name]
		if found.SuccessAge != nil {
			j.noteSuccess(now.Add(-seconds(*found.SuccessAge)))
		}
		if found.Server == r.id {
			j.start(running, j.vacancy(now), time.Time{})
			j.setHeld(sent)
			continue
		}
		if j.drop() {
			r.log.WarnContext(running, "this server no longer leads a background job", "job", j.Name)
		}
		if peer := r.peers[found.Server]; peer != nil {
			j.setHeld(peer.since)
		}
	}
}

// remove removes another server, unless it has sent a heartbeat meanwhile.
func (r *Runner) remove(ctx context.Context, id string) error {
	var name string
	err := r.db.Owner().QueryRow(ctx, removeServer, id, r.peers[id].beats).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove a server that has ended: %w", err)
	}
	r.log.WarnContext(ctx, "another server sends no heartbeats: its background jobs move", "server", name)
	delete(r.peers, id)
	return nil
}

// take makes this server the leader of the jobs that are free.
func (r *Runner) take(ctx, running context.Context, jobs map[string]jobState, dead []string) error {
	var free []string
	for _, j := range r.jobs {
		if server := jobs[j.Name].Server; server == "" || slices.Contains(dead, server) {
			free = append(free, j.Name)
		}
	}
	if len(free) == 0 {
		return nil
	}
	rows, err := r.db.Owner().Query(ctx, takeJobs, r.id, free)
	if err != nil {
		return fmt.Errorf("take jobs: %w", err)
	}
	var name string
	var age *float64
	var taken []string
	_, err = pgx.ForEachRow(rows, []any{&name, &age}, func() error {
		taken = append(taken, name)
		i := slices.IndexFunc(r.jobs, func(j *job) bool { return j.Name == name })
		j, now := r.jobs[i], r.now()
		due := now
		if age != nil && *age >= 0 { // PostgreSQL's clock may have been set back
			due = now.Add(j.Every - seconds(*age))
		}
		j.start(running, j.vacancy(now), due)
		return nil
	})
	if err != nil {
		return fmt.Errorf("take jobs: %w", err)
	}
	if len(taken) > 0 {
		r.log.DebugContext(ctx, "this server runs background jobs", "jobs", taken)
	}
	return nil
}

// leave stores the last results and removes this server, whose jobs are free then.
func (r *Runner) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	r.mu.Lock()
	if r.timer != nil {
		r.timer.Stop()
	}
	for _, j := range r.jobs {
		j.drop()
	}
	r.mu.Unlock()
	err := r.store(ctx, true)
	if _, failed := r.db.Owner().Exec(ctx, leave, r.id); failed != nil {
		err = errors.Join(err, failed)
	}
	if err != nil {
		r.log.WarnContext(ctx, "the background jobs move to another server only after a while", "error", err)
	}
}

// vacancy returns for how long no server has led a job, as far as this one knows; 0: none has led it
// since this one started.
func (j *job) vacancy(now time.Time) time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.held.IsZero() {
		return 0
	}
	return max(time.Nanosecond, now.Sub(j.held))
}

func (j *job) setHeld(at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held = at
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
