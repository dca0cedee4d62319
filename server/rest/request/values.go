package request

import (
	"bytes"

	"plaza/server/jsontext"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// maxPlainObject is the largest object that PlainValues splits, in bytes.
const maxPlainObject = 64 << 10

// PlainValues splits an object into values for an insert, so that PostgreSQL gets each
// value as a parameter and does not parse JSON. It returns nil if a value cannot be
// passed as text; PostgreSQL then parses the whole object.
func PlainValues(table *schema.Table, object []byte) map[string]sqlgen.Value {
	if len(object) > maxPlainObject {
		return nil
	}
	values := make(map[string]sqlgen.Value)
	plain := true
	jsontext.Members(object, func(key, value []byte) bool {
		name := jsontext.DecodeString(key)
		column, known := table.Column(name)
		if !known || column.FromJSON != (schema.Name{}) {
			// Unknown keys are rejected elsewhere or excluded by columns=.
			plain = !known
			return plain
		}
		values[name], plain = plainValue(column, value)
		return plain
	})
	if !plain {
		return nil
	}
	return values
}

// PlainArrays is like PlainValues for a list of objects: each column's values become
// an array. It returns nil if a value cannot be passed as text, if a column's type
// depends on its length ("character"), or if there are no columns.
func PlainArrays(table *schema.Table, columns []string, list []byte) map[string]sqlgen.Value {
	if len(list) > maxPlainList || len(columns) == 0 {
		return nil
	}
	arrays := make(map[string]*plainArray, len(columns))
	for _, name := range columns {
		column, known := table.Column(name)
		if !known || column.FromJSON != (schema.Name{}) || column.BaseType == "character" {
			return nil
		}
		arrays[name] = &plainArray{column: column, text: []byte{'{'}}
	}
	rows, plain := 0, true
	jsontext.Elements(list, func(object []byte) bool {
		rows++
		jsontext.Members(object, func(key, value []byte) bool {
			if array := arrays[jsontext.DecodeString(key)]; array != nil { // columns= excludes other keys
				plain = array.put(value, rows)
			}
			return plain
		})
		return plain
	})
	if !plain {
		return nil
	}
	values := make(map[string]sqlgen.Value, len(columns))
	for name, array := range arrays {
		values[name] = sqlgen.Value{Text: array.end(rows)}
	}
	return values
}

// maxPlainList is the largest list that PlainArrays splits, in bytes.
const maxPlainList = 1 << 20

// plainArray builds an array literal in PostgreSQL's text format.
type plainArray struct {
	column *schema.Column
	text   []byte
	last   int // start of the last element
	rows   int // number of elements
}

// put sets the element of a row; the first row is 1. A second value for the same row
// replaces the first.
func (a *plainArray) put(value []byte, row int) bool {
	v, ok := plainValue(a.column, value)
	if !ok {
		return false
	}
	if a.rows == row {
		a.text, a.rows = a.text[:a.last], row-1
	}
	for a.rows < row-1 {
		a.add(sqlgen.Value{Null: true}) // rows without the key
	}
	a.add(v)
	return true
}

func (a *plainArray) add(v sqlgen.Value) {
	a.last = len(a.text)
	if a.rows++; a.rows > 1 {
		a.text = append(a.text, ',')
	}
	if v.Null {
		a.text = append(a.text, "NULL"...)
		return
	}
	a.text = append(a.text, '"')
	for _, char := range v.Text {
		if char == '"' || char == '\\' {
			a.text = append(a.text, '\\')
		}
		a.text = append(a.text, char)
	}
	a.text = append(a.text, '"')
}

func (a *plainArray) end(rows int) []byte {
	for a.rows < rows {
		a.add(sqlgen.Value{Null: true})
	}
	return append(a.text, '}')
}

// plainTypes lists the types that PostgreSQL converts in the same way, and with the
// same errors, from a text parameter and from a member of a JSON object.
var plainTypes = map[string]bool{
	"smallint": true, "integer": true, "bigint": true, "numeric": true, "real": true, "double precision": true, "money": true, "oid": true,
	"boolean": true, "text": true, "character varying": true, "character": true, "name": true, "bytea": true, "uuid": true, "inet": true, "cidr": true,
	"date": true, "interval": true, "time without time zone": true, "time with time zone": true,
	"timestamp without time zone": true, "timestamp with time zone": true, "tsvector": true,
}

// plainValue converts a JSON value to the text input of a column's type, as
// json_to_record does.
func plainValue(column *schema.Column, value []byte) (sqlgen.Value, bool) {
	isJSON := column.BaseType == "json" || column.BaseType == "jsonb"
	switch {
	case !isJSON && !plainTypes[column.BaseType] && len(column.Enum) == 0:
		return sqlgen.Value{}, false
	case string(value) == "null":
		return sqlgen.Value{Null: true}, true
	case isJSON:
		// PostgreSQL decodes and re-encodes strings with escapes.
		return sqlgen.Value{Text: value}, value[0] != '"' || bytes.IndexByte(value, '\\') < 0
	case value[0] == '{' || value[0] == '[':
		return sqlgen.Value{}, false
	case value[0] != '"':
		return sqlgen.Value{Text: value}, true
	}
	text, ok := unescape(value[1 : len(value)-1])
	return sqlgen.Value{Text: text}, ok
}

// unescape decodes a JSON string without its quotes. It does not decode \u escapes:
// PostgreSQL rejects some that Go would replace.
func unescape(text []byte) ([]byte, bool) {
	at := bytes.IndexByte(text, '\\')
	if at < 0 {
		return text, true
	}
	out := append(make([]byte, 0, len(text)), text[:at]...)
	for ; at < len(text); at++ {
		char := text[at]
		if char == '\\' {
			at++
			switch char = text[at]; char {
			case 'b':
				char = '\b'
			case 'f':
				char = '\f'
			case 'n':
				char = '\n'
			case 'r':
				char = '\r'
			case 't':
				char = '\t'
			case 'u':
				return nil, false
			}
		}
		out = append(out, char)
	}
	return out, true
}
