package gentypes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OIDs of the types that an unnamed argument may have: the body of a request.
const (
	oidBytea = 17
	oidText  = 25
	oidJSON  = 114
	oidXML   = 142
	oidJSONB = 3802
)

// split fills arguments from the parallel arrays of pg_proc.
func (f *function) split(exact bool) {
	f.arguments = nil
	inputs, outputs := 0, 0
	for i, typ := range f.Types {
		a := argument{mode: "i", typ: typ}
		if i < len(f.Modes) {
			a.mode = f.Modes[i]
		}
		if i < len(f.Names) {
			a.name = f.Names[i]
		}
		// Supabase's generator counts OUT arguments, too, which is wrong if they precede.
		place := i
		if exact {
			place = inputs
		}
		a.hasDefault = place >= f.Inputs-f.Defaults && place < f.Inputs
		if a.isInput() {
			inputs++
		}
		if a.isOutput() {
			outputs++
			a.column = outputs
		}
		f.arguments = append(f.arguments, a)
	}
}

func (f *function) inputs() []argument {
	return slices.DeleteFunc(slices.Clone(f.arguments), func(a argument) bool { return !a.isInput() })
}

// callable lists the functions of a schema that the API knows: those that can be called,
// and computed columns and relationships.
func (w *writer) callable(schema string) []*function {
	return slices.DeleteFunc(slices.Clone(w.functions), func(f *function) bool {
		return f.Schema != schema || !w.isCallable(f)
	})
}

func (w *writer) isCallable(f *function) bool {
	inputs := f.inputs()
	var unnamed []argument
	for _, a := range inputs {
		if a.name == "" {
			unnamed = append(unnamed, a)
		}
	}
	switch {
	case len(unnamed) == 0:
		return true
	case len(inputs) == 1:
		return w.isBody(inputs[0].typ) || w.isRow(inputs[0].typ)
	}
	// Supabase's generator lists what the API cannot call, and several arguments with the
	// same empty name, which is an error in TypeScript.
	return !w.Exact && len(unnamed) == 1 && unnamed[0].hasDefault && w.isBody(unnamed[0].typ)
}

// isBody reports whether the only argument of a function may be unnamed: it takes the
// body of a request.
func (w *writer) isBody(oid uint32) bool {
	switch oid {
	case oidText, oidJSON, oidJSONB:
		return true
	case oidBytea, oidXML:
		return w.Exact
	}
	return false
}

func (w *writer) isRow(oid uint32) bool {
	t, ok := w.types[oid]
	return ok && t.Relation != 0
}

// signatures returns the functions by name. Overloads are a union.
func (w *writer) signatures(functions []*function) (o object) {
	for len(functions) > 0 {
		name := functions[0].Name
		count := slices.IndexFunc(functions, func(f *function) bool { return f.Name != name })
		if count < 0 {
			count = len(functions)
		}
		overloads := slices.Clone(functions[:count])
		functions = functions[count:]
		slices.SortStableFunc(overloads, func(a, b *function) int {
			return w.compare(a.Arguments, b.Arguments, a.Returned, b.Returned)
		})
		variants := make(union, count)
		for i, f := range overloads {
			variants[i] = w.signature(f, overloads)
		}
		var value node = variants
		if count == 1 {
			value = variants[0]
		}
		o.members = append(o.members, field(name, false, value))
	}
	return o
}

func (w *writer) signature(f *function, overloads []*function) node {
	returns := w.result(f)
	if problem := w.problem(f, overloads); problem != "" {
		returns = object{open: true, members: []member{{"error", text("true")}}, suffix: " & " + quote(problem)}
	}
	target, found := w.resultRelation(f)
	// With SetofOptions, supabase-js knows whether it gets an array.
	if f.ReturnsSet && (f.Rows > 1 || !found) {
		returns = w.arrayOf(returns)
	}
	o := object{members: []member{{"Args", w.arguments(f)}, {"Returns", returns}}}
	if found {
		o.members = append(o.members, member{"SetofOptions", w.setOptions(f, target)})
	}
	return o
}

// arrayOf returns an array. Without Exact, the brackets follow a union as in Supabase's
// generator, and so belong to its last type only.
func (w *writer) arrayOf(n node) node {
	u, ok := n.(union)
	if !ok || w.Exact {
		return array{n}
	}
	u = slices.Clone(u)
	u[len(u)-1] = array{u[len(u)-1]}
	return u
}

func (w *writer) arguments(f *function) node {
	inputs := f.inputs()
	if len(inputs) == 0 {
		return text("Record<PropertyKey, never>")
	}
	var o object
	for _, a := range inputs {
		o.members = append(o.members, field(a.name, a.hasDefault, w.typeOf(a.typ)))
	}
	return o
}

