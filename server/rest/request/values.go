package request

import (
	"bytes"

	"plaza/server/rest/jsontext"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// maxPlainObject is how many bytes an object may have to be taken apart here.
const maxPlainObject = 64 << 10

// PlainValues takes an object apart for an insert, so that PostgreSQL gets each value
// as a parameter and parses no JSON. It returns nil where a value means something
// else than its text: PostgreSQL reads the whole object then.
func PlainValues(table *schema.Table, object []byte) map[string]sqlgen.Value {
	if len(object) > maxPlainObject {
		return nil
	}
	values := make(map[string]sqlgen.Value)
	plain := true
	jsontext.Members(object, func(key, value []byte) bool {
		name := jsontext.DecodeKey(key)
		column, known := table.Column(name)
		if !known || column.FromJSON != (schema.Name{}) {
			// An unknown one is refused, or columns= leaves it out.
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

// PlainArrays takes a list of objects apart as PlainValues does one: each column's
// values become an array. It returns nil where one is not plain, where a column's
// type cannot be said without its length, or where there is no column.
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
			if array := arrays[jsontext.DecodeKey(key)]; array != nil { // columns= leaves others out
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

// maxPlainList is how many bytes a list may have to be taken apart here.
const maxPlainList = 1 << 20

// plainArray is the text of an array, as PostgreSQL reads it.
type plainArray struct {
	column *schema.Column
	text   []byte
	last   int // where the newest element begins
	rows   int // elements
}

// put sets the element of a row, counted from 1. Of two of a row the last counts.
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

// plainTypes are those whose values PostgreSQL makes in the same way, and refuses with
// the same error, of a parameter and of a member of a JSON object.
var plainTypes = map[string]bool{
	"smallint": true, "integer": true, "bigint": true, "numeric": true, "real": true, "double precision": true, "money": true, "oid": true,
	"boolean": true, "text": true, "character varying": true, "character": true, "name": true, "bytea": true, "uuid": true, "inet": true, "cidr": true,
	"date": true, "interval": true, "time without time zone": true, "time with time zone": true,
	"timestamp without time zone": true, "timestamp with time zone": true, "tsvector": true,
}

// plainValue returns the text that a column's type reads a JSON value from, as
// json_to_record has it read.
func plainValue(column *schema.Column, value []byte) (sqlgen.Value, bool) {
	isJSON := column.BaseType == "json" || column.BaseType == "jsonb"
	switch {
	case !isJSON && !plainTypes[column.BaseType] && len(column.Enum) == 0:
		return sqlgen.Value{}, false
	case string(value) == "null":
		return sqlgen.Value{Null: true}, true
	case isJSON:
		// A string is written anew by PostgreSQL.
		return sqlgen.Value{Text: value}, value[0] != '"' || bytes.IndexByte(value, '\\') < 0
	case value[0] == '{' || value[0] == '[':
		return sqlgen.Value{}, false
	case value[0] != '"':
		return sqlgen.Value{Text: value}, true
	}
	text, ok := unescape(value[1 : len(value)-1])
	return sqlgen.Value{Text: text}, ok
}

// unescape decodes a JSON string without its quotes. It leaves numbers of characters
// (\u0041) to PostgreSQL, which refuses some that Go would replace.
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
