package jsonpath

import (
	"encoding/json"
	"strconv"
	"strings"
)

// String returns the path in normalized form: names are quoted only where necessary.
func (p *Path) String() string { return "$" + write(p.segments) }

func write(segments []segment) string {
	var out strings.Builder
	for _, s := range segments {
		first := s.selectors[0]
		short := len(s.selectors) == 1 && (first.kind == wildcard ||
			first.kind == byName && first.name != "" && shorthandLength(first.name) == len(first.name))
		if s.descendants {
			out.WriteString("..")
		} else if short && first.kind == byName {
			out.WriteString(".")
		}
		if short && (first.kind == byName || s.descendants) {
			if first.kind == wildcard {
				out.WriteString("*")
			} else {
				out.WriteString(first.name)
			}
			continue
		}
		texts := make([]string, len(s.selectors))
		for i, selector := range s.selectors {
			texts[i] = selector.String()
		}
		out.WriteString("[" + strings.Join(texts, ",") + "]")
	}
	return out.String()
}

func (s selector) String() string {
	switch s.kind {
	case byName:
		return quote(s.name)
	case byIndex:
		return strconv.Itoa(s.index)
	case bySlice:
		text := number(s.slice.start) + ":" + number(s.slice.end)
		if s.slice.step != nil {
			text += ":" + number(s.slice.step)
		}
		return text
	case byFilter:
		return "?" + s.filter.String()
	}
	return "*"
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func (c *condition) String() string {
	text := ""
	switch {
	case c.or != nil:
		text = join(c.or, " || ")
	case c.and != nil:
		text = join(c.and, " && ")
	case c.search:
		text = "search(" + c.left.String() + ", " + c.right.String() + ")"
	case c.operator != "":
		return c.left.String() + " " + c.operator + " " + c.right.String()
	default:
		text = c.left.String()
	}
	if c.negated {
		return "!" + text
	}
	return text
}

func join(parts []*condition, by string) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.String()
	}
	return "(" + strings.Join(texts, by) + ")"
}

func (o operand) String() string {
	switch {
	case o.isQuery && o.fromRoot:
		return "$" + write(o.query)
	case o.isQuery:
		return "@" + write(o.query)
	}
	return quote(o.literal)
}

// quote writes a literal as JSON.
func quote(literal any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(literal) // strings and numbers can always be encoded
	return strings.TrimSpace(out.String())
}
