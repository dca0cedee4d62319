package openapi

import (
	"slices"

	"plaza/server/rest/schema"
)

// wholeBody lists the allowed types of a single unnamed argument, which takes the
// complete body.
var wholeBody = []string{"bytea", "json", "jsonb", "text", "xml"}

// callable reports whether a client can call a function: its arguments are named, or
// its only argument takes the body.
func callable(f *schema.Function) bool {
	unnamed := slices.ContainsFunc(f.Arguments, func(a schema.Argument) bool { return a.Name == "" })
	return !unnamed || len(f.Arguments) == 1 && slices.Contains(wholeBody, f.Arguments[0].Declared)
}

// addFunction adds a function to a list that is sorted by name. Only one overload can
// be listed: the one with the most arguments.
func addFunction(to []*schema.Function, f *schema.Function) []*schema.Function {
	last := len(to) - 1
	if last < 0 || to[last].Name != f.Name {
		return append(to, f)
	}
	if len(to[last].Arguments) <= len(f.Arguments) {
		to[last] = f
	}
	return to
}

// functionPath describes the calls of a function.
func functionPath(f *schema.Function, searchPath []string) pathItem {
	body := value{Type: "object", Description: f.Comment}
	var query []any
	for _, a := range f.Arguments {
		typeName := shortType(a.Declared, searchPath)
		body.Properties = append(body.Properties, property{a.Name, valueOf(typeName)})
		if !a.HasDefault {
			body.Required = append(body.Required, a.Name)
		}
		query = append(query, inQuery(a, typeName))
	}
	summary, description := summarize(f.Comment)
	method := func(parameters ...any) *operation {
		return &operation{
			Tags: []string{"(rpc) " + f.Name.Name}, Summary: summary, Description: description, Parameters: parameters,
			Produces: []string{typeJSON, typeObjectStripped, typeObject}, Responses: responses("200", "OK"),
		}
	}
	item := pathItem{Post: method(parameter{Name: "args", Required: true, In: "body", Schema: &body}, reference{"#/parameters/preferParams"})}
	if f.Volatility != schema.Volatile {
		item.Get = method(query...)
	}
	return item
}

// inQuery describes an argument in a query string. Arrays are passed as text; variadic
// arguments are repeated.
func inQuery(a schema.Argument, typeName string) parameter {
	p := parameter{Name: a.Name, Required: !a.HasDefault, In: "query"}
	if a.Variadic {
		p.Type, p.CollectionFormat = "array", "multi"
		p.Items = &value{Type: jsonType(element(typeName)), Format: formatOf(element(typeName))}
		return p
	}
	p.Type, p.Format = jsonType(typeName), formatOf(typeName)
	if p.Type == "array" || p.Type == "" {
		p.Type = "string"
	}
	return p
}
