package schema

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

func (s *Snapshot) loadFunctions(ctx context.Context, db Querier, exposed []string) error {
	rows, err := db.Query(ctx, functionsSQL, exposed)
	if err != nil {
		return err
	}
	var f Function
	var table Name
	var volatility string
	var raw rawArguments
	var callable bool
	fields := []any{
		&f.OID, &f.Name.Schema, &f.Name.Name, &f.Comment, &volatility, &f.ReturnType, &f.ReturnsSet, &f.Rows, &f.Composite,
		&table.Schema, &table.Name, &f.IsVoid, &raw.names, &raw.modes, &raw.types, &raw.defaults,
		&f.MediaType, &f.Binary, &f.Settings, &callable,
	}
	_, err = pgx.ForEachRow(rows, fields, func() error {
		function := f
		function.Settings = slices.Clone(f.Settings)
		function.Volatility = Volatility(volatility[0])
		function.Arguments, function.Results = raw.split()
		if table.Name != "" {
			target := table
			function.Table = &target
		}
		if callable {
			s.functions[function.Name] = append(s.functions[function.Name], &function)
		}
		if len(function.Arguments) == 1 && function.Table != nil {
			s.relating = append(s.relating, &function)
		}
		return nil
	})
	return err
}

func (s *Snapshot) loadRowFunctions(ctx context.Context, db Querier, exposed []string) error {
	rows, err := db.Query(ctx, rowFunctionsSQL, exposed)
	if err != nil {
		return err
	}
	var function string
	var table Name
	_, err = pgx.ForEachRow(rows, []any{&function, &table.Schema, &table.Name}, func() error {
		s.rowFields[rowField{table, function}] = struct{}{}
		return nil
	})
	return err
}

// loadHandlers loads the aggregates that produce media types other than JSON.
func (s *Snapshot) loadHandlers(ctx context.Context, db Querier, exposed []string) error {
	rows, err := db.Query(ctx, handlersSQL, exposed)
	if err != nil {
		return err
	}
	var h Handler
	var table Name
	_, err = pgx.ForEachRow(rows, []any{&h.Name.Schema, &h.Name.Name, &h.MediaType, &table.Schema, &table.Name, &h.Binary}, func() error {
		handler := h
		if table.Name != "" {
			target := table
			handler.Table = &target
		}
		s.handlers = append(s.handlers, &handler)
		return nil
	})
	if err != nil {
		return err
	}
	if rows, err = db.Query(ctx, factsSQL); err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, []any{&s.HasPostGIS, &s.SetsResponse}, func() error { return nil })
	return err
}

// rawArguments holds the arguments as in pg_proc: parallel arrays. modes is empty if
// all arguments are inputs.
type rawArguments struct {
	names, modes, types []string
	defaults            int16 // number of trailing inputs that have a default
}

func (r rawArguments) split() (inputs, results []Argument) {
	for i, typeName := range r.types {
		mode := "i"
		if i < len(r.modes) {
			mode = r.modes[i]
		}
		argument := Argument{Type: anyLength(typeName), Declared: typeName, Variadic: mode == "v"}
		if i < len(r.names) {
			argument.Name = r.names[i]
		}
		if mode == "o" || mode == "t" || mode == "b" {
			results = append(results, argument)
		}
		if mode == "i" || mode == "b" || mode == "v" {
			inputs = append(inputs, argument)
		}
	}
	for i := len(inputs) - int(r.defaults); i < len(inputs); i++ {
		inputs[i].HasDefault = true
	}
	return inputs, results
}

// anyLength replaces the types whose default length is 1 by their varying form.
func anyLength(typeName string) string {
	for _, short := range []string{"character", "bit"} {
		if typeName == short || typeName == short+"[]" {
			return short + " varying" + typeName[len(short):]
		}
	}
	return typeName
}

// splitType parses a type name in the format of format_type: it is qualified if its
// schema is not in the search path, and quoted if necessary.
func splitType(text string) Name {
	schema, rest := cutIdent(text)
	rest, ok := strings.CutPrefix(rest, ".")
	if !ok {
		return Name{}
	}
	name, _ := cutIdent(rest)
	return Name{schema, name}
}

// cutIdent splits a possibly quoted identifier from the start of text.
func cutIdent(text string) (name, rest string) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexByte(text, '.')
		if end < 0 {
			end = len(text)
		}
		return text[:end], text[end:]
	}
	for end := 1; end < len(text); end++ {
		switch {
		case text[end] != '"':
		case strings.HasPrefix(text[end:], `""`):
			end++
		default:
			return strings.ReplaceAll(text[1:end], `""`, `"`), text[end+1:]
		}
	}
	return text, ""
}
