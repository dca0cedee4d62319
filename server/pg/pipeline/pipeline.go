// Package pipeline sends statements to PostgreSQL in one write and reads their results in
// order.
package pipeline

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"plaza/server/pg/queue"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Column is a column of a result.
type Column struct {
	Name string
	Type uint32 // OID of its type
}

// Statement is one statement with its parameters in text form; nil is NULL. It is
// prepared once per connection, role and text.
type Statement struct {
	SQL    string
	Args   [][]byte
	Binary []int // indexes of the parameters that are in binary form

	// Sent is called with each part of a large parameter that was sent; it may be nil.
	Sent func(part []byte)

	// Describe is called with the columns before the first row, and with whether the
	// statement shares its round trip with no other; it may be nil.
	Describe func(columns []Column, alone bool)

	// Changed is called with the number of rows that the statement changed or returned;
	// it may be nil.
	Changed func(rows int64)

	// Begun reports whether rows were passed on for good, so that the statement cannot
	// be run again; nil means that they never are.
	Begun func() bool
}

// Run is one run of a caller's statement.
type Run struct {
	Statement Statement
	Alone     bool // it shares its round trip with no other
	Scanned   bool // a row was scanned
	Done      int  // statements of the group that have completed
}

// ErrUnfinished is the outcome of a statement that was not run to its end.
var ErrUnfinished = errors.New("the statement was not run to its end")

// Config is how pipelines are run.
type Config struct {
	Unprepared bool              // statements are not kept prepared
	Translate  func(error) error // translates errors of the connection
}

// Pipeline sends groups of statements, each a transaction of its own, and then reads
// their results in order.
//
// It is a pipeline of pgx's as far as the connection goes: pgx acquires and releases it,
// watches the request's context, and keeps its state. The messages in between are
// written and read here, for two reasons: a large parameter is sent without a copy of
// it, and pgx's queues of expected results took a quarter of a read's allocations. pgx
// knows of the last Sync alone, whose result it reads.
type Pipeline struct {
	Config
	line     *pgconn.Pipeline
	frontend *pgproto3.Frontend
	cache    *Cache
	groups   int   // begun, and not yet read
	lost     error // why the connection is unusable; nil while it works

	raw     *pgconn.PgConn
	sendErr error // of a large parameter
}

// Sent is a statement whose result is yet to be read.
type Sent struct {
	Main bool                     // it is the caller's own
	Scan func(row [][]byte) error // nil: its rows are skipped

	key     queue.Shape
	name    string // set if this pipeline prepares the statement
	columns []Column
}

// Start acquires the connection.
//
// Errors: ctx's; the connection's.
func Start(ctx context.Context, raw *pgconn.PgConn, c Config) (*Pipeline, error) {
	p := &Pipeline{Config: c, line: raw.StartPipeline(ctx), frontend: raw.Frontend(), cache: CacheOf(raw), raw: raw}
	// If pgx could not start the pipeline, nothing may be written. The only result so far is the error of that.
	if _, err := p.line.GetResults(); err != nil {
		return nil, p.Translate(err)
	}
	p.frontend.Send(&p.cache.outbox)
	return p, nil
}

// Cache returns the connection's cache of prepared statements.
func (p *Pipeline) Cache() *Cache { return p.cache }

// Begin begins a group.
func (p *Pipeline) Begin() {
	if p.groups > 0 {
		p.frontend.SendSync(&pgproto3.Sync{})
	}
	p.groups++
}

// Send adds a statement to the group.
func (p *Pipeline) Send(role, sql string, args [][]byte) Sent {
	return p.SendStatement(role, Statement{SQL: sql, Args: args})
}

// SendStatement adds a caller's statement to the group.
func (p *Pipeline) SendStatement(role string, st Statement) Sent {
	sent := Sent{key: queue.Shape{Role: role, SQL: st.SQL}}
	for _, name := range p.cache.dropped {
		p.frontend.SendClose(&pgproto3.Close{ObjectType: 'S', Name: name})
	}
	p.cache.dropped = p.cache.dropped[:0]
	if known := p.cache.get(sent.key); known != nil {
		sent.columns = known.columns
		p.bind(known.name, st)
	} else {
		if !p.Unprepared {
			sent.name = p.cache.nextName()
		}
		p.frontend.SendParse(&pgproto3.Parse{Name: sent.name, Query: st.SQL})
		p.frontend.SendDescribe(&pgproto3.Describe{ObjectType: 'S', Name: sent.name})
		p.bind(sent.name, st)
	}
	p.frontend.SendExecute(&pgproto3.Execute{})
	return sent
}

