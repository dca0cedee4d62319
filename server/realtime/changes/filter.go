package changes

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plaza/server/claims"
	"plaza/server/lazyregexp"
	"plaza/server/pg"
	"plaza/server/realtime/visible"
)

// test is a Filter compiled for a table.
type test struct {
	Filter

	column *visible.Column
	local  func(text string) bool // compares a value that is not null; nil: PostgreSQL compares
	key    string                 // of the comparison, if PostgreSQL compares

	cast  *pg.CallerQuery // casts the values while the test is compiled
	casts []string        // its result
}

// matchesNull reports whether null matches the filter.
func (t *test) matchesNull() bool {
	switch t.Op {
	case "is":
		return t.isNull() != t.Negated
	case "isdistinct":
		return !t.Negated
	}
	return false // also negated, as in SQL
}

// isNull reports whether a filter is "is null", or "is unknown", which is the same for booleans.
func (t *test) isNull() bool { return t.Value == "null" || t.Value == "unknown" }

// Values of is, by PostgreSQL's text of a boolean.
var isValues = map[string]string{"true": "t", "false": "f"}

// compile turns an entry's filters into tests for a table. Values are cast by PostgreSQL, once.
//
// Errors: RefusedError for an invalid filter or selection; those of the database.
func compile(ctx context.Context, db *pg.DB, e *Entry, view *visible.RoleView) ([]*test, error) {
	for _, name := range e.Select {
		if c := view.Column(name); c == nil || !c.Selectable {
			return nil, refused("invalid column for select %s", name)
		}
	}
	tests := make([]*test, len(e.Filters))
	var queries []*pg.CallerQuery
	for i, f := range e.Filters {
		t := &test{Filter: f, column: view.Column(f.Column)}
		if t.column == nil || !t.column.Selectable {
			return nil, refused("invalid column for filter %s", f.Column)
		}
		if err := t.check(); err != nil {
			return nil, err
		}
		if t.cast = t.castQuery(); t.cast != nil {
			queries = append(queries, t.cast)
		}
		tests[i] = t
	}
	if err := db.QueryAsCallers(ctx, queries); err != nil {
		return nil, err
	}
	for _, t := range tests {
		if err := t.normalize(); err != nil {
			return nil, err
		}
		t.chooseComparison()
	}
	return tests, nil
}

// textTypes are the types that patterns can be matched against.
var textTypes = []string{"text", "varchar", "bpchar", "name", "citext"}

func (t *test) check() error {
	switch t.Op {
	case "in":
		if len(t.Values) > maxIn {
			return refused("too many values for `in` filter. Maximum %d", maxIn)
		}
	case "like", "ilike", "match", "imatch":
		if !slices.Contains(textTypes, t.column.Type) {
			return refused("operator %s requires a text-compatible column type, got %s", t.Op, t.column.Type)
		}
	case "is":
		_, isBoolean := isValues[t.Value]
		isBoolean = (isBoolean || t.Value == "unknown") && t.column.Type == "bool"
		if t.Value != "null" && !isBoolean {
			return refused("invalid value for is filter: %s", t.Value)
		}
	}
	return nil
}

// castQuery returns a query that casts the values of a filter, so that they have the same text as in the
// WAL, or nil if there is nothing to cast.
func (t *test) castQuery() *pg.CallerQuery {
	var sql string
	values := []string{t.Value}
	switch t.Op {
	case "is", "like", "ilike":
		return nil
	case "match", "imatch":
		// PostgreSQL checks a pattern when it is used.
		sql = "select v from unnest($1::text[]) v where ('' ~ v) is not null"
	case "in":
		values = t.Values
		fallthrough
	default:
		sql = fmt.Sprintf("select (v::%s)::text from unnest($1::text[]) with ordinality u (v, n) order by n", t.column.SQL)
	}
	return &pg.CallerQuery{
		Who: claims.ForRole(claims.Anon), Statement: pg.Statement{SQL: sql, Args: [][]byte{visible.TextArray(values)}},
		Scan: func(row [][]byte) error { t.casts = append(t.casts, string(row[0])); return nil },
	}
}

// isValueError reports whether PostgreSQL refuses a value or its type: class 22, data exception, or 42, syntax
// error or access rule violation.
func isValueError(refusal *pg.PgError) bool {
	return strings.HasPrefix(refusal.Code, "22") || strings.HasPrefix(refusal.Code, "42")
}

