package openapi

import (
	"encoding/json"
	"strings"

	"plaza/server/rest/schema"
)

// jsonType is the JSON type of a PostgreSQL type; empty where any will do.
func jsonType(name string) string {
	switch name {
	case "boolean":
		return "boolean"
	case "smallint", "integer", "bigint":
		return "integer"
	case "numeric", "real", "double precision":
		return "number"
	case "json", "jsonb":
		return ""
	}
	if strings.HasSuffix(name, "[]") {
		return "array"
	}
	return "string"
}

// formatOf is the format beside it: PostgreSQL's name, but for integers.
func formatOf(name string) string {
	switch name {
	case "smallint", "integer":
		return "int32"
	case "bigint":
		return "int64"
	}
	return name
}

// valueOf describes values of a PostgreSQL type.
func valueOf(name string) value {
	v := value{Type: jsonType(name), Format: formatOf(name)}
	if v.Type == "array" {
		v.Items = &value{Type: jsonType(element(name))}
	}
	return v
}

// element is the type of an array's elements.
func element(name string) string { return strings.TrimSuffix(name, "[]") }

// columnType is the type a column is shown by: what stands behind a domain, if
// that is PostgreSQL's own. Only those have no schema in their name.
func columnType(c *schema.Column) string {
	if strings.Contains(c.BaseType, ".") {
		return c.Type
	}
	return c.BaseType
}

// defaultOf shows a default: of texts the literal, or else the expression; of
// other types a literal that is JSON as well.
func defaultOf(typeName, expression string) json.RawMessage {
	if expression == "" {
		return nil
	}
	if jsonType(typeName) != "string" {
		if json.Valid([]byte(expression)) {
			return json.RawMessage(expression)
		}
		return nil
	}
	if literal, ok := strings.CutSuffix(expression, "::"+typeName); ok {
		expression = strings.Trim(literal, "'")
	}
	encoded, err := json.Marshal(expression)
	if err != nil {
		return nil
	}
	return encoded
}

// shortType leaves the schema out of a type's name where the search path finds it.
func shortType(name string, searchPath []string) string {
	for _, in := range searchPath {
		for _, prefix := range []string{in + ".", `"` + strings.ReplaceAll(in, `"`, `""`) + `".`} {
			if short, ok := strings.CutPrefix(name, prefix); ok {
				return short
			}
		}
	}
	return name
}
