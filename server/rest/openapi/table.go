package openapi

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"plaza/server/rest/schema"
)

// tableParameters returns the body parameter of a table's writes and the filters of
// its columns.
func tableParameters(t *schema.Table) iter.Seq2[string, parameter] {
	name := t.Name.Name
	return func(yield func(string, parameter) bool) {
		if !yield("body."+name, parameter{Name: name, Description: name, In: "body", Schema: &value{Ref: "#/definitions/" + name}}) {
			return
		}
		for _, c := range t.Columns {
			if !yield("rowFilter."+name+"."+c.Name, parameter{Name: c.Name, Description: c.Comment, In: "query", Type: "string"}) {
				return
			}
		}
	}
}

// tablePath describes the methods of a table.
func tablePath(t *schema.Table) pathItem {
	name := t.Name.Name
	filters := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		filters[i] = reference{"#/parameters/rowFilter." + name + "." + c.Name}
	}
	summary, description := summarize(t.Comment)
	method := func(responses map[string]response, filters []any, more ...string) *operation {
		o := &operation{Tags: []string{name}, Summary: summary, Description: description, Responses: responses, Parameters: slices.Clone(filters)}
		for _, parameter := range more {
			o.Parameters = append(o.Parameters, reference{"#/parameters/" + parameter})
		}
		return o
	}
	rows := &value{Type: "array", Items: &value{Ref: "#/definitions/" + name}}
	read := map[string]response{"200": {Description: "OK", Schema: rows}, "206": {Description: "Partial Content"}}
	path := pathItem{Get: method(read, filters, "select", "order", "range", "rangeUnit", "offset", "limit", "preferCount")}
	if t.Insertable() || t.Updatable() || t.Deletable() {
		path.Post = method(responses("201", "Created"), nil, "body."+name, "select", "preferPost")
		path.Patch = method(responses("204", "No Content"), filters, "body."+name, "preferReturn")
		path.Delete = method(responses("204", "No Content"), filters, "preferReturn")
	}
	return path
}

// rowOf describes a row of a table.
func rowOf(t *schema.Table, relationships []*schema.Relationship) value {
	row := value{Type: "object", Description: t.Comment}
	for _, c := range t.Columns {
		column := valueOf(columnType(c))
		column.Description = describe(t, c, relationships)
		column.Default = defaultOf(columnType(c), c.Default)
		column.Enum = c.Enum
		column.MaxLength = c.MaxLength
		row.Properties = append(row.Properties, property{c.Name, column})
		if !c.Nullable {
			row.Required = append(row.Required, c.Name)
		}
	}
	return row
}

// describe adds the keys of which a column is part to its comment, in the format that
// tools expect.
func describe(t *schema.Table, c *schema.Column, relationships []*schema.Relationship) string {
	var notes []string
	if slices.Contains(t.PrimaryKey, c.Name) {
		notes = append(notes, "This is a Primary Key.<pk/>")
	}
	if table, column, ok := referred(t, c, relationships); ok {
		notes = append(notes, fmt.Sprintf("This is a Foreign Key to `%[1]s.%[2]s`.<fk table='%[1]s' column='%[2]s'/>", table, column))
	}
	if len(notes) == 0 {
		return c.Comment
	}
	note := "Note:\n" + strings.Join(notes, "\n")
	if c.Comment == "" {
		return note
	}
	return c.Comment + "\n\n" + note
}

// referred returns the table and column in the same schema that a single-column
// foreign key refers to. It prefers tables to views, then the first by name.
func referred(t *schema.Table, c *schema.Column, relationships []*schema.Relationship) (table, column string, ok bool) {
	var best *schema.Relationship
	for _, r := range relationships {
		refers := r.Cardinality == schema.ManyToOne || r.Cardinality == schema.OneToOne && !r.Parent
		if !refers || len(r.Columns) != 1 || r.Columns[0].From != c.Name || r.To.Schema != t.Name.Schema {
			continue
		}
		if best == nil || best.ToView && !r.ToView || best.ToView == r.ToView && r.To.Name < best.To.Name {
			best = r
		}
	}
	if best == nil {
		return "", "", false
	}
	return best.To.Name, best.Columns[0].To, true
}
