package pg

import (
	"cmp"
	"container/list"
	"errors"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// statementsPerConnection bounds the statements kept prepared on a connection.
// A plan takes PostgreSQL 10 to 200 KB.
const statementsPerConnection = 256

// cacheKey is where a connection carries its cache.
const cacheKey = "plaza.statements"

// statementCache knows what is prepared on one connection, the least recently
// used last.
//
// Statements are kept apart by role: PostgreSQL throws away a cached plan that
// depends on row-level security whenever the role differs from the one it was
// made for, so a connection that serves two roles in turn would plan anew each
// time.
type statementCache struct {
	byShape map[shape]*list.Element
	recent  *list.List
	epoch   uint64
	made    int
	dropped []string // names to close with the next pipeline

	outbox    outbox    // of the pipeline
	arguments arguments // of the statement that is put into it
}

type shape struct{ role, sql string }

type prepared struct {
	shape       shape
	description *pgconn.StatementDescription
}

// cacheOf gives the connection's cache. A connection is used by one request at
// a time, so the cache needs no lock.
func cacheOf(conn *pgconn.PgConn) *statementCache {
	cache, ok := conn.CustomData()[cacheKey].(*statementCache)
	if !ok {
		cache = &statementCache{byShape: make(map[shape]*list.Element), recent: list.New()}
		conn.CustomData()[cacheKey] = cache
	}
	return cache
}

// keepUp forgets everything when the schema has changed.
func (c *statementCache) keepUp(epoch uint64) {
	if c.epoch != epoch {
		c.expire()
		c.epoch = epoch
	}
}

func (c *statementCache) expire() {
	for c.recent.Len() > 0 {
		c.drop(c.recent.Back())
	}
}

func (c *statementCache) drop(element *list.Element) {
	old := c.recent.Remove(element).(*prepared)
	delete(c.byShape, old.shape)
	c.dropped = append(c.dropped, old.description.Name)
}

func (c *statementCache) get(key shape) *pgconn.StatementDescription {
	element, ok := c.byShape[key]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(element)
	return element.Value.(*prepared).description
}

func (c *statementCache) put(key shape, description *pgconn.StatementDescription) {
	if double, ok := c.byShape[key]; ok {
		c.drop(double)
	}
	if c.recent.Len() >= statementsPerConnection {
		c.drop(c.recent.Back())
	}
	c.byShape[key] = c.recent.PushFront(&prepared{shape: key, description: description})
}

func (c *statementCache) nextName() string {
	c.made++
	return "p" + strconv.Itoa(c.made)
}

// outbox is memory for what a pipeline sends, kept from one to the next. It is given
// to pgx as a message without a byte, since pgx parts with a buffer of its own as
// soon as more than 1 KB has been in it.
type outbox [16 << 10]byte

// Encode gives the memory, with what was written before it.
func (o *outbox) Encode(before []byte) ([]byte, error) { return append(o[:0], before...), nil }

// Decode is part of pgproto3.Message; PostgreSQL sends no such thing.
func (*outbox) Decode([]byte) error { return errors.ErrUnsupported }

// Frontend tells pgproto3 that the message is a client's.
func (*outbox) Frontend() {}

// pipelineRun sends statements and then reads their answers in order.
type pipelineRun struct {
	line       *pgconn.Pipeline
	statements *statementCache
	unprepared bool
}

// sentStatement is what an answer is expected for.
type sentStatement struct {
	shape  shape
	name   string // set where the statement is prepared by this pipeline
	main   bool   // the caller's own
	closed int    // names closed before it
	scan   func(row [][]byte) error
}

func (r *pipelineRun) send(role, sql string, args [][]byte) sentStatement {
	sent := sentStatement{shape: shape{role, sql}, closed: len(r.statements.dropped)}
	for _, name := range r.statements.dropped {
		r.line.SendDeallocate(name)
	}
	r.statements.dropped = r.statements.dropped[:0]
	if r.unprepared {
		r.line.SendQueryParams(sql, args, nil, nil, nil)
		return sent
	}
	if known := r.statements.get(sent.shape); known != nil {
		r.line.SendQueryStatement(known, args, nil, nil)
	} else {
		sent.name = r.statements.nextName()
		r.line.SendPrepare(sent.name, sql, nil)
		r.line.SendQueryPrepared(sent.name, args, nil, nil)
	}
	return sent
}

// prepares tells whether one of these statements had to be prepared.
func (*pipelineRun) prepares(sent []sentStatement) bool {
	return slices.ContainsFunc(sent, func(s sentStatement) bool { return s.name != "" })
}

// read takes the answers up to the Sync that ends them. After an error
// PostgreSQL skips the rest up to there and rolls back.
func (r *pipelineRun) read(sent []sentStatement, j *job) error {
	err := r.readStatements(sent, j)
	for {
		// The Sync's own answer carries a failure to commit, such as a deferred
		// constraint; its end comes after that.
		result, endErr := r.line.GetResults()
		err = cmp.Or(err, unavailable(endErr))
		if _, ended := result.(*pgconn.PipelineSync); ended {
			return err
		}
		if endErr != nil && !isPostgresError(endErr) {
			return err
		}
		if result == nil && endErr == nil {
			return cmp.Or(err, errUnfinished)
		}
	}
}

func (r *pipelineRun) readStatements(sent []sentStatement, j *job) error {
	for _, sent := range sent {
		if err := r.readPreparation(sent); err != nil {
			return unavailable(err)
		}
		result, err := r.line.GetResults()
		if err != nil {
			return unavailable(err)
		}
		reader, ok := result.(*pgconn.ResultReader)
		if !ok {
			continue
		}
		if sent.main && j.statement.Describe != nil {
			j.statement.Describe(reader.FieldDescriptions(), j.alone)
		}
		var scanErr error
		for sent.scan != nil && scanErr == nil && reader.NextRow() {
			scanErr = sent.scan(reader.Values())
		}
		if _, err := reader.Close(); err != nil {
			return unavailable(err)
		}
		if scanErr != nil {
			return scanErr
		}
	}
	return nil
}

func (r *pipelineRun) readPreparation(sent sentStatement) error {
	for range sent.closed {
		if _, err := r.line.GetResults(); err != nil {
			return err
		}
	}
	if sent.name == "" {
		return nil
	}
	result, err := r.line.GetResults()
	if err != nil {
		return err
	}
	if description, ok := result.(*pgconn.StatementDescription); ok {
		description.Name = sent.name
		r.statements.put(sent.shape, description)
	}
	return nil
}
