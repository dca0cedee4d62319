package plan

import (
	"fmt"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Call runs a function and shapes its result.
type Call struct {
	Function *schema.Function
	Given    []schema.Argument // the arguments the client gives, in the function's order
	Body     bool              // the whole body is the one unnamed argument
	Read     *Read             // shapes rows; nil for scalars and void
}

// ForCall chooses among a function's overloads by the names of the arguments
// given, and plans what is done with its rows.
//
// body tells that the request has a body that a function with one unnamed
// argument can take as it is.
//
// Errors: 404 PGRST202 when none fits, 300 PGRST203 when several do.
func ForCall(s *schema.Snapshot, name schema.Name, given []string, body bool, q *query.Query, limits Limits) (*Call, error) {
	function, whole, err := choose(s, name, given, body)
	if err != nil {
		return nil, err
	}
	call := &Call{Function: function, Body: whole}
	for _, argument := range function.Arguments {
		if whole || slices.Contains(given, argument.Name) {
			call.Given = append(call.Given, argument)
		}
	}
	if !function.Composite || function.IsVoid {
		return call, nil
	}
	rows := schema.Name{Schema: name.Schema, Name: name.Name}
	if function.Table != nil {
		rows = *function.Table
	}
	call.Read, err = forRows(s, rows, name.Name, q, limits)
	return call, err
}

func choose(s *schema.Snapshot, name schema.Name, given []string, body bool) (*schema.Function, bool, error) {
	var named, whole []*schema.Function
	for _, f := range s.Functions(name) {
		if fits(f, given) {
			named = append(named, f)
		}
		if body && takesBody(f) {
			whole = append(whole, f)
		}
	}
	switch {
	case len(named) == 1:
		return named[0], false, nil
	case len(named) > 1:
		return nil, false, ambiguousCall(named)
	case len(whole) == 1:
		return whole[0], true, nil
	case len(whole) > 1:
		return nil, false, ambiguousCall(whole)
	}
	return nil, false, noFunction(s, name, given)
}

// fits tells whether all arguments given are the function's and all it needs
// are given.
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

// takesBody tells a function with one unnamed argument of a type that can hold
// a request's body.
func takesBody(f *schema.Function) bool {
	if len(f.Arguments) != 1 || f.Arguments[0].Name != "" {
		return false
	}
	switch f.Arguments[0].Type {
	case "json", "jsonb", "text", "bytea", "xml":
		return true
	}
	return false
}

func ambiguousCall(found []*schema.Function) error {
	signatures := make([]string, len(found))
	for i, f := range found {
		signatures[i] = signature(f)
	}
	return apierr.New(300, "PGRST203", "Could not choose the best candidate function between: %s", strings.Join(signatures, ", ")).
		WithHint("Try renaming the parameters or the function itself in the database so function overloading can be resolved")
}

func signature(f *schema.Function) string {
	arguments := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		arguments[i] = a.Name + " => " + a.Type
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(arguments, ", "))
}

func noFunction(s *schema.Snapshot, name schema.Name, given []string) error {
	with, searched := "without parameters", "without parameters"
	if len(given) > 0 {
		sorted := slices.Sorted(slices.Values(given))
		with = "(" + strings.Join(sorted, ", ") + ")"
		plural := "parameter"
		if len(sorted) > 1 {
			plural = "parameters"
		}
		searched = "with " + plural + " " + strings.Join(sorted, ", ")
	}
	separator := ""
	if len(given) == 0 {
		separator = " "
	}
	err := apierr.New(404, "PGRST202", "Could not find the function %s%s%s in the schema cache", name, separator, with).
		WithDetail("Searched for the function %s %s or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.", name, searched)
	if same := s.Functions(name); len(same) > 0 {
		return err.WithHint("Perhaps you meant to call the function %s", signatureNames(same[0]))
	}
	if closest, ok := s.ClosestFunction(name); ok {
		return err.WithHint("Perhaps you meant to call the function %s", closest)
	}
	return err
}

func signatureNames(f *schema.Function) string {
	names := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		names[i] = a.Name
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(names, ", "))
}
