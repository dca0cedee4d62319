package ddl

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// columnAttributes are the properties of a column.
type columnAttributes struct {
	Table, Name, Type, Collation string
	Number                       int
	NotNull, Local               bool
	Generated                    string // the expression; empty: not generated
	Virtual                      bool   // a generated column that is not stored
	Identity                     string // "always", "by default" or empty
	Sequence                     string // the options of an identity column's sequence
}

// tableAttributes are the properties of a table.
type tableAttributes struct {
	Unlogged    bool
	Options     string // storage parameters
	Partitioned string // the partition key; empty: not partitioned
	Bound       string // the rows of a partition; empty: no partition
	Parents     []string
}

// decode returns an object's attributes. Decoding cannot fail, since they come from a query of ours.
func decode[T any](o *Object) (attributes T) {
	_ = json.Unmarshal(o.attributes, &attributes)
	return attributes
}

// definition returns a column as CREATE TABLE and ADD COLUMN have it. expression is its default; empty:
// none.
func (c columnAttributes) definition(expression string) string {
	var b strings.Builder
	b.WriteString(c.Name + " " + c.typeName())
	if expression != "" {
		b.WriteString(" default " + expression)
	}
	switch {
	case c.Generated != "" && c.Virtual:
		b.WriteString(" generated always as (" + c.Generated + ") virtual")
	case c.Generated != "":
		b.WriteString(" generated always as (" + c.Generated + ") stored")
	case c.Identity != "":
		b.WriteString(" " + c.identity())
	}
	if c.NotNull {
		b.WriteString(" not null")
	}
	return b.String()
}

func (c columnAttributes) typeName() string {
	if c.Collation != "" {
		return c.Type + " collate " + c.Collation
	}
	return c.Type
}

// identity returns the identity clause of a column. The options of its sequence are left out where they
// are the defaults.
func (c columnAttributes) identity() string {
	clause := "generated " + c.Identity + " as identity"
	if c.Sequence == "increment by 1 minvalue 1 maxvalue "+largest[c.Type]+" start with 1 cache 1 no cycle" {
		return clause
	}
	return clause + " (" + c.Sequence + ")"
}

// largest is the greatest value of the types that a sequence may have.
var largest = map[string]string{"smallint": "32767", "integer": "2147483647", "bigint": "9223372036854775807"}

// inlineDefault returns the default of a column if it needs nothing but types and extensions. Others are
// set when the functions and sequences that they call exist.
func (s *Schema) inlineDefault(column *Object) *Object {
	d := s.objects["default of "+column.Name]
	if d == nil {
		return nil
	}
	for _, need := range d.needs {
		if need == column.Name {
			continue
		}
		if of := s.objects[need]; of == nil || !slices.Contains([]string{"extension", "enum", "domain", "composite", "range"}, of.Kind) {
			return nil
		}
	}
	return d
}

// columns returns the columns of a table in their order.
func (s *Schema) columns(table *Object) []*Object {
	var columns []*Object
	for _, o := range s.objects {
		if o.Kind == "column" && o.goesWith == table.Name {
			columns = append(columns, o)
		}
	}
	slices.SortFunc(columns, func(a, b *Object) int {
		return cmp.Compare(decode[columnAttributes](a).Number, decode[columnAttributes](b).Number)
	})
	return columns
}

// createTable returns the statement that creates a table, and the other objects that it creates: columns,
// and their defaults, see inlineDefault.
func (s *Schema) createTable(table *Object) (statement string, included []*Object) {
	t := decode[tableAttributes](table)
	var lines []string
	for _, column := range s.columns(table) {
		included = append(included, column)
		c := decode[columnAttributes](column)
		if !c.Local {
			continue
		}
		expression := ""
		if d := s.inlineDefault(column); d != nil {
			expression = decode[struct{ Expression string }](d).Expression
			included = append(included, d)
		}
		lines = append(lines, "  "+c.definition(expression))
	}
	statement = table.Create
	if t.Bound != "" {
		statement += " partition of " + t.Parents[0] + " " + t.Bound
	} else {
		statement += " (\n" + strings.Join(lines, ",\n") + "\n)"
		if len(lines) == 0 {
			statement = table.Create + " ()"
		}
		if len(t.Parents) > 0 {
			statement += " inherits (" + strings.Join(t.Parents, ", ") + ")"
		}
	}
	if t.Partitioned != "" {
		statement += " partition by " + t.Partitioned
	}
	if t.Options != "" {
		statement += " with (" + t.Options + ")"
	}
	return statement, included
}

// alterColumn returns the statements that turn the column from into to. replace means that it has to be
// dropped and created again.
func alterColumn(from, to columnAttributes) (statements []string, replace bool) {
	alter := "alter table " + to.Table + " alter column " + to.Name + " "
	add := func(clause string) { statements = append(statements, alter+clause) }
	switch {
	case from.Generated == to.Generated && from.Virtual == to.Virtual:
	case to.Generated == "" && !from.Virtual:
		add("drop expression")
	default:
		return nil, true
	}
	if from.Identity != "" && to.Identity == "" {
		add("drop identity")
	}
	if from.typeName() != to.typeName() {
		if to.Generated != "" {
			return nil, true
		}
		add("type " + to.typeName() + " using " + to.Name + "::" + to.Type)
	}
	switch {
	case to.NotNull && !from.NotNull:
		add("set not null")
	case from.NotNull && !to.NotNull:
		add("drop not null")
	}
	switch {
	case to.Identity == "" || from.Identity == to.Identity && from.Sequence == to.Sequence:
	case from.Identity == "":
		add("add " + to.identity())
	default:
		add("set generated " + to.Identity + " " + strings.TrimSpace(setOptions.Replace(" "+to.Sequence)))
	}
	return statements, false
}

// setOptions puts SET before each option of a sequence.
var setOptions = strings.NewReplacer(" increment by", " set increment by", " minvalue", " set minvalue", " maxvalue", " set maxvalue",
	" start with", " set start with", " cache", " set cache", " no cycle", " set no cycle", " cycle", " set cycle")
