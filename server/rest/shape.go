package rest

import (
	"bytes"
	"strconv"
	"sync"

	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// Reads that differ only in the values of their filters have the same shape and use the
// same statement. To parse and plan each shape only once, the values are cut out of the
// URL and passed as arguments of the cached statement.

// Limits of the cache. A full cache is cleared.
const (
	maxReadShapes = 1024
	maxShapeQuery = 2048 // bytes
)

// shapeCache holds read shapes. It is replaced together with settings and schema.
type shapeCache struct {
	mu      sync.RWMutex
	entries map[shapeKey]*readShape
}

type shapeKey struct {
	table schema.Name
	query string
}

// readShape is the plan of a read, with markers in place of its values.
type readShape struct {
	read      *plan.Read // nil if the values affect more than the arguments
	wholeRows bool

	mu        sync.RWMutex
	templates map[sqlgen.Options]template
}

// template is a statement whose arguments are filled from the values.
type template struct {
	sql  string
	args []templateArg
}

type templateArg struct {
	fixed []byte
	value int // index of the value; -1 if the argument is fixed
}

// lookup returns the shape of a read and its values. It returns nil if the read
// cannot be cached or is invalid; the regular path then reports the error.
func (s *shapeCache) lookup(current *state, table schema.Name, raw string) (*readShape, []string) {
	if len(raw) > maxShapeQuery {
		return nil, nil
	}
	text, values, ok := query.Shape(raw)
	if !ok {
		return nil, nil
	}
	key := shapeKey{table, text}
	s.mu.RLock()
	shape := s.entries[key]
	s.mu.RUnlock()
	if shape == nil {
		shape = newShape(current, table, text, len(values))
		s.mu.Lock()
		if s.entries == nil || len(s.entries) >= maxReadShapes {
			s.entries = make(map[shapeKey]*readShape)
		}
		s.entries[key] = shape
		s.mu.Unlock()
	}
	if shape.read == nil {
		return nil, nil
	}
	return shape, values
}

func newShape(current *state, table schema.Name, text string, values int) *readShape {
	shape := &readShape{templates: make(map[sqlgen.Options]template)}
	parsed, err := query.Parse(text, query.Options{})
	if err != nil {
		return shape
	}
	read, err := plan.ForTable(current.snapshot, table, parsed, current.limits())
	if err != nil {
		return shape
	}
	usual := sqlgen.Options{Body: sqlgen.Rows}
	if t, ok := newTemplate(sqlgen.Read(read, usual), values); ok {
		shape.read, shape.wholeRows = read, parsed.WholeRows()
		shape.templates[usual] = t
	}
	return shape
}

// statement returns the statement of the read with the given values.
func (s *readShape) statement(o sqlgen.Options, values []string) sqlgen.Statement {
	s.mu.RLock()
	t, cached := s.templates[o]
	s.mu.RUnlock()
	if !cached {
		t, _ = newTemplate(sqlgen.Read(s.read, o), len(values))
		s.mu.Lock()
		s.templates[o] = t
		s.mu.Unlock()
	}
	args := make([][]byte, len(t.args))
	for i, arg := range t.args {
		if arg.value < 0 {
			args[i] = arg.fixed
		} else {
			args[i] = []byte(values[arg.value])
		}
	}
	return sqlgen.Statement{SQL: t.sql, Args: args}
}

// newTemplate finds the markers among a statement's arguments. ok is false unless
// every marker is a complete argument and all values have one.
func newTemplate(of sqlgen.Statement, values int) (t template, ok bool) {
	t = template{sql: of.SQL, args: make([]templateArg, len(of.Args))}
	found := make(map[int]bool, values)
	for i, arg := range of.Args {
		t.args[i] = templateArg{fixed: arg, value: -1}
		if bytes.IndexByte(arg, 0) < 0 {
			continue
		}
		number, err := strconv.Atoi(string(bytes.Trim(arg, "\x00")))
		if err != nil || string(arg) != query.Marker(number) {
			return template{}, false
		}
		t.args[i], found[number] = templateArg{value: number}, true
	}
	return t, len(found) == values
}
