// Package plan resolves a parsed request (query) against the database schema (schema)
// and returns a tree from which sqlgen generates SQL without further lookups.
//
// It has no side effects. A request that cannot succeed fails here, before a
// connection is acquired, with upstream's code and message.
package plan

import (
	"slices"

	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Read is a select on one table with its embeds.
type Read struct {
	Table   schema.Name
	Alias   string // the table's alias in the statement
	Columns []Column
	Where   []Condition
	Order   []Order
	Limit   *int64
	Offset  *int64
	Embeds  []*Embed
	Stars   []string // the table's columns, if a star must be expanded

	LegacyNames []LegacyName // legacy names used in filters, orders and limits; set on the root only
}

// isEmpty reports whether the response has nothing of the read: no columns, and only hidden embeds.
func (r *Read) isEmpty() bool {
	return len(r.Columns) == 0 && !slices.ContainsFunc(r.Embeds, func(e *Embed) bool { return !e.Hidden })
}

// Narrows reports whether the result may have fewer rows than the source.
func (r *Read) Narrows() bool {
	return r.Limit != nil || r.Offset != nil || len(r.Where) > 0 || r.Grouped() ||
		slices.ContainsFunc(r.Embeds, func(e *Embed) bool { return e.Inner })
}

// Grouped reports whether a read aggregates. It is then grouped by its other columns.
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
	As    string // key in the response; empty means the column's own name
	Cast  string

	ToJSON        schema.Name // the function that converts the column's domain to JSON, if any
	Aggregate     string      // avg, count, max, min, sum; the field has no name for count()
	AggregateCast string
}

// SpreadColumn is a column that a spread embed adds to its parent.
type SpreadColumn struct {
	From string // name in the embed; empty for count()
	As   string
	JSON bool // of type json: an embed or a list of values

	// The parent computes the aggregates of a to-one spread, because each of its rows
	// has only one value.
	Aggregate     string
	AggregateCast string
}

// Embed holds a related table's rows in the response.
type Embed struct {
	Key      string // key in the response
	Alias    string // alias of the joined rows in the statement
	Relation *schema.Relationship
	Read     *Read
	Inner    bool
	Spread   bool
	Hidden   bool // selects nothing; used only for its filters
	Spreads  []SpreadColumn

	Name       string // the selected name: a table, view, function or foreign key
	legacyName bool   // a filter, order or limit uses Name although the embed has an alias
}

// ToOne reports whether the response contains an object (or null) rather than a list.
func (e *Embed) ToOne() bool { return e.Relation.IsToOne() }

// Condition is a Filter, a Logic or an EmbedPresence.
type Condition interface{ planned() }

// Filter compares a column.
type Filter struct {
	query.Filter
	// Vector means that the column must be converted by to_tsvector, because it is not
	// a tsvector itself.
	Vector bool
	// FromText is the function that converts text to the column's domain, if any.
	FromText schema.Name
}

// Logic joins conditions.
type Logic struct {
	Negated, Or bool
	Conditions  []Condition
}

// EmbedPresence tests whether an embed has rows: rel=is.null, rel=not.is.null.
type EmbedPresence struct {
	Embed   *Embed
	Present bool
}

func (Filter) planned()        {}
func (Logic) planned()         {}
func (EmbedPresence) planned() {}

// Order is one order term. Embed is set if the term is a column of a to-one embed.
type Order struct {
	query.OrderTerm
	Embed *Embed
}
