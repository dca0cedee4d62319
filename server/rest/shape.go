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

// Reads that differ in the values they compare with only are one statement. So
// that they are parsed, planned and written down once, the values are taken out
// of the URL as texts, and put among the statement's arguments.

// Bounds of what is remembered; when there are more shapes, all are forgotten.
const (
	maxReadShapes = 1024
	maxShapeQuery = 2048 // bytes
)

// readShapes remembers shapes for as long as settings and schema stay.
type readShapes struct {
	mu    sync.RWMutex
	known map[shapeName]*readShape
}

type shapeName struct {
	table schema.Name
	query string
}

// readShape is how a read looks, with markers for its values.
type readShape struct {
	read      *plan.Read // nil where values decide more than arguments
	wholeRows bool

	mu        sync.RWMutex
	templates map[sqlgen.Options]template
}

// template is a statement whose arguments come from the values.
type template struct {
	sql  string
	args []templateArg
}

type templateArg struct {
	fixed []byte
	value int // its number; -1 where fixed
}

// of finds the shape of a read and its values; nil where it has none, or an error
// that the read itself will tell.
func (s *readShapes) of(now *state, table schema.Name, raw string) (*readShape, []string) {
	if len(raw) > maxShapeQuery {
		return nil, nil
	}
	text, values, ok := query.Shape(raw)
	if !ok {
		return nil, nil
	}
	name := shapeName{table, text}
	s.mu.RLock()
	shape := s.known[name]
	s.mu.RUnlock()
	if shape == nil {
		shape = newShape(now, table, text, len(values))
		s.mu.Lock()
		if s.known == nil || len(s.known) >= maxReadShapes {
			s.known = make(map[shapeName]*readShape)
		}
		s.known[name] = shape
		s.mu.Unlock()
	}
	if shape.read == nil {
		return nil, nil
	}
	return shape, values
}

func newShape(now *state, table schema.Name, text string, values int) *readShape {
	shape := &readShape{templates: make(map[sqlgen.Options]template)}
	parsed, err := query.Parse(text, query.Options{})
	if err != nil {
		return shape
	}
	read, err := plan.ForTable(now.snapshot, table, parsed, now.limits())
	if err != nil {
		return shape
	}
	usual := sqlgen.Options{Body: sqlgen.Rows}
	if made, ok := newTemplate(sqlgen.Read(read, usual), values); ok {
		shape.read, shape.wholeRows = read, parsed.WholeRows()
		shape.templates[usual] = made
	}
	return shape
}

// statement writes the read with values.
func (s *readShape) statement(o sqlgen.Options, values []string) sqlgen.Statement {
	s.mu.RLock()
	found, known := s.templates[o]
	s.mu.RUnlock()
	if !known {
		found, _ = newTemplate(sqlgen.Read(s.read, o), len(values))
		s.mu.Lock()
		s.templates[o] = found
		s.mu.Unlock()
	}
	args := make([][]byte, len(found.args))
	for i, arg := range found.args {
		if arg.value < 0 {
			args[i] = arg.fixed
		} else {
			args[i] = []byte(values[arg.value])
		}
	}
	return sqlgen.Statement{SQL: found.sql, Args: args}
}

// newTemplate finds the markers among a statement's arguments; ok is false unless
// each is one, alone.
func newTemplate(of sqlgen.Statement, values int) (made template, ok bool) {
	made = template{sql: of.SQL, args: make([]templateArg, len(of.Args))}
	found := make(map[int]bool, values)
	for i, arg := range of.Args {
		made.args[i] = templateArg{fixed: arg, value: -1}
		if bytes.IndexByte(arg, 0) < 0 {
			continue
		}
		number, err := strconv.Atoi(string(bytes.Trim(arg, "\x00")))
		if err != nil || string(arg) != query.Marker(number) {
			return template{}, false
		}
		made.args[i], found[number] = templateArg{value: number}, true
	}
	return made, len(found) == values
}
