package check

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/lazyregexp"
)

// lockLimit begins a migration that takes a strong lock for a moment only.
const lockLimit = "set local lock_timeout = '5s';\n"

// form collects the safe form of a statement.
type form struct {
	ctx   context.Context
	conn  *pgx.Conn
	table relation
	steps []string
	notes []string
	err   error
}

func (f *form) step(lines ...string) { f.steps = append(f.steps, strings.Join(lines, "\n")) }

func (f *form) note(text string) { f.notes = append(f.notes, text) }

// alter returns a statement that alters the table.
func (f *form) alter(what string) string { return "alter table " + f.table.String() + " " + what + ";" }

// text returns the value of a query. An error is kept in f.err.
func (f *form) text(query string, args ...any) (value string) {
	if f.err == nil {
		f.err = f.conn.QueryRow(f.ctx, query, args...).Scan(&value)
	}
	return value
}

// safeForm returns migrations that do what a statement did to a table, and block nothing for long. note is advice for the
// user, also where there are no such migrations.
func safeForm(ctx context.Context, conn *pgx.Conn, e effect, g *group) (steps []string, note string, err error) {
	f := &form{ctx: ctx, conn: conn, table: g.root}
	switch {
	case g.rewritten && g.moved, g.rewritten && g.reformed:
		f.note("There is none: create a new table, copy the rows in parts while a trigger keeps them up to date, and exchange the names; or allow it for a quiet hour.")
	case g.rewritten && g.root.kind == "m":
		f.refresh(e, g)
	default:
		f.columns(g)
		f.required(g)
		f.constraints(e, g)
		f.indexes(g)
		f.partitions(e, g)
	}
	if len(f.steps)+len(f.notes) == 0 {
		f.others(e, g)
	}
	return f.steps, strings.Join(f.notes, " "), f.err
}

// derived returns a name made of others. It is short enough for PostgreSQL, and needs no quotes.
func derived(parts ...string) string {
	name := unsafeInName().ReplaceAllString(strings.Join(parts, "_"), "_")
	return strings.Trim(name[:min(len(name), 55)], "_")
}

var unsafeInName = lazyregexp.New(`[^a-z0-9_]+`)

const batches = "Update a large table in parts, outside of migrations, before the migration with the update runs."

// columns adds the steps for new columns and for those of another type.
func (f *form) columns(g *group) {
	for _, c := range g.newColumns {
		f.newColumn(g, c)
	}
	for _, c := range g.retyped {
		next := derived(c.name, "new")
		sync := derived(f.table.name, next)
		function := f.table.schema + "." + sync
		f.step(lockLimit+f.alter("add column "+next+" "+c.kind),
			"create function "+function+"() returns trigger language plpgsql as $$\nbegin\n  new."+next+" := new."+c.name+";\n  return new;\nend\n$$;",
			"create trigger "+sync+" before insert or update on "+f.table.String()+" for each row execute function "+function+"();")
		f.step("update " + f.table.String() + " set " + next + " = " + c.name + "::" + c.kind + " where " + next + " is null and " + c.name + " is not null;")
		f.step(lockLimit+"drop trigger "+sync+" on "+f.table.String()+";", "drop function "+function+"();",
			f.alter("drop column "+c.name), f.alter("rename column "+next+" to "+c.name))
		f.note("What " + c.name + " has besides its type (default, not null, constraints, indexes) is made for " + next + " before the exchange. " + batches)
	}
}

func (f *form) newColumn(g *group, c column) {
	if c.generated != "" {
		f.note("A stored generated column always has the table written anew: add an ordinary column, fill it by a trigger, and update the rows in parts.")
		return
	}
	expression := f.text("select coalesce(("+columnDefault+"), '')", c.key.table, c.key.number)
	add := f.alter("add column " + c.name + " " + c.kind)
	switch {
	case !g.rewritten:
		if expression != "" {
			add = f.alter("add column " + c.name + " " + c.kind + " default " + expression)
		}
		f.step(lockLimit + add)
	default:
		sequence := derived(f.table.name, c.name, "seq")
		owned := c.identity != ""
		if inner, ok := strings.CutPrefix(expression, "nextval('"); ok && len(g.newColumns) > 0 {
			name, _, _ := strings.Cut(inner, "'")
			_, name, _ = strings.Cut("."+name, ".")
			sequence, owned = name[strings.LastIndex(name, ".")+1:], true
		}
		if owned {
			expression = "nextval('" + f.table.schema + "." + sequence + "')"
			f.step(lockLimit+"create sequence "+f.table.schema+"."+sequence+";", add,
				"alter sequence "+f.table.schema+"."+sequence+" owned by "+f.table.String()+"."+c.name+";",
				f.alter("alter column "+c.name+" set default "+expression))
		} else {
			f.step(lockLimit+add, f.alter("alter column "+c.name+" set default "+expression))
		}
		f.step("update " + f.table.String() + " set " + c.name + " = " + expression + " where " + c.name + " is null;")
		f.note(batches)
	}
	if c.notNull {
		f.notNull(c)
	}
}

// required adds the steps for columns that became not null.
func (f *form) required(g *group) {
	for _, c := range g.required {
		f.notNull(c)
	}
}

func (f *form) notNull(c column) {
	name := derived(f.table.name, c.name, "not_null")
	f.step(lockLimit + f.alter("add constraint "+name+" check ("+c.name+" is not null) not valid"))
	f.step(f.alter("validate constraint " + name))
	f.step(lockLimit+f.alter("alter column "+c.name+" set not null"), f.alter("drop constraint "+name))
}

