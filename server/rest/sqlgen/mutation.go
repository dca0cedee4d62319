package sqlgen

import (
	"slices"

	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
)

// Payload is the data of a write: a JSON object or, for an insert, a list of objects.
type Payload struct {
	JSON []byte
	List bool

	// Values holds the values of the object by column, if all can be passed as plain
	// text. For a list they are arrays with one element for each object.
	Values map[string]Value

	// Names and Keys map column names to keys of the objects, if they differ.
	Names, Keys []string
}

// key returns the key of a column.
func (p Payload) key(column string) string {
	if i := slices.Index(p.Names, column); i >= 0 {
		return p.Keys[i]
	}
	return column
}

// mutation writes one insert, update or delete.
type mutation struct {
	*builder
	m       *plan.Mutation
	payload Payload
}

// Mutation returns the statement of an insert, update or delete. The response is built
// from the changed rows.
func Mutation(m *plan.Mutation, payload Payload, o Options) Statement {
	w := &mutation{newBuilder(), m, payload}
	if o.Silent && m.Read == nil && len(m.Returning) == 0 && m.Resolution == "" && !o.Count {
		w.change()
		w.silent = true
		return w.statement()
	}
	w.write("with pgrst_source as (")
	w.change()
	if m.Kind != plan.Update || len(m.Columns) > 0 {
		w.returning()
	}
	w.write(") select ")
	const affected = "(select pg_catalog.count(*) from pgrst_source)"
	narrowed := m.Read != nil && m.Read.Narrows()
	switch {
	case o.Count && narrowed:
		w.write(affected, ", ")
	case o.Count:
		w.write("pg_catalog.count(*), ")
	default:
		w.write("null::bigint, ")
	}
	w.answer(o)
	w.key()
	w.write(", nullif(pg_catalog.current_setting('pgrst.inserted', true), '')")
	if narrowed {
		w.write(", ", affected)
	}
	w.write(" from (")
	if m.Read != nil {
		w.read(m.Read, "pgrst_source")
	} else {
		w.write("select 1 from pgrst_source")
	}
	w.write(") pgrst_rows")
	return w.statement()
}

// change writes the insert, update or delete itself.
func (w *mutation) change() {
	switch {
	case w.m.Kind == plan.Update && len(w.m.Columns) == 0:
		w.unchanged()
	case w.m.Kind == plan.Insert:
		w.insert()
	case w.m.Kind == plan.Update:
		w.update()
	default:
		w.write("delete from ", tableSource(w.m.Table.Name))
		w.where(w.m.Table.Name.Name, w.m.Where)
	}
}

func (w *mutation) insert() {
	w.write("insert into ", tableSource(w.m.Table.Name))
	switch {
	case len(w.m.Columns) > 0:
	case w.payload.List:
		// Objects without keys: insert a row of defaults for each.
		w.write(" select from pg_catalog.json_array_elements(")
		w.bytes(w.payload.JSON)
		w.write("::json)")
		return
	default:
		w.write(" default values")
		return
	}
	w.write("(")
	for i, c := range w.m.Columns {
		w.comma(i)
		w.write(Ident(c.Name))
	}
	if w.payload.Values != nil && w.m.Resolution == "" && !w.m.Put {
		w.values()
		return
	}
	w.write(") select ")
	w.payloadColumns()
	w.write(" from ")
	w.records()
	w.where("pgrst_body", w.m.Where)
	w.countInserted()
	w.conflict()
}

// values writes rows of plain values. PostgreSQL converts each parameter directly to
// the column's type, without JSON. Elements of arrays are cast to the column's exact
// type, with its length and checks, on insert.
func (w *mutation) values() {
	first, each, last := ") values (", "", ")"
	if w.payload.List {
		first, last = ") select * from unnest(", ") pgrst_body"
	}
	w.write(first)
	for i, c := range w.m.Columns {
		if w.payload.List {
			each = "::" + c.BaseType + "[]"
		}
		w.comma(i)
		if v, given := w.payload.Values[c.Name]; given && !v.Null {
			w.bytes(v.Text)
		} else {
			w.null()
		}
		w.write(each)
	}
	w.write(last)
}

// countInserted counts the inserted rows of an upsert in a setting of the transaction.
// The count is incremented for each given row and decremented for each updated row.
func (w *mutation) countInserted() {
	if w.m.Resolution != plan.MergeDuplicates {
		return
	}
	word := " where "
	if len(w.m.Where) > 0 {
		word = " and "
	}
	w.write(word, countSetting("+ 1"))
}

