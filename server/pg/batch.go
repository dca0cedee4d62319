package pg

import (
	"cmp"
	"context"
	"time"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
	"plaza/server/pg/queue"
	"plaza/server/tracing"
)

// job is one statement of one caller, which is a transaction of its own.
type job struct {
	pipeline.Run
	ctx  context.Context // of the request that waits for the job
	who  claims.Caller
	set  Settings
	scan func(row [][]byte) error

	span *tracing.Span // nil: the request is not traced

	need         LSN      // what a replica must have replayed
	committed    position // where the job can be seen from, if it was a write
	positionLost bool     // it is committed, but its position could not be read: err is why
	ending       bool     // its explicit transaction was told to commit
	err          error
}

// Shape identifies the job's statement.
func (j *job) Shape() queue.Shape { return queue.Shape{Role: j.who.Role, SQL: j.Statement.SQL} }

// MayShare reports whether the job may share a round trip. A write may not, as it can wait for a lock.
func (j *job) MayShare() bool { return j.set.ReadOnly && !j.set.Rollback && j.set.Verify == nil }

// run runs a job and those that share its round trip.
func (l *lease) run(first *job, others []*queue.Waiter[*job]) {
	jobs := make([]*job, 1, 1+len(others))
	jobs[0] = first
	for _, other := range others {
		other.Job.err = pipeline.ErrUnfinished
		jobs = append(jobs, other.Job)
	}
	defer func() { // also where a job panics
		for _, other := range others {
			other.Done()
		}
	}()
	l.runBatch(jobs)
	for _, j := range jobs {
		l.retry(j)
	}
}

// runBatch sends jobs in one write and reads their results. Each ends with a Sync, so
// that it is a transaction of its own and its failure does not affect the others.
func (l *lease) runBatch(jobs []*job) {
	// A cancel request cancels whatever runs at that moment, so only a job that is
	// alone is cancelled when its client disconnects; jobs that share are short.
	ctx := jobs[0].ctx
	if len(jobs) > 1 {
		ctx = l.at.outlast(ctx)
	}
	l.at.queue.CountBatch(len(jobs))
	l.setReplyTimeout(jobs)
	line, err := l.start(ctx)
	if err != nil {
		fail(jobs, err)
		return
	}
	sent := make([][]pipeline.Sent, len(jobs))
	for i, j := range jobs {
		j.Alone = len(jobs) == 1
		j.noteSent(l, len(jobs))
		sent[i] = l.send(line, j)
	}
	position := l.askPosition(line, jobs[0])
	began := time.Now()
	if err := line.Flush(); err != nil {
		fail(jobs, err)
		return
	}
	for i, j := range jobs {
		j.err = line.Read(sent[i], &j.Run)
		now := time.Now()
		if !line.Prepares(sent[i]) { // the next run does not prepare it again
			l.at.queue.Observe(j.Shape(), now.Sub(began))
		}
		began = now
	}
	if position != nil {
		err := line.Read(position, &jobs[0].Run)
		jobs[0].positionLost = jobs[0].err == nil && err != nil
		jobs[0].err = cmp.Or(jobs[0].err, err)
	}
	if jobs[0].set.Verify != nil || jobs[0].set.Rollback && jobs[0].err != nil {
		l.finish(ctx, jobs[0])
	}
}

// setReplyTimeout sets after how long without an answer the database is probed: longer than
// any of the jobs may take.
func (l *lease) setReplyTimeout(jobs []*job) {
	roles, longest := l.at.roles.Load(), time.Duration(0)
	for _, j := range jobs {
		timeout := roles.answerTimeout(j)
		if timeout == 0 {
			longest = 0
			break
		}
		longest = max(longest, timeout)
	}
	setReplyTimeout(l.raw(), longest)
}

func fail(jobs []*job, err error) {
	for _, j := range jobs {
		j.err = err
	}
}

func (l *lease) start(ctx context.Context) (*pipeline.Pipeline, error) {
	line, err := pipeline.Start(ctx, l.raw(), pipeline.Config{Unprepared: l.at.unprepared, Translate: unavailable})
	if err == nil {
		line.Cache().SetEpoch(l.at.epoch.Load())
	}
	return line, err
}

// send adds a job's statements to the pipeline.
func (l *lease) send(line *pipeline.Pipeline, j *job) []pipeline.Sent {
	line.Begin()
	role, set := j.who.Role, j.set
	sent := make([]pipeline.Sent, 0, 2) // the usual number
	if set.Rollback || set.Verify != nil {
		sent = append(sent, line.Send(role, set.begin(), nil))
	}
	sent = l.sendSettings(line, j, sent)
	sent = l.sendStatement(line, j, sent)
	if set.Rollback && set.Verify == nil {
		sent = append(sent, line.Send(role, checkSQL, nil), line.Send(role, rollbackSQL, nil))
	}
	return sent
}

// sendSettings adds the statements that make the transaction the caller's, with its settings.
func (l *lease) sendSettings(line *pipeline.Pipeline, j *job, sent []pipeline.Sent) []pipeline.Sent {
	role, set, arguments := j.who.Role, j.set, &line.Cache().Arguments
	if set.First.SQL != "" {
		sent = append(sent, line.SendStatement("", set.First))
	}
	become := line.Send(role, l.at.roles.Load().statement(role), settingArgs(arguments, j.who, set))
	if l.at.replica != nil {
		become.Scan = j.checkReplayed
	}
	sent = append(sent, become)
	if set.SearchPath != "" || set.TimeZone != "" {
		sent = append(sent, line.Send(role, extraSettingsSQL, arguments.Put(set.SearchPath, set.TimeZone)))
	}
	if len(set.Locals) > 0 {
		sent = append(sent, line.Send(role, localsSQL(set.Locals), nil))
	}
	if set.Before != "" {
		sent = append(sent, line.Send(role, set.Before, nil))
	}
	return sent
}

func (l *lease) sendStatement(line *pipeline.Pipeline, j *job, sent []pipeline.Sent) []pipeline.Sent {
	main := line.SendStatement(j.who.Role, j.Statement)
	main.Main, main.Scan = true, j.scan
	sent = append(sent, main)
	if j.set.After != "" {
		after := line.Send(j.who.Role, j.set.After, nil)
		after.Scan = j.set.AfterRow
		sent = append(sent, after)
	}
	return sent
}
