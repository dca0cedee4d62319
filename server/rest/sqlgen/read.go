package sqlgen

import (
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// The columns of the single result row of a statement, in order.
const (
	TotalColumn    = iota // exact count of all rows; NULL if it was not requested
	PageColumn            // number of rows in the response
	BodyColumn            // the response body
	HeadersColumn         // response.headers; NULL if SQL has not set it
	StatusColumn          // response.status; NULL if SQL has not set it
	KeyColumn             // primary key of an inserted row as a JSON object, for Location; mutations only
	InsertedColumn        // rows inserted by an upsert; NULL if not counted; mutations only
	AffectedColumn        // rows changed by a mutation; present only if the response may have fewer
)

// Body is the format of the response body.
type Body int

// The formats.
const (
	JSONList   Body = iota // [ {…}, … ]
	JSONObject             // {…}: the first row
	NoBody                 // only the count
	Scalar                 // a function's value
	ScalarList             // a function's values
	RawScalar              // a function's value without conversion to JSON
	CSV                    // a header line and a line for each row
	GeoJSON                // a FeatureCollection, built by PostGIS
	Custom                 // the result of an aggregate in the database
	Rows                   // the rows themselves, which the server encodes as JSON
	RowsJSON               // each row as JSON; the server joins them to a list
)

// The leading columns of Rows and RowsJSON with a separate count. There is then always
// a row; RowsFoundColumn is NULL if the page is empty.
const (
	RowsTotalColumn = iota
	RowsFoundColumn
	RowsFirstColumn
)

// Response selects the headers and the status that SQL has set for the response, or NULL.
const Response = "select nullif(pg_catalog.current_setting('response.headers', true), ''), nullif(pg_catalog.current_setting('response.status', true), '')"

// Options configures a statement.
type Options struct {
	Body  Body
	Count bool // exact count of all rows that match the filters
	// CountUpTo stops the count at CountUpTo + 1 rows; 0 counts all.
	CountUpTo int64
	// Apart counts rows separately even if the result contains all of them.
	Apart bool

	// Silent allows a write to return no rows, because only the number of changed rows
	// is needed.
	Silent bool

	Strip bool // omit null values from JSON objects

	Handler *schema.Handler // for Custom
}

// Read returns the statement of a select on a table.
func Read(r *plan.Read, o Options) Statement {
	b := newBuilder()
	(&selectWriter{b, r, o, func() string { return tableSource(r.Table) }}).selection()
	return b.statement()
}

func tableSource(name schema.Name) string { return Ident(name.Schema) + "." + Ident(name.Name) }

// read writes the select of one level.
func (b *builder) read(r *plan.Read, source string) {
	b.write("select ")
	b.columns(r)
	b.write(" from ", source, " as ", Ident(r.Alias))
	for _, e := range r.Embeds {
		b.join(r.Alias, e)
	}
	b.where(r.Alias, r.Where)
	b.tail(r)
}

func (b *builder) tail(r *plan.Read) {
	b.group(r)
	b.order(r)
	b.limits(r)
}

func (b *builder) limits(r *plan.Read) {
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
			b.spread(r, e, c)
			b.write(" as ", Ident(c.As))
		}
		if !e.Spread && !e.Hidden {
			next()
			b.embedded(r, e)
			b.write(" as ", Ident(e.Key))
		}
	}
}

// group writes a group by clause with everything that is not aggregated.
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
				b.spread(r, e, c)
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

func (b *builder) spread(r *plan.Read, e *plan.Embed, c plan.SpreadColumn) {
	b.aggregate(c.Aggregate, c.AggregateCast, func() {
		if c.From == "" {
			b.write("*")
		} else {
			b.write(Ident(e.Alias), ".", Ident(c.From))
		}
	})
	if c.Aggregate == "" && c.JSON && r.Grouped() {
		b.write("::jsonb") // json cannot be compared
	}
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

// relatedField writes a column of a to-one embed, which need not be selected.
func (b *builder) relatedField(r *plan.Read, o plan.Order) {
	if r.Grouped() {
		// Groups can only be ordered by grouping columns.
		b.field(o.Embed.Alias, o.Field)
		return
	}
	related := o.Embed.Read
	b.write("(select ")
	b.field(related.Alias, o.Field)
	b.write(" from ")
	b.related(r.Alias, o.Embed)
	b.write(")")
}
