package query

import (
	"strconv"
	"strings"
)

// comparisons lists the operators whose value affects only one parameter of the statement.
var comparisons = map[Operator]bool{"eq": true, "neq": true, "gt": true, "gte": true, "lt": true, "lte": true}

// Marker returns the placeholder for the n-th value in a shape.
func Marker(n int) string { return "\x00" + strconv.Itoa(n) + "\x00" }

// Shape replaces the values of comparisons in the raw query string of a table with
// markers. The result is a query string, too; requests with the same shape use the
// same statement. ok is false if the query has other filters than comparisons, since
// almost every request would then have a shape of its own.
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
		default: // the value affects the statement
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

// cutOperand splits a text such as "not.eq.5" after the operator. The value of "is"
// affects the statement, so it belongs to the operation.
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
