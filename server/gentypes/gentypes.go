// Package gentypes generates TypeScript types of a schema for supabase-js's generic
// client: Database → schema → Tables, Views, Functions, Enums.
package gentypes

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plaza/server/rest/schema"
)

// Write writes the types of the given schemas in alphabetical order, so that the output
// is deterministic.
func Write(out io.Writer, s *schema.Snapshot, schemas []string) error {
	w := &writer{snapshot: s}
	w.line(0, "// Written by `plaza gentypes`. Do not edit.")
	w.line(0, "")
	w.line(0, "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]")
	w.line(0, "")
	w.line(0, "export type Database = {")
	for _, name := range slices.Sorted(slices.Values(schemas)) {
		w.schema(name)
	}
	w.line(0, "}")
	_, err := io.WriteString(out, w.text.String())
	return err
}

type writer struct {
	snapshot *schema.Snapshot
	text     strings.Builder
}

func (w *writer) line(depth int, format string, args ...any) {
	w.text.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

func (w *writer) schema(name string) {
	w.line(1, "%s: {", key(name))
	w.section("Tables", name, false)
	w.section("Views", name, true)
	w.functions(name)
	w.line(2, "Enums: Record<never, never>")
	w.line(2, "CompositeTypes: Record<never, never>")
	w.line(1, "}")
}

func (w *writer) section(title, name string, views bool) {
	var tables []*schema.Table
	for _, table := range w.snapshot.Tables(name) {
		if table.IsView == views {
			tables = append(tables, table)
		}
	}
	if len(tables) == 0 {
		w.line(2, "%s: Record<never, never>", title)
		return
	}
	w.line(2, "%s: {", title)
	for _, table := range tables {
		w.table(table)
	}
	w.line(2, "}")
}

func (w *writer) table(t *schema.Table) {
	columns := slices.Clone(t.Columns)
	slices.SortFunc(columns, func(a, b *schema.Column) int { return strings.Compare(a.Name, b.Name) })
	w.line(3, "%s: {", key(t.Name.Name))
	w.line(4, "Row: {")
	w.fields(columns, func(c *schema.Column) (bool, bool) { return false, true })
	computed := w.snapshot.ComputedColumns(t)
	for _, f := range computed {
		w.line(5, "%s: %s | null", key(f.Name.Name), w.result(f))
	}
	w.line(4, "}")
	w.columns("Insert", columns, func(c *schema.Column) (bool, bool) {
		return c.Nullable || c.HasDefault || t.IsView, !c.Generated
	})
	w.columns("Update", columns, func(c *schema.Column) (bool, bool) { return true, !c.Generated })
	w.relationships(t)
	w.computedFields(computed)
	w.line(3, "}")
}

// computedFields lists the fields of a row that `select=*` does not include.
func (w *writer) computedFields(computed []*schema.Function) {
	if len(computed) == 0 {
		return
	}
	names := make([]string, len(computed))
	for i, f := range computed {
		names[i] = quote(f.Name.Name)
	}
	w.line(4, "ComputedFields: %s", strings.Join(names, " | "))
}

func (w *writer) columns(title string, columns []*schema.Column, form func(*schema.Column) (optional, writable bool)) {
	w.line(4, "%s: {", title)
	w.fields(columns, form)
	w.line(4, "}")
}

func (w *writer) fields(columns []*schema.Column, form func(*schema.Column) (optional, writable bool)) {
	for _, c := range columns {
		optional, writable := form(c)
		mark, typeName := "", columnType(c)
		if optional {
			mark = "?"
		}
		if !writable {
			mark, typeName = "?", "never"
		}
		w.line(5, "%s%s: %s", key(c.Name), mark, typeName)
	}
}

func (w *writer) relationships(t *schema.Table) {
	w.line(4, "Relationships: [")
	// Sorted by name, as in Supabase's generator.
	sorted := slices.SortedStableFunc(slices.Values(w.snapshot.Relationships(t.Name)), func(a, b *schema.Relationship) int {
		return cmp.Or(strings.Compare(a.Constraint, b.Constraint), strings.Compare(a.To.Name, b.To.Name))
	})
	for _, r := range sorted {
		if r.Constraint == "" || r.Cardinality == schema.OneToMany || r.Parent {
			continue
		}
		from, to := make([]string, len(r.Columns)), make([]string, len(r.Columns))
		for i, pair := range r.Columns {
			from[i], to[i] = quote(pair.From), quote(pair.To)
		}
		w.line(5, "{ foreignKeyName: %s; columns: [%s]; isOneToOne: %t; referencedRelation: %s; referencedColumns: [%s] },",
			quote(r.Constraint), strings.Join(from, ", "), r.Cardinality == schema.OneToOne, quote(r.To.Name), strings.Join(to, ", "))
	}
	w.line(4, "]")
}

func (w *writer) functions(name string) {
	functions := w.snapshot.AllFunctions(name)
	if len(functions) == 0 {
		w.line(2, "Functions: Record<never, never>")
		return
	}
	w.line(2, "Functions: {")
	for i, f := range functions {
		if i > 0 && functions[i-1].Name == f.Name {
			continue // of overloads, only the first is listed
		}
		w.line(3, "%s: {", key(f.Name.Name))
		w.arguments(f)
		w.line(4, "Returns: %s", w.result(f))
		if f.Table != nil {
			w.line(4, "SetofOptions: { from: '*'; to: %s; isOneToOne: %t; isSetofReturn: %t }", quote(f.Table.Name), !f.ReturnsMany(), f.ReturnsSet)
		}
		w.line(3, "}")
	}
	w.line(2, "}")
}

func (w *writer) arguments(f *schema.Function) {
	if len(f.Arguments) == 0 {
		w.line(4, "Args: never")
		return
	}
	arguments := slices.Clone(f.Arguments)
	slices.SortFunc(arguments, func(a, b schema.Argument) int { return strings.Compare(a.Name, b.Name) })
	parts := make([]string, len(arguments))
	for i, a := range arguments {
		mark := ""
		if a.HasDefault {
			mark = "?"
		}
		parts[i] = key(a.Name) + mark + ": " + typeOf(a.Type)
	}
	w.line(4, "Args: { %s }", strings.Join(parts, "; "))
}

func (w *writer) result(f *schema.Function) string {
	var one string
	switch {
	case f.IsVoid:
		return "undefined"
	case f.Table != nil:
		one = "Database[" + quote(f.Table.Schema) + "]['" + w.sectionOf(*f.Table) + "'][" + quote(f.Table.Name) + "]['Row']"
	case f.Composite && len(f.Results) > 0:
		parts := make([]string, len(f.Results))
		for i, r := range f.Results {
			parts[i] = key(r.Name) + ": " + typeOf(r.Type)
		}
		one = "{ " + strings.Join(parts, "; ") + " }"
	case f.Composite:
		one = "Record<string, unknown>"
	default:
		one = typeOf(f.ReturnType)
	}
	if f.ReturnsSet {
		return one + "[]"
	}
	return one
}

func (w *writer) sectionOf(name schema.Name) string {
	if table, ok := w.snapshot.Table(name); ok && table.IsView {
		return "Views"
	}
	return "Tables"
}

func columnType(c *schema.Column) string {
	name := typeOf(c.BaseType)
	if len(c.Enum) > 0 {
		values := make([]string, len(c.Enum))
		for i, value := range c.Enum {
			values[i] = quote(value)
		}
		name = strings.Join(values, " | ")
	}
	if c.Nullable {
		return name + " | null"
	}
	return name
}

// typeOf returns the TypeScript type of a PostgreSQL type's JSON form.
func typeOf(sqlType string) string {
	if element, ok := strings.CutSuffix(sqlType, "[]"); ok {
		return typeOf(element) + "[]"
	}
	switch name, _, _ := strings.Cut(sqlType, "("); name {
	case "boolean":
		return "boolean"
	case "smallint", "integer", "bigint", "real", "double precision", "numeric":
		return "number"
	case "json", "jsonb":
		return "Json"
	case "void":
		return "undefined"
	case "record":
		return "Record<string, unknown>"
	}
	return "string"
}

var plainKey = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

func key(name string) string {
	if plainKey.MatchString(name) {
		return name
	}
	return quote(name)
}

func quote(text string) string {
	return "'" + strings.ReplaceAll(strings.Trim(strconv.Quote(text), `"`), "'", `\'`) + "'"
}
