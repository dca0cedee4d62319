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
	AffectedColumn        // rows a mutation changed, where the answer may have fewer; absent elsewhere
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

	// Silent lets a write return no row, as nothing but the number of rows that it
	// changed is needed.
	Silent bool

	Strip bool // leave keys that are null out of JSON

	Handler *schema.Handler // for Custom
}

// Read writes a select on a table.
func Read(r *plan.Read, o Options) Statement {
	b := newBuilder()
	(&answerOf{b, r, o, func() string { return tableSource(r.Table) }}).selection()
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
	b.related(r.Alias, o.Embed)
	b.write(")")
}
