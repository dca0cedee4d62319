// Package query reads the URL grammar of the data API into a syntax tree.
//
// It is pure: it knows no schema and no database. Names in the tree are what
// the client wrote; the plan package resolves them.
//
// Source: PostgREST's reference, "Tables and Views" and "Resource Embedding".
package query

// Query is a parsed query string.
type Query struct {
	Select     []SelectItem // empty means all columns
	HasSelect  bool         // whether select was given at all
	Filters    []PathFilter // one per horizontal filter and logic tree, in order
	Orders     []PathOrder
	Ranges     []PathRange
	Columns    []string // columns=, the keys of a payload that count
	HasColumns bool
	OnConflict []string // on_conflict=, columns of the unique constraint
	Params     []Param  // function arguments of a GET on /rpc
}

// WholeRows tells that the rows are wanted as they are.
func (q *Query) WholeRows() bool {
	if len(q.Select) == 0 {
		return true
	}
	_, star := q.Select[0].(Star)
	return star && len(q.Select) == 1
}

// SelectItem is one entry of select: a Field, an Embed, or a Star.
type SelectItem interface{ selectItem() }

// Star is "*": all columns.
type Star struct{}

// Field is a column, or a value inside a JSON column.
type Field struct {
	Name          string
	JSON          []JSONStep
	Alias         string
	Cast          string
	Aggregate     string // avg, count, max, min, sum; Name is empty for count()
	AggregateCast string
}

// Embed is another table's rows inside this one's.
type Embed struct {
	Relation string // table, view, function or foreign key name
	Hint     string // after "!": constraint, column or table
	Alias    string
	Join     Join
	Spread   bool // "...": columns go into the parent object
	Select   []SelectItem
}

func (Star) selectItem()  {}
func (Field) selectItem() {}
func (Embed) selectItem() {}

// Join says whether a parent without embedded rows stays.
type Join string

// The joins.
const (
	LeftJoin  Join = "left"
	InnerJoin Join = "inner"
)

// JSONStep is one arrow of a JSON path: -> or ->> and a key or an index.
type JSONStep struct {
	Text  bool // ->>: the value as text
	Key   string
	Index bool // Key is an array index
}

// FieldRef names a column in a filter or an order.
type FieldRef struct {
	Name string
	JSON []JSONStep

	// Convert is for the plan to set: the column is no JSON, so that a path
	// leads into its JSON form.
	Convert bool
}

// Condition is a Filter or a Logic.
type Condition interface{ condition() }

// Filter compares one field.
type Filter struct {
	Field      FieldRef
	Negated    bool
	Operator   Operator
	Quantifier Quantifier // any or all, for the operators that take a list
	Language   string     // text search configuration, for fts operators
	Value      string     // as written, unquoted; the keyword for is
	List       []string   // elements, for in
}

// Logic joins conditions with and/or.
type Logic struct {
	Negated    bool
	Or         bool
	Conditions []Condition
}

func (Filter) condition() {}
func (Logic) condition()  {}

// PathFilter is a condition on the rows of the embed that Path leads to; an
// empty path means the rows asked for.
type PathFilter struct {
	Path      []string
	Condition Condition
}

// PathOrder orders the rows of the embed that Path leads to.
type PathOrder struct {
	Path  []string
	Terms []OrderTerm
}

// OrderTerm is one entry of order.
type OrderTerm struct {
	Relation   string // order by a column of this to-one embed
	Field      FieldRef
	Descending bool
	Nulls      string // "first", "last" or empty for PostgreSQL's default
}

// PathRange cuts the rows of the embed that Path leads to.
type PathRange struct {
	Path   []string
	Limit  *int64
	Offset *int64
}

// Param is a function argument in the query string.
type Param struct{ Name, Value string }

// Quantifier is the any/all of eq(any).
type Quantifier string

// The quantifiers.
const (
	None Quantifier = ""
	Any  Quantifier = "any"
	All  Quantifier = "all"
)

// Operator is a filter operator as written in a URL.
type Operator string

// quantifiable operators may carry (any) or (all).
var quantifiable = map[Operator]bool{
	"eq": true, "gt": true, "gte": true, "lt": true, "lte": true,
	"like": true, "ilike": true, "match": true, "imatch": true,
}

// operators lists all; true where the operator is a text search.
var operators = map[Operator]bool{
	"eq": false, "neq": false, "gt": false, "gte": false, "lt": false, "lte": false,
	"like": false, "ilike": false, "match": false, "imatch": false,
	"in": false, "is": false, "isdistinct": false,
	"cs": false, "cd": false, "ov": false, "sl": false, "sr": false, "nxr": false, "nxl": false, "adj": false,
	"fts": true, "plfts": true, "phfts": true, "wfts": true,
}
