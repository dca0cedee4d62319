package gentypes

func (w *writer) table(r *relation, functions []*function) node {
	insert, update := object{open: true}, object{open: true}
	for _, c := range r.Columns {
		if c.ReadOnly {
			insert.members = append(insert.members, field(c.Name, true, neverType))
			update.members = append(update.members, field(c.Name, true, neverType))
			continue
		}
		oid, nullable := w.columnType(c)
		value := orNull(w.typeOf(oid), nullable)
		optional := nullable || c.HasDefault || w.Exact && w.defaultOfDomain(c.Type)
		insert.members = append(insert.members, field(c.Name, optional, value))
		update.members = append(update.members, field(c.Name, true, value))
	}
	return object{open: true, members: []member{
		{"Row", w.row(r, functions)}, {"Insert", insert}, {"Update", update}, {"Relationships", w.relationshipsOf(r)},
	}}
}

func (w *writer) view(r *relation, functions []*function) node {
	values := object{open: true}
	for _, c := range r.Columns {
		if !c.Writable {
			values.members = append(values.members, field(c.Name, true, neverType))
			continue
		}
		oid, _ := w.columnType(c)
		values.members = append(values.members, field(c.Name, true, orNull(w.typeOf(oid), true)))
	}
	o := object{open: true, members: []member{{"Row", w.row(r, functions)}}}
	if r.Insertable {
		o.members = append(o.members, member{"Insert", values})
	}
	if r.Updates {
		o.members = append(o.members, member{"Update", values})
	}
	o.members = append(o.members, member{"Relationships", w.relationshipsOf(r)})
	return o
}

// row returns the columns of a relation with its computed columns.
func (w *writer) row(r *relation, functions []*function) object {
	o := w.columns(r)
	for _, f := range functions {
		if !w.computes(f, r) {
			continue
		}
		o.members = append(o.members, field(f.Name, false, orNull(w.result(f), true)))
	}
	return o
}

// computes reports whether a function is a computed column of a relation: its only
// argument is a row of it.
func (w *writer) computes(f *function, r *relation) bool {
	inputs := f.inputs()
	if len(inputs) != 1 {
		return false
	}
	t, ok := w.types[inputs[0].typ]
	if !ok || t.Relation != r.OID {
		return false
	}
	result, ok := w.resultRelation(f)
	return !(w.Exact && ok && len(result.Attributes) == 0) // otherwise a computed relationship
}

func (w *writer) columns(r *relation) object {
	o := object{open: true}
	for _, c := range r.Columns {
		oid, nullable := w.columnType(c)
		o.members = append(o.members, field(c.Name, false, orNull(w.typeOf(oid), nullable)))
	}
	return o
}

func (w *writer) defaultOfDomain(oid uint32) bool {
	t, ok := w.types[oid]
	return ok && t.Base != 0 && (t.HasDefault || w.defaultOfDomain(t.Base))
}
