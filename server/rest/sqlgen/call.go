package sqlgen

import (
	"slices"

	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
)

// Value is a function's argument as the client gave it.
type Value struct {
	Text []byte
	Null bool
	JSON bool // Text is a JSON object or array for an argument of another type

	// Member is set where the value is that member of Text, a JSON object: it is
	// large, and need not be copied.
	Member string
	Binary bool // Text is in PostgreSQL's binary form
}

// Call writes a function call; values stand in the order of c.Given.
func Call(c *plan.Call, values []Value, o Options) Statement {
	b := newBuilder()
	switch {
	case c.Read == nil:
		b.scalarCall(c, values, o)
	case c.Function.Volatility == schema.Volatile:
		// Once only: what it changes must not happen twice for a count.
		b.write("with pgrst_source as materialized (select * from ")
		b.result(c, values)
		b.write(" as pgrst_call) ")
		b.selection(c.Read, o, func() string { return "pgrst_source" })
	default:
		// Written out at each use, a set-returning SQL function is inlined, and
		// filters and limits reach into it.
		b.selection(c.Read, o, func() string {
			inner := &builder{args: b.args, binary: b.binary}
			inner.result(c, values)
			b.args, b.binary = inner.args, inner.binary
			return inner.sql.String()
		})
	}
	return b.statement()
}

func (b *builder) scalarCall(c *plan.Call, values []Value, o Options) {
	b.write("select ")
	if o.Count {
		b.write("pg_catalog.count(*), ")
	} else {
		b.write("null::bigint, ")
	}
	b.answer(o)
	b.write(" from ")
	b.result(c, values)
	b.write(" pgrst_rows")
}

// result writes a call as a source of rows.
func (b *builder) result(c *plan.Call, values []Value) {
	if c.Function.Composite {
		b.call(c, values)
		return
	}
	b.write("(select ")
	b.call(c, values)
	b.write(" as ", plan.Scalar, ")")
}

func (b *builder) call(c *plan.Call, values []Value) {
	b.write(tableSource(c.Function.Name), "(")
	for i, argument := range c.Given {
		b.comma(i)
		if argument.Variadic {
			b.write("variadic ")
		}
		if argument.Name != "" {
			b.write(Ident(argument.Name), " := ")
		}
		b.value(argument, values[i])
	}
	b.write(")")
}

func (b *builder) value(argument schema.Argument, v Value) {
	switch {
	case v.Null:
		b.null()
	case v.Member != "":
		b.write("(select ", Ident(v.Member), " from pg_catalog.json_to_record(")
		b.shared(v.Text)
		b.write("::json) as pgrst_record(", Ident(v.Member), " ", argument.Type, "))")
		return
	case v.Binary:
		b.binary = append(b.binary, len(b.args))
		b.bytes(v.Text)
	case v.JSON:
		b.write("(select pgrst_value from pg_catalog.json_to_record(")
		b.bytes(slices.Concat([]byte(`{"pgrst_value":`), v.Text, []byte("}")))
		b.write("::json) as pgrst_record(pgrst_value ", argument.Type, "))")
		return
	default:
		b.bytes(v.Text)
	}
	b.write("::", argument.Type)
}
