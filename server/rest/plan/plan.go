// Package plan joins what a client asked (query) with what the database has
// (schema) into a tree that sqlgen can write down without further look-ups.
//
// It is pure. A request that cannot work fails here, before a connection is
// taken, with upstream's code and message.
package plan

import (
	"slices"

	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Read is a select on one table with its embeds.
type Read struct {
	Table   schema.Name
	Alias   string // how the statement calls the table
	Columns []Column
	Where   []Condition
	Order   []Order
	Limit   *int64
	Offset  *int64
	Embeds  []*Embed
	Stars   []string // the table's columns, where a star has to be written out

	LegacyNames []LegacyName // of the root: what filters, orders and limits should name otherwise
}

// isEmpty tells that nothing is selected, or nothing but embeds that are empty.
func (r *Read) isEmpty() bool {
	return len(r.Columns) == 0 && !slices.ContainsFunc(r.Embeds, func(e *Embed) bool { return !e.Hidden })
}

// Narrows reports whether the answer may have fewer rows than the source.
func (r *Read) Narrows() bool {
	return r.Limit != nil || r.Offset != nil || len(r.Where) > 0 || r.Grouped() ||
		slices.ContainsFunc(r.Embeds, func(e *Embed) bool { return e.Inner })
}

// Grouped reports whether a read aggregates: its other columns are then what it
// groups by.
func (r *Read) Grouped() bool {
	for _, column := range r.Columns {
		if column.Aggregate != "" {
			return true
		}
	}
	for _, embed := range r.Embeds {
		for _, column := range embed.Spreads {
			if column.Aggregate != "" {
				return true
			}
		}
	}
	return false
}

// Column is one selected column.
type Column struct {
	Star  bool
	Field query.FieldRef
	As    string // key in the answer, empty where the column's own name serves
	Cast  string

	ToJSON        schema.Name // the function that shows the column's domain, if any
	Aggregate     string      // avg, count, max, min, sum; the field has no name for count()
	AggregateCast string
}

// SpreadColumn is a column that an embed puts into its parent.
type SpreadColumn struct {
	From string // the embed's name for it; empty for count()
	As   string
	JSON bool // an embed, or a list of values: json, whatever its column is

	// An aggregate of a to-one spread is the parent's: each row has one value.
	Aggregate     string
	AggregateCast string
}

// Embed is a related table's rows in the answer.
type Embed struct {
	Key      string // key in the answer
	Alias    string // how the statement calls the joined rows
	Relation *schema.Relationship
	Read     *Read
	Inner    bool
	Spread   bool
	Hidden   bool // selects nothing: there for its filters only
	Spreads  []SpreadColumn

	Name       string // what was selected: a table, view, function or foreign key
	legacyName bool   // something named it so although it has an alias
}

// ToOne reports whether the answer holds an object (or null) rather than a list.
func (e *Embed) ToOne() bool { return e.Relation.IsToOne() }

// Condition is a Filter, a Logic or an EmbedPresence.
type Condition interface{ planned() }

// Filter compares a column.
type Filter struct {
	query.Filter
	// Vector wraps the column in to_tsvector: a text search on a plain column.
	Vector bool
	// FromText is the function that reads the column's domain, if any.
	FromText schema.Name
}

// Logic joins conditions.
type Logic struct {
	Negated, Or bool
	Conditions  []Condition
}

// EmbedPresence asks whether an embed has rows: rel=is.null, rel=not.is.null.
type EmbedPresence struct {
	Embed   *Embed
	Present bool
}

func (Filter) planned()        {}
func (Logic) planned()         {}
func (EmbedPresence) planned() {}

// Order is one order term; Embed is set when it is a column of a to-one embed.
type Order struct {
	query.OrderTerm
	Embed *Embed
}
