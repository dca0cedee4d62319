package query

import (
	"iter"
	"strconv"
	"strings"

	"plaza/server/apierr"
)

// Options configures Parse.
type Options struct {
	// Function means a call of a function without a body: parameters that are not filters are arguments.
	Function bool
}

// Parse parses a raw query string. Filters keep their order, and a column may have
// several filters.
//
// Errors: 400 PGRST100 with the position of the error.
func Parse(raw string, options Options) (*Query, error) {
	q := &Query{}
	var single []Param // parameters that may be given only once
	for key, value := range parameters(raw) {
		param := Param{unescape(key), unescape(value)}
		if kind := kindOf(param.Name); kind == columnList || kind == window {
			if err := checkSingle(single, param); err != nil {
				return nil, err
			}
			single = append(single, param)
		}
		if err := q.add(param.Name, param.Value, options); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// parameters yields the names and values of a raw query string, not decoded.
func parameters(raw string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for pair := range strings.SplitSeq(raw, "&") {
			if key, value, _ := strings.Cut(pair, "="); pair != "" && !yield(key, value) {
				return
			}
		}
	}
}

// kind is the kind of a parameter, determined by its name.
type kind int

const (
	comparison kind = iota // a filter, or a function's argument
	columnList             // select, columns, on_conflict
	ordering               // order
	window                 // limit, offset
	logic                  // and, or
)

func kindOf(key string) kind {
	switch key[strings.LastIndexByte(key, '.')+1:] {
	case "select", "columns", "on_conflict":
		return columnList
	case "order":
		return ordering
	case "limit", "offset":
		return window
	case "and", "or":
		return logic
	}
	return comparison
}

// checkSingle rejects a parameter that was already given with another value. Upstream
// silently ignores one of the two.
func checkSingle(given []Param, param Param) error {
	for _, before := range given {
		if before.Name == param.Name && before.Value != param.Value {
			return apierr.New(400, "PGRST100", "The parameter '%s' is given twice", param.Name).
				WithDetail("Its values are '%s' and '%s'", before.Value, param.Value)
		}
	}
	return nil
}

// unescape decodes a part of a query string. A percent sign that is not followed by
// two hexadecimal digits is kept, because users write like.%word%.
func unescape(text string) string {
	if !strings.ContainsAny(text, "%+") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		char := text[i]
		switch {
		case char == '+':
			char = ' '
		case char == '%' && i+2 < len(text):
			if code, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				char = byte(code)
				i += 2
			}
		}
		out = append(out, char)
	}
	return string(out)
}

func (q *Query) add(key, value string, options Options) (err error) {
	switch key {
	case "select":
		q.HasSelect = true
		q.Select, err = ParseSelect(value)
		return err
	case "columns":
		q.HasColumns = true
		q.Columns, err = parse("columns parameter", value, (*scanner).names)
		return err
	case "on_conflict":
		q.OnConflict, err = parse("on_conflict parameter", value, (*scanner).names)
		return err
	}
	path, last := splitPath(key)
	switch last {
	case "order":
		terms, err := parse("order", value, (*scanner).orderTerms)
		q.Orders = append(q.Orders, PathOrder{path, terms})
		return err
	case "limit", "offset":
		return q.addRange(path, last, value)
	case "and", "or":
		if path, negated := cutNot(path); negated || strings.HasPrefix(value, "(") {
			return q.addLogic(path, value, last == "or", negated)
		}
	}
	if options.Function && !looksLikeFilter(value) {
		q.Params = append(q.Params, Param{key, value})
		return nil
	}
	return q.addFilter(key, value)
}

// splitPath cuts "child.grandchild.order" at its last dot.
func splitPath(key string) (path []string, last string) {
	if !strings.Contains(key, ".") || strings.Contains(key, `"`) {
		return nil, key
	}
	parts := strings.Split(key, ".")
	return parts[:len(parts)-1], parts[len(parts)-1]
}

func cutNot(path []string) ([]string, bool) {
	if len(path) > 0 && path[len(path)-1] == "not" {
		return path[:len(path)-1], true
	}
	return path, false
}

func (q *Query) addRange(path []string, which, value string) error {
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return apierr.New(400, "PGRST100", "\"failed to parse %s (%s)\"", which, value).
			WithDetail("It has to be a whole number")
	}
	entry := PathRange{Path: path}
	if which == "limit" {
		entry.Limit = &number
	} else {
		entry.Offset = &number
	}
	q.Ranges = append(q.Ranges, entry)
	return nil
}

func (q *Query) addLogic(path []string, value string, or, negated bool) error {
	tree, err := parseLogic(value, or, negated)
	q.Filters = append(q.Filters, PathFilter{path, tree})
	return err
}

// addFilter parses a filter such as "child.grandchild.column->json=eq.5".
func (q *Query) addFilter(key, value string) error {
	names, err := parse("tree path", key, (*scanner).treePath)
	if err != nil {
		return err
	}
	filter, err := parseFilterValue(value, names.field)
	if err != nil {
		return err
	}
	q.Filters = append(q.Filters, PathFilter{names.path, filter})
	return nil
}

type treePath struct {
	path  []string
	field FieldRef
}

func (s *scanner) treePath() treePath {
	found := treePath{field: FieldRef{Name: s.name()}}
	for s.take(".") {
		found.path = append(found.path, found.field.Name)
		found.field.Name = s.name()
	}
	found.field.JSON = s.jsonPath()
	return found
}

func (s *scanner) names() []string {
	list := []string{}
	for {
		s.countItem()
		list = append(list, s.name())
		if !s.take(",") {
			return list
		}
	}
}

func (s *scanner) orderTerms() []OrderTerm {
	var terms []OrderTerm
	for {
		s.countItem()
		terms = append(terms, s.orderTerm())
		if !s.take(",") {
			return terms
		}
	}
}

func (s *scanner) orderTerm() OrderTerm {
	term := OrderTerm{Field: FieldRef{Name: s.name()}}
	if s.take("(") {
		term.Relation = term.Field.Name
		term.Field = FieldRef{Name: s.name(), JSON: s.jsonPath()}
		s.want(")")
	} else {
		term.Field.JSON = s.jsonPath()
	}
	directed := false
	for s.take(".") {
		start := s.pos
		switch word := s.word(); {
		case !directed && term.Nulls == "" && (word == "asc" || word == "desc"):
			directed, term.Descending = true, word == "desc"
		case term.Nulls == "" && word == "nullsfirst":
			term.Nulls = "first"
		case term.Nulls == "" && word == "nullslast":
			term.Nulls = "last"
		default:
			for _, known := range []string{"asc", "desc", "nullsfirst", "nullslast"} {
				if strings.HasPrefix(word, known) {
					s.pos = start + len(known)
					s.fail("\",\" or end of input")
				}
			}
			s.fail("asc, desc, nullsfirst or nullslast")
		}
	}
	return term
}
