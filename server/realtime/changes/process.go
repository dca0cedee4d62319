package changes

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"plaza/server/claims"
	"plaza/server/realtime/visible"
	"plaza/server/realtime/wal"
)

// match is a group with those of its entries that match a change.
type match struct {
	group   *Group
	caller  *caller
	view    *visible.RoleView
	entries []*subscription

	rows *visible.RowCheck // whether the caller sees the row; nil: it is not checked
	row  int
}

// candidates returns the groups with entries that a change may match.
func (e *Engine) candidates(c *change) []match {
	e.mu.RLock()
	defer e.mu.RUnlock()
	e.searches++
	var found []match
	for s := range e.index.matching(c) {
		g := s.group
		if g.foundIn != e.searches {
			g.foundIn, g.foundAt = e.searches, len(found)
			found = append(found, match{group: g, caller: g.caller})
		}
		p := &found[g.foundAt]
		p.entries = append(p.entries, s)
	}
	for _, p := range found {
		slices.SortFunc(p.entries, func(a, b *subscription) int { return a.position - b.position })
	}
	return found
}

// assignIndexKeys moves the entries of matches in the index, so that they are found by their values.
func (e *Engine) assignIndexKeys(ctx context.Context, matches []match) error {
	if !e.keepsIndexKeys {
		return nil
	}
	for _, p := range matches {
		for _, s := range p.entries {
			if s.keyed {
				continue
			}
			compiled, err := e.compile(ctx, s, p.view)
			if err != nil {
				return err
			}
			key := keyFor(compiled.tests)
			e.mu.Lock()
			if _, isOpen := e.groups[s.group]; isOpen {
				e.index.remove(s)
				s.key, s.keyed = key, true
				e.index.add(s)
			}
			e.mu.Unlock()
		}
	}
	return nil
}

// clearIndexKeys removes the keys of all entries: after a schema change the texts of values may differ. e.mu is held.
func (e *Engine) clearIndexKeys() {
	for g := range e.groups {
		for _, s := range g.entries {
			e.index.remove(s)
			s.key, s.keyed = valueKey{}, s.isWildcard()
			e.index.add(s)
		}
	}
}

// process delivers a batch of changes to the groups, in order.
func (e *Engine) process(ctx context.Context, batch []*change) error {
	matched := make([][]match, len(batch))
	compared := make(comparisons)
	for i, c := range batch {
		matches := e.candidates(c)
		if err := e.setViews(ctx, c, matches); err != nil {
			return err
		}
		if err := e.assignIndexKeys(ctx, matches); err != nil {
			return err
		}
		matched[i] = matches
	}
	if err := e.fillToastValues(ctx, batch, matched); err != nil {
		return err
	}
	for i, c := range batch {
		err := e.filterEntries(ctx, c, matched[i], func(t *test, value string) bool {
			if t.local != nil {
				return t.local(value) != t.Negated
			}
			compared.want(t, value)
			return true
		})
		if err != nil {
			return err
		}
	}
	if len(compared) > 0 {
		if err := compared.query(ctx, e.DB); err != nil {
			return err
		}
		for i, c := range batch {
			err := e.filterEntries(ctx, c, matched[i], func(t *test, value string) bool {
				return t.local != nil || compared[t.key].holds[value] != t.Negated
			})
			if err != nil {
				return err
			}
		}
	}
	if err := e.checkVisibility(ctx, batch, matched); err != nil {
		return err
	}
	return e.deliver(ctx, batch, matched)
}

// setViews sets the views of matches, and drops the entries of roles that do not exist.
func (e *Engine) setViews(ctx context.Context, c *change, matches []match) error {
	var roles []string
	for _, p := range matches {
		if !slices.Contains(roles, p.caller.Role) {
			roles = append(roles, p.caller.Role)
		}
	}
	if len(roles) == 0 {
		return nil
	}
	views, err := e.catalog.Views(ctx, c.relation.ID, roles)
	if err != nil && !errors.Is(err, visible.ErrNoTable) {
		return err
	}
	for i := range matches {
		if matches[i].view = views[matches[i].caller.Role]; matches[i].view == nil {
			matches[i].entries = nil
		}
	}
	return nil
}

// filterEntries keeps the entries whose filters all hold. A value that is not known never matches.
func (e *Engine) filterEntries(ctx context.Context, c *change, matches []match, holds func(t *test, value string) bool) (fault error) {
	for i := range matches {
		p := &matches[i]
		p.entries = slices.DeleteFunc(p.entries, func(s *subscription) bool {
			compiled, err := e.compile(ctx, s, p.view)
			if err != nil {
				fault = err
			}
			if err != nil || compiled.isRefused {
				return true
			}
			for _, t := range compiled.tests {
				value, ok := c.value(t.Column)
				if !ok {
					return true
				}
				if value.Kind != 't' {
					if !t.matchesNull() {
						return true
					}
				} else if t.Op == "is" && t.isNull() {
					if !t.Negated {
						return true
					}
				} else if !holds(t, string(value.Text)) {
					return true
				}
			}
			return false
		})
	}
	return fault
}

