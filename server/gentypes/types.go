package gentypes

import "slices"

// TypeScript types of PostgreSQL's types, by name: extensions have no fixed OIDs.
var scalars = map[string]text{
	"bool": "boolean",
	"int2": "number", "int4": "number", "int8": "number", "float4": "number", "float8": "number", "numeric": "number",
	"bytea": "string", "bpchar": "string", "varchar": "string", "text": "string", "citext": "string", "uuid": "string", "vector": "string",
	"date": "string", "time": "string", "timetz": "string", "timestamp": "string", "timestamptz": "string", "interval": "string",
	"json": jsonType, "jsonb": jsonType,
	"void":   "undefined",
	"record": "Record<string, unknown>",
}

const (
	jsonType    = text("Json")
	unknownType = text("unknown")
	neverType   = text("never")
)

// typeOf returns the TypeScript type of a value, without null.
func (w *writer) typeOf(oid uint32) node {
	t, ok := w.types[oid]
	if !ok {
		return unknownType
	}
	if t.Element != 0 {
		return array{w.typeOf(t.Element)}
	}
	if scalar, ok := scalars[t.Name]; ok && !(w.Exact && t.isDefined()) {
		return scalar
	}
	included := slices.Contains(w.schemas, t.Schema)
	switch {
	case len(t.Labels) > 0 && included:
		return reference(t.Schema, "Enums", t.Name, "")
	case len(t.Labels) > 0:
		return union(literals(t.Labels))
	case len(t.Attributes) > 0 && included:
		return reference(t.Schema, "CompositeTypes", t.Name, "")
	}
	if r, ok := w.byOID[t.Relation]; ok {
		return reference(r.Schema, r.section(), r.Name, "Row")
	}
	if w.Exact {
		return w.exactTypeOf(t)
	}
	return unknownType
}

// isDefined reports whether a type consists of others or of labels. Its name may be that of
// a type of PostgreSQL's.
func (t *dataType) isDefined() bool { return t.Base != 0 || t.Relation != 0 || len(t.Labels) > 0 }

// exactTypeOf returns the types that Supabase's generator calls unknown.
func (w *writer) exactTypeOf(t *dataType) node {
	switch {
	case t.Base != 0:
		return w.typeOf(t.Base)
	case len(t.Attributes) > 0:
		return w.attributes(t, false)
	case t.Relation != 0:
		return unknownType // a row of a schema that was not asked for
	case t.CastsToJSON:
		return jsonType
	}
	return text("string")
}

// columnType returns the type behind a column's domain, and whether the column can be null.
func (w *writer) columnType(c *column) (oid uint32, nullable bool) {
	oid, nullable = c.Type, !c.NotNull
	if t, ok := w.types[oid]; ok && t.Base != 0 {
		oid, nullable = t.Base, nullable && !t.NotNull
	}
	return oid, nullable
}

func (w *writer) attributes(t *dataType, open bool) object {
	o := object{open: open}
	for _, a := range t.Attributes {
		o.members = append(o.members, field(a.Name, false, orNull(w.typeOf(a.Type), true)))
	}
	return o
}

// orNull returns the type of a value that may be null. Json and unknown include null.
func orNull(n node, nullable bool) node {
	switch {
	case n == jsonType && !nullable:
		return text("NonNullable<Json>")
	case n == unknownType || !nullable:
		return n
	}
	if u, ok := n.(union); ok {
		return append(u[:len(u):len(u)], null)
	}
	return union{n, null}
}

func reference(schema, section, name, part string) node {
	path := "Database[" + quote(schema) + `]["` + section + `"][` + quote(name) + "]"
	if part != "" {
		path += `["` + part + `"]`
	}
	return text(path)
}

func (r *relation) section() string {
	if r.IsView {
		return "Views"
	}
	return "Tables"
}
