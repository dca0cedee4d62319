package plan

import (
	"slices"

	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Kind is the kind of a mutation.
type Kind string

// The kinds.
const (
	Insert Kind = "insert"
	Update Kind = "update"
	Delete Kind = "delete"
)

// Resolution is the handling of existing rows in an insert. If it is empty, the insert
// fails.
type Resolution string

// The resolutions.
const (
	MergeDuplicates  Resolution = "merge-duplicates"
	IgnoreDuplicates Resolution = "ignore-duplicates"
)

// Mutation is an insert, update or delete and the read that forms its response.
type Mutation struct {
	Kind       Kind
	Table      *schema.Table
	Columns    []*schema.Column // columns set by the payload
	Defaults   bool             // missing=default: a missing key means the column's default
	Where      []Condition
	Resolution Resolution
	Put        bool     // a PUT of the single row identified by Where
	Conflict   []string // columns of the unique constraint
	Returning  []Column // columns of the changed rows that the outer select needs
	Read       *Read    // forms the response; nil for a minimal response

	MaxRows       *int64 // limit= of an update or delete: the maximum number of changed rows
	FiltersUnused bool   // an insert has filters, which have no effect

	LegacyNames []LegacyName // legacy names used in filters, orders and limits
}

// Change holds the properties of a write that do not come from its query string.
type Change struct {
	Kind       Kind
	Keys       []string // keys of the payload
	Defaults   bool
	Resolution Resolution
	Put        bool
	Return     bool // return=representation
	KeyOnly    bool // return=headers-only: the primary key, for Location
}

// ForMutation plans a write. All names in the query string are resolved, even if a
// minimal response does not need them: a filter that does not apply to the changed
// rows must fail and must not be dropped.
//
// Errors: those of ForTable; 400 PGRST204 for an unknown column of the payload;
// 400 PLZ008 for an update or delete with an offset; 400 42703 for an unknown
// column that does not appear in the statement.
func ForMutation(s *schema.Snapshot, name schema.Name, q *query.Query, change Change, limits Limits) (*Mutation, error) {
	table, ok := s.Table(name)
	if !ok {
		return nil, unknownTable(s, name)
	}
	if err := checkNames(table, q); err != nil {
		return nil, err
	}
	own, embedded := splitFilters(q.Filters)
	m := &Mutation{Kind: change.Kind, Table: table, Defaults: change.Defaults, Resolution: change.Resolution, Put: change.Put}
	if change.Put {
		if err := m.checkPut(q, own); err != nil {
			return nil, err
		}
	}
	read, err := m.planResponse(s, q, embedded, limits)
	if err != nil {
		return nil, err
	}
	if err := m.columns(q, change); err != nil {
		return nil, err
	}
	m.conflict(q)
	if err := m.filter(s, own, limits); err != nil {
		return nil, err
	}
	if change.KeyOnly {
		for _, key := range table.PrimaryKey {
			m.Returning = append(m.Returning, Column{Field: query.FieldRef{Name: key}})
		}
	}
	if change.Return {
		m.Read, m.Returning = read, returning(read)
		return m, nil
	}
	return m, (&planner{schema: s}).checkFields(read)
}

// planResponse plans the read of the changed rows. A limit on an insert applies to
// the returned rows. A limit on an update or delete is the maximum number of rows
// that it may change.
func (m *Mutation) planResponse(s *schema.Snapshot, q *query.Query, filters []query.PathFilter, limits Limits) (*Read, error) {
	response := *q
	response.Filters = filters
	read, err := forRows(s, m.Table.Name, m.Table.Name.Name, &response, Limits{Aggregates: limits.Aggregates, LegacyNames: limits.LegacyNames})
	if err != nil {
		return nil, err
	}
	if m.LegacyNames = read.LegacyNames; m.Kind == Insert {
		return read, nil
	}
	if read.Offset != nil && *read.Offset > 0 {
		return nil, apierr.New(400, "PLZ008", "An update or delete cannot skip rows").
			WithHint("Remove offset, and choose the rows by filters.")
	}
	m.MaxRows, read.Limit, read.Offset = read.Limit, nil, nil
	return read, nil
}

// filter plans the filters that choose the rows to change.
func (m *Mutation) filter(s *schema.Snapshot, filters []query.PathFilter, limits Limits) error {
	target := &Read{Table: m.Table.Name, Alias: m.Table.Name.Name}
	p := &planner{schema: s, limits: limits}
	if err := p.filter(slices.Repeat([]*Read{target}, len(filters)), filters); err != nil {
		return err
	}
	switch {
	case m.Kind == Insert && !m.Put:
		m.FiltersUnused = len(filters) > 0
		return p.checkFields(target)
	case m.Kind == Update && len(m.Columns) == 0: // the statement has no effect
		return p.checkFields(target)
	}
	m.Where = target.Where
	return nil
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
			return unknownColumn(m.Table, key)
		}
		m.Columns = append(m.Columns, column)
	}
	return nil
}

func (m *Mutation) conflict(q *query.Query) {
	if m.Resolution == "" {
		return
	}
	m.Conflict = q.OnConflict
	if len(m.Conflict) == 0 {
		m.Conflict = m.Table.PrimaryKey
	}
	if len(m.Conflict) == 0 {
		m.Resolution = "" // nothing can conflict
	}
}

// checkPut requires filters that identify the row by its complete primary key and nothing else.
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

// splitFilters separates filters on the changed rows from those on their embeds.
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

// returning lists the columns of the changed rows that the response needs: those
// that are selected, ordered by, or joined on.
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
