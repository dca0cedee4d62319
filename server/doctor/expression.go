package doctor

import (
	"regexp"
	"slices"
	"strings"
)

// aboutCaller are functions that give one value for a whole request.
var aboutCaller = []string{"auth.uid", "auth.role", "auth.jwt", "auth.email", "current_setting"}

// group is what stands in a pair of parentheses.
type group struct {
	start, end int // of the parentheses
	name       string
	selects    bool // it is a subselect …
	from       bool // … of a table
	parent     *group
}

// wrapCalls puts calls that give the same for each row into subselects of their own,
// where they are in none: PostgreSQL then makes them once. calls are names of stable
// functions beside those about the caller.
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

// wrapped reports whether the innermost subselect around is of no table.
func (g *group) wrapped() bool {
	for above := g.parent; above != nil; above = above.parent {
		if above.selects {
			return !above.from
		}
	}
	return false
}

var notConstant = regexp.MustCompile(`'(?:[^']|'')*'|::"?[a-z_]+(?: varying)?"?(?:\[\])?|\b(?:true|false|NULL|[0-9.]+)\b|[\s,()\[\]-]|\bARRAY\b`)

// constant reports whether arguments name no column.
func constant(arguments string) bool { return notConstant.ReplaceAllString(arguments, "") == "" }

var (
	callName   = regexp.MustCompile(`(?:[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"]|"")+")(?:\.(?:[A-Za-z_][A-Za-z0-9_$]*|"(?:[^"]|"")+"))*$`)
	subselects = regexp.MustCompile(`^\(\s*(?:SELECT|WITH)\b`)
	fromWord   = regexp.MustCompile(`^FROM\b`)
)

// parse finds the parentheses of an expression as PostgreSQL prints it.
func parse(expression string) []*group {
	var groups []*group
	var open *group
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\'' || c == '"':
			i = endOfQuoted(expression, i)
		case c == '(':
			open = &group{start: i, end: len(expression) - 1, parent: open, selects: subselects.MatchString(expression[i:]), name: callName.FindString(expression[:i])}
			groups = append(groups, open)
		case c == ')' && open != nil:
			open.end = i
			open = open.parent
		case c == 'F' && open != nil && open.selects && (expression[i-1] == ' ' || expression[i-1] == '\n') && fromWord.MatchString(expression[i:]):
			open.from = true
		}
	}
	return groups
}

// endOfQuoted is where a text or a name ends that begins at start.
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
