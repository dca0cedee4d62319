package request

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"plaza/server/jsontext"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/sqlgen"
)

// Arguments holds the arguments that a client passes to a function.
type Arguments struct {
	Kind   string // type of whole: json, text, xml or bytea
	Names  []string
	texts  map[string][]string // from a query string or a form; a name may have several values
	raw    map[string][]byte   // members of the JSON object
	object []byte              // the JSON object itself
	whole  []byte              // the unmodified body, for a function with one unnamed argument
}

// ArgumentsOfQuery returns the arguments in a query string.
func ArgumentsOfQuery(params []query.Param) Arguments {
	given := Arguments{texts: make(map[string][]string)}
	for _, param := range params {
		if len(given.texts[param.Name]) == 0 {
			given.Names = append(given.Names, param.Name)
		}
		given.texts[param.Name] = append(given.texts[param.Name], param.Value)
	}
	return given
}

// Keep limits the arguments to the given names. A name that is not in the body gets
// the value null.
func (a *Arguments) Keep(columns []string) {
	if a.raw == nil {
		return // a form, or the whole body as one argument
	}
	for _, name := range columns {
		if _, given := a.raw[name]; !given {
			a.raw[name] = []byte("null")
		}
	}
	a.Names = slices.Compact(slices.Sorted(slices.Values(columns)))
}

func argumentsOfJSON(body []byte) (Arguments, error) {
	if body = bytes.TrimSpace(body); len(body) == 0 {
		body = []byte("{}")
	}
	if !json.Valid(body) {
		return Arguments{}, errBadBody
	}
	given := Arguments{whole: body, Kind: "json"}
	// As upstream, the arguments come from the first object of a list. A plain value can
	// only be passed to an unnamed argument.
	if body[0] == '[' {
		body = FirstElement(body)
	}
	if body[0] != '{' {
		return given, nil
	}
	given.object, given.raw = body, make(map[string][]byte)
	size := 0 // of the keys
	jsontext.Members(body, func(key, value []byte) bool {
		name := jsontext.DecodeString(key)
		if _, duplicate := given.raw[name]; !duplicate {
			given.Names = append(given.Names, name)
			size += len(key)
		}
		given.raw[name] = value
		return size <= jsontext.MaxKeyBytes && len(given.Names) < jsontext.MaxKeys
	})
	if size > jsontext.MaxKeyBytes {
		return given, jsontext.ErrKeyBytes
	}
	return given, nil
}

// Values returns the values of the call's arguments, in their order.
//
// Errors: 400 PGRST102.
func (a Arguments) Values(call *plan.Call) ([]sqlgen.Value, error) {
	if call.Body {
		return []sqlgen.Value{{Text: a.whole, Binary: a.Kind == "bytea"}}, nil
	}
	values := make([]sqlgen.Value, len(call.Given))
	for i, wanted := range call.Given {
		if raw, ok := a.raw[wanted.Name]; ok {
			value, err := argument(a.object, wanted.Name, raw, wanted.Type)
			if err != nil {
				return nil, errBadBody.WithCause(err)
			}
			values[i] = value
			continue
		}
		texts := a.texts[wanted.Name]
		if wanted.Variadic {
			values[i] = sqlgen.Value{Text: []byte(sqlgen.ArrayLiteral(texts))}
		} else {
			values[i] = sqlgen.Value{Text: []byte(texts[len(texts)-1])}
		}
	}
	return values, nil
}

// Arguments reads the arguments of a call.
//
// Errors: those of Read; 400 PGRST102; 413 PLZ010.
func (b *Body) Arguments() (Arguments, error) {
	body, kind, err := b.Read(TypeJSON, TypeForm, TypeCSV, TypeText, TypeXML, TypeBytes)
	if err != nil {
		return Arguments{}, err
	}
	switch kind {
	case TypeText:
		return Arguments{whole: body, Kind: "text"}, nil
	case TypeXML:
		return Arguments{whole: body, Kind: "xml"}, nil
	case TypeBytes:
		return Arguments{whole: body, Kind: "bytea"}, nil
	case TypeForm:
		fields, err := ParseForm(body)
		if err != nil {
			return Arguments{}, err
		}
		return Arguments{texts: fields, Names: slices.Sorted(maps.Keys(fields))}, nil
	case TypeCSV:
		if body, err = firstCSVRow(body); err != nil {
			return Arguments{}, err
		}
		given, err := argumentsOfJSON(body)
		given.Kind = ""
		return given, err
	}
	return argumentsOfJSON(body)
}
