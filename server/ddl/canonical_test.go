package ddl

import "testing"

func TestCanonical(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, a, b string
		equal      bool
	}{
		{"a chain from the left", "CHECK (((a AND b) AND c))", "CHECK ((a AND b AND c))", true},
		{"a chain from the right, deeper", "WHEN (((a OR (b OR (c OR d)))))", "WHEN (((a OR b OR c OR d)))", true},
		{"two operators", "(a AND (b OR c))", "((a AND b) OR c)", false},
		{"an operand of another operator stays in parentheses", "((a OR b) AND (c AND d))", "((a OR b) AND c AND d)", true},
		{"nothing is joined over a mixed level", "(a OR (b AND c) OR (d OR e))", "(a OR (b AND c) OR d OR e)", true},
		{"a function's parentheses stay", "(f(a AND b) AND c)", "(f(a) AND b AND c)", false},
		{"quotes are left alone", "(a = '(x AND y) AND z' AND b)", "(a = 'x AND y AND z' AND b)", false},
		{"words that hold an operator", "(band AND (orb AND c))", "(band AND orb AND c)", true},
		{"space", "(a  AND b)", "(a AND c)", false},
		{"bodies", "$f$ (a AND b) AND ' $f$", "$f$ a AND b AND ' $f$", false},
	}
	for _, tt := range tests {
		if got := canonical(tt.a) == canonical(tt.b); got != tt.equal {
			t.Errorf("%s: %q and %q", tt.name, canonical(tt.a), canonical(tt.b))
		}
	}
}