// checkKey identifies the checks that are done together: those of a caller for a table.
type checkKey struct {
	caller *caller
	role   string // instead of caller, if the policies do not depend on the caller
	view   *visible.RoleView
}

// checkVisibility checks which callers see the changed rows.
func (e *Engine) checkVisibility(ctx context.Context, batch []*change, matched [][]match) error {
	checks := make(map[checkKey]*visible.RowCheck)
	last := make(map[*visible.RowCheck]*change) // whose key was added last
	var all []*visible.RowCheck
	for i, c := range batch {
		for n := range matched[i] {
			p := &matched[i][n]
			if len(p.entries) == 0 || c.op == "DELETE" || !p.view.Secured || c.fault(p.view) != "" {
				continue
			}
			key, ok := c.keyOf(p.view)
			if !ok {
				p.entries = nil
				continue
			}
			name := checkKey{caller: p.caller, view: p.view}
			who := p.caller.Caller
			if !p.view.PerCaller {
				name, who = checkKey{role: p.caller.Role, view: p.view}, claims.ForRole(p.caller.Role)
			}
			rows := checks[name]
			if rows == nil {
				rows = &visible.RowCheck{Who: who, View: p.view}
				checks[name] = rows
				all = append(all, rows)
			}
			if last[rows] != c {
				rows.Keys = append(rows.Keys, key)
				last[rows] = c
			}
			p.rows, p.row = rows, len(rows.Keys)-1
		}
	}
	if len(all) == 0 {
		return nil
	}
	began := time.Now()
	if err := e.runChecks(ctx, all); err != nil {
		return err
	}
	e.counts.checks.Add(uint64(len(all)))
	e.counts.took.Add(int64(time.Since(began)))
	for _, rows := range all {
		if rows.Err != nil {
			e.Log.WarnContext(ctx, "changes were not delivered to a caller, because a policy has failed", "table", rows.View.Schema+"."+rows.View.Name, "role", rows.Who.Role, "error", rows.Err)
		}
	}
	return nil
}

// checkConnections is the number of connections that share the checks of a batch.
const checkConnections = 2

func (e *Engine) runChecks(ctx context.Context, all []*visible.RowCheck) error {
	var running sync.WaitGroup
	parts := slices.Collect(slices.Chunk(all, (len(all)+checkConnections-1)/checkConnections))
	failed := make([]error, len(parts))
	for i, part := range parts {
		running.Go(func() { failed[i] = e.catalog.CheckRows(ctx, part) })
	}
	running.Wait()
	return errors.Join(failed...)
}

// fault returns the error that subscribers of a role get in place of a change's values, or "".
//
// Source: upstream's texts.
func (c *change) fault(view *visible.RoleView) string {
	if c.op == "DELETE" {
		return ""
	}
	if len(view.Key) == 0 {
		return "Error 400: Bad Request, no primary key"
	}
	for _, name := range view.Key {
		if column := view.Column(name); column == nil || !column.Selectable {
			return "Error 401: Unauthorized"
		}
	}
	return ""
}

// deliver sends the groups the changes that they see.
func (e *Engine) deliver(ctx context.Context, batch []*change, matched [][]match) error {
	var encoded values
	for i, c := range batch {
		matched[i] = slices.DeleteFunc(matched[i], func(p match) bool {
			return len(p.entries) == 0 || p.rows != nil && !p.rows.Visible[p.row]
		})
		for _, p := range matched[i] {
			c.collectValues(p.view, p.entries, &encoded)
		}
	}
	if err := encoded.query(ctx, e.DB); err != nil {
		return err
	}
	for i, c := range batch {
		for _, p := range matched[i] {
			c.sendTo(&p, &encoded)
		}
		e.counts.delivered.Add(uint64(len(matched[i])))
	}
	return nil
}

// collectValues adds the values to be encoded for entries, once for each form of the change.
func (c *change) collectValues(view *visible.RoleView, entries []*subscription, encoded *values) {
	for _, s := range entries {
		f, isNew := c.form(view, s)
		if !isNew {
			continue
		}
		for _, column := range f.columns {
			at := c.index(column.Name)
			for _, t := range []wal.Tuple{c.new, c.old} {
				if t != nil {
					encoded.want(column, t[at])
				}
			}
		}
	}
}

// sendTo sends a group a change, once for each selection of columns among its entries.
func (c *change) sendTo(p *match, encoded *values) {
	var datas []*Data
	var ids [][]uint32
	for _, s := range p.entries {
		var d *Data
		if why := c.fault(p.view); why != "" {
			d = c.failed(why)
		} else {
			d = c.data(p.view, s, encoded)
		}
		at := slices.Index(datas, d)
		if at < 0 {
			at = len(datas)
			datas, ids = append(datas, d), append(ids, nil)
		}
		if !slices.Contains(ids[at], s.id) {
			ids[at] = append(ids[at], s.id)
		}
	}
	for i, d := range datas {
		p.group.sink.Changed(d, ids[i])
	}
}
