// Package schema is the data API's picture of the database: tables, columns,
// relationships and functions of the exposed schemas, read from pg_catalog.
//
// A Snapshot is immutable; a reload builds a new one beside it.
package schema

import (
	"slices"
	"strings"
)

// Name is a qualified name.
type Name struct{ Schema, Name string }

// String returns "schema.name", for messages.
func (n Name) String() string { return n.Schema + "." + n.Name }

// Snapshot is all the data API knows of the database at one moment.
type Snapshot struct {
	tables        map[Name]*Table
	relationships map[Name][]*Relationship
	functions     map[Name][]*Function // those that clients may call
	relating      []*Function          // with one argument and rows of a table as result
	rowFields     map[rowField]struct{}
	handlers      []*Handler

	HasPostGIS   bool // ST_AsGeoJSON is there for rows
	SetsResponse bool // a function may set response.headers or response.status
}

// rowField is a function that can be written as if it were a column of a table;
// with the zero Name as its table it takes rows of any.
type rowField struct {
	table    Name
	function string
}

// HasField reports whether a table has a column of a name, or a function that can
// be written as one (a computed column).
func (s *Snapshot) HasField(table *Table, name string) bool {
	if _, ok := table.Column(name); ok {
		return true
	}
	_, own := s.rowFields[rowField{table.Name, name}]
	_, general := s.rowFields[rowField{Name{}, name}]
	return own || general
}

// ComputedColumns returns the functions of a table's schema that can be written as
// if they were columns of it, by name.
func (s *Snapshot) ComputedColumns(table *Table) []*Function {
	var found []*Function
	for _, f := range s.AllFunctions(table.Name.Schema) {
		_, isField := s.rowFields[rowField{table.Name, f.Name.Name}]
		if isField && f.Table == nil && len(f.Arguments) == 1 {
			found = append(found, f)
		}
	}
	return found
}

// Table is a table, view, materialized view, foreign table or partitioned table.
type Table struct {
	Name       Name
	Comment    string
	IsView     bool
	Columns    []*Column
	PrimaryKey []string
	changes    changes
	byName     map[string]*Column
	hasShown   bool
}

// changes tells which commands a table takes: PostgreSQL's CmdType as bits, as
// pg_relation_is_updatable gives them.
type changes int

const (
	updates changes = 1 << 2
	inserts changes = 1 << 3
	deletes changes = 1 << 4
)

// Insertable reports whether rows can be added: a view may be read only.
func (t *Table) Insertable() bool { return t.changes&inserts != 0 }

// Updatable reports whether rows can be changed.
func (t *Table) Updatable() bool { return t.changes&updates != 0 }

// Deletable reports whether rows can be removed.
func (t *Table) Deletable() bool { return t.changes&deletes != 0 }

// HasRepresentations reports whether a column is shown by a cast of its own.
func (t *Table) HasRepresentations() bool { return t.hasShown }

// Column returns a column by name.
func (t *Table) Column(name string) (*Column, bool) {
	column, ok := t.byName[name]
	return column, ok
}

// Column is a column of a table.
type Column struct {
	Name       string
	Type       string // as format_type prints it, with its modifier: "character varying(20)"
	BaseType   string // the type behind a domain, without modifier
	MaxLength  *int32 // of texts and bits with a limit
	Comment    string
	Default    string // SQL of the default, empty without one
	Nullable   bool
	Generated  bool // generated always as (…) stored, or identity always
	Enum       []string
	HasDefault bool

	// How the column's domain is shown and read, by casts of its own; the zero
	// Name where it is by PostgreSQL's.
	ToJSON, FromJSON, FromText Name
}

// Cardinality says how many rows stand on the other side.
type Cardinality string

// The cardinalities, in PostgREST's spelling for messages.
const (
	ManyToOne  Cardinality = "many-to-one"
	OneToMany  Cardinality = "one-to-many"
	OneToOne   Cardinality = "one-to-one"
	ManyToMany Cardinality = "many-to-many"
)

// Pair is one column on each side of a foreign key.
type Pair struct{ From, To string }

// Relationship leads from one table to another.
type Relationship struct {
	From, To    Name
	Cardinality Cardinality
	Constraint  string // foreign key; empty for many-to-many and computed ones
	Columns     []Pair
	Junction    *Junction // many-to-many only
	Function    *Function // computed relationship only: takes a row of From
	Self        bool      // from a table to itself
	ToView      bool
	// Parent is set on a one-to-one whose foreign key stands on the other side.
	Parent bool
}

// IsToOne reports whether at most one row is embedded.
func (r *Relationship) IsToOne() bool {
	if r.Function != nil {
		return !r.Function.ReturnsMany()
	}
	return r.Cardinality == ManyToOne || r.Cardinality == OneToOne
}

