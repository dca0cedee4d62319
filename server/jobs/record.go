package jobs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Stat is what this server knows of a job.
type Stat struct {
	Name        string
	Leads       bool          // this server leads it
	Runs        uint64        // on this server
	Failures    uint64        // … those that failed
	HasFailed   bool          // … the last one did
	Took        time.Duration // … the last one
	LastSuccess time.Time     // on any server; zero: none yet
}

// Stats returns what this server knows of the jobs.
func (r *Runner) Stats() []Stat {
	all := make([]Stat, len(r.jobs))
	for i, j := range r.jobs {
		j.mu.Lock()
		all[i] = j.stat
		j.mu.Unlock()
		all[i].Name = j.Name
	}
	return all
}

// noteSuccess notes that a run on some server has succeeded.
func (j *job) noteSuccess(at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if at.After(j.stat.LastSuccess) {
		j.stat.LastSuccess = at
	}
}

// store stores outcomes of runs: at once if all is set or one is urgent, otherwise every recordInterval.
func (r *Runner) store(ctx context.Context, all bool) error {
	now := r.now()
	if !all && now.Sub(r.stored) < recordInterval && !r.hasUrgent() {
		return nil
	}
	var names, errs []string
	var runs, failures []int64
	var started, ended, worked []*float64
	sent := make(map[*job]outcome)
	for _, j := range r.jobs {
		o := j.takeOutcome()
		if o.isEmpty() {
			continue
		}
		sent[j] = o
		names, errs, runs, failures = append(names, j.Name), append(errs, o.err), append(runs, o.runs), append(failures, o.failures)
		started, ended, worked = append(started, age(now, o.started)), append(ended, age(now, o.ended)), append(worked, age(now, o.worked))
	}
	r.stored = now
	if len(names) == 0 {
		return nil
	}
	if _, err := r.db.Owner().Exec(ctx, storeOutcomes, names, runs, failures, started, ended, worked, errs); err != nil {
		for j, o := range sent {
			j.returnOutcome(o)
		}
		return fmt.Errorf("store the results of jobs: %w", err)
	}
	return nil
}

// age returns the seconds since a time, or nil for the zero time.
func age(now, at time.Time) *float64 {
	if at.IsZero() {
		return nil
	}
	seconds := now.Sub(at).Seconds()
	return &seconds
}

func (r *Runner) hasUrgent() bool {
	for _, j := range r.jobs {
		j.mu.Lock()
		isUrgent := j.unsaved.isUrgent
		j.mu.Unlock()
		if isUrgent {
			return true
		}
	}
	return false
}

func (o outcome) isEmpty() bool { return o.runs == 0 && o.started.IsZero() }

func (j *job) takeOutcome() outcome {
	j.mu.Lock()
	defer j.mu.Unlock()
	o := j.unsaved
	j.unsaved = outcome{}
	return o
}

// returnOutcome merges an outcome that could not be stored into the unsaved one.
func (j *job) returnOutcome(o outcome) {
	j.mu.Lock()
	defer j.mu.Unlock()
	newer := j.unsaved
	o.runs, o.failures, o.isUrgent = o.runs+newer.runs, o.failures+newer.failures, true
	if !newer.started.IsZero() {
		o.started = newer.started
	}
	if !newer.ended.IsZero() {
		o.ended, o.err = newer.ended, newer.err
	}
	if !newer.worked.IsZero() {
		o.worked = newer.worked
	}
	j.unsaved = o
}

// maxError bounds the text of an error in the table, in bytes.
const maxError = 500

func shorten(text string) string {
	if len(text) > maxError {
		text = text[:maxError]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}

// Row is a job as the database has it. Times are the database's.
type Row struct {
	Name        string     `json:"name"`
	Server      string     `json:"server,omitempty"` // that runs it; empty: none
	Since       *time.Time `json:"since,omitempty"`
	LastStarted *time.Time `json:"last_started,omitempty"`
	LastEnded   *time.Time `json:"last_ended,omitempty"`
	LastSuccess *time.Time `json:"last_success,omitempty"`
	LastError   string     `json:"last_error,omitempty"` // of the last run; empty: it succeeded
	Runs        int64      `json:"runs"`
	Failures    int64      `json:"failures"`
}

// List returns the jobs of a database.
func List(ctx context.Context, conn *pgx.Conn) ([]Row, error) {
	rows, err := conn.Query(ctx, list)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Row])
}
