package check

import (
	"maps"
	"slices"
	"strings"
)

// object is what a version of a server may use: a table or view, one of its columns, or a function. It is identified by its
// name, so that a view may replace a renamed table.
type object struct {
	relation string // empty for a function
	name     string // of a column or a function; empty for a relation
}

// loss is a statement that made an object missing, or a new column required.
type loss struct {
	effect   effect
	required bool
}

// former follows, in the files of one transaction, what the former version of a server would miss.
type former struct{ lost map[object]loss }

// usable returns the objects of a snapshot, with the properties of columns. counts reports whether a relation is one of them.
func usable(s *snapshot, counts func(r relation) bool) map[object]column {
	objects := make(map[object]column)
	for _, r := range s.relations {
		if !r.isIndex() && counts(r) {
			objects[object{relation: r.String()}] = column{}
		}
	}
	for key, c := range s.columns {
		if r := s.relations[key.table]; counts(r) {
			objects[object{r.String(), c.name}] = c
		}
	}
	for name := range s.routines {
		objects[object{name: name}] = column{}
	}
	return objects
}

func everything(relation) bool { return true }

// follow compares what the former version may use with what there is after a statement.
func (f former) follow(e effect, known map[object]column) {
	is := usable(e.after, everything)
	for o := range known {
		if _, there := is[o]; there {
			delete(f.lost, o)
		} else if _, noted := f.lost[o]; !noted {
			f.lost[o] = loss{effect: e}
		}
	}
	tables := make(map[string]bool)
	for o := range known {
		tables[o.relation] = true
	}
	for o, c := range is {
		if _, old := known[o]; old || !tables[o.relation] || o.name == "" || o.relation == "" {
			continue
		}
		switch noted := f.lost[o]; {
		case !c.notNull || c.hasDefault || c.generated != "":
			delete(f.lost, o)
		case !noted.required:
			f.lost[o] = loss{e, true}
		}
	}
}

// reportFormer reports what is missing at the end of a transaction. Later migrations are only checked for what is left.
func (c *checker) reportFormer() {
	for _, o := range slices.SortedFunc(maps.Keys(c.file.former.lost), compareObjects) {
		l := c.file.former.lost[o]
		if l.required {
			c.known[o] = column{}
		} else {
			delete(c.known, o)
			if _, gone := c.file.former.lost[object{relation: o.relation}]; gone && o.name != "" && o.relation != "" {
				continue // its table is missing
			}
		}
		s := l.effect.statement
		f := Finding{File: l.effect.file, Line: s.Line, Statement: beginning(s.Text), Kind: Former, Table: o.relation}
		if size, ok := c.sizes[o.relation]; ok {
			f.Size = &size
		}
		describeLoss(&f, o, l)
		c.add(f, s.Lead)
	}
}

func compareObjects(a, b object) int {
	return strings.Compare(a.relation+"\x00"+a.name, b.relation+"\x00"+b.name)
}

const laterRelease = "Do it in a later release, when no server of a version that uses it runs; the comment allows it then."

// describeLoss sets in a finding what the former version misses, and what to do instead.
func describeLoss(f *Finding, o object, l loss) {
	e := l.effect
	f.Safe, f.Note = []string{"-- plaza: allow former\n" + e.statement.Text + ";"}, laterRelease
	switch {
	case l.required:
		is := usable(e.after, everything)[o]
		f.Problem = "the new column " + o.name + " of " + o.relation + " must be given, and the former version of the server does not know it: its inserts fail"
		f.Safe = []string{"alter table " + o.relation + " add column " + o.name + " " + is.kind + ";"}
		f.Note = "Make it required in a later release, when every server that runs gives it."
	case o.relation == "":
		f.Problem = "the function " + o.name + " is gone: the former version of the server fails where it calls it"
	case o.name == "":
		was, is := e.renamed(o.relation)
		if is.oid == 0 {
			f.Problem = o.relation + " is gone: the former version of the server fails where it uses it"
			return
		}
		f.Problem = o.relation + " is now " + is.String() + ": the former version of the server fails where it uses it"
		f.Safe = []string{e.statement.Text + ";\ncreate view " + was.String() + " with (security_invoker = true) as select * from " + is.String() + ";"}
		f.Note = "The view needs the privileges that the table had. Drop it in a later release."
	default:
		was, is := e.renamedColumn(o)
		if is.name == "" {
			f.Problem = "the column " + o.name + " of " + o.relation + " is gone: the former version of the server fails where it uses it"
			return
		}
		f.Problem = "the column " + o.name + " of " + o.relation + " is now " + is.name + ": the former version of the server fails where it uses it"
		f.Safe = renameSteps(e.before.relations[was.key.table], was, is)
		f.Note = "Drop the trigger and the column " + o.name + " in a later release."
	}
}

// renamed returns a relation before and after a statement that gave it another name.
func (e effect) renamed(name string) (was, is relation) {
	for oid, r := range e.before.relations {
		if r.String() == name {
			return r, e.after.relations[oid]
		}
	}
	return was, is
}

// renamedColumn returns a column before and after a statement that gave it another name.
func (e effect) renamedColumn(o object) (was, is column) {
	for key, c := range e.before.columns {
		if c.name == o.name && e.before.relations[key.table].String() == o.relation {
			return c, e.after.columns[key]
		}
	}
	return was, is
}

// renameSteps returns migrations that add a column with the new name and keep it equal to the old one.
func renameSteps(table relation, was, is column) []string {
	sync := table.schema + "." + derived(table.name, is.name)
	return []string{
		"alter table " + table.String() + " add column " + is.name + " " + is.kind + ";\n" +
			"create function " + sync + "() returns trigger language plpgsql as $$\nbegin\n" +
			"  if tg_op = 'INSERT' then\n    new." + is.name + " := coalesce(new." + is.name + ", new." + was.name + ");\n" +
			"    new." + was.name + " := new." + is.name + ";\n" +
			"  elsif new." + is.name + " is distinct from old." + is.name + " then\n    new." + was.name + " := new." + is.name + ";\n" +
			"  else\n    new." + is.name + " := new." + was.name + ";\n  end if;\n  return new;\nend\n$$;\n" +
			"create trigger " + derived(table.name, is.name) + " before insert or update on " + table.String() +
			" for each row execute function " + sync + "();",
		"update " + table.String() + " set " + is.name + " = " + was.name + " where " + is.name + " is null and " + was.name + " is not null;",
	}
}

// startFormer notes what the former version may use: what exists before a source's pending migrations. Partitions
// are used by the name of their root.
func (c *checker) startFormer() {
	c.known = usable(c.existing, func(r relation) bool { return !r.partition && c.existed(r.oid) })
}
