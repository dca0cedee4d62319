package pg

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"plaza/server/pg/queue"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Column is what PostgreSQL says of a column of an answer.
type Column struct {
	Name string
	Type uint32 // OID of its type
}

// pipelineRun sends groups of statements, each a transaction of its own, and then
// reads their answers in order.
//
// It is a pipeline of pgx's as far as the connection goes: that is taken and given
// back, watched over with the request's context, and told of its state. The
// messages in between are written and read here, as pgx keeps lists of what it
// expects, which took a quarter of a read's allocations. pgx knows of
// the last Sync alone, whose answer it reads.
type pipelineRun struct {
	line       *pgconn.Pipeline
	frontend   *pgproto3.Frontend
	statements *statementCache
	unprepared bool // no statement is kept
	groups     int  // begun, and not yet read
	lost       error

	raw     *pgconn.PgConn
	sendErr error // of a large parameter
}

// sentStatement is what an answer is expected for.
type sentStatement struct {
	shape   queue.Shape
	name    string // set where the statement is prepared by this pipeline
	columns []Column
	main    bool // the caller's own
	scan    func(row [][]byte) error
}

// startPipeline takes the connection.
//
// Errors: ctx's; the connection's.
func startPipeline(ctx context.Context, raw *pgconn.PgConn, unprepared bool) (*pipelineRun, error) {
	run := &pipelineRun{line: raw.StartPipeline(ctx), frontend: raw.Frontend(), statements: cacheOf(raw), unprepared: unprepared, raw: raw}
	// Nothing may be written where it did not start; as yet there is no result but that.
	if _, err := run.line.GetResults(); err != nil {
		return nil, unavailable(err)
	}
	run.frontend.Send(&run.statements.outbox)
	return run, nil
}

// begin begins a group.
func (r *pipelineRun) begin() {
	if r.groups > 0 {
		r.frontend.SendSync(&pgproto3.Sync{})
	}
	r.groups++
}

func (r *pipelineRun) send(role, sql string, args [][]byte) sentStatement {
	return r.sendStatement(role, Statement{SQL: sql, Args: args})
}

func (r *pipelineRun) sendStatement(role string, st Statement) sentStatement {
	sent := sentStatement{shape: queue.Shape{Role: role, SQL: st.SQL}}
	for _, name := range r.statements.dropped {
		r.frontend.SendClose(&pgproto3.Close{ObjectType: 'S', Name: name})
	}
	r.statements.dropped = r.statements.dropped[:0]
	if known := r.statements.get(sent.shape); known != nil {
		sent.columns = known.columns
		r.bind(known.name, st)
	} else {
		if !r.unprepared {
			sent.name = r.statements.nextName()
		}
		r.frontend.SendParse(&pgproto3.Parse{Name: sent.name, Query: st.SQL})
		r.frontend.SendDescribe(&pgproto3.Describe{ObjectType: 'S', Name: sent.name})
		r.bind(sent.name, st)
	}
	r.frontend.SendExecute(&pgproto3.Execute{})
	return sent
}

// flush ends the last group and sends all.
func (r *pipelineRun) flush() error {
	if r.sendErr != nil {
		return r.giveUp(r.sendErr)
	}
	r.line.SendPipelineSync()
	return unavailable(r.line.Flush())
}

// prepares reports whether one of these statements had to be prepared.
func (*pipelineRun) prepares(sent []sentStatement) bool {
	return slices.ContainsFunc(sent, func(s sentStatement) bool { return s.name != "" })
}

// read takes the answers of a group. After an error PostgreSQL skips the rest of
// it and rolls back. What follows the last group gives the connection back.
func (r *pipelineRun) read(sent []sentStatement, j *job) error {
	r.groups--
	err := r.readStatements(sent, j)
	// The Sync's own answer carries a failure to commit, such as a deferred
	// constraint; its end comes after that.
	if r.groups == 0 {
		return cmp.Or(err, unavailable(r.line.Close()))
	}
	for {
		message, failed := r.receive()
		err = cmp.Or(err, failed)
		if _, ended := message.(*pgproto3.ReadyForQuery); ended || r.lost != nil {
			return err
		}
	}
}

// readStatements takes the answers up to the Sync or an error. Rows that come after
// an error of scan are read over.
func (r *pipelineRun) readStatements(sent []sentStatement, j *job) error {
	var scanErr error
	for i := range sent {
		if scanErr != nil {
			sent[i].main, sent[i].scan = false, nil
		}
		refused, err := r.readStatement(&sent[i], j)
		if scanErr = cmp.Or(scanErr, refused); err != nil {
			return cmp.Or(scanErr, err)
		}
	}
	return scanErr
}

// readStatement takes the answer of one.
//
// Errors: scanErr of scan; err of PostgreSQL or the connection.
func (r *pipelineRun) readStatement(sent *sentStatement, j *job) (scanErr, err error) {
	described := !sent.main || j.statement.Describe == nil
	describe := func() {
		if !described {
			j.statement.Describe(sent.columns, j.alone)
			described = true
		}
	}
	for {
		message, err := r.receive()
		if err != nil {
			return scanErr, err
		}
		switch message := message.(type) {
		case *pgproto3.RowDescription:
			sent.columns = columnsOf(message)
			r.keep(sent)
		case *pgproto3.NoData:
			r.keep(sent)
		case *pgproto3.DataRow:
			describe()
			if sent.scan != nil && scanErr == nil {
				j.scanned = true
				scanErr = sent.scan(message.Values)
			}
		case *pgproto3.CommandComplete:
			describe()
			if sent.main && j.statement.Changed != nil {
				j.statement.Changed(pgconn.NewCommandTag(string(message.CommandTag)).RowsAffected())
			}
			return scanErr, nil
		case *pgproto3.EmptyQueryResponse:
			describe()
			return scanErr, nil
		}
	}
}

// keep remembers a statement that PostgreSQL has prepared.
func (r *pipelineRun) keep(sent *sentStatement) {
	if sent.name != "" {
		r.statements.put(&prepared{sent.shape, sent.name, sent.columns})
	}
}

func columnsOf(message *pgproto3.RowDescription) []Column {
	columns := make([]Column, len(message.Fields))
	for i, field := range message.Fields {
		columns[i] = Column{string(field.Name), field.DataTypeOID}
	}
	return columns
}

// receive returns the next message; what PostgreSQL refuses is an error.
func (r *pipelineRun) receive() (pgproto3.BackendMessage, error) {
	if r.lost != nil {
		return nil, r.lost
	}
	message, err := r.frontend.Receive()
	if err != nil {
		// pgx finds the connection broken, too, and gives it up.
		closed := r.line.Close()
		if errors.Is(err, errSilent) {
			closed = err
		}
		r.lost = cmp.Or(unavailable(closed), errUnfinished)
		return nil, r.lost
	}
	if refused, ok := message.(*pgproto3.ErrorResponse); ok {
		return nil, pgconn.ErrorResponseToPgError(refused)
	}
	return message, nil
}
