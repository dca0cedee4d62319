// Package wal reads the changes of published tables from PostgreSQL's write-ahead log, by
// logical replication with the plugin pgoutput.
package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// LSN is a position in the WAL.
type LSN uint64

// Begin begins a transaction. All its changes follow, and then Commit.
type Begin struct {
	Final LSN // position of its commit
	At    time.Time
	XID   uint32
}

// Commit ends a transaction.
type Commit struct{ End LSN }

// Origin follows the Begin of a transaction that was replicated from another database, whose clock
// Begin.At is from.
type Origin struct{}

// Relation describes a table. It precedes the table's first change and comes again when the
// table was altered.
type Relation struct {
	ID           uint32 // pg_class.oid
	Schema, Name string
	Identity     byte // replica identity: 'd' key, 'n' nothing, 'f' whole row, 'i' an index
	Columns      []Column
}

// Column is a published column of a table.
type Column struct {
	Name  string
	Type  uint32 // pg_type.oid
	IsKey bool   // part of the replica identity
}

// Message is a message that pg_logical_emit_message has written.
type Message struct{ Prefix string }

// Insert, Update and Delete are changes of a row. Their tuples have one value for each column
// of the relation.
type (
	Insert struct {
		Relation uint32
		New      Tuple
	}
	Update struct {
		Relation uint32
		Old      Tuple // nil: the key did not change and the identity is not the whole row
		OldIsKey bool  // Old has only the values of the key
		New      Tuple
	}
	Delete struct {
		Relation uint32
		Old      Tuple
		OldIsKey bool
	}
)

// Tuple is a row's values.
type Tuple []Value

// Kinds of values.
const (
	Null      = 'n'
	Unchanged = 'u' // a TOAST value that an update has not changed, and that is not in the WAL
	Text      = 't' // in PostgreSQL's text format
)

// Value is a value of a column.
type Value struct {
	Kind byte
	Text []byte
}

// ErrMalformed means that a message is not one of pgoutput's.
var ErrMalformed = errors.New("malformed message of pgoutput")

// Decode decodes a message of version 1 of pgoutput: *Begin, *Commit, *Origin, *Relation,
// *Insert, *Update, *Delete, *Message, or nil for a TRUNCATE or a type. Values point into data.
//
// Source: "Logical Replication Message Formats" in PostgreSQL's manual.
func Decode(data []byte) (message any, err error) {
	d := decoder{rest: data}
	switch kind := d.byte(); kind {
	case 'B':
		message = &Begin{Final: LSN(d.uint64()), At: d.time(), XID: d.uint32()}
	case 'C':
		d.byte()
		d.uint64()
		message = &Commit{End: LSN(d.uint64())}
		d.time()
	case 'R':
		message = d.relation()
	case 'I':
		message = &Insert{Relation: d.uint32(), New: d.tuple('N')}
	case 'U':
		message = d.update()
	case 'D':
		m := &Delete{Relation: d.uint32()}
		m.OldIsKey = d.peek() == 'K'
		m.Old = d.tuple('K', 'O')
		message = m
	case 'M':
		d.byte()
		d.uint64()
		message = &Message{Prefix: d.string()}
		d.bytes(int(int32(d.uint32())))
	case 'O':
		d.uint64()
		d.string()
		message = &Origin{}
	case 'T', 'Y':
		return nil, nil
	default:
		d.fail(fmt.Sprintf("kind %q", kind))
	}
	if d.failed == nil && len(d.rest) > 0 {
		d.fail("bytes after the message")
	}
	if d.failed != nil {
		return nil, d.failed
	}
	return message, nil
}

// decoder reads the parts of a message. After a failure all parts are empty.
type decoder struct {
	rest   []byte
	failed error
}

func (d *decoder) fail(what string) {
	if d.failed == nil {
		d.failed = fmt.Errorf("%w: %s", ErrMalformed, what)
	}
	d.rest = nil
}

func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.fail("too short")
		return nil
	}
	part := d.rest[:n:n]
	d.rest = d.rest[n:]
	return part
}

func (d *decoder) peek() byte {
	if len(d.rest) == 0 {
		return 0
	}
	return d.rest[0]
}

func (d *decoder) byte() byte {
	if part := d.bytes(1); part != nil {
		return part[0]
	}
	return 0
}

func (d *decoder) uint16() uint16 {
	if part := d.bytes(2); part != nil {
		return binary.BigEndian.Uint16(part)
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if part := d.bytes(4); part != nil {
		return binary.BigEndian.Uint32(part)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if part := d.bytes(8); part != nil {
		return binary.BigEndian.Uint64(part)
	}
	return 0
}

// epoch is PostgreSQL's: 2000-01-01.
var epoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func (d *decoder) time() time.Time {
	return epoch.Add(time.Duration(int64(d.uint64())) * time.Microsecond)
}

func (d *decoder) string() string {
	for i, char := range d.rest {
		if char == 0 {
			text := string(d.rest[:i])
			d.rest = d.rest[i+1:]
			return text
		}
	}
	d.fail("a string is not terminated")
	return ""
}

func (d *decoder) relation() *Relation {
	r := &Relation{ID: d.uint32(), Schema: d.string(), Name: d.string(), Identity: d.byte()}
	columns := int(d.uint16())
	for range columns {
		if d.failed != nil {
			break
		}
		c := Column{IsKey: d.byte()&1 != 0, Name: d.string(), Type: d.uint32()}
		d.uint32() // the type's modifier
		r.Columns = append(r.Columns, c)
	}
	return r
}

func (d *decoder) update() *Update {
	m := &Update{Relation: d.uint32()}
	if next := d.peek(); next != 'N' {
		m.OldIsKey = next == 'K'
		m.Old = d.tuple('K', 'O')
	}
	m.New = d.tuple('N')
	return m
}

// tuple reads a tuple that begins with one of kinds.
func (d *decoder) tuple(kinds ...byte) Tuple {
	kind, isKnown := d.byte(), false
	for _, known := range kinds {
		isKnown = isKnown || kind == known
	}
	if !isKnown {
		d.fail(fmt.Sprintf("a tuple of kind %q", kind))
		return nil
	}
	columns := int(d.uint16())
	if columns > len(d.rest) { // each has at least one byte
		d.fail("too short")
		return nil
	}
	t := make(Tuple, 0, columns)
	for range columns {
		v := Value{Kind: d.byte()}
		switch v.Kind {
		case Null, Unchanged:
		case Text:
			v.Text = d.bytes(int(int32(d.uint32())))
		default:
			d.fail(fmt.Sprintf("a value of kind %q", v.Kind))
			return nil
		}
		t = append(t, v)
	}
	return t
}
