// Package sqlgen generates one parametrised statement from a plan. It is the only
// package that builds SQL: identifiers come from the schema or are quoted, and values
// are always parameters.
package sqlgen

import (
	"strconv"
	"strings"
)

// Statement is SQL with its parameters, which are in text format except for those in
// Binary. A nil parameter is NULL.
type Statement struct {
	SQL    string
	Args   [][]byte
	Binary []int // indexes of the parameters in binary format
	Silent bool  // it returns no rows; the number of changed rows is in its command tag
}

// usualSize is the initial capacity of a statement, in bytes. It is sufficient for most.
const usualSize = 1024

// builder builds one statement.
type builder struct {
	sql    strings.Builder
	args   [][]byte
	binary []int
	silent bool
	counts bool // the select only counts rows, so embeds are not joined
}

func newBuilder() *builder {
	b := &builder{}
	b.sql.Grow(usualSize)
	return b
}

func (b *builder) write(parts ...string) {
	for _, part := range parts {
		b.sql.WriteString(part)
	}
}

// arg adds a parameter and writes its placeholder.
func (b *builder) arg(value string) { b.bytes([]byte(value)) }

func (b *builder) bytes(value []byte) {
	b.args = append(b.args, value)
	b.place()
}

// shared writes the placeholder of a parameter, and adds the parameter if it is new.
func (b *builder) shared(value []byte) {
	for i, arg := range b.args {
		if len(arg) == len(value) && len(arg) > 0 && &arg[0] == &value[0] {
			b.sql.WriteByte('$')
			b.sql.WriteString(strconv.Itoa(i + 1))
			return
		}
	}
	b.bytes(value)
}

// null adds a NULL parameter.
func (b *builder) null() {
	b.args = append(b.args, nil)
	b.place()
}

func (b *builder) place() {
	b.sql.WriteByte('$')
	b.sql.WriteString(strconv.Itoa(len(b.args)))
}

func (b *builder) number(n int64) { b.arg(strconv.FormatInt(n, 10)) }

func (b *builder) statement() Statement {
	return Statement{SQL: b.sql.String(), Args: b.args, Binary: b.binary, Silent: b.silent}
}

// comma writes a separator before every element except the first.
func (b *builder) comma(i int) {
	if i > 0 {
		b.sql.WriteString(", ")
	}
}

// Ident quotes an identifier. NUL bytes, which are not allowed, are removed.
func Ident(name string) string {
	if strings.IndexByte(name, 0) >= 0 {
		name = strings.ReplaceAll(name, "\x00", "")
	}
	if strings.IndexByte(name, '"') < 0 {
		return `"` + name + `"`
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QualifiedIdent quotes a name of the form "schema.name" or "name".
func QualifiedIdent(name string) string {
	schema, rest, ok := strings.Cut(name, ".")
	if !ok {
		return Ident(name)
	}
	return Ident(schema) + "." + Ident(rest)
}

// literal quotes a string that is part of the statement text, such as a JSON key.
func literal(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.IndexByte(text, '\\') < 0 {
		return quoted
	}
	return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
}