// Junction is the table between the two sides of a many-to-many.
type Junction struct {
	Table                        Name
	FromConstraint, ToConstraint string
	FromColumns, ToColumns       []Pair // From: the outer table's column, To: the junction's
}

// Volatility is a function's promise, in pg_proc's letters.
type Volatility byte

// The volatilities.
const (
	Immutable Volatility = 'i'
	Stable    Volatility = 's'
	Volatile  Volatility = 'v'
)

// Function is a function or procedure of an exposed schema.
type Function struct {
	OID        uint32 // tells overloads apart
	Name       Name
	Comment    string
	Arguments  []Argument
	Results    []Argument // OUT parameters and columns of returns table(…)
	Volatility Volatility
	ReturnType string // as format_type prints it
	ReturnsSet bool
	Rows       float64 // the planner's estimate; 1 marks a to-one computed relationship
	Composite  bool    // returns rows with columns: a table, a composite or OUT parameters
	Table      *Name   // the table whose rows it returns, if any
	IsVoid     bool
	MediaType  string   // the domain it returns, where that names a media type
	Binary     bool     // that domain is of bytea
	Settings   []string // of its own, as "name=value"
}

// Handler is an aggregate that makes a media type of rows.
type Handler struct {
	Name      Name
	MediaType string
	Table     *Name // whose rows it takes; nil: any
	Binary    bool  // it makes bytea
}

// ReturnsMany reports whether a list is answered.
func (f *Function) ReturnsMany() bool { return f.ReturnsSet && f.Rows != 1 }

// Argument is an input of a function, or a column of its result.
type Argument struct {
	Name       string
	Type       string // takes any length, as PostgreSQL does
	Declared   string // the type as it was declared
	HasDefault bool
	Variadic   bool
}

// Table returns a table by name.
func (s *Snapshot) Table(name Name) (*Table, bool) {
	table, ok := s.tables[name]
	return table, ok
}

// Relationships returns all that leads from a table.
func (s *Snapshot) Relationships(from Name) []*Relationship { return s.relationships[from] }

// Functions returns all functions of a name: overloads differ in arguments.
func (s *Snapshot) Functions(name Name) []*Function { return s.functions[name] }

// Handler returns the aggregate for a media type of a table's rows: one for the
// table, where the rows are whole, or else one for any rows.
func (s *Snapshot) Handler(mediaType string, table Name, whole bool) (*Handler, bool) {
	for _, name := range []string{mediaType, "*/*"} {
		for _, h := range s.handlers {
			if h.MediaType == name && whole && h.Table != nil && *h.Table == table {
				return h, true
			}
		}
		for _, h := range s.handlers {
			if h.MediaType == name && h.Table == nil {
				return h, true
			}
		}
	}
	return nil, false
}

// Tables returns all tables of a schema in alphabetical order.
func (s *Snapshot) Tables(schema string) []*Table {
	var found []*Table
	for name, table := range s.tables {
		if name.Schema == schema {
			found = append(found, table)
		}
	}
	slices.SortFunc(found, func(a, b *Table) int { return strings.Compare(a.Name.Name, b.Name.Name) })
	return found
}

// AllFunctions returns all functions of a schema in alphabetical order.
func (s *Snapshot) AllFunctions(schema string) []*Function {
	var found []*Function
	for name, overloads := range s.functions {
		if name.Schema == schema {
			found = append(found, overloads...)
		}
	}
	slices.SortStableFunc(found, func(a, b *Function) int { return strings.Compare(a.Name.Name, b.Name.Name) })
	return found
}

// Count returns how much a snapshot holds, for logs.
func (s *Snapshot) Count() (tables, relationships, functions int) {
	for _, list := range s.relationships {
		relationships += len(list)
	}
	for _, list := range s.functions {
		functions += len(list)
	}
	return len(s.tables), relationships, functions
}

// Closest returns the table of a schema most like a mistyped name, for hints.
func (s *Snapshot) Closest(wanted Name) (Name, bool) {
	var names []string
	for name := range s.tables {
		if name.Schema == wanted.Schema {
			names = append(names, name.Name)
		}
	}
	closest, ok := Closest(wanted.Name, names, SimilarName)
	return Name{wanted.Schema, closest}, ok
}

// ClosestFunction is Closest among functions.
func (s *Snapshot) ClosestFunction(wanted Name) (Name, bool) {
	var names []string
	for name := range s.functions {
		if name.Schema == wanted.Schema {
			names = append(names, name.Name)
		}
	}
	closest, ok := Closest(wanted.Name, names, SimilarName)
	return Name{wanted.Schema, closest}, ok
}
