package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// judge reports a statement that takes long while tables are locked.
func (c *checker) judge(ctx context.Context, conn *pgx.Conn, e effect) error {
	holds := c.holds(e.before)
	for _, g := range c.slow(e) {
		locked := holds
		name, size := c.sizeOf(e.before, g.root.oid)
		if !e.inTransaction && g.rewritten {
			// The locks of a statement that runs outside of a transaction cannot be read afterwards. A table is rewritten
			// only under the strongest lock.
			locked = []Hold{{Table: name, Blocks: blocksAll.String(), Size: size, File: e.file, Line: e.statement.Line}}
		}
		if len(locked) == 0 {
			continue
		}
		f := Finding{
			File: e.file, Line: e.statement.Line, Statement: beginning(e.statement.Text), Kind: kindOf(g), Table: name, Size: size,
			Holds: locked, Problem: problem(kindOf(g), name, size, locked, e),
		}
		var err error
		if f.Safe, f.Note, err = safeForm(ctx, conn, e, g); err != nil {
			return fmt.Errorf("%s:%d: write the safe form: %w", e.file, e.statement.Line, err)
		}
		c.add(f, e.statement.Lead)
	}
	return nil
}

// slow returns the tables that a statement rewrote or scanned. If the catalogue shows which of them it changed, the others
// are left out, such as the table that a new foreign key refers to. Otherwise slow returns the largest one.
func (c *checker) slow(e effect) []*group {
	var changed, others []*group
	for _, g := range compare(e.before, e.after, c.existed, e.inTransaction) {
		switch {
		case !g.rewritten && !g.scanned:
		case g.isChanged():
			changed = append(changed, g)
		default:
			others = append(others, g)
		}
	}
	slices.SortFunc(changed, func(a, b *group) int { return cmp.Compare(a.root.String(), b.root.String()) })
	if len(changed) > 0 || len(others) == 0 {
		return changed
	}
	bytes := func(g *group) int64 {
		if _, size := c.sizeOf(e.before, g.root.oid); size != nil {
			return size.Bytes
		}
		return 0
	}
	return []*group{slices.MinFunc(others, func(a, b *group) int {
		return cmp.Or(cmp.Compare(bytes(b), bytes(a)), cmp.Compare(a.root.String(), b.root.String()))
	})}
}

func kindOf(g *group) Kind {
	switch {
	case g.rewritten:
		return Rewrite
	case len(g.newIndexes)+len(g.rebuilt) > 0:
		return Index
	}
	return Scan
}

// problem describes what a statement does, and what waits for it.
func problem(kind Kind, name string, size *Size, holds []Hold, e effect) string {
	did := map[Kind]string{
		Rewrite: "%s is written anew, with all its indexes",
		Index:   "an index of %s is built",
		Scan:    "all rows of %s are read",
	}[kind]
	described := name
	if size != nil {
		described += " (" + size.String() + ")"
	}
	var waiting []string
	for _, h := range holds {
		one := h.Blocks + " of " + h.Table
		if h.Size != nil && h.Table != name {
			one += " (" + h.Size.String() + ")"
		}
		switch {
		case h.File != e.file:
			one += fmt.Sprintf(", locked since %s:%d", h.File, h.Line)
		case h.Line != e.statement.Line:
			one += fmt.Sprintf(", locked since line %d", h.Line)
		}
		waiting = append(waiting, one)
	}
	return fmt.Sprintf(did, described) + "; until that is done and the transaction has ended, these wait: " + strings.Join(waiting, "; ")
}
