package gentypes

import (
	"slices"
	"strconv"
)

// relationship is a foreign key as a table or view has it.
type relationship struct {
	name          string
	columns       tuple
	unique        bool
	target        string
	targetColumns tuple
}

// appearance is a table or view that has all columns of one side of a foreign key.
type appearance struct {
	relation *relation
	columns  tuple
}

// origin is a table's column.
type origin struct {
	table  uint32
	attnum int
}

// viewColumns maps the columns of tables to a view's columns that are copies of them.
type viewColumns struct {
	view  *relation
	names map[origin][]node
}

// relate finds the relationships of all tables and views. A view has the foreign keys of which
// it has all columns. Each is listed once for each table or view of the same schema that it
// leads to.
func (w *writer) relate() {
	w.relationships = make(map[*relation][]relationship)
	views := w.copies()
	for _, k := range w.keys {
		targets := w.appearances(views, k.To, k.Refs)
		for _, from := range w.appearances(views, k.From, k.Columns) {
			for _, to := range targets {
				if to.relation.Schema == from.relation.Schema {
					unique := k.UniqueInSameOrder || w.Exact && k.Unique
					w.relationships[from.relation] = append(w.relationships[from.relation], relationship{k.Name, from.columns, unique, to.relation.Name, to.columns})
				}
			}
		}
	}
	for _, list := range w.relationships {
		slices.SortFunc(list, func(a, b relationship) int {
			return w.compare(a.name, b.name, a.target, b.target, a.targetColumns.json(), b.targetColumns.json(), a.columns.json(), b.columns.json())
		})
	}
}

// copies lists the columns of views that are copies of a table's columns.
func (w *writer) copies() []viewColumns {
	var views []viewColumns
	for _, r := range w.relations {
		v := viewColumns{r, make(map[origin][]node)}
		for i, source := range w.views[r.OID] {
			table, attnum := w.views.Origin(source)
			if c, ok := r.column(i + 1); ok && table != 0 {
				at := origin{table, attnum}
				v.names[at] = append(v.names[at], text(quote(c.Name)))
			}
		}
		if len(v.names) > 0 {
			views = append(views, v)
		}
	}
	return views
}

// appearances lists the tables and views that have all the columns of a table. A view that
// has a column several times is listed for each combination.
func (w *writer) appearances(views []viewColumns, table uint32, attnums []int) []appearance {
	var found []appearance
	if r, ok := w.byOID[table]; ok {
		columns := make(tuple, len(attnums))
		for i, attnum := range attnums {
			if c, ok := r.column(attnum); ok {
				columns[i] = text(quote(c.Name))
			}
		}
		found = append(found, appearance{r, columns})
	}
	for _, v := range views {
		for _, columns := range v.combinations(table, attnums) {
			found = append(found, appearance{v.view, columns})
		}
	}
	return found
}

func (v viewColumns) combinations(table uint32, attnums []int) []tuple {
	combinations := []tuple{nil}
	for _, attnum := range attnums {
		var longer []tuple
		for _, names := range combinations {
			for _, name := range v.names[origin{table, attnum}] {
				longer = append(longer, append(names[:len(names):len(names)], name))
			}
		}
		combinations = longer
	}
	return combinations
}

// json returns a tuple as JSON, by which tuples are sorted.
func (t tuple) json() string {
	parts, _ := join(t, ",")
	return "[" + parts + "]"
}

// relationshipsOf returns the types of a relation's relationships.
func (w *writer) relationshipsOf(r *relation) node {
	nodes := make(tuple, 0, len(w.relationships[r]))
	for _, found := range w.relationships[r] {
		nodes = append(nodes, w.relationship(found))
	}
	return nodes
}

func (w *writer) relationship(r relationship) node {
	o := object{open: true, members: []member{{"foreignKeyName", text(quote(r.name))}, {"columns", r.columns}}}
	if !w.WithoutOneToOne {
		o.members = append(o.members, member{"isOneToOne", text(strconv.FormatBool(r.unique))})
	}
	o.members = append(o.members, member{"referencedRelation", text(quote(r.target))}, member{"referencedColumns", r.targetColumns})
	return o
}
