// Package changes delivers table changes: it keeps subscriptions, matches the changes in the WAL with
// them, checks who may see the rows, and encodes what is sent.
package changes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Entry is one entry of postgres_changes in a join.
type Entry struct {
	Event   string // INSERT, UPDATE, DELETE or *
	Schema  string // or *
	Table   string // or *
	Filters []Filter
	Select  []string // columns that are sent beside the key; nil: all
}

// Filter compares a column with a value.
type Filter struct {
	Column  string
	Op      string // eq, in and so on
	Negated bool
	Value   string   // in PostgreSQL's text format
	Values  []string // of in
}

// maxIn is the maximum number of values of an in filter.
const maxIn = 100

// errNoTarget refuses an entry without schema and table. Its text is upstream's.
const errNoTarget = "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: "

// RefusedError is the reason why a subscription is refused. Its text is upstream's, for the client. Other errors
// are faults of the database.
type RefusedError string

func (e RefusedError) Error() string { return string(e) }

func refused(format string, args ...any) error { return RefusedError(fmt.Sprintf(format, args...)) }

// ParseEntry parses an entry, which must be valid JSON.
//
// Errors: RefusedError.
func ParseEntry(text []byte) (Entry, error) {
	var sent struct {
		Event, Schema, Table any
		Filter               any
		Select               any
	}
	if err := json.Unmarshal(text, &sent); err != nil {
		return Entry{}, RefusedError(errNoTarget + string(text))
	}
	e := Entry{Event: strings.ToUpper(textOf(sent.Event)), Schema: textOf(sent.Schema), Table: textOf(sent.Table)}
	if !slices.Contains([]string{"INSERT", "UPDATE", "DELETE"}, e.Event) {
		e.Event = "*"
	}
	if e.Schema == "" && e.Table == "" {
		return Entry{}, RefusedError(errNoTarget + string(text))
	}
	if e.Schema == "" {
		e.Schema = "public"
	}
	if e.Table == "" {
		e.Table = "*"
	}
	var err error
	if e.Select, err = parseSelect(sent.Select); err != nil {
		return Entry{}, err
	}
	if e.Select != nil && e.isWildcard() {
		return Entry{}, RefusedError("Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.")
	}
	if filter := textOf(sent.Filter); filter != "" {
		if e.Filters, err = parseFilters(filter); err != nil {
			return Entry{}, refused("Error parsing `filter` params: %v", err)
		}
	}
	return e, nil
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// parseSelect parses the columns: a list of names, or a text with commas.
func parseSelect(value any) ([]string, error) {
	var names []string
	switch value := value.(type) {
	case nil:
		return nil, nil
	case string:
		for name := range strings.SplitSeq(value, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	case []any:
		for _, name := range value {
			names = append(names, textOf(name))
		}
	}
	if len(names) == 0 || slices.Contains(names, "") {
		return nil, refused("Error parsing `select` params: %v", value)
	}
	if len(names) == 1 && names[0] == "*" {
		return nil, nil
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// ops are the operators, each with PostgreSQL's.
var ops = map[string]string{
	"eq": "=", "neq": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "in": "= any", "like": "~~", "ilike": "~~*", "is": "is", "match": "~", "imatch": "~*", "isdistinct": "is distinct from",
}

func parseFilters(text string) ([]Filter, error) {
	var filters []Filter
	for _, part := range split(text) {
		column, rest, ok := strings.Cut(part, "=")
		op, value, hasValue := strings.Cut(rest, ".")
		f := Filter{Column: strings.TrimSpace(column), Op: op, Value: value}
		if op == "not" && hasValue {
			f.Negated = true
			f.Op, f.Value, hasValue = strings.Cut(value, ".")
		}
		if !ok || !hasValue || f.Column == "" {
			return nil, fmt.Errorf("%q is not of the form column=op.value", part)
		}
		if _, known := ops[f.Op]; !known {
			return nil, fmt.Errorf("unknown operator %q", f.Op)
		}
		if f.Op == "in" {
			list, isList := strings.CutPrefix(f.Value, "(")
			if list, isList = cutEnd(list, isList); !isList {
				return nil, fmt.Errorf("the values of in must be in parentheses: %q", f.Value)
			}
			for _, one := range split(list) {
				f.Values = append(f.Values, unquote(one))
			}
			f.Value = ""
		} else {
			f.Value = unquote(f.Value)
		}
		filters = append(filters, f)
	}
	return filters, nil
}

func cutEnd(list string, ok bool) (string, bool) {
	rest, hasEnd := strings.CutSuffix(list, ")")
	return rest, ok && hasEnd
}

// split splits a text at commas outside parentheses and double quotes. A quote opens only at
// the start or after a dot, an opening parenthesis or a comma; inside quotes a backslash escapes
// the next character.
func split(text string) []string {
	var parts []string
	start, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch char := text[i]; {
		case quoted && char == '\\':
			i++
		case char == '"' && (quoted || i == start || strings.IndexByte(".(,", text[i-1]) >= 0):
			quoted = !quoted
		case quoted:
		case char == '(':
			depth++
		case char == ')':
			depth--
		case char == ',' && depth <= 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// unquote removes the quotes and escapes of a quoted value.
func unquote(value string) string {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return value
	}
	var out strings.Builder
	inner := value[1 : len(value)-1]
	for i := 0; i < len(inner); i++ {
		if inner[i] == '\\' && i+1 < len(inner) {
			i++
		}
		out.WriteByte(inner[i])
	}
	return out.String()
}

// String returns the entry as messages to clients show it.
func (e Entry) String() string {
	filters := make([]string, len(e.Filters))
	for i, f := range e.Filters {
		value := f.Value
		if f.Op == "in" {
			value = "{" + strings.Join(f.Values, ",") + "}"
		}
		op := f.Op
		if f.Negated {
			op = "not." + op
		}
		filters[i] = fmt.Sprintf("{%q, %q, %q}", f.Column, op, value)
	}
	columns := "nil"
	if e.Select != nil {
		columns = fmt.Sprintf("%q", e.Select)
	}
	return fmt.Sprintf("[event: %s, schema: %s, table: %s, filters: [%s], select: %s]", e.Event, e.Schema, e.Table, strings.Join(filters, ", "), columns)
}

// names reports whether the entry is for a table.
func (e Entry) names(schema, table string) bool {
	return (e.Schema == "*" || e.Schema == schema) && (e.Table == "*" || e.Table == table)
}

// isWildcard reports whether the entry may be for several tables.
func (e Entry) isWildcard() bool { return e.Schema == "*" || e.Table == "*" }