func countSetting(step string) string {
	return "pg_catalog.set_config('pgrst.inserted', (coalesce(nullif(pg_catalog.current_setting('pgrst.inserted', true), '')::int, 0) " +
		step + ")::text, true) is not null"
}

func (w *mutation) payloadColumns() {
	for i, c := range w.m.Columns {
		w.comma(i)
		w.given(c)
	}
}

// given writes a column of the payload, with the conversion of its domain.
func (w *mutation) given(c *schema.Column) {
	key := Ident(w.payload.key(c.Name))
	if c.FromJSON.Name == "" {
		w.write("pgrst_body.", key)
		return
	}
	w.write(tableSource(c.FromJSON), "(pgrst_body.", key, ")")
}

// records writes the conversion of the payload to rows with the table's column types.
func (w *mutation) records() {
	switch {
	case w.m.Defaults && w.payload.List:
		w.write("pg_catalog.jsonb_to_recordset((select pg_catalog.jsonb_agg(")
		w.defaults()
		w.write(" || pgrst_element) from pg_catalog.jsonb_array_elements(")
		w.bytes(w.payload.JSON)
		w.write("::jsonb) as pgrst_element))")
	case w.m.Defaults:
		w.write("pg_catalog.jsonb_to_record(")
		w.defaults()
		w.write(" || ")
		w.bytes(w.payload.JSON)
		w.write("::jsonb)")
	case w.payload.List:
		w.write("pg_catalog.json_to_recordset(")
		w.bytes(w.payload.JSON)
		w.write("::json)")
	default:
		w.write("pg_catalog.json_to_record(")
		w.bytes(w.payload.JSON)
		w.write("::json)")
	}
	w.record()
}

// defaults writes a JSON object of the columns' defaults.
func (w *mutation) defaults() {
	w.write("pg_catalog.jsonb_build_object(")
	written := 0
	for _, c := range w.m.Columns {
		if c.Default != "" {
			w.comma(written)
			w.write(literal(w.payload.key(c.Name)), ", ", c.Default)
			written++
		}
	}
	w.write(")")
}

func (w *mutation) record() {
	w.write(" as pgrst_body(")
	for i, c := range w.m.Columns {
		w.comma(i)
		if w.write(Ident(w.payload.key(c.Name)), " "); c.FromJSON.Name != "" {
			w.write("json")
		} else {
			w.write(c.InputType)
		}
	}
	w.write(")")
}

func (w *mutation) conflict() {
	if w.m.Resolution == "" {
		return
	}
	w.write(" on conflict(")
	for i, name := range w.m.Conflict {
		w.comma(i)
		w.write(Ident(name))
	}
	w.write(") do ")
	if w.m.Resolution == plan.IgnoreDuplicates {
		w.write("nothing")
		return
	}
	w.write("update set ")
	for i, c := range w.m.Columns {
		w.comma(i)
		w.write(Ident(c.Name), " = excluded.", Ident(c.Name))
	}
	w.write(" where ", countSetting("- 1"))
}

func (w *mutation) update() {
	w.write("update ", tableSource(w.m.Table.Name), " set ")
	for i, c := range w.m.Columns {
		w.comma(i)
		w.write(Ident(c.Name), " = ")
		w.given(c)
	}
	w.write(" from ")
	w.records()
	w.where(w.m.Table.Name.Name, w.m.Where)
}

// unchanged writes the replacement for an update that sets no columns: it changes and
// returns no rows.
func (w *mutation) unchanged() {
	w.write("select ")
	w.returned()
	w.write(" from ", tableSource(w.m.Table.Name), " where false")
}

func (w *mutation) returning() {
	w.write(" returning ")
	w.returned()
}

func (w *mutation) returned() {
	if len(w.m.Returning) == 0 {
		w.write("1")
		return
	}
	for i, c := range w.m.Returning {
		w.comma(i)
		w.column(w.m.Table.Name.Name, c)
	}
}

// key writes the column with the primary key of the first inserted row, as a JSON
// object, for return=headers-only.
func (w *mutation) key() {
	if w.m.Kind != plan.Insert || w.m.Read != nil || len(w.m.Returning) == 0 {
		w.write(", null::text")
		return
	}
	w.write(", (select pg_catalog.row_to_json(pgrst_key) from (select * from pgrst_source limit 1) pgrst_key)")
}
