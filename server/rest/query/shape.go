package query

import (
	"strconv"
	"strings"
)

// comparisons are the operators whose value is one parameter of the statement,
// and decides nothing else.
var comparisons = map[Operator]bool{"eq": true, "neq": true, "gt": true, "gte": true, "lt": true, "lte": true}

// Marker stands in a shape for the n-th value that was taken out.
func Marker(n int) string { return "\x00" + strconv.Itoa(n) + "\x00" }

// Shape takes the values of comparisons out of a raw query string of a table. What
// is left is a query string, too, with markers for values: all that have the same
// are one statement. ok is false where there is more than comparisons, so that
// the shapes would be as many as the requests.
func Shape(raw string) (shape string, values []string, ok bool) {
	out := make([]byte, 0, len(raw)+16)
	for key, value := range parameters(raw) {
		if len(out) > 0 {
			out = append(out, '&')
		}
		out = append(append(out, key...), '=')
		switch kindOf(key) {
		case comparison:
		case logic:
			return "", nil, false
		default: // decides the statement
			out = append(out, value...)
			continue
		}
		text := unescape(value)
		operation, operand, found := cutOperand(text)
		switch {
		case !found:
			return "", nil, false
		case operand == "": // is.null
			out = append(out, value...)
		default:
			out = append(append(out, operation...), "%00"...)
			out = append(strconv.AppendInt(out, int64(len(values)), 10), "%00"...)
			values = append(values, operand)
		}
	}
	return string(out), values, true
}

// cutOperand splits "not.eq.5" after its operator. Of is, which decides the
// statement, all is the operation.
func cutOperand(text string) (operation, operand string, ok bool) {
	start := 0
	if strings.HasPrefix(text, "not.") {
		start = len("not.")
	}
	dot := strings.IndexByte(text[start:], '.')
	if dot < 0 {
		return "", "", false
	}
	switch operator := Operator(text[start : start+dot]); {
	case comparisons[operator]:
		return text[:start+dot+1], text[start+dot+1:], start+dot+1 < len(text)
	case operator == "is":
		return text, "", true
	}
	return "", "", false
}
