package jsonpath

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a path. maxDepth bounds the parser's recursion; maxInteger is the
// largest integer that every JSON implementation represents exactly.
const (
	maxDepth   = 100
	maxInteger = 1<<53 - 1
)

// Parse parses a path such as $.realm["roles"][?search(@, "^db_")].
func Parse(text string) (path *Path, err error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%q is not UTF-8", text)
	}
	p := &parser{text: text}
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case *syntaxError:
			path, err = nil, failed
		default:
			panic(failed)
		}
	}()
	p.want("$")
	path = &Path{p.segments()}
	if p.pos < len(text) {
		p.fail("the end")
	}
	return path, nil
}

// parser is a recursive descent parser. Its methods panic with a *syntaxError, which
// Parse recovers and returns: error checks after every token would obscure the grammar.
type parser struct {
	text  string
	pos   int
	depth int
}

type syntaxError struct {
	at       int
	expected string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("at %d: expected %s", e.at, e.expected) }

func (p *parser) fail(expected string) { panic(&syntaxError{p.pos, expected}) }

func (p *parser) take(token string) bool {
	if strings.HasPrefix(p.text[p.pos:], token) {
		p.pos += len(token)
		return true
	}
	return false
}

func (p *parser) want(token string) {
	if !p.take(token) {
		p.fail(strconv.Quote(token))
	}
}

func (p *parser) spaces() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) segments() []segment {
	var list []segment
	for {
		start := p.pos
		p.spaces()
		switch {
		case p.take(".."):
			s := segment{descendants: true}
			if p.peek() == '[' {
				s.selectors = p.brackets()
			} else {
				s.selectors = []selector{p.shorthand()}
			}
			list = append(list, s)
		case p.take("."):
			list = append(list, segment{selectors: []selector{p.shorthand()}})
		case p.peek() == '[':
			list = append(list, segment{selectors: p.brackets()})
		default:
			p.pos = start
			return list
		}
	}
}

// shorthand reads the name or wildcard after a dot.
func (p *parser) shorthand() selector {
	if p.take("*") {
		return selector{kind: wildcard}
	}
	length := shorthandLength(p.text[p.pos:])
	if length == 0 {
		p.fail("a name or *")
	}
	p.pos += length
	return selector{kind: byName, name: p.text[p.pos-length : p.pos]}
}

// shorthandLength returns the length of the unquoted name at the start of a text.
func shorthandLength(text string) int {
	for i, char := range text {
		letter := char == '_' || char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= 0x80
		if !letter && (i == 0 || char < '0' || char > '9') {
			return i
		}
	}
	return len(text)
}

func (p *parser) brackets() []selector {
	p.want("[")
	var list []selector
	for {
		p.spaces()
		list = append(list, p.selector())
		p.spaces()
		if p.take("]") {
			return list
		}
		p.want(",")
	}
}

func (p *parser) selector() selector {
	switch char := p.peek(); {
	case char == '\'' || char == '"':
		return selector{kind: byName, name: p.quoted()}
	case p.take("*"):
		return selector{kind: wildcard}
	case p.take("?"):
		p.spaces()
		return selector{kind: byFilter, filter: p.alternatives()}
	case char == ':' || char == '-' || char >= '0' && char <= '9':
		return p.indexOrSlice()
	}
	p.fail("a name, an index, a slice, * or a filter")
	return selector{}
}

func (p *parser) indexOrSlice() selector {
	start := p.optionalInteger()
	p.spaces()
	if !p.take(":") {
		return selector{kind: byIndex, index: *start}
	}
	p.spaces()
	s := slice{start: start, end: p.optionalInteger()}
	p.spaces()
	if p.take(":") {
		p.spaces()
		s.step = p.optionalInteger()
	}
	return selector{kind: bySlice, slice: s}
}

func (p *parser) optionalInteger() *int {
	start := p.pos
	p.take("-")
	digits := p.digits()
	text := p.text[start:p.pos]
	if text == "" {
		return nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number > maxInteger || number < -maxInteger || text == "-0" || len(digits) > 1 && digits[0] == '0' {
		p.fail("a whole number")
	}
	return &number
}

func (p *parser) digits() string {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.text[start:p.pos]
}

// quoted reads a string in single or double quotes with JSON escapes.
func (p *parser) quoted() string {
	quote := p.peek()
	p.pos++
	var out strings.Builder
	for {
		switch char := p.peek(); {
		case p.pos >= len(p.text) || char < ' ':
			p.fail("the end of a text")
		case char == quote:
			p.pos++
			return out.String()
		case char == '\\':
			p.pos++
			out.WriteRune(p.escape(quote))
		default:
			out.WriteByte(char)
			p.pos++
		}
	}
}

var escapes = map[byte]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '/': '/', '\\': '\\'}

func (p *parser) escape(quote byte) rune {
	char := p.peek()
	p.pos++
	if plain, ok := escapes[char]; ok {
		return plain
	}
	switch char {
	case quote:
		return rune(quote)
	case 'u':
		unit := p.codeUnit()
		switch {
		case unit >= 0xDC00 && unit <= 0xDFFF:
			p.fail("a high surrogate first")
		case unit >= 0xD800 && unit <= 0xDBFF:
			p.want(`\u`)
			low := p.codeUnit()
			if low < 0xDC00 || low > 0xDFFF {
				p.fail("a low surrogate")
			}
			return (unit-0xD800)<<10 + (low - 0xDC00) + 0x10000
		}
		return unit
	}
	p.fail("an escape of JSON")
	return 0
}

func (p *parser) codeUnit() rune {
	if p.pos+4 > len(p.text) {
		p.fail("four hexadecimal digits")
	}
	unit, err := strconv.ParseUint(p.text[p.pos:p.pos+4], 16, 16)
	if err != nil {
		p.fail("four hexadecimal digits")
	}
	p.pos += 4
	return rune(unit)
}
