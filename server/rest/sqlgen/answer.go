package sqlgen

import "plaza/server/rest/plan"

// CountsApart reports whether the count needs a query of its own, because the result
// may not contain all rows.
func (o Options) CountsApart(r *plan.Read) bool {
	return o.Count && (o.Apart || r.Limit != nil || r.Offset != nil)
}

// selectWriter writes the outer select of a read: the rows of a source and their count.
type selectWriter struct {
	*builder
	r      *plan.Read
	o      Options
	source func() string
}

// selection writes the select that produces the response.
func (w *selectWriter) selection() {
	if w.o.Body == Rows || w.o.Body == RowsJSON {
		w.rows()
		return
	}
	w.write("select ")
	w.total()
	w.answer(w.o)
	w.write(" from (")
	w.read(w.r, w.source())
	w.write(") pgrst_rows")
}

// rows writes a select of the rows themselves. A separate count is a single row to
// which the page is joined; this join keeps the page's order.
func (w *selectWriter) rows() {
	apart := w.o.CountsApart(w.r)
	if apart {
		w.write("select pgrst_total.*, pgrst_page.* from (")
		w.count()
		w.write(") pgrst_total left join (select true, ")
		w.write(rowsOf(w.o), " from (")
	} else if w.o.Body == RowsJSON {
		w.write("select ", rowsOf(w.o), " from (")
	}
	w.read(w.r, w.source())
	if apart || w.o.Body == RowsJSON {
		w.write(") pgrst_rows")
	}
	if apart {
		w.write(") pgrst_page on true")
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

// total writes the exact count: the number of rows of the page if it is complete,
// otherwise a separate select.
func (w *selectWriter) total() {
	switch {
	case !w.o.Count:
		w.write("null::bigint, ")
	case w.o.CountsApart(w.r):
		w.write("(")
		w.count()
		w.write("), ")
	default:
		w.write("pg_catalog.count(*), ")
	}
}

// count writes a select of the exact count, without order and limit.
func (w *selectWriter) count() {
	w.write("select pg_catalog.count(*) from (")
	w.countable(w.r, w.source())
	if w.o.CountUpTo > 0 {
		w.write(" limit ")
		w.number(w.o.CountUpTo + 1)
	}
	w.write(") pgrst_counted")
}

// countable writes a select with one row for each row to count. Embeds are not joined:
// if an embed affects the count, an exists condition is used instead.
func (b *builder) countable(r *plan.Read, source string) {
	b.write("select 1 from ", source, " as ", Ident(r.Alias))
	b.counts = true
	b.where(r.Alias, r.Where)
	word := " and "
	if len(r.Where) == 0 {
		word = " where "
	}
	b.haveInner(word, r)
	b.counts = false
}

const (
	responseColumns = ", nullif(pg_catalog.current_setting('response.headers', true), ''), nullif(pg_catalog.current_setting('response.status', true), '')"

	// csvBody takes the names from the first row as JSON, and removes the parentheses
	// from each row's text form.
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
