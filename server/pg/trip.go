package pg

import (
	"cmp"
	"context"
	"errors"
	"time"

	"plaza/server/claims"
	"plaza/server/pg/queue"
	"plaza/server/tracing"
)

// job is one statement of one caller, a transaction of its own.
type job struct {
	ctx       context.Context // of the request that waits for the job
	who       claims.Caller
	set       Settings
	statement Statement
	scan      func(row [][]byte) error
	alone     bool // on the present trip

	span *tracing.Span // nil: the request is not traced

	need      LSN  // what a replica must have replayed
	scanned   bool // a row was given to scan
	committed LSN  // where the job can be seen from, if it was a write
	err       error
}

// Shape is what the job's statement is known by.
func (j *job) Shape() queue.Shape { return queue.Shape{Role: j.who.Role, SQL: j.statement.SQL} }

// MayShare reports whether the job may share a round trip: a write can wait for a lock.
func (j *job) MayShare() bool { return j.set.ReadOnly && !j.set.Rollback && j.set.Verify == nil }

// errUnfinished is the outcome of a job until it has one.
var errUnfinished = errors.New("the statement was not run to its end")

// run does a job and those that share its round trip.
func (l *lease) run(first *job, others []*queue.Waiter[*job]) {
	jobs := make([]*job, 1, 1+len(others))
	jobs[0] = first
	for _, other := range others {
		other.Job.err = errUnfinished
		jobs = append(jobs, other.Job)
	}
	defer func() { // also where a job panics
		for _, other := range others {
			other.Done()
		}
	}()
	l.trip(jobs)
	for _, j := range jobs {
		l.retry(j)
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
		ctx = l.at.outlast(ctx)
	}
	l.at.queue.CountTrip(len(jobs))
	l.limit(jobs)
	pipeline, err := l.pipeline(ctx)
	if err != nil {
		fail(jobs, err)
		return
	}
	sent := make([][]sentStatement, len(jobs))
	for i, j := range jobs {
		j.alone = len(jobs) == 1
		j.note(l, len(jobs))
		sent[i] = l.send(pipeline, j)
	}
	position := l.askPosition(pipeline, jobs[0])
	began := time.Now()
	if err := pipeline.flush(); err != nil {
		fail(jobs, err)
		return
	}
	for i, j := range jobs {
		j.err = pipeline.read(sent[i], j)
		now := time.Now()
		if !pipeline.prepares(sent[i]) { // the time to prepare says nothing of the next
			l.at.queue.Observe(j.Shape(), now.Sub(began))
		}
		began = now
	}
	if position != nil {
		err := pipeline.read(position, jobs[0])
		jobs[0].err = cmp.Or(jobs[0].err, err)
	}
	if jobs[0].set.Verify != nil || jobs[0].set.Rollback && jobs[0].err != nil {
		l.finish(ctx, jobs[0])
	}
}

// limit has the database asked whether it lives when it is silent for longer than any
// of the jobs may take.
func (l *lease) limit(jobs []*job) {
	roles, longest := l.at.roles.Load(), time.Duration(0)
	for _, j := range jobs {
		patience := roles.patience(j)
		if patience == 0 {
			longest = 0
			break
		}
		longest = max(longest, patience)
	}
	setLimit(l.raw(), longest)
}

func fail(jobs []*job, err error) {
	for _, j := range jobs {
		j.err = err
	}
}

func (l *lease) pipeline(ctx context.Context) (*pipelineRun, error) {
	run, err := startPipeline(ctx, l.raw(), l.at.unprepared)
	if err == nil {
		run.statements.keepUp(l.at.epoch.Load())
	}
	return run, err
}

// send puts a job's statements into the pipeline.
func (l *lease) send(pipeline *pipelineRun, j *job) []sentStatement {
	pipeline.begin()
	role, set := j.who.Role, j.set
	sent := make([]sentStatement, 0, 2) // the usual number
	if set.Rollback || set.Verify != nil {
		sent = append(sent, pipeline.send(role, set.begin(), nil))
	}
	sent = l.sendSettings(pipeline, j, sent)
	sent = l.sendStatement(pipeline, j, sent)
	if set.Rollback && set.Verify == nil {
		sent = append(sent, pipeline.send(role, checkSQL, nil), pipeline.send(role, rollbackSQL, nil))
	}
	return sent
}

// sendSettings has the transaction become the caller's, with its settings.
func (l *lease) sendSettings(pipeline *pipelineRun, j *job, sent []sentStatement) []sentStatement {
	role, set, arguments := j.who.Role, j.set, &pipeline.statements.arguments
	become := pipeline.send(role, l.at.roles.Load().statement(role), settingArgs(arguments, j.who, set))
	if l.at.replica {
		become.scan = j.checkReplayed
	}
	sent = append(sent, become)
	if set.SearchPath != "" || set.TimeZone != "" {
		sent = append(sent, pipeline.send(role, extraSettingsSQL, arguments.put(set.SearchPath, set.TimeZone)))
	}
	if len(set.Locals) > 0 {
		sent = append(sent, pipeline.send(role, localsSQL(set.Locals), nil))
	}
	if set.Before != "" {
		sent = append(sent, pipeline.send(role, set.Before, nil))
	}
	return sent
}

func (l *lease) sendStatement(pipeline *pipelineRun, j *job, sent []sentStatement) []sentStatement {
	main := pipeline.sendStatement(j.who.Role, j.statement)
	main.main, main.scan = true, j.scan
	sent = append(sent, main)
	if j.set.After != "" {
		after := pipeline.send(j.who.Role, j.set.After, nil)
		after.scan = j.set.AfterRow
		sent = append(sent, after)
	}
	return sent
}
