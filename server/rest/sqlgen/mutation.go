package sqlgen

import (
	"slices"

	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
)

// Payload is what a client writes: a JSON object, or for an insert a list of such.
type Payload struct {
	JSON []byte
	List bool

	// Values are the plain values of the one object by column, where it has no other.
	// Of a list they are arrays, of which each object has an element.
	Values map[string]Value

	// Names and Keys say which key of the objects is which column, where the keys
	// are not the columns' names.
	Names, Keys []string
}

// key returns the key of a column.
func (p Payload) key(column string) string {
	if i := slices.Index(p.Names, column); i >= 0 {
		return p.Keys[i]
	}
	return column
}

// Mutation writes an insert, update or delete whose changed rows are the
// answer's source.
func Mutation(m *plan.Mutation, payload Payload, o Options) Statement {
	b := newBuilder()
	if o.Silent && m.Read == nil && len(m.Returning) == 0 && m.Resolution == "" && !o.Count {
		b.change(m, payload)
		b.silent = true
		return b.statement()
	}
	b.write("with pgrst_source as (")
	b.change(m, payload)
	if m.Kind != plan.Update || len(m.Columns) > 0 {
		b.returning(m)
	}
	b.write(") select ")
	const affected = "(select pg_catalog.count(*) from pgrst_source)"
	narrowed := m.Read != nil && m.Read.Narrows()
	switch {
	case o.Count && narrowed:
		b.write(affected, ", ")
	case o.Count:
		b.write("pg_catalog.count(*), ")
	default:
		b.write("null::bigint, ")
	}
	b.answer(o)
	b.key(m)
	b.write(", nullif(pg_catalog.current_setting('pgrst.inserted', true), '')")
	if narrowed {
		b.write(", ", affected)
	}
	b.write(" from (")
	if m.Read != nil {
		b.read(m.Read, "pgrst_source")
	} else {
		b.write("select 1 from pgrst_source")
	}
	b.write(") pgrst_rows")
	return b.statement()
}

// change writes what is done to the table.
func (b *builder) change(m *plan.Mutation, payload Payload) {
	switch {
	case m.Kind == plan.Update && len(m.Columns) == 0:
		b.unchanged(m)
	case m.Kind == plan.Insert:
		b.insert(m, payload)
	case m.Kind == plan.Update:
		b.update(m, payload)
	default:
		b.write("delete from ", tableSource(m.Table.Name))
		b.where(m.Table.Name.Name, m.Where)
	}
}

func (b *builder) insert(m *plan.Mutation, payload Payload) {
	b.write("insert into ", tableSource(m.Table.Name))
	switch {
	case len(m.Columns) > 0:
	case payload.List:
		// Objects without keys: a row of defaults for each.
		b.write(" select from pg_catalog.json_array_elements(")
		b.bytes(payload.JSON)
		b.write("::json)")
		return
	default:
		b.write(" default values")
		return
	}
	b.write("(")
	for i, c := range m.Columns {
		b.comma(i)
		b.write(Ident(c.Name))
	}
	if payload.Values != nil && m.Resolution == "" && !m.Put {
		b.values(m, payload)
		return
	}
	b.write(") select ")
	b.payloadColumns(m, payload)
	b.write(" from ")
	b.records(m, payload)
	b.where("pgrst_body", m.Where)
	b.countInserted(m)
	b.conflict(m)
}

// values writes rows of plain values: PostgreSQL reads each as the column's type,
// without a JSON object between. What arrays hold is cast to the column's own type,
// with its length and checks, where it is inserted.
func (b *builder) values(m *plan.Mutation, payload Payload) {
	first, each, last := ") values (", "", ")"
	if payload.List {
		first, last = ") select * from unnest(", ") pgrst_body"
	}
	b.write(first)
	for i, c := range m.Columns {
		if payload.List {
			each = "::" + c.BaseType + "[]"
		}
		b.comma(i)
		if v, given := payload.Values[c.Name]; given && !v.Null {
			b.bytes(v.Text)
		} else {
			b.null()
		}
		b.write(each)
	}
	b.write(last)
}

// countInserted counts, in a setting of the transaction, the rows of an upsert
// that are inserted: one up for each row given, one down for each updated.
func (b *builder) countInserted(m *plan.Mutation) {
	if m.Resolution != plan.MergeDuplicates {
		return
	}
	word := " where "
	if len(m.Where) > 0 {
		word = " and "
	}
	b.write(word, countSetting("+ 1"))
}

