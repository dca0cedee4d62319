package plan

import (
	"slices"

	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Kind is what a mutation does.
type Kind string

// The kinds.
const (
	Insert Kind = "insert"
	Update Kind = "update"
	Delete Kind = "delete"
)

// Resolution is what an insert does with a row that is there already.
type Resolution string

// The resolutions; the empty one fails.
const (
	MergeDuplicates  Resolution = "merge-duplicates"
	IgnoreDuplicates Resolution = "ignore-duplicates"
)

// Mutation is an insert, update or delete and what is answered of the rows.
type Mutation struct {
	Kind       Kind
	Table      *schema.Table
	Columns    []*schema.Column // columns the payload gives
	Defaults   bool             // missing=default: a key that is missing takes the column's default
	Where      []Condition
	Resolution Resolution
	Put        bool     // the row that Where names, and no other
	Conflict   []string // columns of the unique constraint
	Returning  []Column // what the outer select needs of the changed rows
	Read       *Read    // shapes the answer; nil for a minimal one
}

// Change says what a write asks beyond its query string.
type Change struct {
	Kind       Kind
	Keys       []string // keys of the payload
	Defaults   bool
	Resolution Resolution
	Put        bool
	Answer     bool // return=representation
	KeyOnly    bool // return=headers-only: the primary key, for Location
}

// ForMutation plans a write.
//
// Errors: 404 PGRST205 for an unknown table; 400 PGRST204 for an unknown column.
func ForMutation(s *schema.Snapshot, name schema.Name, q *query.Query, change Change, limits Limits) (*Mutation, error) {
	table, ok := s.Table(name)
	if !ok {
		return nil, unknownTable(s, name)
	}
	m := &Mutation{Kind: change.Kind, Table: table, Defaults: change.Defaults, Resolution: change.Resolution, Put: change.Put}
	if err := m.columns(q, change); err != nil {
		return nil, err
	}
	if err := m.conflict(q); err != nil {
		return nil, err
	}
	own, rest := splitFilters(q.Filters)
	if change.Put {
		if err := m.checkPut(q, own); err != nil {
			return nil, err
		}
	}
	target := &Read{Table: name, Alias: name.Name}
	p := &planner{schema: s, limits: limits}
	if change.Kind != Insert || change.Put {
		if err := p.filter(target, own); err != nil {
			return nil, err
		}
		m.Where = target.Where
	}
	if change.KeyOnly {
		for _, key := range table.PrimaryKey {
			m.Returning = append(m.Returning, Column{Field: query.FieldRef{Name: key}})
		}
	}
	if !change.Answer {
		return m, nil
	}
	answer := *q
	answer.Filters = rest
	answer.Ranges = slices.DeleteFunc(slices.Clone(q.Ranges), func(r query.PathRange) bool { return len(r.Path) == 0 })
	read, err := forRows(s, name, name.Name, &answer, Limits{Aggregates: limits.Aggregates})
	if err != nil {
		return nil, err
	}
	m.Read, m.Returning = read, returning(read)
	return m, nil
}

func (m *Mutation) columns(q *query.Query, change Change) error {
	keys := change.Keys
	if q.HasColumns {
		keys = q.Columns
	}
	if change.Kind == Delete {
		keys = nil
	}
	for _, key := range keys {
		column, ok := m.Table.Column(key)
		if !ok {
			return apierr.New(400, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", key, m.Table.Name.Name)
		}
		m.Columns = append(m.Columns, column)
	}
	return nil
}

func (m *Mutation) conflict(q *query.Query) error {
	if m.Resolution == "" {
		return nil
	}
	m.Conflict = q.OnConflict
	if len(m.Conflict) == 0 {
		m.Conflict = m.Table.PrimaryKey
	}
	if len(m.Conflict) == 0 {
		m.Resolution = "" // nothing can conflict
		return nil
	}
	for _, key := range m.Conflict {
		if _, ok := m.Table.Column(key); !ok {
			return apierr.New(400, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", key, m.Table.Name.Name)
		}
	}
	return nil
}

// checkPut wants the row named by its whole primary key and by nothing else.
//
// Errors: 400 PGRST114; 405 PGRST105.
func (m *Mutation) checkPut(q *query.Query, filters []query.PathFilter) error {
	if slices.ContainsFunc(q.Ranges, func(r query.PathRange) bool { return len(r.Path) == 0 }) {
		return apierr.New(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
	}
	named := make(map[string]bool)
	for _, entry := range filters {
		filter, plain := entry.Condition.(query.Filter)
		if !plain || filter.Operator != "eq" || filter.Negated || filter.Quantifier != query.None || len(filter.Field.JSON) > 0 ||
			!slices.Contains(m.Table.PrimaryKey, filter.Field.Name) {
			return errPutFilters
		}
		named[filter.Field.Name] = true
	}
	if len(named) == 0 || len(named) != len(m.Table.PrimaryKey) {
		return errPutFilters
	}
	return nil
}

var errPutFilters = apierr.New(405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators")

// splitFilters tells filters on the changed rows from those on their embeds.
func splitFilters(filters []query.PathFilter) (own, embedded []query.PathFilter) {
	for _, f := range filters {
		if len(f.Path) == 0 {
			own = append(own, f)
		} else {
			embedded = append(embedded, f)
		}
	}
	return own, embedded
}

// returning lists the columns of the changed rows that the answer is made of:
// those selected, ordered by, and joined on.
func returning(read *Read) []Column {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, column := range read.Columns {
		if column.Star {
			return []Column{{Star: true}}
		}
		add(column.Field.Name)
	}
	for _, order := range read.Order {
		if order.Embed == nil {
			add(order.Field.Name)
		}
	}
	for _, embed := range read.Embeds {
		switch r := embed.Relation; {
		case r.Function != nil:
			return []Column{{Star: true}}
		case r.Junction != nil:
			for _, pair := range r.Junction.FromColumns {
				add(pair.From)
			}
		default:
			for _, pair := range r.Columns {
				add(pair.From)
			}
		}
	}
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i] = Column{Field: query.FieldRef{Name: name}}
	}
	return columns
}
