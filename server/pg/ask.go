package pg

import (
	"cmp"
	"context"
	"slices"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
)

// Question is a read on behalf of a caller.
type Question struct {
	Who       claims.Caller
	Statement Statement
	Scan      func(row [][]byte) error

	// Err is the answer where PostgreSQL refused it. Rows may have been scanned before.
	Err error
}

// Ask asks many questions, each as its caller. The questions of a round trip are one
// transaction, but each is a statement of its own: PostgreSQL evaluates (select auth.uid())
// once per statement, so a statement for several callers would show all of them the rows of
// the first.
//
// Where PostgreSQL refuses a question, those after it are asked again, each in a transaction of
// its own, so that one caller's fault does not affect the others.
//
// Errors: those of the connection. Questions may be without answer then.
func (db *DB) Ask(ctx context.Context, questions []*Question) error {
	sorted := slices.Clone(questions)
	slices.SortStableFunc(sorted, func(a, b *Question) int { return cmp.Compare(a.Who.Role, b.Who.Role) })
	for len(sorted) > 0 {
		n := roundTrip(sorted)
		if err := db.askSome(ctx, sorted[:n]); err != nil {
			return err
		}
		sorted = sorted[n:]
	}
	return nil
}

// maxRoundTrip is how many bytes of questions are sent before the answers are read. They fit
// the buffers of a connection: PostgreSQL does not read on while it waits for its answers to
// be read.
const maxRoundTrip = 64 << 10

// roundTrip returns how many questions are sent in one round trip.
func roundTrip(questions []*Question) int {
	const overhead = 256 // names and lengths
	size := 0
	for i, q := range questions {
		size += overhead + len(q.Who.JSON) + len(q.Statement.SQL)
		for _, arg := range q.Statement.Args {
			size += len(arg)
		}
		if size > maxRoundTrip && i > 0 {
			return i
		}
	}
	return len(questions)
}

const (
	claimsSQL = `select pg_catalog.set_config('request.jwt.claims', $1, true)`
	noRoleSQL = `select pg_catalog.set_config('role', 'none', true)`
)

// askSome asks questions, sorted by role, in one round trip, or two where one is refused.
func (db *DB) askSome(ctx context.Context, questions []*Question) error {
	conn, _, err := db.primary.acquire(ctx, nil)
	if err != nil {
		return err
	}
	defer conn.release()
	setStatementTimeout(conn.raw(), 0)
	line, err := conn.start(ctx)
	if err != nil {
		return err
	}
	line.Begin()
	sent, ends := conn.sendQuestions(line, questions)
	if err := line.Flush(); err != nil {
		return err
	}
	var run pipeline.Run
	err = line.Read(sent, &run)
	if !IsRefused(err) {
		return err
	}
	refused, _ := slices.BinarySearch(ends, run.Done+1)
	questions[refused].Err = err
	if isStalePlan(err) {
		pipeline.CacheOf(conn.raw()).Expire()
		questions[refused].Err = nil
		refused--
	}
	return conn.askEach(ctx, questions[refused+1:])
}

// sendQuestions adds questions to a group. ends has the number of statements up to and with
// each question.
func (l *lease) sendQuestions(line *pipeline.Pipeline, questions []*Question) (sent []pipeline.Sent, ends []int) {
	arguments := &line.Cache().Arguments
	for i, q := range questions {
		role := q.Who.Role
		switch {
		case i > 0 && questions[i-1].Who.Role == role:
			sent = append(sent, line.Send(role, claimsSQL, arguments.Put(q.Who.JSON)))
		case i > 0:
			// The next role's settings are set by the role that signs in.
			sent = append(sent, line.Send(role, noRoleSQL, nil))
			fallthrough
		default:
			sent = append(sent, line.Send(role, l.at.roles.Load().statement(role), settingArgs(arguments, q.Who, Settings{ReadOnly: true})))
		}
		main := line.SendStatement(role, q.Statement)
		main.Scan = q.Scan
		sent = append(sent, main)
		ends = append(ends, len(sent))
	}
	return sent, ends
}

// askEach asks questions in one round trip, each in a transaction of its own.
func (l *lease) askEach(ctx context.Context, questions []*Question) error {
	if len(questions) == 0 {
		return nil
	}
	line, err := l.start(ctx)
	if err != nil {
		return err
	}
	sent := make([][]pipeline.Sent, len(questions))
	for i := range questions {
		line.Begin()
		sent[i], _ = l.sendQuestions(line, questions[i:i+1])
	}
	if err := line.Flush(); err != nil {
		return err
	}
	var lost error
	for i, q := range questions {
		err := line.Read(sent[i], new(pipeline.Run))
		if IsRefused(err) {
			q.Err = err
		} else {
			lost = cmp.Or(lost, err)
		}
	}
	return lost
}
