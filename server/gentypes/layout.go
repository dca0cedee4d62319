package gentypes

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineWidth is the length up to which a value stays on one line.
const lineWidth = 80

// node is a part of a TypeScript type.
type node interface {
	// flat returns the node on one line, and false if it needs several.
	flat() (string, bool)
	// tall returns the node on several lines, if possible. Its first line is not
	// indented, the others by at least indent spaces.
	tall(indent int) string
}

// text is a node that is never broken into lines.
type text string

func (t text) flat() (string, bool) { return string(t), true }
func (t text) tall(int) string      { return string(t) }

// object is an object type, or an object if separator is ",".
type object struct {
	members []member
	// open objects have a line for each member, even if they would fit on one line.
	open bool
	// suffix follows the closing brace.
	suffix string
	// separator ends the lines of members.
	separator string
}

type member struct {
	key   string // as it is written
	value node
}

// field returns a member whose name is quoted if necessary.
func field(name string, optional bool, value node) member {
	key := propertyName(name)
	if optional {
		key += "?"
	}
	return member{key, value}
}

func (o object) flat() (string, bool) {
	if len(o.members) == 0 {
		return "{}" + o.suffix, true
	}
	if o.open {
		return "", false
	}
	parts := make([]string, len(o.members))
	for i, m := range o.members {
		value, ok := m.value.flat()
		if !ok {
			return "", false
		}
		parts[i] = m.key + ": " + value
	}
	return "{ " + strings.Join(parts, "; ") + " }" + o.suffix, true
}

func (o object) tall(indent int) string {
	var out strings.Builder
	out.WriteString("{\n")
	for _, m := range o.members {
		out.WriteString(m.line(indent+2, o.separator))
	}
	out.WriteString(spaces(indent) + "}" + o.suffix)
	return out.String()
}

// line returns the member with its indentation and a line break at the end.
func (m member) line(indent int, separator string) string {
	start := spaces(indent) + m.key + ":"
	if flat, ok := m.value.flat(); ok && width(start+" "+flat+separator) <= lineWidth {
		return start + " " + flat + separator + "\n"
	}
	if u, ok := m.value.(union); ok && !u.hugs() {
		return start + u.tall(indent+2) + separator + "\n"
	}
	return start + " " + m.value.tall(indent) + separator + "\n"
}

// union is a union of types.
type union []node

const null = text("null")

func (u union) flat() (string, bool) { return join(u, " | ") }

// join returns the nodes on one line, and false if they need several.
func join(nodes []node, separator string) (string, bool) {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		part, ok := n.flat()
		if !ok {
			return "", false
		}
		parts[i] = part
	}
	return strings.Join(parts, separator), true
}

// hugs reports whether the union is an object or null: its lines are the object's.
func (u union) hugs() bool {
	_, isObject := u[0].(object)
	return len(u) == 2 && isObject && u[1] == null
}

// tall starts with a line break, unless the union hugs an object.
func (u union) tall(indent int) string {
	if u.hugs() {
		return u[0].tall(indent) + " | null"
	}
	var out strings.Builder
	for _, n := range u {
		out.WriteString("\n" + spaces(indent) + "| " + fit(n, indent+2, ""))
	}
	return out.String()
}

// array is an array of a type.
type array struct{ element node }

func (a array) flat() (string, bool) {
	element, ok := a.element.flat()
	if u, isUnion := a.element.(union); isUnion && len(u) > 1 {
		element = "(" + element + ")"
	}
	return element + "[]", ok
}

func (a array) tall(indent int) string {
	if u, isUnion := a.element.(union); isUnion && len(u) > 1 {
		return "(" + u.tall(indent+2) + "\n" + spaces(indent) + ")[]"
	}
	return a.element.tall(indent) + "[]"
}

// tuple is a tuple type, or an array.
type tuple []node

func (t tuple) flat() (string, bool) {
	inner, ok := join(t, ", ")
	return "[" + inner + "]", ok
}

func (t tuple) tall(indent int) string {
	var out strings.Builder
	out.WriteString("[\n")
	for _, n := range t {
		out.WriteString(spaces(indent+2) + fit(n, indent+2, ",") + ",\n")
	}
	out.WriteString(spaces(indent) + "]")
	return out.String()
}

// fit returns the node on one line if the line has room for it and for what follows.
func fit(n node, indent int, follows string) string {
	if flat, ok := n.flat(); ok && indent+width(flat+follows) <= lineWidth {
		return flat
	}
	return n.tall(indent)
}

func spaces(count int) string { return strings.Repeat(" ", count) }

func width(line string) int { return utf8.RuneCountInString(line) }

// literals returns string literals, such as the labels of an enum.
func literals(values []string) []node {
	nodes := make([]node, len(values))
	for i, value := range values {
		nodes[i] = text(quote(value))
	}
	return nodes
}

// quote returns a string literal, in the quotes that need fewer escapes.
func quote(value string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // a string always has a form in JSON
	double := strings.TrimSuffix(out.String(), "\n")
	if strings.Count(value, `"`) <= strings.Count(value, `'`) {
		return double
	}
	inner := strings.ReplaceAll(double[1:len(double)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(inner, "'", `\'`) + "'"
}

// propertyName returns the name of a property, quoted if it is no identifier.
func propertyName(name string) string {
	for i, r := range name {
		starts := r == '_' || r == '$' || unicode.In(r, unicode.L, unicode.Nl)
		if !starts && (i == 0 || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc)) {
			return quote(name)
		}
	}
	if name == "" {
		return quote(name)
	}
	return name
}
