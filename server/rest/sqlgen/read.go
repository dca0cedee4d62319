package sqlgen

import (
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// The columns of every statement's one row, in order.
const (
	TotalColumn    = iota // exact count of all rows, NULL where it was not asked for
	PageColumn            // rows in the answer
	BodyColumn            // the answer
	HeadersColumn         // response.headers as SQL set it, NULL without
	StatusColumn          // response.status as SQL set it, NULL without
	KeyColumn             // primary key of an inserted row as a JSON object, for Location; mutations only
	InsertedColumn        // rows an upsert inserted, NULL where they were not counted; mutations only
)

// Body is the form of the answer.
type Body int

// The forms.
const (
	JSONList   Body = iota // [ {…}, … ]
	JSONObject             // {…}: the first row
	NoBody                 // counted only
	Scalar                 // a function's value
	ScalarList             // a function's values
	RawScalar              // a function's value as it is
	CSV                    // a line of names and a line for each row
	GeoJSON                // a FeatureCollection, by PostGIS
	Custom                 // what an aggregate of the database makes
	Rows                   // the rows themselves, for the server to write as JSON
	RowsJSON               // the rows, each as JSON, for the server to string together
)

// The columns before those of Rows and RowsJSON where they are counted apart.
// There is always a row then; FoundColumn is NULL where the page has none.
const (
	RowsTotalColumn = iota
	RowsFoundColumn
	RowsFirstColumn
)

// Response reads what SQL has set for the answer: headers and status, or NULL.
const Response = "select nullif(pg_catalog.current_setting('response.headers', true), ''), nullif(pg_catalog.current_setting('response.status', true), '')"

// Options say what a read answers beside its rows.
type Options struct {
	Body  Body
	Count bool // exact count of all rows that the filters leave
	// CountUpTo lets the count stop one past so many rows; 0 counts all.
	CountUpTo int64
	// Apart has rows counted apart even where the answer has all of them.
	Apart bool

	Strip bool // leave keys that are null out of JSON

	Handler *schema.Handler // for Custom
}

// Read writes a select on a table.
func Read(r *plan.Read, o Options) Statement {
	b := newBuilder()
	b.selection(r, o, func() string { return tableSource(r.Table) })
	return b.statement()
}

// CountsApart tells whether the rows of the answer do not tell the count: some
// may have been cut off.
func (o Options) CountsApart(r *plan.Read) bool {
	return o.Count && (o.Apart || r.Limit != nil || r.Offset != nil)
}

// selection writes the select that makes the answer of some rows.
func (b *builder) selection(r *plan.Read, o Options, source func() string) {
	if o.Body == Rows || o.Body == RowsJSON {
		b.rows(r, o, source)
		return
	}
	b.write("select ")
	b.total(r, o, source)
	b.answer(o)
	b.write(" from (")
	b.read(r, source())
	b.write(") pgrst_rows")
}

// rows writes a select of the rows themselves, beside their count where it has
// to be made apart. The count is one row, to which the page is joined; such a
// join keeps the page's order.
func (b *builder) rows(r *plan.Read, o Options, source func() string) {
	apart := o.CountsApart(r)
	if apart {
		b.write("select pgrst_total.*, pgrst_page.* from (")
		b.count(r, o, source)
		b.write(") pgrst_total left join (select true, ")
		b.write(rowsOf(o), " from (")
	} else if o.Body == RowsJSON {
		b.write("select ", rowsOf(o), " from (")
	}
	b.read(r, source())
	if apart || o.Body == RowsJSON {
		b.write(") pgrst_rows")
	}
	if apart {
		b.write(") pgrst_page on true")
	}
}

func rowsOf(o Options) string {
	switch {
	case o.Body == Rows:
		return "pgrst_rows.*"
	case o.Strip:
		return "pg_catalog.json_strip_nulls(pg_catalog.row_to_json(pgrst_rows))"
	}
	return "pg_catalog.row_to_json(pgrst_rows)"
}

// total writes the exact count: of the page where nothing was cut, else by a
// select of its own.
func (b *builder) total(r *plan.Read, o Options, source func() string) {
	switch {
	case !o.Count:
		b.write("null::bigint, ")
	case o.CountsApart(r):
		b.write("(")
		b.count(r, o, source)
		b.write("), ")
	default:
		b.write("pg_catalog.count(*), ")
	}
}

// count writes a select of the exact count, without order and limit.
func (b *builder) count(r *plan.Read, o Options, source func() string) {
	b.write("select pg_catalog.count(*) from (")
	b.countable(r, source())
	if o.CountUpTo > 0 {
		b.write(" limit ")
		b.number(o.CountUpTo + 1)
	}
	b.write(") pgrst_counted")
}

func (b *builder) countable(r *plan.Read, source string) {
	b.write("select 1 from ", source, " as ", Ident(r.Alias))
	for _, e := range r.Embeds {
		if r.Decides(e) {
			b.join(r, e)
		}
	}
	b.where(r.Alias, r.Where)
}

const (
	responseColumns = ", nullif(pg_catalog.current_setting('response.headers', true), ''), nullif(pg_catalog.current_setting('response.status', true), '')"

	// csvBody reads the names off the first row as JSON, and takes the brackets
	// off each row's text form.
	csvBody = "coalesce((select pg_catalog.string_agg(name, ',') from pg_catalog.json_object_keys((pg_catalog.array_agg(pg_catalog.row_to_json(pgrst_rows)))[1]) name), '')" +
		" || E'\\n' || coalesce(pg_catalog.string_agg(substring(pgrst_rows::text, 2, pg_catalog.length(pgrst_rows::text) - 2), E'\\n'), '')"
	geoBody = "pg_catalog.json_build_object('type', 'FeatureCollection', 'features', coalesce(pg_catalog.json_agg(ST_AsGeoJSON(pgrst_rows)::json), '[]'))"
)

func (b *builder) answer(o Options) {
	b.write("pg_catalog.count(*), ")
	rows := "pg_catalog.json_agg(pgrst_rows)"
	if o.Strip {
		rows = "pg_catalog.json_strip_nulls(" + rows + ")"
	}
	switch o.Body {
	case JSONList:
		b.write("coalesce(", rows, ", '[]')")
	case JSONObject:
		b.write("coalesce(", rows, " -> 0, 'null')")
	case CSV:
		b.write(csvBody)
	case GeoJSON:
		b.write(geoBody)
	case RawScalar:
		b.write("(pg_catalog.array_agg(pgrst_rows.pgrst_scalar))[1]")
	case Custom:
		b.write(tableSource(o.Handler.Name), "(pgrst_rows")
		if o.Handler.Table != nil {
			b.write("::", tableSource(*o.Handler.Table))
		}
		b.write(")")
	case NoBody:
		b.write("null::text")
	case Scalar:
		b.write("coalesce(pg_catalog.json_agg(pgrst_rows.pgrst_scalar) -> 0, 'null')")
	case ScalarList:
		b.write("coalesce(pg_catalog.json_agg(pgrst_rows.pgrst_scalar), '[]')")
	}
	b.write(responseColumns)
}

func tableSource(name schema.Name) string { return Ident(name.Schema) + "." + Ident(name.Name) }

// read writes the select of one level.
func (b *builder) read(r *plan.Read, source string) {
	b.write("select ")
	b.columns(r)
	b.write(" from ", source, " as ", Ident(r.Alias))
	for _, e := range r.Embeds {
		b.join(r, e)
	}
	b.where(r.Alias, r.Where)
	b.tail(r)
}

func (b *builder) tail(r *plan.Read) {
	b.group(r)
	b.order(r)
	if r.Limit != nil {
		b.write(" limit ")
		b.number(*r.Limit)
	}
	if r.Offset != nil && *r.Offset > 0 {
		b.write(" offset ")
		b.number(*r.Offset)
	}
}

func (b *builder) columns(r *plan.Read) {
	written := 0
	next := func() { b.comma(written); written++ }
	for _, c := range r.Columns {
		next()
		b.column(r.Alias, c)
	}
	for _, e := range r.Embeds {
		for _, c := range e.Spreads {
			next()
			b.spread(e, c)
			b.write(" as ", Ident(c.As))
		}
		if !e.Spread && !e.Hidden {
			next()
			b.embedded(r, e)
			b.write(" as ", Ident(e.Key))
		}
	}
}

// group groups by all that is not aggregated.
func (b *builder) group(r *plan.Read) {
	if !r.Grouped() {
		return
	}
	written := 0
	next := func() {
		if written == 0 {
			b.write(" group by ")
		}
		b.comma(written)
		written++
	}
	for _, c := range r.Columns {
		switch {
		case c.Star:
			for _, name := range r.Stars {
				next()
				b.write(Ident(r.Alias), ".", Ident(name))
			}
		case c.Aggregate == "":
			next()
			b.source(r.Alias, c)
		}
	}
	for _, e := range r.Embeds {
		for _, c := range e.Spreads {
			if c.Aggregate == "" {
				next()
				b.spread(e, c)
			}
		}
		if !e.Spread && !e.Hidden {
			next()
			b.embedded(r, e)
		}
	}
}

func (b *builder) embedded(r *plan.Read, e *plan.Embed) {
	alias := Ident(e.Alias)
	if e.ToOne() {
		b.write("pg_catalog.row_to_json(", alias, ".*)")
	} else {
		b.write("coalesce(", alias, ".", alias, ", '[]')")
	}
	if r.Grouped() {
		b.write("::jsonb") // json cannot be compared
	}
}

func (b *builder) spread(e *plan.Embed, c plan.SpreadColumn) {
	b.aggregate(c.Aggregate, c.AggregateCast, func() {
		if c.From == "" {
			b.write("*")
		} else {
			b.write(Ident(e.Alias), ".", Ident(c.From))
		}
	})
}

func (b *builder) column(alias string, c plan.Column) {
	if c.Star {
		b.write(Ident(alias), ".*")
		return
	}
	b.aggregate(c.Aggregate, c.AggregateCast, func() {
		if c.Field.Name == "" {
			b.write("*")
		} else {
			b.source(alias, c)
		}
	})
	if c.As != "" {
		b.write(" as ", Ident(c.As))
	}
}

func (b *builder) aggregate(function, cast string, of func()) {
	if cast != "" {
		b.write("cast(")
	}
	if function != "" {
		b.write(function, "(")
	}
	of()
	if function != "" {
		b.write(")")
	}
	if cast != "" {
		b.write(" as ", cast, ")")
	}
}

// source writes a column before it is aggregated.
func (b *builder) source(alias string, c plan.Column) {
	if c.Cast != "" {
		b.write("cast(")
	}
	if c.ToJSON.Name != "" {
		b.write(tableSource(c.ToJSON), "(")
	}
	b.field(alias, c.Field)
	if c.ToJSON.Name != "" {
		b.write(")")
	}
	if c.Cast != "" {
		b.write(" as ", c.Cast, ")")
	}
}

func (b *builder) field(alias string, f query.FieldRef) {
	if f.Convert {
		b.write("pg_catalog.to_jsonb(", Ident(alias), ".", Ident(f.Name), ")")
	} else {
		b.write(Ident(alias), ".", Ident(f.Name))
	}
	b.jsonPath(f.JSON)
}

func (b *builder) jsonPath(steps []query.JSONStep) {
	for _, step := range steps {
		arrow := "->"
		if step.Text {
			arrow = "->>"
		}
		if step.Index {
			b.write(arrow, step.Key)
		} else {
			b.write(arrow, literal(step.Key))
		}
	}
}

func (b *builder) order(r *plan.Read) {
	for i, o := range r.Order {
		if i == 0 {
			b.write(" order by ")
		}
		b.comma(i)
		if o.Embed != nil {
			b.relatedField(r, o)
		} else {
			b.field(r.Alias, o.Field)
		}
		if o.Descending {
			b.write(" desc")
		} else {
			b.write(" asc")
		}
		if o.Nulls != "" {
			b.write(" nulls ", o.Nulls)
		}
	}
}

// relatedField reads a column of a to-one embed whether it is selected or not.
func (b *builder) relatedField(r *plan.Read, o plan.Order) {
	if r.Grouped() {
		// Only what is grouped by can order groups.
		b.field(o.Embed.Alias, o.Field)
		return
	}
	related := o.Embed.Read
	b.write("(select ")
	b.field(related.Alias, o.Field)
	b.write(" from ")
	b.related(r, o.Embed)
	b.write(")")
}
