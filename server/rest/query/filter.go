package query

import "strings"

// parseFilterValue parses the value of a horizontal filter, such as "not.eq.5".
func parseFilterValue(text string, field FieldRef) (Filter, error) {
	return parse("filter", text, func(s *scanner) Filter {
		f := s.operation(field)
		switch {
		case f.Operator == "in":
			f.List = s.list()
		case f.Operator == "is":
			f.Value = s.isKeyword()
		default:
			f.Value = s.rest() // includes commas and parentheses
			s.pos = len(s.text)
		}
		return f
	})
}

// looksLikeFilter reports whether a parameter of a GET on /rpc is a filter rather than
// a function argument.
func looksLikeFilter(text string) bool {
	name := strings.TrimPrefix(text, "not.")
	end := strings.IndexAny(name, ".(")
	if end < 0 {
		return false
	}
	_, ok := operators[Operator(name[:end])]
	return ok
}

// operation reads [not.]operator[(any|all|language)].
func (s *scanner) operation(field FieldRef) Filter {
	f := Filter{Field: field}
	f.Negated = s.take("not.")
	start := s.pos
	f.Operator = Operator(s.word())
	search, known := operators[f.Operator]
	if !known {
		s.pos = start
		s.fail("\"not\" or operator (eq, gt, ...)")
	}
	if s.take("(") {
		switch {
		case search:
			f.Language = s.name()
		case quantifiable[f.Operator] && s.take("any"):
			f.Quantifier = Any
		case quantifiable[f.Operator] && s.take("all"):
			f.Quantifier = All
		default:
			s.fail(`"."`)
		}
		s.want(")")
	}
	s.want(".")
	return f
}

func (s *scanner) isKeyword() string {
	start := s.pos
	keyword := strings.ToLower(s.wordAnyCase())
	switch keyword {
	case "null", "not_null", "true", "false", "unknown":
		return keyword
	}
	s.pos = start
	s.fail("null, not_null, true, false or unknown")
	return ""
}

func (s *scanner) wordAnyCase() string {
	start := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] == '_' || s.text[s.pos]|0x20 >= 'a' && s.text[s.pos]|0x20 <= 'z') {
		s.pos++
	}
	return s.text[start:s.pos]
}

// list reads a list such as (a,"b,c",d). Its length is not limited, because it becomes
// a single parameter of the statement.
func (s *scanner) list() []string {
	s.skipSpaces()
	s.want("(")
	s.skipSpaces()
	list := []string{}
	if s.take(")") {
		return list
	}
	for {
		list = append(list, s.element())
		if s.take(")") {
			s.skipSpaces()
			return list
		}
		s.want(",")
	}
}

// element reads a value up to a comma or closing parenthesis. It is unquoted if it
// begins and ends with a quote.
func (s *scanner) element() string {
	if s.peek() != '"' {
		return s.until(",)")
	}
	start := s.pos
	if value, ok := s.tryQuoted(); ok && (s.peek() == ',' || s.peek() == ')') {
		return value
	}
	s.pos = start
	return s.until(",)")
}

func (s *scanner) until(stops string) string {
	end := strings.IndexAny(s.rest(), stops)
	if end < 0 {
		s.pos = len(s.text)
		s.fail("\")\"")
	}
	found := s.rest()[:end]
	s.pos += end
	return found
}

// parseLogic parses the value of and=, or=, not.and=, not.or=: a list in parentheses.
func parseLogic(text string, or, negated bool) (Logic, error) {
	return parse("logic tree", text, func(s *scanner) Logic {
		s.skip = len("and")
		if or {
			s.skip = len("or")
		}
		if negated {
			s.skip += len("not.")
		}
		tree := Logic{Negated: negated, Or: or, Conditions: s.conditions()}
		if strings.Trim(s.rest(), ") ") == "" {
			s.pos = len(s.text) // ignore extra closing parentheses, as in a select
		}
		return tree
	})
}

func (s *scanner) conditions() []Condition {
	s.enter()
	defer s.leave()
	s.skipSpaces()
	s.want("(")
	var list []Condition
	for {
		s.countItem()
		s.skipSpaces()
		list = append(list, s.condition())
		s.skipSpaces()
		if s.take(")") {
			return list
		}
		s.want(",")
	}
}

func (s *scanner) condition() Condition {
	if tree, ok := s.logicWord(); ok {
		tree.Conditions = s.conditions()
		return tree
	}
	field := FieldRef{Name: s.named(fieldName + ", negation operator (not) or logic operator (and, or)"), JSON: s.jsonPath()}
	s.want(".")
	f := s.operation(field)
	switch f.Operator {
	case "in":
		f.List = s.list()
	case "is":
		f.Value = s.isKeyword()
	default:
		f.Value = s.logicValue()
	}
	return f
}

// logicWord reads [not.]and or [not.]or before a parenthesis.
func (s *scanner) logicWord() (Logic, bool) {
	start := s.pos
	tree := Logic{Negated: s.take("not.")}
	if tree.Or = s.take("or"); tree.Or || s.take("and") {
		s.skipSpaces()
		if s.peek() == '(' {
			return tree, true
		}
	}
	s.pos = start
	return Logic{}, false
}

// logicValue reads a value inside a logic tree. It ends at a comma or parenthesis
// that is neither quoted nor part of an array.
func (s *scanner) logicValue() string {
	if s.peek() != '{' {
		return s.element()
	}
	array := s.until("}")
	s.want("}")
	return array + "}"
}
