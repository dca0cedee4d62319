package pg

import (
	"errors"
	"strconv"

	"plaza/server/lru"
	"plaza/server/pg/queue"

	"github.com/jackc/pgx/v5/pgconn"
)

// statementsPerConnection bounds the statements kept prepared on a connection.
// A plan takes PostgreSQL 10 to 200 KB.
const statementsPerConnection = 256

// cacheKey is where a connection carries its cache.
const cacheKey = "plaza.statements"

// statementCache knows what is prepared on one connection.
//
// Statements are kept apart by role: PostgreSQL throws away a cached plan that
// depends on row-level security whenever the role differs from the one it was
// made for, so a connection that serves two roles in turn would plan anew each
// time.
type statementCache struct {
	known   *lru.Unlocked[queue.Shape, *prepared]
	epoch   uint64
	made    int
	dropped []string // names to close with the next pipeline

	outbox    outbox    // of the pipeline
	arguments arguments // of the statement that is put into it
}

type prepared struct {
	shape   queue.Shape
	name    string
	columns []Column
}

// cacheOf returns the connection's cache. A connection is used by one request at
// a time, so the cache needs no lock.
func cacheOf(conn *pgconn.PgConn) *statementCache {
	cache, ok := conn.CustomData()[cacheKey].(*statementCache)
	if !ok {
		cache = newStatementCache()
		conn.CustomData()[cacheKey] = cache
	}
	return cache
}

func newStatementCache() *statementCache {
	c := &statementCache{}
	c.known = lru.NewUnlocked(statementsPerConnection, func(_ queue.Shape, old *prepared) { c.dropped = append(c.dropped, old.name) })
	return c
}

// keepUp forgets everything when the schema has changed.
func (c *statementCache) keepUp(epoch uint64) {
	if c.epoch != epoch {
		c.expire()
		c.epoch = epoch
	}
}

func (c *statementCache) expire() { c.known.Purge() }

func (c *statementCache) get(key queue.Shape) *prepared {
	found, _ := c.known.Get(key)
	return found
}

func (c *statementCache) put(made *prepared) {
	if double, ok := c.known.Peek(made.shape); ok {
		c.dropped = append(c.dropped, double.name)
	}
	c.known.Add(made.shape, made)
}

func (c *statementCache) nextName() string {
	c.made++
	return "p" + strconv.Itoa(c.made)
}

// outbox is memory for what a pipeline sends, kept from one to the next. It is given
// to pgx as a message without a byte, since pgx parts with a buffer of its own as
// soon as more than 1 KB has been in it.
type outbox [16 << 10]byte

// Encode returns the memory, with what was written before it.
func (o *outbox) Encode(before []byte) ([]byte, error) { return append(o[:0], before...), nil }

// Decode is part of pgproto3.Message; PostgreSQL sends no such thing.
func (*outbox) Decode([]byte) error { return errors.ErrUnsupported }

// Frontend tells pgproto3 that the message is a client's.
func (*outbox) Frontend() {}
