package openapi

import (
	"encoding/json"
	"strings"

	"plaza/server/rest/schema"
)

// jsonType returns the JSON type of a PostgreSQL type. An empty result means any type.
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

// formatOf returns Swagger's format of a type: PostgreSQL's name, except for integers.
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

// element returns the type of an array's elements.
func element(name string) string { return strings.TrimSuffix(name, "[]") }

// columnType returns the type to show for a column: the base type of a domain if it is
// a built-in type. Only names of built-in types have no schema.
func columnType(c *schema.Column) string {
	if strings.Contains(c.BaseType, ".") {
		return c.Type
	}
	return c.BaseType
}

// defaultOf returns a default as JSON. For strings it is the literal or else the
// expression. For other types only literals that are valid JSON are returned.
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

// shortType removes the schema from a type's name if it is in the search path.
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
