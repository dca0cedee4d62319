package pipeline

import (
	"errors"
	"slices"
	"strconv"

	"plaza/server/lru"
	"plaza/server/pg/queue"

	"github.com/jackc/pgx/v5/pgconn"
)

// statementsPerConnection bounds the statements kept prepared on a connection.
// A prepared plan takes 10 to 200 KB of PostgreSQL's memory.
const statementsPerConnection = 256

// cacheKey is the key of the cache in a connection's CustomData.
const cacheKey = "plaza.statements"

// Cache knows the statements that are prepared on one connection.
//
// Statements are kept apart by role: PostgreSQL throws away a cached plan that
// depends on row-level security whenever the role differs from the one it was
// made for, so a connection that serves two roles in turn would make a new plan
// each time.
type Cache struct {
	known   *lru.Unlocked[queue.Shape, *prepared]
	epoch   uint64
	made    int      // names given to statements so far
	dropped []string // names to close with the next pipeline

	outbox    outbox    // of the pipeline
	Arguments Arguments // of the statement that is added next
}

type prepared struct {
	shape   queue.Shape
	name    string
	columns []Column
}

// CacheOf returns the connection's cache. A connection is used by one request at
// a time, so the cache needs no lock.
func CacheOf(conn *pgconn.PgConn) *Cache {
	cache, ok := conn.CustomData()[cacheKey].(*Cache)
	if !ok {
		cache = newCache()
		conn.CustomData()[cacheKey] = cache
	}
	return cache
}

func newCache() *Cache {
	c := &Cache{}
	c.known = lru.NewUnlocked(statementsPerConnection, func(_ queue.Shape, old *prepared) { c.dropped = append(c.dropped, old.name) })
	return c
}

// SetEpoch sets the epoch of the schema. It empties the cache if the epoch differs from the last one.
func (c *Cache) SetEpoch(epoch uint64) {
	if c.epoch != epoch {
		c.Expire()
		c.epoch = epoch
	}
}

// Expire empties the cache: each statement is then prepared again.
func (c *Cache) Expire() { c.known.Purge() }

func (c *Cache) get(key queue.Shape) *prepared {
	found, _ := c.known.Get(key)
	return found
}

func (c *Cache) put(made *prepared) {
	if double, ok := c.known.Peek(made.shape); ok {
		c.dropped = append(c.dropped, double.name)
	}
	c.known.Add(made.shape, made)
}

func (c *Cache) nextName() string {
	c.made++
	return "p" + strconv.Itoa(c.made)
}

// outbox is the write buffer of a connection's pipelines. pgx would replace a write buffer
// that has held more than 1 KB after each flush. So the outbox is sent as an empty
// message, whose Encode makes it pgx's buffer.
type outbox [16 << 10]byte

// Encode returns the buffer, with what was already written to pgx's.
func (o *outbox) Encode(before []byte) ([]byte, error) { return append(o[:0], before...), nil }

// Decode is part of pgproto3.Message; PostgreSQL sends no such message.
func (*outbox) Decode([]byte) error { return errors.ErrUnsupported }

// Frontend tells pgproto3 that the message is a client's.
func (*outbox) Frontend() {}

// Arguments is a buffer for the parameters of one statement at a time.
type Arguments struct {
	texts []byte
	list  [][]byte
}

// Put returns texts as parameters, which are valid until the next call.
func (a *Arguments) Put(texts ...string) [][]byte {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	a.texts, a.list = slices.Grow(a.texts[:0], size), a.list[:0]
	for _, text := range texts {
		start := len(a.texts)
		a.texts = append(a.texts, text...)
		a.list = append(a.list, a.texts[start:])
	}
	return a.list
}
