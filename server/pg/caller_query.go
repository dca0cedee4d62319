package pg

import (
	"cmp"
	"context"
	"slices"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
)

// CallerQuery is a read on behalf of a caller.
type CallerQuery struct {
	Who       claims.Caller
	Statement Statement
	Scan      func(row [][]byte) error

	// Err is set if PostgreSQL refused it. Rows may have been scanned before.
	Err error
}

// QueryAsCallers runs many queries, each as its caller. The queries of a round trip are one
// transaction, but each is a statement of its own: PostgreSQL evaluates (select auth.uid())
// once per statement, so a statement for several callers would show all of them the rows of
// the first.
//
// Where PostgreSQL refuses a query, those after it run again, each in a transaction of
// its own, so that one caller's fault does not affect the others.
//
// Errors: those of the connection. Some queries may have no result then.
func (db *DB) QueryAsCallers(ctx context.Context, queries []*CallerQuery) error {
	sorted := slices.Clone(queries)
	slices.SortStableFunc(sorted, func(a, b *CallerQuery) int { return cmp.Compare(a.Who.Role, b.Who.Role) })
	for len(sorted) > 0 {
		n := roundTrip(sorted)
		if err := db.queryBatch(ctx, sorted[:n]); err != nil {
			return err
		}
		sorted = sorted[n:]
	}
	return nil
}

// maxRoundTrip is how many bytes of queries are sent before the answers are read. They fit
// the buffers of a connection: PostgreSQL does not read on while it waits for its answers to
// be read.
const maxRoundTrip = 64 << 10

// roundTrip returns how many queries are sent in one round trip.
func roundTrip(queries []*CallerQuery) int {
	const overhead = 256 // names and lengths
	size := 0
	for i, q := range queries {
		size += overhead + len(q.Who.JSON) + len(q.Statement.SQL)
		for _, arg := range q.Statement.Args {
			size += len(arg)
		}
		if size > maxRoundTrip && i > 0 {
			return i
		}
	}
	return len(queries)
}

const (
	claimsSQL = `select pg_catalog.set_config('request.jwt.claims', $1, true)`
	noRoleSQL = `select pg_catalog.set_config('role', 'none', true)`
)

// queryBatch runs queries, sorted by role, in one round trip, or two where one is refused.
func (db *DB) queryBatch(ctx context.Context, queries []*CallerQuery) error {
	conn, _, err := db.primary.acquire(ctx, claims.Caller{}, nil)
	if err != nil {
		return err
	}
	defer conn.release()
	setReplyTimeout(conn.raw(), 0)
	line, err := conn.start(ctx)
	if err != nil {
		return err
	}
	line.Begin()
	sent, ends := conn.sendQueries(line, queries)
	if err := line.Flush(); err != nil {
		return err
	}
	var run pipeline.Run
	err = line.Read(sent, &run)
	if !IsPgError(err) {
		return err
	}
	refused, _ := slices.BinarySearch(ends, run.Done+1)
	queries[refused].Err = err
	if isStalePlan(err) {
		pipeline.CacheOf(conn.raw()).Expire()
		queries[refused].Err = nil
		refused--
	}
	return conn.queryEach(ctx, queries[refused+1:])
}

// sendQueries adds queries to a group. For each query, ends has the number of statements up
// to and including it.
func (l *lease) sendQueries(line *pipeline.Pipeline, queries []*CallerQuery) (sent []pipeline.Sent, ends []int) {
	arguments := &line.Cache().Arguments
	for i, q := range queries {
		role := q.Who.Role
		switch {
		case i > 0 && queries[i-1].Who.Role == role:
			sent = append(sent, line.Send(role, claimsSQL, arguments.Put(q.Who.JSON)))
		case i > 0:
			// Back to the role that signs in, which may set the next role and its settings.
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

// queryEach runs queries in one round trip, each in a transaction of its own.
func (l *lease) queryEach(ctx context.Context, queries []*CallerQuery) error {
	if len(queries) == 0 {
		return nil
	}
	line, err := l.start(ctx)
	if err != nil {
		return err
	}
	sent := make([][]pipeline.Sent, len(queries))
	for i := range queries {
		line.Begin()
		sent[i], _ = l.sendQueries(line, queries[i:i+1])
	}
	if err := line.Flush(); err != nil {
		return err
	}
	var lost error
	for i, q := range queries {
		err := line.Read(sent[i], new(pipeline.Run))
		if IsPgError(err) {
			q.Err = err
		} else {
			lost = cmp.Or(lost, err)
		}
	}
	return lost
}
