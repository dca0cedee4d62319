package sqlgen

import (
	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
)

// join writes the lateral join of an embed. A to-one join has the embed's columns. A
// to-many join has one column, a JSON list, with the same name as the join.
func (b *builder) join(parent string, e *plan.Embed) {
	alias := Ident(e.Alias)
	if e.Inner {
		b.write(" inner join lateral (")
	} else {
		b.write(" left join lateral (")
	}
	switch {
	case e.ToOne():
		b.joinedRows(parent, e)
	case e.Spread:
		// The column with the join's name is not null if there are rows, as below.
		b.write("select nullif(pg_catalog.count(*), 0) as ", alias)
		for _, c := range e.Spreads {
			b.write(", coalesce(pg_catalog.json_agg(", alias, ".", Ident(c.From), "), '[]') as ", Ident(c.As))
		}
		b.write(" from (")
		b.joinedRows(parent, e)
		b.write(") as ", alias)
	default:
		b.write("select pg_catalog.json_agg(", alias, ") as ", alias, " from (")
		b.joinedRows(parent, e)
		b.write(") as ", alias)
	}
	b.write(") as ", alias)
	if e.Inner && !e.ToOne() {
		b.write(" on ", alias, ".", alias, " is not null")
	} else {
		b.write(" on true")
	}
}

func (b *builder) joinedRows(parent string, e *plan.Embed) {
	b.write("select ")
	b.columns(e.Read)
	b.write(" from ")
	b.related(parent, e)
	b.tail(e.Read)
}

// exists writes the condition that an embed has rows.
func (b *builder) exists(parent string, e *plan.Embed) {
	b.write("exists (")
	if e.Read.Grouped() { // its columns determine the number of rows
		b.counts = false
		b.joinedRows(parent, e)
		b.counts = true
	} else {
		b.write("select 1 from ")
		b.related(parent, e)
		b.limits(e.Read)
	}
	b.write(")")
}

// haveInner writes the condition that each inner embed has rows. word is written
// before the first.
func (b *builder) haveInner(word string, r *plan.Read) {
	for _, e := range r.Embeds {
		if e.Inner {
			b.write(word)
			b.exists(r.Alias, e)
			word = " and "
		}
	}
}

// related writes the from and where clauses of an embed's rows.
func (b *builder) related(parent string, e *plan.Embed) {
	read, r := e.Read, e.Relation
	switch {
	case r.Function != nil:
		b.write(tableSource(r.Function.Name), "(", Ident(parent), ") as ", Ident(read.Alias))
	case r.Junction != nil:
		b.write(tableSource(r.To), " as ", Ident(read.Alias), " cross join ", tableSource(r.Junction.Table), " as ", Ident(junctionAlias(e)))
	default:
		b.write(tableSource(r.To), " as ", Ident(read.Alias))
	}
	if !b.counts {
		for _, child := range read.Embeds {
			b.join(read.Alias, child)
		}
	}
	b.write(" where ")
	b.onKeys(parent, e)
	for _, c := range read.Where {
		b.write(" and ")
		b.condition(read.Alias, c)
	}
	if b.counts {
		b.haveInner(" and ", read)
	}
}

func junctionAlias(e *plan.Embed) string { return e.Relation.Junction.Table.Name + "_of_" + e.Alias }

func (b *builder) onKeys(parent string, e *plan.Embed) {
	switch r := e.Relation; {
	case r.Function != nil:
		b.write("true")
	case r.Junction != nil:
		b.pairs(parent, junctionAlias(e), r.Junction.FromColumns)
		b.write(" and ")
		b.pairs(e.Read.Alias, junctionAlias(e), r.Junction.ToColumns)
	default:
		b.pairs(parent, e.Read.Alias, r.Columns)
	}
}

func (b *builder) pairs(from, to string, pairs []schema.Pair) {
	for i, pair := range pairs {
		if i > 0 {
			b.write(" and ")
		}
		b.write(Ident(from), ".", Ident(pair.From), " = ", Ident(to), ".", Ident(pair.To))
	}
}
