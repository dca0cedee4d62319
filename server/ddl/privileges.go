package ddl

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// privileges holds the privileges of each grantee, and whether they may grant them on.
type privileges map[string]map[string]bool

func (p privileges) add(grantee string, grantable bool, names []string) {
	if p[grantee] == nil {
		p[grantee] = map[string]bool{}
	}
	for _, name := range names {
		p[grantee][name] = p[grantee][name] || grantable
	}
}

func (p privileges) equal(other privileges) bool {
	return maps.EqualFunc(p, other, func(a, b map[string]bool) bool { return maps.Equal(a, b) })
}

// grantee is a row of listPrivileges.
type grantee struct {
	Class, ID uint32
	Sub       int32
	Initial   bool
	Name      string
	Grantable bool
	List      []string
}

func (r *reader) readPrivileges(ctx context.Context) error {
	found, err := collect[grantee](ctx, r, listPrivileges, r.schemas)
	if err != nil {
		return err
	}
	for _, g := range found {
		name, known := r.names[address{g.Class, g.ID, g.Sub}]
		if !known || r.isPart(address{g.Class, g.ID, 0}) {
			continue
		}
		of := r.schema.objects[name]
		p := r.schema.objects["privileges of "+name]
		if p == nil {
			p = r.schema.property(of, "privileges", "", "")
			p.privileges, p.initial = privileges{}, privileges{}
			p.attributes = of.attributes
			if of.Kind == "column" {
				p.need("privileges of " + of.goesWith) // to revoke one of the table's takes it from the columns, too
			}
		}
		p.holders(g.Initial).add(g.Name, g.Grantable, g.List)
	}
	return nil
}

// holders returns the object's initial or current privileges.
func (o *Object) holders(initial bool) privileges {
	if initial {
		return o.initial
	}
	return o.privileges
}

func (r *reader) readDefaultPrivileges(ctx context.Context) error {
	type defaults struct {
		On, Owner, Schema string
		Initial           bool
		Grantee           string
		Grantable         bool
		List              []string
	}
	found, err := collect[defaults](ctx, r, listDefaultPrivileges, r.schemas)
	if err != nil {
		return err
	}
	for _, d := range found {
		o := &Object{Kind: "default privileges", Name: "default privileges on " + d.On, grantOn: d.On, privileges: privileges{}, initial: privileges{}}
		if d.Schema != "" {
			o.Name += " in schema " + d.Schema
			o.goesWith = "schema " + d.Schema
			o.need(o.goesWith)
		}
		if known := r.schema.objects[o.Name]; known != nil {
			o = known
		}
		r.schema.objects[o.Name] = o
		o.holders(d.Initial).add(d.Grantee, d.Grantable, d.List)
	}
	return nil
}

// allPrivileges are the privileges that "all" stands for. MAINTAIN, which came with PostgreSQL 17, is
// written out, so that older versions can read the rest.
var allPrivileges = map[string][]string{
	"table":    {"delete", "insert", "references", "select", "trigger", "truncate", "update"},
	"sequence": {"select", "update", "usage"},
	"schema":   {"create", "usage"},
}

// change returns the statements that turn the privileges from into to.
func (o *Object) change(from, to privileges) (statements []string) {
	grantees := slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, p := range []privileges{from, to} {
			for name := range p {
				if !yield(name) {
					return
				}
			}
		}
	}))
	for _, name := range grantees {
		var revoked, ungrantable, granted, grantable []string
		for privilege, may := range from[name] {
			if mayLater, keeps := to[name][privilege]; !keeps {
				revoked = append(revoked, privilege)
			} else if may && !mayLater {
				ungrantable = append(ungrantable, privilege)
			}
		}
		for privilege, may := range to[name] {
			switch mayBefore, had := from[name][privilege]; {
			case may && !mayBefore:
				grantable = append(grantable, privilege)
			case !had:
				granted = append(granted, privilege)
			}
		}
		for _, s := range []struct {
			verb, end string
			list      []string
		}{
			{"revoke ", " from " + name, revoked},
			{"revoke grant option for ", " from " + name, ungrantable},
			{"grant ", " to " + name, granted},
			{"grant ", " to " + name + " with grant option", grantable},
		} {
			if len(s.list) > 0 {
				statements = append(statements, o.privilegeStatement(s.verb, s.list, s.end))
			}
		}
	}
	return statements
}

func (o *Object) privilegeStatement(verb string, list []string, end string) string {
	slices.Sort(list)
	if o.Kind == "default privileges" {
		where := ""
		if o.goesWith != "" {
			where = "in " + o.goesWith + " "
		}
		all := allPrivileges[strings.TrimSuffix(o.grantOn, "s")]
		return "alter default privileges " + where + verb + joinPrivileges(list, all, "") + " on " + o.grantOn + end
	}
	column := ""
	if strings.HasPrefix(o.goesWith, "column ") {
		column = " (" + decode[columnAttributes](o).Name + ")"
	}
	kind, _, _ := strings.Cut(o.grantOn, " ")
	return verb + joinPrivileges(list, allPrivileges[kind], column) + " on " + o.grantOn + end
}

// joinPrivileges joins names, each with the column it is about, if any. All of all are "all".
func joinPrivileges(list, all []string, column string) string {
	if rest := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return name == "maintain" }); column == "" && len(all) > 0 && slices.Equal(rest, all) {
		return "all"
	}
	return strings.Join(list, column+", ") + column
}
