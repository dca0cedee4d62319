package jsonpath

import (
	"regexp"
	"slices"
	"strconv"
)

// alternatives reads conditions joined by ||.
func (p *parser) alternatives() *condition {
	if p.depth++; p.depth > maxDepth {
		p.fail("fewer conditions within others")
	}
	defer func() { p.depth-- }()
	parts := p.joined("||", func() *condition {
		all := p.joined("&&", p.basic)
		if len(all) == 1 {
			return all[0]
		}
		return &condition{and: all}
	})
	if len(parts) == 1 {
		return parts[0]
	}
	return &condition{or: parts}
}

func (p *parser) joined(by string, part func() *condition) []*condition {
	list := []*condition{part()}
	for {
		start := p.pos
		p.spaces()
		if !p.take(by) {
			p.pos = start
			return list
		}
		p.spaces()
		list = append(list, part())
	}
}

// basic reads a condition in parentheses, a comparison or a test.
func (p *parser) basic() *condition {
	negated := p.take("!")
	p.spaces()
	if p.take("(") {
		p.spaces()
		inner := p.alternatives()
		p.spaces()
		p.want(")")
		if negated {
			return &condition{negated: true, and: []*condition{inner}}
		}
		return inner
	}
	if p.take("search(") {
		return p.search(negated)
	}
	left := p.operand()
	start := p.pos
	p.spaces()
	for _, operator := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if negated || !p.take(operator) {
			continue
		}
		p.spaces()
		right := p.operand()
		if !left.isSingular() || !right.isSingular() {
			p.fail("queries that find one value at most")
		}
		return &condition{operator: operator, left: left, right: right}
	}
	p.pos = start
	if !left.isQuery {
		p.fail("a comparison")
	}
	return &condition{negated: negated, left: left}
}

// search reads the arguments of search().
func (p *parser) search(negated bool) *condition {
	p.spaces()
	c := &condition{negated: negated, search: true, left: p.operand()}
	p.spaces()
	p.want(",")
	p.spaces()
	c.right = p.operand()
	p.spaces()
	p.want(")")
	if !c.left.isSingular() || !c.right.isSingular() {
		p.fail("queries that find one value at most")
	}
	if expression, ok := c.right.literal.(string); ok {
		var err error
		if c.right.pattern, err = regexp.Compile(expression); err != nil {
			p.fail("a regular expression")
		}
	}
	return c
}

// isSingular reports whether an operand has at most one value.
func (o operand) isSingular() bool {
	return !slices.ContainsFunc(o.query, func(s segment) bool {
		return s.descendants || len(s.selectors) != 1 || s.selectors[0].kind != byName && s.selectors[0].kind != byIndex
	})
}

var keywords = map[string]any{"true": true, "false": false, "null": nil}

func (p *parser) operand() operand {
	switch char := p.peek(); {
	case p.take("@"):
		return operand{isQuery: true, query: p.segments()}
	case p.take("$"):
		return operand{isQuery: true, fromRoot: true, query: p.segments()}
	case char == '\'' || char == '"':
		return operand{literal: p.quoted()}
	case char == '-' || char >= '0' && char <= '9':
		return operand{literal: p.number()}
	}
	for word, value := range keywords {
		if p.take(word) {
			return operand{literal: value}
		}
	}
	p.fail("a value, @, $, search() or a condition in parentheses")
	return operand{}
}

// number reads a JSON number, including -0.
func (p *parser) number() float64 {
	start := p.pos
	p.take("-")
	whole := p.digits()
	ok := whole != "" && (len(whole) == 1 || whole[0] != '0')
	if p.take(".") {
		ok = p.digits() != "" && ok
	}
	if p.take("e") || p.take("E") {
		if !p.take("-") {
			p.take("+")
		}
		ok = p.digits() != "" && ok
	}
	number, err := strconv.ParseFloat(p.text[start:p.pos], 64)
	if !ok || err != nil {
		p.fail("a number")
	}
	return number
}
