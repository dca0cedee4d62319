package query

import "strings"

// ParseSelect parses a select parameter. Extra parentheses or quotes at the end are
// ignored, because upstream ignores everything after a complete list.
//
// Errors: 400 PGRST100.
func ParseSelect(text string) ([]SelectItem, error) {
	return parse("select parameter", text, func(s *scanner) []SelectItem {
		if text == "" {
			return nil
		}
		items := s.selectList()
		if strings.Trim(s.rest(), ")'") == "" {
			s.pos = len(s.text)
		}
		return items
	})
}

func (s *scanner) selectList() []SelectItem {
	s.enter()
	defer s.leave()
	var items []SelectItem
	for {
		s.countItem()
		items = append(items, s.selectItem())
		if !s.take(",") {
			return items
		}
	}
}

func (s *scanner) selectItem() SelectItem {
	if s.take("...") {
		return s.embed(Embed{Spread: true, Relation: s.name()})
	}
	if s.take("*") {
		return Star{}
	}
	if s.take("count()") {
		return s.aggregateCast(Field{Aggregate: "count"})
	}
	name, alias := s.name(), ""
	// A single colon follows an alias; a double colon is a cast.
	if s.peek() == ':' && !strings.HasPrefix(s.rest(), "::") {
		s.want(":")
		alias = name
		if s.take("count()") {
			return s.aggregateCast(Field{Aggregate: "count", Alias: alias})
		}
		name = s.name()
	}
	if s.peek() == '!' || s.peek() == '(' {
		return s.embed(Embed{Relation: name, Alias: alias})
	}
	return s.field(Field{Name: name, Alias: alias})
}

// embed reads the hints and the nested select after a relation's name.
func (s *scanner) embed(e Embed) SelectItem {
	for s.take("!") {
		switch hint := s.name(); hint {
		case "inner":
			e.Join = InnerJoin
		case "left":
			e.Join = LeftJoin
		default:
			e.Hint = hint
		}
	}
	s.want("(")
	if s.peek() != ')' {
		e.Select = s.selectList()
	}
	s.want(")")
	return e
}

func (s *scanner) field(f Field) SelectItem {
	f.JSON = s.jsonPath()
	if s.take("::") {
		f.Cast = s.typeName()
	}
	if s.peek() != '.' {
		return f
	}
	s.want(".")
	f.Aggregate = s.word()
	switch f.Aggregate {
	case "avg", "count", "max", "min", "sum":
		s.want("()")
	default:
		s.fail("avg(), count(), max(), min() or sum()")
	}
	return s.aggregateCast(f)
}

func (s *scanner) aggregateCast(f Field) Field {
	if s.take("::") {
		f.AggregateCast = s.typeName()
	}
	return f
}

// typeName reads the target type of a cast. It becomes part of the statement, so only
// letters, digits, "_", spaces, a numeric modifier and array brackets are allowed.
func (s *scanner) typeName() string {
	start := s.pos
	for s.pos < len(s.text) && isTypeChar(s.text[s.pos]) {
		s.pos++
	}
	if s.take("(") {
		for s.pos < len(s.text) && (s.text[s.pos] >= '0' && s.text[s.pos] <= '9' || s.text[s.pos] == ',') {
			s.pos++
		}
		s.want(")")
	}
	for s.take("[]") {
	}
	name := s.text[start:s.pos]
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		s.fail("type name")
	}
	return name
}

func isTypeChar(char byte) bool {
	return char == '_' || char == ' ' || char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9'
}
