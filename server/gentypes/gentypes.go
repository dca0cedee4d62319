// Package gentypes generates TypeScript types of a database for supabase-js's generic
// client, as `supabase gen types` does.
//
// The generator to compare with is that of postgres-meta 0.99.0 (postgrest-typegen 0.2.5).
// Its output is the same but for the helper types at the end, which do the same in other words.
package gentypes

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// Options configures the types.
type Options struct {
	Schemas  []string // those without a schema in the database are left out; empty means all
	Excluded []string // schemas to leave out

	// Exact describes what the data API answers where Supabase's generator differs: results
	// of OUT arguments, domains, types that it calls unknown, computed relationships.
	Exact bool

	// WithoutOneToOne leaves out isOneToOne, as for PostgREST 9.
	WithoutOneToOne bool

	// PostgrestVersion tells supabase-js which version of PostgREST answers. Empty leaves
	// it to supabase-js.
	PostgrestVersion string
}

// Generate writes the types of a database. Its output is in alphabetical order.
//
// It needs no privileges beyond reading the system catalogs, and names all that there is,
// whoever may use it. Names of types in other schemas depend on the connection's search path.
func Generate(ctx context.Context, conn *pgx.Conn, out io.Writer, o Options) error {
	c, err := load(ctx, conn, o)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, newWriter(c, o).write())
	return err
}

// writer creates the types of a catalog.
type writer struct {
	*catalog
	Options
	collator      *collate.Collator
	relationships map[*relation][]relationship
}

func newWriter(c *catalog, o Options) *writer {
	w := &writer{catalog: c, Options: o, collator: collate.New(language.English)}
	w.sort()
	w.relate()
	return w
}

// compare compares pairs of strings in the order of JavaScript's Intl.Collator for English.
// Strings that are equal in that order are compared by their bytes, so that it returns 0 only if
// all pairs are identical.
func (w *writer) compare(pairs ...string) int {
	last := 0
	for i := 0; i+1 < len(pairs); i += 2 {
		if order := w.collator.CompareString(pairs[i], pairs[i+1]); order != 0 {
			return order
		}
		last = cmp.Or(last, strings.Compare(pairs[i], pairs[i+1]))
	}
	return last
}

func (w *writer) sort() {
	slices.SortFunc(w.schemas, func(a, b string) int { return w.compare(a, b) })
	slices.SortFunc(w.relations, func(a, b *relation) int { return w.compare(a.Name, b.Name) })
	for _, r := range w.relations {
		slices.SortFunc(r.Columns, func(a, b *column) int { return w.compare(a.Name, b.Name) })
	}
	slices.SortFunc(w.functions, func(a, b *function) int {
		return w.compare(a.Name, b.Name, a.Identity, b.Identity)
	})
	for _, f := range w.functions {
		f.split(w.Exact)
		slices.SortStableFunc(f.arguments, func(a, b argument) int { return w.compare(a.name, b.name) })
	}
}

func (w *writer) write() string {
	var out strings.Builder
	out.WriteString(`export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

`)
	database := object{open: true}
	if w.PostgrestVersion != "" {
		version := member{"PostgrestVersion", text(quote(w.PostgrestVersion))}
		database.members = append(database.members, member{"__InternalSupabase", object{members: []member{version}, open: true}})
	}
	constants := object{open: true, separator: ","}
	for _, schema := range w.schemas {
		enums, labels := w.enums(schema)
		database.members = append(database.members, field(schema, false, w.schema(schema, enums)))
		constants.members = append(constants.members, field(schema, false, labels))
	}
	out.WriteString("export type Database = " + database.tall(0) + "\n\n")
	out.WriteString(helpers)
	out.WriteString("\nexport const Constants = " + constants.tall(0) + " as const\n")
	return out.String()
}

func (w *writer) schema(name string, enums object) node {
	var tables, views, composites object
	functions := w.callable(name)
	for _, r := range w.relations {
		switch {
		case r.Schema != name:
		case r.IsView:
			views.members = append(views.members, field(r.Name, false, w.view(r, functions)))
		default:
			tables.members = append(tables.members, field(r.Name, false, w.table(r, functions)))
		}
	}
	for _, t := range w.typesIn(name) {
		if len(t.Attributes) > 0 {
			composites.members = append(composites.members, field(t.Name, false, w.attributes(t, true)))
		}
	}
	return object{open: true, members: []member{
		{"Tables", section(tables)}, {"Views", section(views)}, {"Functions", section(w.signatures(functions))},
		{"Enums", section(enums)}, {"CompositeTypes", section(composites)},
	}}
}

// section returns an object type that has no keys if it has no members.
func section(o object) node {
	o.open = true
	if len(o.members) == 0 {
		o.members = []member{{"[_ in never]", neverType}}
	}
	return o
}

// enums returns the types of a schema's enums, and the values of the constant.
func (w *writer) enums(schema string) (types, values object) {
	labels := object{open: true, separator: ","}
	for _, t := range w.typesIn(schema) {
		if len(t.Labels) > 0 {
			types.members = append(types.members, field(t.Name, false, union(literals(t.Labels))))
			labels.members = append(labels.members, field(t.Name, false, tuple(literals(t.Labels))))
		}
	}
	return types, object{open: true, separator: ",", members: []member{{"Enums", labels}}}
}

func (w *writer) typesIn(schema string) []*dataType {
	var found []*dataType
	for _, t := range w.types {
		if t.Schema == schema {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b *dataType) int { return w.compare(a.Name, b.Name) })
	return found
}
