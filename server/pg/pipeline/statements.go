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
// A plan takes PostgreSQL 10 to 200 KB.
const statementsPerConnection = 256

// cacheKey is where a connection carries its cache.
const cacheKey = "plaza.statements"

// Cache knows the statements that are prepared on one connection.
//
// Statements are kept apart by role: PostgreSQL throws away a cached plan that
// depends on row-level security whenever the role differs from the one it was
// made for, so a connection that serves two roles in turn would plan anew each
// time.
type Cache struct {
	known   *lru.Unlocked[queue.Shape, *prepared]
	epoch   uint64
	made    int
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

// KeepUp empties the cache when the epoch of the schema has changed.
func (c *Cache) KeepUp(epoch uint64) {
	if c.epoch != epoch {
		c.Expire()
		c.epoch = epoch
	}
}

// Expire empties the cache: each statement is prepared anew.
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

// Arguments is memory for the parameters of one statement at a time.
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