// Flush ends the last group and sends everything.
func (p *Pipeline) Flush() error {
	if p.sendErr != nil {
		return p.giveUp(p.sendErr)
	}
	p.line.SendPipelineSync()
	return p.Translate(p.line.Flush())
}

// Prepares reports whether one of these statements had to be prepared.
func (*Pipeline) Prepares(sent []Sent) bool {
	return slices.ContainsFunc(sent, func(s Sent) bool { return s.name != "" })
}

// Read reads the results of a group. After an error PostgreSQL skips the rest of the
// group and rolls back. Reading the last group releases the connection.
func (p *Pipeline) Read(sent []Sent, run *Run) error {
	p.groups--
	err := p.readStatements(sent, run)
	// A failure to commit, as of a deferred constraint, precedes the Sync's
	// ReadyForQuery.
	if p.groups == 0 {
		return cmp.Or(err, p.Translate(p.line.Close()))
	}
	for {
		message, failed := p.receive()
		err = cmp.Or(err, failed)
		if _, ended := message.(*pgproto3.ReadyForQuery); ended || p.lost != nil {
			return err
		}
	}
}

// readStatements reads results up to the Sync or an error. After an error of Scan it
// skips the remaining rows.
func (p *Pipeline) readStatements(sent []Sent, run *Run) error {
	var scanErr error
	for i := range sent {
		if scanErr != nil {
			sent[i].Main, sent[i].Scan = false, nil
		}
		refused, err := p.readStatement(&sent[i], run)
		if scanErr = cmp.Or(scanErr, refused); err != nil {
			return cmp.Or(scanErr, err)
		}
		run.Done++
	}
	return scanErr
}

// readStatement reads the result of one statement.
//
// Errors: scanErr is Scan's; err is PostgreSQL's or the connection's.
func (p *Pipeline) readStatement(sent *Sent, run *Run) (scanErr, err error) {
	described := !sent.Main || run.Statement.Describe == nil
	describe := func() {
		if !described {
			run.Statement.Describe(sent.columns, run.Alone)
			described = true
		}
	}
	for {
		message, err := p.receive()
		if err != nil {
			return scanErr, err
		}
		switch message := message.(type) {
		case *pgproto3.RowDescription:
			sent.columns = columnsOf(message)
			p.keep(sent)
		case *pgproto3.NoData:
			p.keep(sent)
		case *pgproto3.DataRow:
			describe()
			if sent.Scan != nil && scanErr == nil {
				run.Scanned = true
				scanErr = sent.Scan(message.Values)
			}
		case *pgproto3.CommandComplete:
			describe()
			if sent.Main && run.Statement.Changed != nil {
				run.Statement.Changed(pgconn.NewCommandTag(string(message.CommandTag)).RowsAffected())
			}
			return scanErr, nil
		case *pgproto3.EmptyQueryResponse:
			describe()
			return scanErr, nil
		}
	}
}

// keep adds a statement that PostgreSQL has prepared to the cache.
func (p *Pipeline) keep(sent *Sent) {
	if sent.name != "" {
		p.cache.put(&prepared{sent.key, sent.name, sent.columns})
	}
}

func columnsOf(message *pgproto3.RowDescription) []Column {
	columns := make([]Column, len(message.Fields))
	for i, field := range message.Fields {
		columns[i] = Column{string(field.Name), field.DataTypeOID}
	}
	return columns
}

// receive returns the next message, or PostgreSQL's error message as an error.
func (p *Pipeline) receive() (pgproto3.BackendMessage, error) {
	if p.lost != nil {
		return nil, p.lost
	}
	message, err := p.frontend.Receive()
	if err != nil {
		// pgx finds the connection broken, too, and closes it.
		p.lost = cmp.Or(p.Translate(errors.Join(p.line.Close(), err)), ErrUnfinished)
		return nil, p.lost
	}
	if refused, ok := message.(*pgproto3.ErrorResponse); ok {
		return nil, pgconn.ErrorResponseToPgError(refused)
	}
	return message, nil
}