// normalize replaces the values by the cast ones.
func (t *test) normalize() error {
	q, casts := t.cast, t.casts
	t.cast, t.casts = nil, nil
	if q == nil {
		return nil
	}
	if q.Err != nil {
		refusal := pg.AsPgError(q.Err)
		switch {
		case refusal == nil || !isValueError(refusal):
			return q.Err
		case strings.HasSuffix(t.Op, "match"):
			return refused("invalid regular expression for match filter: %s", refusal.Message)
		}
		return RefusedError(refusal.Message)
	}
	if t.column.Type == "bool" {
		for i := range casts {
			casts[i] = casts[i][:1] // the WAL has "t" and "f"
		}
	}
	if t.Op == "in" {
		t.Values = casts
	} else if len(casts) == 1 {
		t.Value = casts[0]
	}
	return nil
}

// isInteger matches the types whose values can be ordered in memory.
var isInteger = lazyregexp.New(`^int[248]$`)

// chooseComparison chooses how values are compared: in memory if that is exact, otherwise by PostgreSQL.
func (t *test) chooseComparison() {
	if t.Op == "is" {
		want := isValues[t.Value]
		t.local = func(text string) bool { return text == want }
		return
	}
	if t.column.Exact {
		switch t.Op {
		case "eq":
			t.local = func(text string) bool { return text == t.Value }
		case "neq", "isdistinct":
			t.local = func(text string) bool { return text != t.Value }
		case "in":
			set := make(map[string]bool, len(t.Values))
			for _, value := range t.Values {
				set[value] = true
			}
			t.local = func(text string) bool { return set[text] }
		}
	}
	if isInteger().MatchString(t.column.Type) && t.local == nil {
		t.local = t.compareIntegers()
	}
	if t.local == nil {
		t.key = strings.Join([]string{t.column.SQL, t.Op, t.Value, strings.Join(t.Values, "\x00")}, "\x00")
	}
}

func (t *test) compareIntegers() func(text string) bool {
	want, err := strconv.ParseInt(t.Value, 10, 64)
	if err != nil {
		return nil
	}
	holds := map[string]func(n int64) bool{
		"lt": func(n int64) bool { return n < want }, "lte": func(n int64) bool { return n <= want },
		"gt": func(n int64) bool { return n > want }, "gte": func(n int64) bool { return n >= want },
	}[t.Op]
	if holds == nil {
		return nil
	}
	return func(text string) bool {
		n, err := strconv.ParseInt(text, 10, 64)
		return err == nil && holds(n)
	}
}

// comparison is a filter that PostgreSQL evaluates, and the values to evaluate it for, in text form.
type comparison struct {
	test  *test
	texts []string
	holds map[string]bool // by text; those not compared are missing
}

// comparisons collects what PostgreSQL has to compare for a batch.
type comparisons map[string]*comparison

// want adds a text to compare a filter with.
func (all comparisons) want(t *test, text string) {
	c := all[t.key]
	if c == nil {
		c = &comparison{test: t, holds: make(map[string]bool)}
		all[t.key] = c
	}
	if _, known := c.holds[text]; !known {
		c.holds[text] = false
		c.texts = append(c.texts, text)
	}
}

// query lets PostgreSQL compare. A comparison that raises an error holds for no value.
func (all comparisons) query(ctx context.Context, db *pg.DB) error {
	queries := make([]*pg.CallerQuery, 0, len(all))
	for _, c := range all {
		operand := fmt.Sprintf("($2::text)::%s", c.test.column.SQL)
		args := [][]byte{visible.TextArray(c.texts), []byte(c.test.Value)}
		switch c.test.Op {
		case "in":
			operand, args[1] = fmt.Sprintf("($2::text)::%s[]", c.test.column.SQL), visible.TextArray(c.test.Values)
			operand = "(" + operand + ")"
		case "like", "ilike", "match", "imatch":
			operand = "$2::text"
		}
		queries = append(queries, &pg.CallerQuery{
			Who: claims.ForRole(claims.Anon),
			Statement: pg.Statement{
				SQL:  fmt.Sprintf("select v from unnest($1::text[]) v where (v::%s) %s %s", c.test.column.SQL, ops[c.test.Op], operand),
				Args: args,
			},
			Scan: func(row [][]byte) error { c.holds[string(row[0])] = true; return nil },
		})
	}
	return db.QueryAsCallers(ctx, queries)
}
