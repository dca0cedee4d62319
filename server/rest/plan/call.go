package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Call is a planned call of a function, with the read of its result.
type Call struct {
	Function *schema.Function
	Given    []schema.Argument // the arguments that the client passes, in the function's order
	Body     bool              // the whole body is the single unnamed argument
	Read     *Read             // selects from the returned rows; nil for a single value and void
}

// Scalar is the column name for the values of a function without columns.
const Scalar = "pgrst_scalar"

// ForCall chooses a function's overload by the names of the given arguments, and
// plans the read of its rows.
//
// body is the type of the body ("json", "text", "xml" or "bytea"), which can be passed
// whole to a function with one unnamed argument. It is empty without a body.
//
// Errors: 404 PGRST202 if no overload matches, 300 PGRST203 if several do.
func ForCall(s *schema.Snapshot, name schema.Name, given []string, body string, q *query.Query, limits Limits) (*Call, error) {
	function, whole, err := choose(s, name, given, body)
	if err != nil {
		return nil, err
	}
	if len(q.OnConflict) > 0 {
		return nil, apierr.New(400, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", q.OnConflict[0], function.Name.Name).
			WithDetail("A function call takes no on_conflict")
	}
	for _, name := range q.Columns {
		if !slices.ContainsFunc(function.Arguments, func(a schema.Argument) bool { return a.Name == name }) {
			return nil, apierr.New(400, "PGRST204", "Could not find the '%s' argument of '%s' in the schema cache", name, function.Name.Name)
		}
	}
	call := &Call{Function: function, Body: whole}
	for _, argument := range function.Arguments {
		if whole || slices.Contains(given, argument.Name) {
			call.Given = append(call.Given, argument)
		}
	}
	p := &planner{schema: s, limits: limits}
	switch {
	case function.Table != nil:
		call.Read, err = p.rows(*function.Table, name.Name, q)
	case function.Composite:
		p.results = function.Results
		call.Read, err = p.rows(name, name.Name, q)
	case function.ReturnsSet || readsRows(q):
		values := *q
		if q.WholeRows() {
			values.Select = []query.SelectItem{query.Field{Name: Scalar}}
		}
		call.Read, err = p.rows(name, name.Name, &values)
	}
	return call, err
}

// readsRows reports whether a query selects, filters, orders or limits rows. A single
// value is then treated as a set of one row, so that invalid queries fail.
func readsRows(q *query.Query) bool {
	return !q.WholeRows() || len(q.Filters) > 0 || len(q.Orders) > 0 || len(q.Ranges) > 0
}

func choose(s *schema.Snapshot, name schema.Name, given []string, body string) (*schema.Function, bool, error) {
	var named, whole []*schema.Function
	for _, f := range s.Functions(name) {
		if body != "text" && body != "xml" && body != "bytea" && fits(f, given) {
			named = append(named, f)
		}
		if takesBody(f, body) {
			whole = append(whole, f)
		}
	}
	switch {
	case len(named) == 1:
		return named[0], body == "json" && hasUnnamed(named[0]), nil
	case len(named) > 1:
		return nil, false, ambiguousCall(named)
	case len(whole) == 1:
		return whole[0], true, nil
	case len(whole) > 1:
		return nil, false, ambiguousCall(whole)
	}
	return nil, false, noFunction(s, name, given, body)
}

// hasUnnamed reports whether a function has a single argument without a name. As
// upstream, it gets the whole body, even if the function was chosen by the key "".
func hasUnnamed(f *schema.Function) bool { return len(f.Arguments) == 1 && f.Arguments[0].Name == "" }

// fits reports whether the function has all given arguments and all its required
// arguments are given.
func fits(f *schema.Function, given []string) bool {
	known := 0
	for _, argument := range f.Arguments {
		switch {
		case slices.Contains(given, argument.Name):
			known++
		case !argument.HasDefault && !argument.Variadic:
			return false
		}
	}
	return known == len(given)
}

// takesBody reports whether a function has a single unnamed argument that accepts a
// body of the given type.
func takesBody(f *schema.Function, body string) bool {
	if body == "" || !hasUnnamed(f) {
		return false
	}
	kind := f.Arguments[0].Type
	return kind == body || kind == "jsonb" && body == "json"
}

// ambiguousCall lists the candidates in upstream's order: by the number of
// arguments, then by comment, then by the arguments.
func ambiguousCall(found []*schema.Function) error {
	slices.SortStableFunc(found, func(a, b *schema.Function) int {
		return cmp.Or(cmp.Compare(len(a.Arguments), len(b.Arguments)), cmp.Compare(a.Comment, b.Comment), compareArguments(a, b))
	})
	signatures := make([]string, len(found))
	for i, f := range found {
		signatures[i] = signature(f)
	}
	return apierr.New(300, "PGRST203", "Could not choose the best candidate function between: %s", strings.Join(signatures, ", ")).
		WithHint("Try renaming the parameters or the function itself in the database so function overloading can be resolved")
}

func compareArguments(a, b *schema.Function) int {
	return slices.CompareFunc(a.Arguments, b.Arguments, func(a, b schema.Argument) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type))
	})
}

func signature(f *schema.Function) string {
	arguments := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		arguments[i] = a.Name + " => " + a.Type
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(arguments, ", "))
}

func noFunction(s *schema.Snapshot, name schema.Name, given []string, body string) error {
	if body == "text" || body == "xml" || body == "bytea" {
		return apierr.New(404, "PGRST202", "Could not find the function %s in the schema cache", name).
			WithDetail("Searched for the function %s with a single unnamed %s parameter, but no matches were found in the schema cache.", name, body)
	}
	sorted := slices.Sorted(slices.Values(given))
	with, searched := " without parameters", " without parameters"
	if len(given) > 0 {
		with = "(" + strings.Join(sorted, ", ") + ")"
		searched = " with parameter " + sorted[0]
		if len(given) > 1 {
			searched = " with parameters " + strings.Join(sorted, ", ")
		}
	}
	if body == "json" {
		searched += " or with a single unnamed json/jsonb parameter"
	}
	err := apierr.New(404, "PGRST202", "Could not find the function %s%s in the schema cache", name, with).
		WithDetail("Searched for the function %s%s, but no matches were found in the schema cache.", name, searched)
	same := s.Functions(name)
	if len(same) == 0 {
		if closest, ok := s.ClosestFunction(name); ok {
			return err.WithHint("Perhaps you meant to call the function %s", closest)
		}
		return err
	}
	signatures := make([]string, len(same))
	for i, f := range same {
		signatures[i] = argumentNames(f)
	}
	if closest, ok := schema.Closest("("+strings.Join(sorted, ", ")+")", signatures, schema.SimilarArguments); ok {
		return err.WithHint("Perhaps you meant to call the function %s%s", name, closest)
	}
	return err
}

func argumentNames(f *schema.Function) string {
	names := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		names[i] = a.Name
	}
	slices.Sort(names)
	return "(" + strings.Join(names, ", ") + ")"
}
