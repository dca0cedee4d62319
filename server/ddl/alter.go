package ddl

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// change is how an object becomes another one of the same name.
type change struct {
	statements []string
	replace    bool   // drop it and create it again
	disturbs   bool   // views and policies that read it have to be replaced
	impossible string // why it cannot be written; otherwise empty
}

// alter returns the change that turns the object was into is.
func alter(was, is *Object) change {
	switch is.Kind {
	case "privileges", "default privileges":
		if was.privileges.equal(is.privileges) {
			return change{}
		}
		return change{statements: is.change(was.privileges, is.privileges)}
	case "column":
		from, to := decode[columnAttributes](was), decode[columnAttributes](is)
		statements, replace := alterColumn(from, to)
		return change{statements: statements, replace: replace, disturbs: from.typeName() != to.typeName()}
	case "table":
		return alterTable(is.Name, decode[tableAttributes](was), decode[tableAttributes](is))
	}
	if was.Create == is.Create || canonical(was.Create) == canonical(is.Create) {
		return change{}
	}
	switch is.Kind {
	case "schema", "extension":
		return change{impossible: "it differs, and cannot be altered by a script"}
	case "enum":
		return alterEnum(is.Name, decode[enumAttributes](was).Labels, decode[enumAttributes](is).Labels)
	case "composite":
		return alterComposite(is.Name, decode[compositeAttributes](was).Parts, decode[compositeAttributes](is).Parts)
	case "domain":
		return alterDomain(is.Name, decode[domainAttributes](was), decode[domainAttributes](is))
	case "sequence":
		return change{statements: []string{"alter " + is.Name + decode[struct{ Options string }](is).Options}}
	case "sequence owner", "default", "comment", "owner", "replica identity":
		return change{statements: []string{is.Create}}
	case "function":
		if sameAttributes(was, is) {
			return change{statements: []string{is.Create}}
		}
	case "view":
		before, after := decode[viewAttributes](was).Columns, decode[viewAttributes](is).Columns
		if len(before) <= len(after) && slices.Equal(before, after[:len(before)]) {
			return change{statements: []string{"create or replace" + strings.TrimPrefix(is.Create, "create")}}
		}
	}
	return change{replace: true}
}

func sameAttributes(a, b *Object) bool { return bytes.Equal(a.attributes, b.attributes) }

type (
	enumAttributes      struct{ Labels []string }
	compositeAttributes struct{ Parts []part }
	part                struct{ Name, Type string }
	domainAttributes    struct {
		Base, Default string
		NotNull       bool
	}
	viewAttributes struct{ Columns []string }
)

// alterEnum adds values. PostgreSQL cannot remove or move one.
func alterEnum(name string, from, to []string) (c change) {
	for _, label := range from {
		if !slices.Contains(to, label) {
			return change{impossible: fmt.Sprintf("PostgreSQL cannot remove the value %s", quoteLiteral(label))}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(to), func(label string) bool { return !slices.Contains(from, label) })
	if !slices.Equal(kept, from) {
		return change{impossible: "PostgreSQL cannot change the order of its values"}
	}
	for i, label := range to {
		if slices.Contains(from, label) {
			continue
		}
		where := ""
		switch {
		case i > 0:
			where = " after " + quoteLiteral(to[i-1])
		case len(from) > 0:
			where = " before " + quoteLiteral(from[0])
		}
		c.statements = append(c.statements, "alter "+name+" add value "+quoteLiteral(label)+where)
	}
	return c
}

func alterComposite(name string, from, to []part) (c change) {
	find := func(list []part, name string) int {
		return slices.IndexFunc(list, func(p part) bool { return p.Name == name })
	}
	for _, p := range from {
		if find(to, p.Name) < 0 {
			c.statements = append(c.statements, "alter "+name+" drop attribute "+quoteName(p.Name))
		}
	}
	for _, p := range to {
		switch i := find(from, p.Name); {
		case i < 0:
			c.statements = append(c.statements, "alter "+name+" add attribute "+quoteName(p.Name)+" "+p.Type)
		case from[i].Type != p.Type:
			c.statements = append(c.statements, "alter "+name+" alter attribute "+quoteName(p.Name)+" type "+p.Type)
		}
	}
	if c.statements == nil {
		return change{impossible: "PostgreSQL cannot change the order of its attributes"}
	}
	return c
}

func alterDomain(name string, from, to domainAttributes) (c change) {
	if from.Base != to.Base {
		return change{replace: true}
	}
	if from.Default != to.Default {
		action := "set default " + to.Default
		if to.Default == "" {
			action = "drop default"
		}
		c.statements = append(c.statements, "alter "+name+" "+action)
	}
	if from.NotNull != to.NotNull {
		action := "drop"
		if to.NotNull {
			action = "set"
		}
		c.statements = append(c.statements, "alter "+name+" "+action+" not null")
	}
	if c.statements == nil {
		return change{replace: true} // the collation
	}
	return c
}

func alterTable(name string, from, to tableAttributes) (c change) {
	if from.Partitioned != to.Partitioned || from.Bound != to.Bound || !slices.Equal(from.Parents, to.Parents) {
		return change{impossible: "its partitions or parents differ"}
	}
	if from.Unlogged != to.Unlogged {
		action := "logged"
		if to.Unlogged {
			action = "unlogged"
		}
		c.statements = append(c.statements, "alter "+name+" set "+action)
	}
	if from.Options != to.Options {
		if from.Options != "" {
			var names []string
			for option := range strings.SplitSeq(from.Options, ", ") {
				key, _, _ := strings.Cut(option, "=")
				names = append(names, key)
			}
			c.statements = append(c.statements, "alter "+name+" reset ("+strings.Join(names, ", ")+")")
		}
		if to.Options != "" {
			c.statements = append(c.statements, "alter "+name+" set ("+to.Options+")")
		}
	}
	return c
}

// quoteName returns an identifier in quotes.
func quoteName(name string) string { return pgx.Identifier{name}.Sanitize() }