// result returns the type of one row of a function's result.
func (w *writer) result(f *function) node {
	outputs := slices.DeleteFunc(slices.Clone(f.arguments), func(a argument) bool {
		return a.mode != "t" && !(w.Exact && a.isOutput())
	})
	if len(outputs) > 0 && !(w.Exact && w.isRow(f.Result)) {
		return w.record(outputs, f.Name)
	}
	if t, ok := w.types[f.Result]; ok {
		if r, ok := w.byOID[t.Relation]; ok && r.Schema == f.Schema {
			return w.columns(r)
		}
	}
	return w.typeOf(f.Result)
}

// record returns the type of a row that has the given arguments as columns.
func (w *writer) record(outputs []argument, function string) node {
	o := object{open: true}
	for _, a := range outputs {
		name := a.name
		if w.Exact && name == "" {
			name = function
			if len(outputs) > 1 {
				name = "column" + strconv.Itoa(a.column)
			}
		}
		o.members = append(o.members, field(name, false, w.typeOf(a.typ)))
	}
	return o
}

// resultRelation returns the type that a function returns, if it is that of a row.
func (w *writer) resultRelation(f *function) (*dataType, bool) {
	t, ok := w.types[f.Result]
	return t, ok && t.Relation != 0
}

// setOptions tells supabase-js what can be selected of a function's result, and of which
// rows it is a computed relationship.
func (w *writer) setOptions(f *function, target *dataType) node {
	from := "*"
	if len(f.arguments) == 1 {
		if t, ok := w.types[f.arguments[0].typ]; ok && t.Relation != 0 {
			from = t.Text
			if w.Exact {
				from = t.Name
			}
		}
	}
	one := !f.ReturnsSet || f.Rows <= 1
	return object{open: true, members: []member{
		{"from", text(quote(from))}, {"to", text(quote(target.Name))},
		{"isOneToOne", text(strconv.FormatBool(one))}, {"isSetofReturn", text(strconv.FormatBool(f.ReturnsSet))},
	}}
}

// problem returns the API's error for a function that no request can select, or "".
func (w *writer) problem(f *function, overloads []*function) string {
	inputs := f.inputs()
	var candidates []string
	switch {
	case len(inputs) == 0:
		candidates = w.rivalsWithDefault(f, overloads)
	case len(inputs) == 1 && inputs[0].name != "":
		candidates = w.rivalsOfType(f, overloads)
	}
	if len(candidates) > 0 {
		return fmt.Sprintf("Could not choose the best candidate function between: %s. "+
			"Try renaming the parameters or the function itself in the database so function overloading can be resolved", strings.Join(candidates, ", "))
	}
	if _, returnsRow := w.resultRelation(f); len(inputs) == 1 && inputs[0].name == "" && w.isRow(inputs[0].typ) && !returnsRow {
		return fmt.Sprintf("the function %s.%s with parameter or with a single unnamed json/jsonb parameter, "+
			"but no matches were found in the schema cache", f.Schema, f.Name)
	}
	return ""
}

// rivalsWithDefault names a function without arguments and one that needs none.
func (w *writer) rivalsWithDefault(f *function, overloads []*function) []string {
	for _, other := range overloads {
		if inputs := other.inputs(); other != f && len(inputs) == 1 && inputs[0].name == "" && inputs[0].hasDefault {
			name := f.Schema + "." + f.Name
			return []string{name + "()", name + "( => " + w.typeName(other.Result) + ")"}
		}
	}
	return nil
}

// rivalsOfType names the functions whose only argument has the same name and another type.
func (w *writer) rivalsOfType(f *function, overloads []*function) []string {
	own := f.inputs()[0]
	rivals := []argument{own}
	for _, other := range overloads {
		if inputs := other.inputs(); other != f && len(inputs) == 1 && inputs[0].name == own.name && inputs[0].typ != own.typ {
			rivals = append(rivals, inputs[0])
		}
	}
	if len(rivals) == 1 {
		return nil
	}
	slices.SortStableFunc(rivals, func(a, b argument) int { return cmp.Compare(a.typ, b.typ) })
	names := make([]string, len(rivals))
	for i, a := range rivals {
		names[i] = fmt.Sprintf("%s.%s(%s => %s)", f.Schema, f.Name, a.name, w.typeName(a.typ))
	}
	return names
}

func (w *writer) typeName(oid uint32) string {
	if t, ok := w.types[oid]; ok {
		return t.Name
	}
	return "unknown"
}
