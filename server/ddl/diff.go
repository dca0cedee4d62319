package ddl

import (
	"fmt"
	"maps"
	"slices"
)

// Difference is what turns one schema into another.
type Difference struct {
	Statements []string
	Drops      []string // those of Statements that drop something
	// Unwritten names differences, certain and possible ones, that Statements does not contain.
	Unwritten []string
}

// Diff returns the statements that turn the schema from into the schema to.
func Diff(from, to *Schema) Difference {
	d := differ{from: from, to: to, replaced: map[string]bool{}, altered: map[string][]string{}, dependents: map[string][]string{}}
	for name, o := range from.objects {
		for _, need := range append(slices.Clone(o.needs), o.goesWith) {
			d.dependents[need] = append(d.dependents[need], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to.objects)) {
		if was, is := from.objects[name], to.objects[name]; was != nil {
			d.compare(was, is)
		}
	}
	dropped := d.drops()
	var all Difference
	for _, step := range dropped {
		all.Drops = append(all.Drops, step.statements...)
	}
	all.Statements = append(slices.Clone(all.Drops), d.creations().statements()...)
	if from.version/10000 != to.version/10000 {
		d.unwritten = append(d.unwritten, fmt.Sprintf("one schema is of PostgreSQL %d, the other of %d: they may write equal definitions differently", from.version/10000, to.version/10000))
	}
	for _, o := range to.Unwritten {
		if !slices.Contains(from.Unwritten, o) {
			d.unwritten = append(d.unwritten, o+": it is new")
		}
	}
	for _, o := range from.Unwritten {
		if !slices.Contains(to.Unwritten, o) {
			d.unwritten = append(d.unwritten, o+": it is gone")
		}
	}
	all.Unwritten = d.unwritten
	return all
}

type differ struct {
	from, to   *Schema
	dependents map[string][]string // of from: by the name of what is needed
	replaced   map[string]bool     // objects of both that are dropped and created again
	altered    map[string][]string // statements that alter an object of both
	unwritten  []string
}

// compare decides how to turn the object was into is, which has the same name.
func (d *differ) compare(was, is *Object) {
	c := alter(was, is)
	switch {
	case c.impossible != "":
		d.unwritten = append(d.unwritten, is.Name+": "+c.impossible)
	case c.replace && !d.replace(is.Name):
		d.unwritten = append(d.unwritten, is.Name+": it would have to be dropped, and tables depend on it")
	case !c.replace:
		if c.disturbs {
			d.replaceReaders(is.Name)
		}
		if len(c.statements) > 0 {
			d.altered[is.Name] = c.statements
		}
	}
}

// replace marks an object, and all that depend on it, to be dropped and created again. It reports whether
// that is possible without a loss of rows.
func (d *differ) replace(name string) bool {
	all := map[string]bool{}
	if !d.collectDependents(name, all) {
		return false
	}
	maps.Copy(d.replaced, all)
	return true
}

func (d *differ) collectDependents(name string, all map[string]bool) bool {
	if all[name] {
		return true
	}
	if o := d.from.objects[name]; d.to.objects[name] != nil && (holdsRows(o) || holdsRows(d.to.objects[name])) {
		return false
	}
	all[name] = true
	for _, dependent := range d.dependents[name] {
		if !d.collectDependents(dependent, all) {
			return false
		}
	}
	return true
}

// holdsRows reports whether an object cannot be dropped and created again.
func holdsRows(o *Object) bool {
	switch o.Kind {
	case "table", "schema", "extension", "sequence":
		return true
	case "column":
		return decode[columnAttributes](o).Generated == ""
	default:
		return false
	}
}

// replaceReaders marks for replacement what prevents a change of a column's type.
func (d *differ) replaceReaders(column string) {
	for _, name := range d.dependents[column] {
		o := d.from.objects[name]
		switch o.Kind {
		case "view", "materialized view", "policy", "trigger", "rule", "function", "publication table", "default", "column":
			if !d.replace(name) {
				d.unwritten = append(d.unwritten, name+": it depends on the changed "+column+", and would have to be dropped")
			}
		}
	}
}

// drops returns the steps that drop what is gone or replaced, each before what it needs.
func (d *differ) drops() []*step {
	gone := map[string]bool{}
	for name := range d.from.objects {
		if d.to.objects[name] == nil || d.replaced[name] {
			gone[name] = true
		}
	}
	p := newPlan()
	for name := range gone {
		o := d.from.objects[name]
		if d.goesWithAnother(o, gone) {
			continue
		}
		switch o.Kind {
		case "privileges", "default privileges":
			// Privileges cannot be dropped, only changed.
			p.add(o, o.needs, o.change(o.privileges, o.withoutObject())...)
		default:
			p.add(o, o.needs, o.Drop)
		}
	}
	// The step that drops an object along with another one takes its place in the order.
	for name := range gone {
		if o := d.from.objects[name]; p.steps[name] == nil {
			if top := d.top(o, p); top != nil {
				p.merge(top, []*Object{o})
			}
		}
	}
	steps := p.ordered()
	slices.Reverse(steps)
	return steps
}

// withoutObject returns the privileges that apply if a schema does not have this object: none, or the
// initial default privileges.
func (o *Object) withoutObject() privileges {
	if o.Kind == "default privileges" {
		return o.initial
	}
	return privileges{}
}

// goesWithAnother reports whether an object is dropped with another one. If it needs an object that is
// dropped by another step, it gets a step of its own, to be dropped before that: tables may need each other
// through constraints and policies, though not through columns.
func (d *differ) goesWithAnother(o *Object, gone map[string]bool) bool {
	if !gone[o.goesWith] {
		return false
	}
	if o.Kind == "column" {
		return true
	}
	family := d.root(o)
	for _, need := range o.needs {
		if needed := d.from.objects[need]; gone[need] && d.root(needed) != family {
			return false
		}
	}
	return true
}

// root returns the name of the object with which an object is dropped in the end.
func (d *differ) root(o *Object) string {
	for range len(kinds) {
		with := d.from.objects[o.goesWith]
		if with == nil || with.Kind == "schema" {
			break
		}
		o = with
	}
	return o.Name
}

// top returns the object whose step drops an object without a step of its own.
func (d *differ) top(o *Object, p *plan) *Object {
	for o != nil && p.steps[o.Name] == nil {
		o = d.from.objects[o.goesWith]
	}
	return o
}

// creations returns the steps that create what is new or replaced, and alter the rest.
func (d *differ) creations() *plan {
	p := newPlan()
	isNew := func(o *Object) bool { return d.from.objects[o.Name] == nil || d.replaced[o.Name] }
	for _, name := range slices.Sorted(maps.Keys(d.to.objects)) {
		o := d.to.objects[name]
		base := d.to.objects[o.goesWith]
		switch {
		case o.Kind == "privileges" && base != nil && !isNew(base) && (isNew(o) || d.mayLoseGrants(base)):
			p.add(o, o.needs, append(d.altered[name], o.change(nil, o.privileges)...)...)
		case isNew(o):
			d.to.planCreation(p, o)
		case len(d.altered[name]) > 0:
			p.add(o, o.needs, d.altered[name]...)
		}
	}
	return p
}

// mayLoseGrants reports whether the privileges on the table of a column change: what is revoked from
// somebody on a table is revoked on its columns, too.
func (d *differ) mayLoseGrants(column *Object) bool {
	table := "privileges of " + column.goesWith
	return column.Kind == "column" && (len(d.altered[table]) > 0 || d.from.objects[table] != nil && d.to.objects[table] == nil)
}
