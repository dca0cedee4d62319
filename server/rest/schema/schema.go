// Package schema describes the database for the data API: the tables, columns,
// relationships and functions of the exposed schemas, read from pg_catalog.
//
// A Snapshot is immutable; a reload builds a new one.
package schema

import (
	"slices"
	"strings"
)

// Name is a qualified name.
type Name struct{ Schema, Name string }

// String returns "schema.name", for messages.
func (n Name) String() string { return n.Schema + "." + n.Name }

// Snapshot holds the data API's information about the database at one point in time.
type Snapshot struct {
	tables        map[Name]*Table
	relationships map[Name][]*Relationship
	functions     map[Name][]*Function // functions that clients may call
	relating      []*Function          // functions with one argument that return rows of a table
	rowFields     map[rowField]struct{}
	handlers      []*Handler

	HasPostGIS   bool // ST_AsGeoJSON is available for rows
	SetsResponse bool // a function may set response.headers or response.status
}

// rowField is a function that can be used like a column of a table (a computed
// column). The zero Name as its table means rows of any table.
type rowField struct {
	table    Name
	function string
}

// HasField reports whether a table has a column or computed column of the given name.
func (s *Snapshot) HasField(table *Table, name string) bool {
	if _, ok := table.Column(name); ok {
		return true
	}
	_, own := s.rowFields[rowField{table.Name, name}]
	_, general := s.rowFields[rowField{Name{}, name}]
	return own || general
}

// ComputedColumns returns the computed columns of a table that are defined in its
// schema, sorted by name.
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

	hasToJSON bool // a column has ToJSON set
}

// changes is the set of write commands that a table supports, as a bit mask of
// PostgreSQL's CmdType. It is the result of pg_relation_is_updatable.
type changes int

const (
	updates changes = 1 << 2
	inserts changes = 1 << 3
	deletes changes = 1 << 4
)

// Insertable reports whether rows can be inserted. Some views are read-only.
func (t *Table) Insertable() bool { return t.changes&inserts != 0 }

// Updatable reports whether rows can be updated.
func (t *Table) Updatable() bool { return t.changes&updates != 0 }

// Deletable reports whether rows can be deleted.
func (t *Table) Deletable() bool { return t.changes&deletes != 0 }

// HasRepresentations reports whether a column has a custom conversion to JSON.
func (t *Table) HasRepresentations() bool { return t.hasToJSON }

// Column returns a column by name.
func (t *Table) Column(name string) (*Column, bool) {
	column, ok := t.byName[name]
	return column, ok
}

// Column is a column of a table.
type Column struct {
	Name       string
	Type       string // as format_type prints it, with its modifier: "character varying(20)"
	InputType  string // Type, but without a modifier that the type's input function does not apply
	BaseType   string // the type behind a domain, without modifier
	MaxLength  *int32 // of character and bit types with a limit
	Comment    string
	Default    string // SQL expression of the default; empty if there is none
	Nullable   bool
	Generated  bool // generated always as (…) stored, or identity always
	Enum       []string
	HasDefault bool

	// Functions of the casts of the column's domain. The zero Name means PostgreSQL's
	// default conversion.
	ToJSON, FromJSON, FromText Name
}

// Cardinality is the cardinality of a relationship.
type Cardinality string

// The cardinalities, as PostgREST spells them in messages.
const (
	ManyToOne  Cardinality = "many-to-one"
	OneToMany  Cardinality = "one-to-many"
	OneToOne   Cardinality = "one-to-one"
	ManyToMany Cardinality = "many-to-many"
)

// Pair is a pair of columns, one from each side of a foreign key.
type Pair struct{ From, To string }

// Relationship is a relationship from one table to another.
type Relationship struct {
	From, To    Name
	Cardinality Cardinality
	Constraint  string // foreign key; empty for many-to-many and computed ones
	Columns     []Pair
	Junction    *Junction // many-to-many only
	Function    *Function // computed relationship only: takes a row of From
	Self        bool      // from a table to itself
	ToView      bool
	// Parent is set on a one-to-one relationship whose foreign key is on the other side.
	Parent bool
}

// IsToOne reports whether at most one row is embedded.
func (r *Relationship) IsToOne() bool {
	if r.Function != nil {
		return !r.Function.ReturnsMany()
	}
	return r.Cardinality == ManyToOne || r.Cardinality == OneToOne
}

// Junction is the table between the two sides of a many-to-many relationship.
type Junction struct {
	Table                        Name
	FromConstraint, ToConstraint string
	FromColumns, ToColumns       []Pair // From: the outer table's column, To: the junction's
}

// Volatility is a function's volatility, as in pg_proc.provolatile.
type Volatility byte

// The volatilities.
const (
	Immutable Volatility = 'i'
	Stable    Volatility = 's'
	Volatile  Volatility = 'v'
)

// Function is a function of an exposed schema.
type Function struct {
	OID        uint32 // distinguishes overloads
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
	MediaType  string   // the domain it returns, if its name is a media type
	Binary     bool     // the base type of that domain is bytea
	Settings   []string // the function's own settings, as "name=value"
}

// Handler is an aggregate that converts rows to a media type.
type Handler struct {
	Name      Name
	MediaType string
	Table     *Name // the table whose rows it takes; nil means any
	Binary    bool  // its result is a bytea
}

// ReturnsMany reports whether the function returns a list.
func (f *Function) ReturnsMany() bool { return f.ReturnsSet && f.Rows != 1 }

// Argument is an input of a function, or a column of its result.
type Argument struct {
	Name       string
	Type       string // without a length limit, as PostgreSQL treats arguments
	Declared   string // the declared type
	HasDefault bool
	Variadic   bool
}

// Table returns a table by name.
func (s *Snapshot) Table(name Name) (*Table, bool) {
	table, ok := s.tables[name]
	return table, ok
}

// Relationships returns all relationships from a table.
func (s *Snapshot) Relationships(from Name) []*Relationship { return s.relationships[from] }

// Functions returns all overloads of a function.
func (s *Snapshot) Functions(name Name) []*Function { return s.functions[name] }

// Handler returns the aggregate that converts a table's rows to a media type. If whole
// is set, which means that the rows are complete, an aggregate for the table is
// preferred to one for any rows.
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

// Count returns the number of tables, relationships and functions, for logs.
func (s *Snapshot) Count() (tables, relationships, functions int) {
	for _, list := range s.relationships {
		relationships += len(list)
	}
	for _, list := range s.functions {
		functions += len(list)
	}
	return len(s.tables), relationships, functions
}

// Closest returns the table of a schema with the most similar name, for hints.
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

// ClosestFunction is like Closest for functions.
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
