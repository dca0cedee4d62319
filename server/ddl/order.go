package ddl

import (
	"cmp"
	"maps"
	"slices"
)

// kinds are the kinds of objects, in the order in which they are written as far as their needs allow.
var kinds = []string{
	"schema", "extension", "default privileges", "enum", "composite", "domain", "domain constraint", "range", "sequence", "function", "aggregate",
	"table", "column", "sequence owner", "default", "constraint", "index", "foreign key", "view", "materialized view", "rule", "statistics",
	"trigger", "event trigger", "row security", "policy", "replica identity", "publication", "publication table", "owner", "comment", "privileges",
}

// step is a list of statements that are run after those of the steps that it needs.
type step struct {
	object     *Object
	statements []string
	needs      []string
}

// plan is a set of steps.
type plan struct {
	steps map[string]*step // by the names of their objects
	// merged maps objects that another one's step creates to that one.
	merged map[string]string
}

func newPlan() *plan { return &plan{steps: map[string]*step{}, merged: map[string]string{}} }

func (p *plan) add(o *Object, needs []string, statements ...string) {
	p.steps[o.Name] = &step{o, statements, needs}
}

// merge notes that the step of an object also creates or drops the included objects. It then needs what
// they need.
func (p *plan) merge(into *Object, included []*Object) {
	for _, o := range included {
		p.merged[o.Name] = into.Name
		p.steps[into.Name].needs = append(p.steps[into.Name].needs, o.needs...)
	}
}

// ordered returns the steps so that each one follows those it needs, and otherwise by kind and name.
func (p *plan) ordered() []*step {
	waiting := make(map[string]map[string]bool, len(p.steps)) // what a step still needs
	dependents := make(map[string][]string)
	for name, s := range p.steps {
		waiting[name] = map[string]bool{}
		for _, need := range s.needs {
			need = cmp.Or(p.merged[need], need)
			if p.steps[need] != nil && need != name && !waiting[name][need] {
				waiting[name][need] = true
				dependents[need] = append(dependents[need], name)
			}
		}
	}
	var done []*step
	for len(waiting) > 0 {
		next := p.next(waiting)
		delete(waiting, next.object.Name)
		for _, dependent := range dependents[next.object.Name] {
			delete(waiting[dependent], next.object.Name)
		}
		done = append(done, next)
	}
	return done
}

// next returns the first step that waits for no other. If there is none, objects need each other in a
// cycle, which PostgreSQL does not let exist: the one that waits for the fewest is next.
func (p *plan) next(waiting map[string]map[string]bool) (first *step) {
	for name := range waiting {
		s := p.steps[name]
		if first == nil || cmp.Or(cmp.Compare(len(waiting[name]), len(waiting[first.object.Name])), compareObjects(s.object, first.object)) < 0 {
			first = s
		}
	}
	return first
}

func compareObjects(a, b *Object) int {
	return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Name, b.Name))
}

// Script returns the statements that create the schema in a new database of the platform.
func (s *Schema) Script() []string {
	p := newPlan()
	for _, o := range s.objects {
		s.planCreation(p, o)
	}
	if public := s.objects["schema public"]; public != nil {
		for on, given := range platformDefaults {
			o := s.objects["default privileges on "+on+" in schema public"]
			if o == nil {
				o = &Object{Kind: "default privileges", Name: "default privileges on " + on + " in schema public", grantOn: on, goesWith: public.Name}
			}
			p.add(o, []string{public.Name}, o.change(s.known(given), o.privileges)...)
		}
	}
	return p.statements()
}

// MaterializedViews returns the names of the materialized views, each after those that it reads, as
// "materialized view public.totals".
func (s *Schema) MaterializedViews() (names []string) {
	p := newPlan()
	for _, o := range s.objects {
		p.add(o, o.needs)
	}
	for _, step := range p.ordered() {
		if step.object.Kind == "materialized view" {
			names = append(names, step.object.Name)
		}
	}
	return names
}

// platformDefaults are the privileges that the roles of the API get on new objects in the schema public.
var platformDefaults = map[string]privileges{
	"tables":    defaultsOf("delete", "insert", "maintain", "references", "select", "trigger", "truncate", "update"),
	"sequences": defaultsOf("select", "update", "usage"),
	"functions": defaultsOf("execute"),
}

// known returns the privileges that the server has: MAINTAIN came with PostgreSQL 17.
func (s *Schema) known(given privileges) privileges {
	known := privileges{}
	for role, list := range given {
		known.add(role, false, slices.DeleteFunc(slices.Collect(maps.Keys(list)), func(name string) bool {
			return name == "maintain" && s.version < 170000
		}))
	}
	return known
}

func defaultsOf(names ...string) privileges {
	p := privileges{}
	for _, role := range []string{"anon", "authenticated", "service_role"} {
		p.add(role, false, names)
	}
	return p
}

// statements returns the statements of the steps in their order.
func (p *plan) statements() (statements []string) {
	for _, step := range p.ordered() {
		statements = append(statements, step.statements...)
	}
	return statements
}

// planCreation adds the step that creates an object which is not included in another's.
func (s *Schema) planCreation(p *plan, o *Object) {
	if p.merged[o.Name] != "" {
		return
	}
	switch o.Kind {
	case "table":
		statement, included := s.createTable(o)
		p.add(o, o.needs, statement)
		p.merge(o, included)
		for _, part := range included {
			delete(p.steps, part.Name)
		}
	case "column":
		c := decode[columnAttributes](o)
		if !c.Local {
			return
		}
		expression := ""
		d := s.inlineDefault(o)
		if d != nil {
			expression = decode[struct{ Expression string }](d).Expression
		}
		p.add(o, o.needs, "alter table "+c.Table+" add column "+c.definition(expression))
		if d != nil {
			p.merge(o, []*Object{d})
			delete(p.steps, d.Name)
		}
	case "privileges", "default privileges":
		p.add(o, o.needs, o.change(o.initial, o.privileges)...)
	default:
		p.add(o, o.needs, o.Create)
	}
}
