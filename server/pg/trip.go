package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/claims"
)

// job is one statement of one caller, a transaction of its own.
type job struct {
	ctx       context.Context //nolint:containedctx // of the request that waits for the job
	who       claims.Caller
	set       Settings
	statement Statement
	scan      func(row [][]byte) error
	alone     bool // on the present trip

	tag pgconn.CommandTag
	err error
}

// shape is what the job's statement is known by.
func (j *job) shape() shape { return shape{j.who.Role, j.statement.SQL} }

// errUnfinished is the outcome of a job until it has one.
var errUnfinished = errors.New("the statement was not run to its end")

// run does a job and those that ride along.
func (l *lease) run(first *job, riders []*waiter) {
	jobs := make([]*job, 1, 1+len(riders))
	jobs[0] = first
	for _, rider := range riders {
		rider.job.err = errUnfinished
		jobs = append(jobs, rider.job)
	}
	defer func() { // also where a job panics
		for _, rider := range riders {
			rider.turn <- turn{done: true}
		}
	}()
	l.trip(jobs)
	for _, j := range jobs {
		switch {
		case errors.Is(j.err, ErrAlone):
			l.trip([]*job{j})
		case isStalePlan(j.err):
			// A table changed since the statement was prepared and nothing had
			// been sent to the client: once more with a fresh plan.
			cacheOf(l.raw()).expire()
			l.trip([]*job{j})
		}
	}
}

// trip sends jobs in one write and reads their answers. Each is ended by a Sync,
// so that it is a transaction of its own and the failure of one leaves the
// others alone.
func (l *lease) trip(jobs []*job) {
	// A cancel request reaches whatever runs at that moment, so only a job that
	// is alone ends with its client; those that share are short.
	ctx := jobs[0].ctx
	if len(jobs) > 1 {
		ctx = context.WithoutCancel(ctx)
	}
	raw := l.raw()
	statements := cacheOf(raw)
	statements.keepUp(l.db.epoch.Load())
	pipeline := pipelineRun{line: raw.StartPipeline(ctx), statements: statements}
	sent := make([][]sentStatement, len(jobs))
	for i, j := range jobs {
		j.alone = len(jobs) == 1
		sent[i] = l.send(&pipeline, j)
	}
	began := time.Now()
	err := pipeline.line.Flush()
	for i, j := range jobs {
		if err != nil {
			j.err = unavailable(err)
			continue
		}
		j.tag, j.err = pipeline.read(sent[i], j)
		now := time.Now()
		if !pipeline.prepares(sent[i]) { // the time to prepare says nothing of the next
			l.db.line.note(j.shape(), now.Sub(began))
		}
		began = now
	}
	if closeErr := pipeline.line.Close(); jobs[0].err == nil && closeErr != nil {
		jobs[0].err = closeErr
	}
	if jobs[0].set.Verify != nil {
		jobs[0].err = finish(ctx, raw, jobs[0].set, jobs[0].err)
	}
}

// send puts a job's statements and its Sync into the pipeline.
func (l *lease) send(pipeline *pipelineRun, j *job) []sentStatement {
	role, set := j.who.Role, j.set
	sent := make([]sentStatement, 0, 4)
	if set.Rollback || set.Verify != nil {
		sent = append(sent, pipeline.send(role, beginSQL, nil))
	}
	sent = append(sent, pipeline.send(role, l.db.roles.Load().statement(role), settingArgs(j.who, set)))
	if set.SearchPath != "" || set.TimeZone != "" {
		sent = append(sent, pipeline.send(role, extraSettingsSQL, extraArgs(set)))
	}
	if set.Before != "" {
		sent = append(sent, pipeline.send(role, set.Before, nil))
	}
	main := pipeline.send(role, j.statement.SQL, j.statement.Args)
	main.main, main.scan = true, j.scan
	sent = append(sent, main)
	if set.After != "" {
		after := pipeline.send(role, set.After, nil)
		after.scan = set.AfterRow
		sent = append(sent, after)
	}
	if set.Rollback && set.Verify == nil {
		sent = append(sent, pipeline.send(role, rollbackSQL, nil))
	}
	pipeline.line.SendPipelineSync()
	return sent
}
