package doctor

import (
	"slices"
	"strings"

	"plaza/server/lazyregexp"
)

// aboutCaller lists functions about the caller, which return the same value for a whole request.
var aboutCaller = []string{"auth.uid", "auth.role", "auth.jwt", "auth.email", "current_setting"}

// group is an expression in parentheses.
type group struct {
	start, end int    // indexes of the parentheses
	name       string // of the called function; empty if it is not a call
	selects    bool   // it is a subselect
	from       bool   // it is a subselect with a from clause
	parent     *group
}

// wrapCalls wraps calls that return the same value for each row in subselects, unless
// they already are in one. PostgreSQL then evaluates them only once. calls lists names
// of stable functions in addition to aboutCaller.
func wrapCalls(expression string, calls []string) string {
	groups := parse(expression)
	var b strings.Builder
	last := 0
	for _, g := range groups { // in order of their start
		begin := g.start - len(g.name)
		if begin < last || g.name == "" || !slices.Contains(aboutCaller, g.name) && !slices.Contains(calls, g.name) {
			continue
		}
		if g.wrapped() || !constant(expression[g.start+1:g.end]) {
			continue
		}
		b.WriteString(expression[last:begin] + "(select " + expression[begin:g.end+1] + ")")
		last = g.end + 1
	}
	return b.String() + expression[last:]
}

// wrapped reports whether the innermost enclosing subselect has no from clause.
func (g *group) wrapped() bool {
	for above := g.parent; above != nil; above = above.parent {
		if above.selects {
			return !above.from
		}
	}
	return false
}

// constantParts matches the parts of arguments that are constant.
var constantParts = lazyregexp.New(`'(?:[^']|'')*'|::"?[a-z_]+(?: varying)?"?(?:\[\])?|\b(?:true|false|NULL|[0-9.]+)\b|[\s,()\[\]-]|\bARRAY\b`)

// constant reports whether arguments refer to no column.
func constant(arguments string) bool { return constantParts().ReplaceAllString(arguments, "") == "" }

var (
	callName   = lazyregexp.New(`(?:[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"]|"")+")(?:\.(?:[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"]|"")+"))*$`)
	subselects = lazyregexp.New(`^\(\s*(?:SELECT|WITH)\b`)
	fromWord   = lazyregexp.New(`^FROM\b`)
)

// parse returns the parenthesized groups of an expression in PostgreSQL's output format.
func parse(expression string) []*group {
	var groups []*group
	var open *group
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\'' || c == '"':
			i = endOfQuoted(expression, i)
		case c == '(':
			open = &group{start: i, end: len(expression) - 1, parent: open, selects: subselects().MatchString(expression[i:]), name: callName().FindString(expression[:i])}
			groups = append(groups, open)
		case c == ')' && open != nil:
			open.end = i
			open = open.parent
		case c == 'F' && open != nil && open.selects && (expression[i-1] == ' ' || expression[i-1] == '\n') && fromWord().MatchString(expression[i:]):
			open.from = true
		}
	}
	return groups
}

// endOfQuoted returns the index of the closing quote of a string or name that begins at start.
func endOfQuoted(expression string, start int) int {
	quote := expression[start]
	for i := start + 1; i < len(expression); i++ {
		if expression[i] != quote {
			continue
		}
		if i+1 == len(expression) || expression[i+1] != quote {
			return i
		}
		i++
	}
	return len(expression) - 1
}
