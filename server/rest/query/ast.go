// Package query parses the query string of a data API request into a syntax tree.
//
// It does not use the schema or the database. Names in the tree are as the client
// wrote them; package plan resolves them.
//
// Source: PostgREST's reference, "Tables and Views" and "Resource Embedding".
package query

// Query is a parsed query string.
type Query struct {
	Select     []SelectItem // empty means all columns
	HasSelect  bool         // select was given
	Filters    []PathFilter // one per horizontal filter and logic tree, in order
	Orders     []PathOrder
	Ranges     []PathRange
	Columns    []string // columns=, the keys of the payload to use
	HasColumns bool
	OnConflict []string // on_conflict=, columns of the unique constraint
	Params     []Param  // function arguments of a GET on /rpc
}

// WholeRows reports whether complete rows are selected.
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

// Embed selects rows of a related table.
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

// Join determines whether a parent row without embedded rows is kept.
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

	// Convert is set by package plan. It means that the column is not JSON and must be
	// converted before the path is applied.
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

// PathFilter is a condition on the rows of the embed at Path. An empty path means the
// root.
type PathFilter struct {
	Path      []string
	Condition Condition
}

// PathOrder orders the rows of the embed at Path.
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

// PathRange limits the rows of the embed at Path.
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

// operators contains all operators. The value is true for text search operators.
var operators = map[Operator]bool{
	"eq": false, "neq": false, "gt": false, "gte": false, "lt": false, "lte": false,
	"like": false, "ilike": false, "match": false, "imatch": false,
	"in": false, "is": false, "isdistinct": false,
	"cs": false, "cd": false, "ov": false, "sl": false, "sr": false, "nxr": false, "nxl": false, "adj": false,
	"fts": true, "plfts": true, "phfts": true, "wfts": true,
}
