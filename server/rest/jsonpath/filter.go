package jsonpath

import (
	"cmp"
	"reflect"
	"regexp"
)

// condition is a filter's condition on a child: a comparison, a test, or a
// combination of several conditions.
type condition struct {
	negated  bool
	or, and  []*condition // at most one of the two is set
	operator string       // of a comparison; empty otherwise
	left     operand
	right    operand // of a comparison or search()
	search   bool    // search(left, right); otherwise left is tested for existence
}

// operand is a literal or a query.
type operand struct {
	query    []segment
	isQuery  bool
	fromRoot bool // the query starts at the root, not at the child
	literal  any
	pattern  *regexp.Regexp // the compiled literal, if it is the second argument of search()
}

func (c *condition) holds(root, child any) bool {
	return c.negated != c.isTrue(root, child)
}

func (c *condition) isTrue(root, child any) bool {
	switch {
	case c.or != nil:
		for _, part := range c.or {
			if part.holds(root, child) {
				return true
			}
		}
		return false
	case c.and != nil:
		for _, part := range c.and {
			if !part.holds(root, child) {
				return false
			}
		}
		return true
	case c.search:
		return c.finds(root, child)
	case c.operator != "":
		left, hasLeft := c.left.value(root, child)
		right, hasRight := c.right.value(root, child)
		return compare(c.operator, left, right, hasLeft, hasRight)
	}
	return len(c.left.nodes(root, child)) > 0
}

func (o operand) nodes(root, child any) []any {
	if o.fromRoot {
		child = root
	}
	return follow(o.query, root, child)
}

// value returns the operand's value; ok is false where its query finds nothing.
func (o operand) value(root, child any) (value any, ok bool) {
	if !o.isQuery {
		return o.literal, true
	}
	if found := o.nodes(root, child); len(found) > 0 {
		return found[0], true
	}
	return nil, false
}

// finds evaluates search(): it reports whether a part of a string matches a regular
// expression. It is false if the value is not a string or the pattern is not valid.
func (c *condition) finds(root, child any) bool {
	value, _ := c.left.value(root, child)
	text, ok := value.(string)
	if !ok {
		return false
	}
	pattern := c.right.pattern
	if c.right.isQuery {
		given, _ := c.right.value(root, child)
		if expression, ok := given.(string); ok {
			pattern, _ = regexp.Compile(expression)
		}
	}
	return pattern != nil && pattern.MatchString(text)
}

// compare compares two values. Either may be missing.
//
// Source: RFC 9535, section 2.3.5.2.2.
func compare(operator string, left, right any, hasLeft, hasRight bool) bool {
	equal := hasLeft == hasRight && (!hasLeft || reflect.DeepEqual(left, right))
	switch operator {
	case "==":
		return equal
	case "!=":
		return !equal
	case "<":
		return less(left, right)
	case ">":
		return less(right, left)
	case "<=":
		return equal || less(left, right)
	}
	return equal || less(right, left)
}

func less(left, right any) bool {
	switch left := left.(type) {
	case float64:
		right, ok := right.(float64)
		return ok && left < right
	case string:
		right, ok := right.(string)
		return ok && cmp.Less(left, right)
	}
	return false
}
