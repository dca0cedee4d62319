package sqlgen

import (
	"slices"
	"strings"

	"plaza/server/rest/plan"
)

// Explain says how an execution plan is shown.
type Explain struct {
	JSON    bool
	options []string
}

// explainOptions are those a client may ask for, in the order they are named.
var explainOptions = []string{"analyze", "verbose", "settings", "buffers", "wal"}

// Take sets the options that are known; the others are left out.
func (e *Explain) Take(wanted []string) {
	for _, option := range explainOptions {
		if slices.Contains(wanted, option) {
			e.options = append(e.options, option)
		}
	}
}

// Options are those that are set.
func (e *Explain) Options() []string { return e.options }

// Format is json or text.
func (e *Explain) Format() string {
	if e.JSON {
		return "json"
	}
	return "text"
}

// Statement asks for the plan of a statement. With analyze it is run, too.
func (e *Explain) Statement(of Statement) Statement {
	options := append([]string{"format " + e.Format()}, e.options...)
	return Statement{SQL: "explain (" + strings.Join(options, ", ") + ") " + of.SQL, Args: of.Args}
}

// ExplainCount asks the planner how many rows a read has without its limits.
func ExplainCount(r *plan.Read) Statement {
	b := newBuilder()
	b.countable(r, tableSource(r.Table))
	return (&Explain{JSON: true}).Statement(b.statement())
}