// constraints adds the steps for new constraints of the table, and of domains.
func (f *form) constraints(e effect, g *group) {
	drop := dropped(e, g)
	for _, c := range g.added {
		definition := f.text(constraintText, c.oid)
		switch c.kind {
		case "x":
			f.note("There is none: PostgreSQL cannot build the index of an exclusion constraint while rows are written. Add it to a new table, copy the rows in parts while a trigger " +
				"keeps them up to date, and exchange the names; or allow it for a quiet hour.")
		case "u", "p":
			if g.root.kind == "p" {
				f.note("Create a unique index on each partition with create unique index concurrently, then add the constraint: it takes those indexes.")
				continue
			}
			index := e.after.relations[c.index]
			built := index
			if drop != "" { // the dropped one may have the index of this name
				built.name = derived(index.name, "new")
			}
			f.concurrently(index, built.name)
			_, deferrable, _ := strings.Cut(definition[strings.LastIndex(definition, ")")+1:], " ")
			kind := map[string]string{"u": "unique", "p": "primary key"}[c.kind]
			f.step(lockLimit + f.alter(strings.TrimSpace(drop+"add constraint "+c.name+" "+kind+" using index "+built.name+" "+strings.ToLower(deferrable))))
		default:
			f.step(lockLimit + f.alter(drop+"add constraint "+c.name+" "+definition+" not valid"))
			f.step(f.alter("validate constraint " + c.name))
		}
		drop = ""
	}
	for _, c := range e.after.constraints {
		if _, there := e.before.constraints[c.oid]; c.domain != 0 && !there && c.valid && !g.isChanged() {
			domain := f.text(domainName, c.domain)
			f.step(lockLimit + "alter domain " + domain + " add constraint " + c.name + " " + f.text(constraintText, c.oid) + " not valid;")
			f.note("It holds for new rows. To validate a constraint of a domain locks the tables as well: check the rows with a query, or allow it for a quiet hour.")
		}
	}
}

// dropped returns the clauses that drop the constraints which a statement dropped, for the statement that adds others.
func dropped(e effect, g *group) string {
	var text string
	for _, oid := range slices.Sorted(maps.Keys(e.before.constraints)) {
		c := e.before.constraints[oid]
		if _, there := e.after.constraints[oid]; !there && c.table == g.root.oid && c.kind != "n" {
			text += "drop constraint " + c.name + ", "
		}
	}
	return text
}

// indexes adds the steps for new indexes without a constraint, and for rebuilt ones.
func (f *form) indexes(g *group) {
	ofConstraint := make(map[uint32]bool)
	for _, c := range g.added {
		ofConstraint[c.index] = true
	}
	var parents, children []relation
	for _, index := range g.newIndexes {
		switch {
		case ofConstraint[index.oid] || ofConstraint[index.root]:
		case index.kind == "I":
			parents = append(parents, index)
		case index.root != index.oid:
			children = append(children, index)
		default:
			f.concurrently(index, index.name)
		}
	}
	if len(parents) > 0 {
		var only, attach []string
		for _, index := range parents {
			only = append(only, f.text(indexText, index.oid)+";")
		}
		f.step(lockLimit + strings.Join(only, "\n"))
		for _, index := range children {
			f.concurrently(index, index.name)
			attach = append(attach, "alter index "+f.table.schema+"."+rootName(g, index)+" attach partition "+index.String()+";")
		}
		f.step(strings.Join(attach, "\n"))
	}
	if g.rewritten {
		return
	}
	for _, index := range g.rebuilt {
		f.step("reindex index concurrently " + index.String() + ";")
	}
}

func rootName(g *group, index relation) string {
	for _, r := range g.newIndexes {
		if r.oid == index.root {
			return r.name
		}
	}
	return index.name
}

// concurrently adds a migration that creates an index under a name without blocking writes. It first drops what an
// interrupted attempt has left.
func (f *form) concurrently(index relation, name string) {
	definition := strings.Replace(f.text(indexText, index.oid), " INDEX "+index.name+" ", " INDEX CONCURRENTLY "+name+" ", 1)
	f.step("drop index concurrently if exists "+index.schema+"."+name+";", definition+";")
}

// partitions adds the steps for tables that became partitions.
func (f *form) partitions(e effect, g *group) {
	for _, child := range g.attached {
		name := derived(child.name, "bound")
		f.step(lockLimit + "alter table " + child.String() + " add constraint " + name + " check (" + f.text(partitionBound, child.oid) + ") not valid;")
		f.step("alter table " + child.String() + " validate constraint " + name + ";")
		f.step(lockLimit+e.statement.Text+";", "alter table "+child.String()+" drop constraint "+name+";")
	}
}

func (f *form) refresh(e effect, g *group) {
	for _, r := range e.after.relations {
		if r.table == g.root.oid && r.unique {
			f.step("refresh materialized view concurrently " + g.root.String() + ";")
			return
		}
	}
	f.note("Create a unique index on the view, then: refresh materialized view concurrently " + g.root.String() + ";")
}

// others adds the steps for statements that change nothing in the catalogue, or only validate a constraint.
func (f *form) others(e effect, g *group) {
	switch before := strings.TrimSpace(e.statement.Before); {
	case g.rewritten:
		f.step("vacuum (analyze) " + g.root.String() + ";")
		f.note("It makes the space of deleted rows usable again, and holds up nothing. Where the file must become smaller, pg_repack writes a table anew beside its use.")
	case before != "" && len(e.took) == 0:
		f.step(before)
		f.step(e.statement.Text + ";")
		f.note("In a migration of its own, after the locks of the one before are released.")
	default:
		f.note("Divide it into statements, each in a migration of its own, so that the one that reads the table runs without the lock.")
	}
}
