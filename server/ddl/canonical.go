package ddl

import "strings"

// canonical returns a definition in the form that PostgreSQL writes when it has read it once: it joins
// (a AND b) AND c to a AND b AND c, and the same of OR. Definitions are compared in this form.
func canonical(text string) string {
	c := canonicalizer{text: text}
	return c.readGroup().text
}

// canonicalizer reads a text whose parentheses are balanced outside of quotes.
type canonicalizer struct {
	text string
	pos  int
}

// group is the text between two parentheses.
type group struct {
	text     string
	operator string // the first of AND and OR on its own level; may be empty
}

// operand is what stands between two operators.
type operand struct {
	text   strings.Builder
	group  *group // if it is nothing but a group
	before string // the operator before it
}

// readGroup reads to the closing parenthesis or the end.
func (c *canonicalizer) readGroup() group {
	operands := []*operand{{}}
	for c.pos < len(c.text) && c.text[c.pos] != ')' {
		last := operands[len(operands)-1]
		rest := c.text[c.pos:]
		word := operatorAt(c.text, c.pos)
		switch {
		case word != "":
			c.pos += len(word)
			operands = append(operands, &operand{before: word})
		case rest[0] == '(':
			c.pos++
			inner := c.readGroup()
			c.pos++ // the closing one
			if last.group = nil; strings.TrimSpace(last.text.String()) == "" {
				last.group = &inner
			}
			last.text.WriteString("(" + inner.text + ")")
		default:
			length := quotedLength(rest)
			if !isSpace(rest[0]) {
				last.group = nil
			}
			last.text.WriteString(rest[:length])
			c.pos += length
		}
	}
	return join(operands)
}

// join joins operands with their operators. It leaves out the parentheses of an operand that uses the same
// operator as the ones around it.
func join(operands []*operand) (joined group) {
	var b strings.Builder
	for i, o := range operands {
		text := strings.TrimSpace(o.text.String())
		after := o.before
		if i+1 < len(operands) {
			after = operands[i+1].before
		}
		before := o.before
		if i == 0 {
			before = after
		}
		if o.group != nil && o.group.operator != "" && before == o.group.operator && after == o.group.operator {
			text = o.group.text
		}
		if i > 0 {
			b.WriteString(" " + o.before + " ")
		}
		b.WriteString(text)
		if i == 1 {
			joined.operator = o.before
		}
	}
	joined.text = b.String()
	return joined
}

// operatorAt returns the operator AND or OR that begins at a position, or "".
func operatorAt(text string, pos int) string {
	if pos > 0 && isWord(text[pos-1]) {
		return ""
	}
	for _, word := range []string{"AND", "OR"} {
		if strings.HasPrefix(text[pos:], word) && (len(text) == pos+len(word) || !isWord(text[pos+len(word)])) {
			return word
		}
	}
	return ""
}

// quotedLength returns the length of the string, quoted name or dollar-quoted body at the start of a
// text; of any other text it is 1.
func quotedLength(text string) int {
	closing := ""
	switch text[0] {
	case '\'', '"':
		closing = text[:1]
	case '$':
		if end := strings.IndexByte(text[1:], '$'); end >= 0 && !strings.ContainsFunc(text[1:1+end], func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
			closing = text[:end+2]
		}
	}
	if closing == "" {
		return 1
	}
	if end := strings.Index(text[len(closing):], closing); end >= 0 {
		return end + 2*len(closing)
	}
	return len(text)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}
