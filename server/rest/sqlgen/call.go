package sqlgen

import (
	"slices"

	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
)

// Value is the value of a function's argument or of a column, as sent by the client.
type Value struct {
	Text []byte
	Null bool
	JSON bool // Text is a JSON object or array for an argument of another type

	// Member is set if the value is this member of the JSON object Text. It is used
	// for large values, to avoid a copy.
	Member string
	Binary bool // Text is in PostgreSQL's binary format
}

// call writes one call of a function. values has the order of c.Given.
type call struct {
	*builder
	c      *plan.Call
	values []Value
}

// Call returns the statement of a function call. values has the order of c.Given.
func Call(c *plan.Call, values []Value, o Options) Statement {
	w := &call{newBuilder(), c, values}
	switch {
	case c.Read == nil:
		w.scalar(o)
	case c.Function.Volatility == schema.Volatile:
		// A volatile function must run only once, even if its rows are also counted.
		w.write("with pgrst_source as materialized (select * from ")
		w.result()
		w.write(" as pgrst_call) ")
		(&selectWriter{w.builder, c.Read, o, func() string { return "pgrst_source" }}).selection()
	default:
		// The call is repeated at each use, so that PostgreSQL can inline a set-returning
		// SQL function and push filters and limits into it.
		(&selectWriter{w.builder, c.Read, o, func() string {
			inner := &call{&builder{args: w.args, binary: w.binary}, c, values}
			inner.result()
			w.args, w.binary = inner.args, inner.binary
			return inner.sql.String()
		}}).selection()
	}
	return w.statement()
}

func (w *call) scalar(o Options) {
	w.write("select ")
	if o.Count {
		w.write("pg_catalog.count(*), ")
	} else {
		w.write("null::bigint, ")
	}
	w.answer(o)
	w.write(" from ")
	w.result()
	w.write(" pgrst_rows")
}

// result writes the call as a source of rows.
func (w *call) result() {
	if w.c.Function.Composite {
		w.function()
		return
	}
	w.write("(select ")
	w.function()
	w.write(" as ", plan.Scalar, ")")
}

func (w *call) function() {
	w.write(tableSource(w.c.Function.Name), "(")
	for i, argument := range w.c.Given {
		w.comma(i)
		if argument.Variadic {
			w.write("variadic ")
		}
		if argument.Name != "" {
			w.write(Ident(argument.Name), " := ")
		}
		w.value(argument, w.values[i])
	}
	w.write(")")
}

func (w *call) value(argument schema.Argument, v Value) {
	switch {
	case v.Null:
		w.null()
	case v.Member != "":
		w.write("(select ", Ident(v.Member), " from pg_catalog.json_to_record(")
		w.shared(v.Text)
		w.write("::json) as pgrst_record(", Ident(v.Member), " ", argument.Type, "))")
		return
	case v.Binary:
		w.binary = append(w.binary, len(w.args))
		w.bytes(v.Text)
	case v.JSON:
		w.write("(select pgrst_value from pg_catalog.json_to_record(")
		w.bytes(slices.Concat([]byte(`{"pgrst_value":`), v.Text, []byte("}")))
		w.write("::json) as pgrst_record(pgrst_value ", argument.Type, "))")
		return
	default:
		w.bytes(v.Text)
	}
	w.write("::", argument.Type)
}