func countSetting(step string) string {
	return "pg_catalog.set_config('pgrst.inserted', (coalesce(nullif(pg_catalog.current_setting('pgrst.inserted', true), '')::int, 0) " +
		step + ")::text, true) is not null"
}

func (b *builder) payloadColumns(m *plan.Mutation, payload Payload) {
	for i, c := range m.Columns {
		b.comma(i)
		b.given(c, payload)
	}
}

// given writes a column of the payload, read the way its domain wants.
func (b *builder) given(c *schema.Column, payload Payload) {
	key := Ident(payload.key(c.Name))
	if c.FromJSON.Name == "" {
		b.write("pgrst_body.", key)
		return
	}
	b.write(tableSource(c.FromJSON), "(pgrst_body.", key, ")")
}

// records reads the payload as rows with the table's column types.
func (b *builder) records(m *plan.Mutation, payload Payload) {
	switch {
	case m.Defaults && payload.List:
		b.write("pg_catalog.jsonb_to_recordset((select pg_catalog.jsonb_agg(")
		b.defaults(m, payload)
		b.write(" || pgrst_element) from pg_catalog.jsonb_array_elements(")
		b.bytes(payload.JSON)
		b.write("::jsonb) as pgrst_element))")
	case m.Defaults:
		b.write("pg_catalog.jsonb_to_record(")
		b.defaults(m, payload)
		b.write(" || ")
		b.bytes(payload.JSON)
		b.write("::jsonb)")
	case payload.List:
		b.write("pg_catalog.json_to_recordset(")
		b.bytes(payload.JSON)
		b.write("::json)")
	default:
		b.write("pg_catalog.json_to_record(")
		b.bytes(payload.JSON)
		b.write("::json)")
	}
	b.record(m, payload)
}

// defaults writes an object of the columns' defaults.
func (b *builder) defaults(m *plan.Mutation, payload Payload) {
	b.write("pg_catalog.jsonb_build_object(")
	written := 0
	for _, c := range m.Columns {
		if c.Default != "" {
			b.comma(written)
			b.write(literal(payload.key(c.Name)), ", ", c.Default)
			written++
		}
	}
	b.write(")")
}

func (b *builder) record(m *plan.Mutation, payload Payload) {
	b.write(" as pgrst_body(")
	for i, c := range m.Columns {
		b.comma(i)
		if b.write(Ident(payload.key(c.Name)), " "); c.FromJSON.Name != "" {
			b.write("json")
		} else {
			b.write(c.Type)
		}
	}
	b.write(")")
}

func (b *builder) conflict(m *plan.Mutation) {
	if m.Resolution == "" {
		return
	}
	b.write(" on conflict(")
	for i, name := range m.Conflict {
		b.comma(i)
		b.write(Ident(name))
	}
	b.write(") do ")
	if m.Resolution == plan.IgnoreDuplicates {
		b.write("nothing")
		return
	}
	b.write("update set ")
	for i, c := range m.Columns {
		b.comma(i)
		b.write(Ident(c.Name), " = excluded.", Ident(c.Name))
	}
	b.write(" where ", countSetting("- 1"))
}

func (b *builder) update(m *plan.Mutation, payload Payload) {
	b.write("update ", tableSource(m.Table.Name), " set ")
	for i, c := range m.Columns {
		b.comma(i)
		b.write(Ident(c.Name), " = ")
		b.given(c, payload)
	}
	b.write(" from ")
	b.records(m, payload)
	b.where(m.Table.Name.Name, m.Where)
}

// unchanged stands for an update that sets nothing: it changes no row, and the
// answer has none.
func (b *builder) unchanged(m *plan.Mutation) {
	b.write("select ")
	b.returned(m)
	b.write(" from ", tableSource(m.Table.Name), " where false")
}

func (b *builder) returning(m *plan.Mutation) {
	b.write(" returning ")
	b.returned(m)
}

func (b *builder) returned(m *plan.Mutation) {
	if len(m.Returning) == 0 {
		b.write("1")
		return
	}
	for i, c := range m.Returning {
		b.comma(i)
		b.column(m.Table.Name.Name, c)
	}
}

// key answers the primary key of the first row, as a JSON object, where it is
// all that the client wants to know.
func (b *builder) key(m *plan.Mutation) {
	if m.Kind != plan.Insert || m.Read != nil || len(m.Returning) == 0 {
		b.write(", null::text")
		return
	}
	b.write(", (select pg_catalog.row_to_json(pgrst_key) from (select * from pgrst_source limit 1) pgrst_key)")
}
