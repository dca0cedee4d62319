package schema

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Views maps the pg_class.oid of views to their columns, in order.
type Views map[uint32][]ViewColumn

// ViewColumn is the origin of a view's column.
type ViewColumn struct {
	Table  uint32 // pg_class.oid of the table or view it is copied from; 0 if it is computed
	Column int    // its attnum there
}

// lineage maps the columns of one table to the columns of a view.
type lineage struct {
	view    Name
	columns map[int][]string // attnum of the table → the view's names for it
}

// loadViews reads every view's definition and resolves views on views.
func loadViews(ctx context.Context, db Querier) (map[uint32][]lineage, error) {
	rows, err := db.Query(ctx, viewsSQL)
	if err != nil {
		return nil, err
	}
	views, names, columnNames := make(Views), make(map[uint32]Name), make(map[uint32][]string)
	var oid uint32
	var name Name
	var columns []string
	var tree string
	_, err = pgx.ForEachRow(rows, []any{&oid, &name.Schema, &name.Name, &columns, &tree}, func() error {
		views[oid], names[oid], columnNames[oid] = ViewColumns(tree), name, slices.Clone(columns)
		return nil
	})
	if err != nil {
		return nil, err
	}
	shown := make(map[uint32][]lineage)
	for _, oid := range slices.Sorted(maps.Keys(views)) {
		from := make(map[uint32]map[int][]string)
		for i, column := range views[oid] {
			table, attnum := views.Origin(column)
			if table == 0 || i >= len(columnNames[oid]) {
				continue
			}
			if from[table] == nil {
				from[table] = make(map[int][]string)
			}
			from[table][attnum] = append(from[table][attnum], columnNames[oid][i])
		}
		for table, columns := range from {
			shown[table] = append(shown[table], lineage{names[oid], columns})
		}
	}
	return shown, nil
}

// maxNesting is the maximum depth of views on views.
const maxNesting = 64

// Origin follows a column through views to its table. The table is 0 if the column is
// computed.
func (v Views) Origin(column ViewColumn) (table uint32, attnum int) {
	for range maxNesting {
		inner, ok := v[column.Table]
		if !ok {
			return column.Table, column.Column
		}
		if column.Column < 1 || column.Column > len(inner) {
			return 0, 0
		}
		column = inner[column.Column-1]
	}
	return 0, 0
}

// ViewColumns reads the columns of a rule's outermost query from PostgreSQL's
// node tree (pg_rewrite.ev_action). Each TARGETENTRY contains the table and column of
// its origin, or 0. The result is in the order of the view's columns. Their names in the
// tree are those of the view's creation, even if they were renamed since.
//
// Source: PostgreSQL's src/backend/nodes/outfuncs.c for the format, parsenodes.h
// for the fields.
func ViewColumns(tree string) []ViewColumn {
	p := &nodeParser{text: tree}
	list, ok := p.field("({QUERY", "targetList")
	if !ok {
		return nil
	}
	var columns []ViewColumn
	entries := &nodeParser{text: list}
	for entries.skipTo('{') {
		entry := &nodeParser{text: entries.node()}
		fields := entry.fields("resorigtbl", "resorigcol", "resjunk")
		if fields["resjunk"] == "true" {
			continue
		}
		table, _ := strconv.ParseUint(fields["resorigtbl"], 10, 32)
		column, _ := strconv.Atoi(fields["resorigcol"])
		columns = append(columns, ViewColumn{uint32(table), column})
	}
	return columns
}

// nodeParser scans the text of a node tree.
type nodeParser struct {
	text string
	pos  int
}

// skipTo moves to the next unescaped occurrence of char and reports whether there is one.
func (p *nodeParser) skipTo(char byte) bool {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case char:
			return true
		case '\\':
			p.escaped()
		}
		p.pos++
	}
	return false
}

// escaped moves to the character after a backslash, if there is one.
func (p *nodeParser) escaped() {
	if p.pos+1 < len(p.text) {
		p.pos++
	}
}

// node returns the bracketed text that begins at the current position.
func (p *nodeParser) node() string {
	start, depth := p.pos, 0
	for ; p.pos < len(p.text); p.pos++ {
		switch p.text[p.pos] {
		case '\\':
			p.escaped()
		case '{', '(':
			depth++
		case '}', ')':
			if depth--; depth == 0 {
				p.pos++
				return p.text[start:p.pos]
			}
		}
	}
	return p.text[start:]
}

// field returns the bracketed value of a field of the first node.
func (p *nodeParser) field(start, name string) (string, bool) {
	if !strings.HasPrefix(p.text, start) {
		return "", false
	}
	p.pos = strings.IndexByte(p.text, '{')
	inner := &nodeParser{text: p.node()}
	value, ok := inner.fields(name)[name]
	return value, ok
}

// fields returns the named fields of the node, without those of nested nodes.
func (p *nodeParser) fields(names ...string) map[string]string {
	found := make(map[string]string, len(names))
	for p.pos = 1; p.skipTo(':'); {
		p.pos++
		name := p.word()
		p.skipSpace()
		var value string
		switch {
		case p.pos < len(p.text) && (p.text[p.pos] == '{' || p.text[p.pos] == '('):
			value = p.node()
		default:
			value = p.word()
		}
		if slices.Contains(names, name) {
			found[name] = value
		}
		p.skipValues()
	}
	return found
}

// skipValues skips further values of a field, as in ":a 1 [ 2 3 ]".
func (p *nodeParser) skipValues() {
	for p.pos < len(p.text) && p.text[p.pos] != ':' {
		switch p.text[p.pos] {
		case '{', '(':
			p.node()
			continue
		case '\\':
			p.escaped()
		}
		p.pos++
	}
}

func (p *nodeParser) skipSpace() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

func (p *nodeParser) word() string {
	start := p.pos
	for p.pos < len(p.text) && !strings.ContainsRune(" (){}", rune(p.text[p.pos])) {
		if p.text[p.pos] == '\\' {
			p.escaped()
		}
		p.pos++
	}
	return p.text[start:p.pos]
}
