package sqlgen

import (
	"slices"
	"strings"

	"plaza/server/rest/plan"
)

// Explain holds the format and options of an execution plan.
type Explain struct {
	JSON    bool
	options []string
}

// explainOptions lists the options that a client may set, in their output order.
var explainOptions = []string{"analyze", "verbose", "settings", "buffers", "wal"}

// Take sets the known options among wanted. It ignores unknown ones.
func (e *Explain) Take(wanted []string) {
	for _, option := range explainOptions {
		if slices.Contains(wanted, option) {
			e.options = append(e.options, option)
		}
	}
}

// Options returns the options that are set.
func (e *Explain) Options() []string { return e.options }

// Format returns "json" or "text".
func (e *Explain) Format() string {
	if e.JSON {
		return "json"
	}
	return "text"
}

// Statement returns the explain statement for a statement. With the option analyze, it
// also runs the statement.
func (e *Explain) Statement(of Statement) Statement {
	options := append([]string{"format " + e.Format()}, e.options...)
	return Statement{SQL: "explain (" + strings.Join(options, ", ") + ") " + of.SQL, Args: of.Args, Binary: of.Binary}
}

// ExplainCount returns the statement for the planner's row estimate of a read, without
// its limits.
func ExplainCount(r *plan.Read) Statement {
	b := newBuilder()
	b.countable(r, tableSource(r.Table))
	return (&Explain{JSON: true}).Statement(b.statement())
}
