// Package sqlgen writes a plan down as one parametrised statement. It is the
// only place that builds SQL: identifiers come from the schema or are quoted,
// values are always parameters. It is pure.
package sqlgen

import (
	"strconv"
	"strings"
)

// Statement is SQL with its parameters in text form; nil is NULL.
type Statement struct {
	SQL    string
	Args   [][]byte
	Binary []int // numbers of the parameters in binary form, from 0
	Silent bool  // it returns no row: how many rows it changed is in its command tag
}

// usualSize is room for most statements, in bytes, so that they are written
// without growing.
const usualSize = 1024

// builder grows one statement.
type builder struct {
	sql    strings.Builder
	args   [][]byte
	binary []int
	silent bool
	counts bool // embeds are not joined
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

// arg adds a parameter and writes its place.
func (b *builder) arg(value string) { b.bytes([]byte(value)) }

func (b *builder) bytes(value []byte) {
	b.args = append(b.args, value)
	b.place()
}

// shared writes the place of a parameter that may be there already.
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

// null adds a parameter that is NULL.
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

// comma writes a separator before every element but the first.
func (b *builder) comma(i int) {
	if i > 0 {
		b.sql.WriteString(", ")
	}
}

// Ident quotes an identifier. A NUL cannot be part of one and is dropped.
func Ident(name string) string {
	if strings.IndexByte(name, 0) >= 0 {
		name = strings.ReplaceAll(name, "\x00", "")
	}
	if strings.IndexByte(name, '"') < 0 {
		return `"` + name + `"`
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QualifiedIdent quotes a name as settings give it, "schema.name" or "name".
func QualifiedIdent(name string) string {
	schema, rest, ok := strings.Cut(name, ".")
	if !ok {
		return Ident(name)
	}
	return Ident(schema) + "." + Ident(rest)
}

// literal quotes a text that is part of the statement's shape, such as a JSON key.
func literal(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.IndexByte(text, '\\') < 0 {
		return quoted
	}
	return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
}
