package plan

import (
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// Limits holds the settings that restrict requests.
type Limits struct {
	MaxRows    int64 // db-max-rows; 0 means no limit
	Aggregates bool  // db-aggregates-enabled

	LegacyNames bool // url-use-legacy-target-names
}

// planner holds the state that all levels of one request share.
type planner struct {
	schema *schema.Snapshot
	limits Limits
	made   int // number of aliases made so far, to make each unique
	depth  int // depth of the read whose select is planned; the root has 0

	results []schema.Argument // columns of a function's rows, if they are not rows of a table

	search map[*Read][]*Embed // lookup order of a read's embeds, if it differs from the order in select
}

// ForTable plans a select on a table.
//
// Errors: 404 PGRST205 for an unknown table; 400 PGRST200, 300 PGRST201 for an embed
// with no or with several relationships; 400 PGRST108, PGRST118, PGRST120 for filters
// and orders that do not match the embeds.
func ForTable(s *schema.Snapshot, name schema.Name, q *query.Query, limits Limits) (*Read, error) {
	table, ok := s.Table(name)
	if !ok {
		return nil, unknownTable(s, name)
	}
	if err := checkNames(table, q); err != nil {
		return nil, err
	}
	return forRows(s, name, name.Name, q, limits)
}

// forRows plans a select on the rows of a table, of a mutation's result, or of a
// function's result.
func forRows(s *schema.Snapshot, name schema.Name, alias string, q *query.Query, limits Limits) (*Read, error) {
	p := &planner{schema: s, limits: limits}
	return p.rows(name, alias, q)
}

func (p *planner) rows(name schema.Name, alias string, q *query.Query) (*Read, error) {
	read := &Read{Table: name, Alias: alias}
	items := q.Select
	if len(items) == 0 {
		items = []query.SelectItem{query.Star{}}
	}
	if err := p.selectInto(read, items); err != nil {
		return nil, err
	}
	targets, err := p.targets(read, q)
	if err != nil {
		return nil, err
	}
	if err := p.filter(targets.filters, q.Filters); err != nil {
		return nil, err
	}
	if err := p.order(targets.orders, q.Orders); err != nil {
		return nil, err
	}
	read.LegacyNames = p.legacyNames(read)
	setRanges(targets.ranges, q.Ranges)
	return read, p.applyLimits(read, false)
}

func (p *planner) selectInto(read *Read, items []query.SelectItem) error {
	for _, item := range items {
		switch item := item.(type) {
		case query.Star:
			read.Columns = append(read.Columns, p.star(read)...)
		case query.Field:
			if item.Aggregate != "" && !p.limits.Aggregates {
				return apierr.New(400, "PGRST123", "Use of aggregate functions is not allowed")
			}
			read.Columns = append(read.Columns, Column{
				Field: p.fieldOf(read, query.FieldRef{Name: item.Name, JSON: item.JSON}), Cast: item.Cast, As: keyOf(item),
				Aggregate: item.Aggregate, AggregateCast: item.AggregateCast,
			})
			p.setToJSON(read, &read.Columns[len(read.Columns)-1])
		case query.Embed:
			embed, err := p.embed(read, item)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(read.Embeds, func(e *Embed) bool { return e.Key == embed.Key }) {
				return p.duplicateKey(read, embed.Key)
			}
			read.Embeds = append(read.Embeds, embed)
		}
	}
	if read.Grouped() {
		read.Stars = p.tableColumns(read)
	}
	return nil
}

// duplicateKey returns the error for two embeds with the same key.
// Source: in upstream, PostgreSQL rejects the statement with this message.
func (p *planner) duplicateKey(parent *Read, key string) error {
	return apierr.New(400, "42712", "table name \"%s_%s_%d\" specified more than once", parent.Table.Name, key, p.depth+1)
}

// star returns the columns for "*". They are listed individually if a column is
// converted to JSON by a function.
func (p *planner) star(read *Read) []Column {
	table, ok := p.schema.Table(read.Table)
	if !ok || !table.HasRepresentations() {
		return []Column{{Star: true}}
	}
	columns := make([]Column, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = Column{Field: query.FieldRef{Name: c.Name}}
		p.setToJSON(read, &columns[i])
	}
	return columns
}

// setToJSON sets the function that converts a column to JSON, if there is one.
func (p *planner) setToJSON(read *Read, column *Column) {
	if column.Aggregate != "" || len(column.Field.JSON) > 0 {
		return
	}
	table, ok := p.schema.Table(read.Table)
	if !ok {
		return
	}
	if known, ok := table.Column(column.Field.Name); ok && known.ToJSON != (schema.Name{}) {
		column.ToJSON = known.ToJSON
		if column.As == "" {
			column.As = column.Field.Name
		}
	}
}

// fieldOf sets Convert if a JSON path is applied to a column that is not JSON.
func (p *planner) fieldOf(read *Read, field query.FieldRef) query.FieldRef {
	if len(field.JSON) == 0 {
		return field
	}
	if table, ok := p.schema.Table(read.Table); ok {
		column, known := table.Column(field.Name)
		field.Convert = known && column.BaseType != "json" && column.BaseType != "jsonb"
	}
	for _, result := range p.results {
		if result.Name == field.Name {
			field.Convert = result.Type != "json" && result.Type != "jsonb"
		}
	}
	return field
}

func (p *planner) tableColumns(read *Read) []string {
	table, ok := p.schema.Table(read.Table)
	if !ok {
		return nil
	}
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = column.Name
	}
	return names
}

// keyOf returns a field's key in the response: the alias, or the last name of a JSON
// path. An empty key means the column's own name.
func keyOf(f query.Field) string {
	if f.Alias != "" {
		return f.Alias
	}
	if f.Aggregate != "" {
		return f.Aggregate
	}
	for i := len(f.JSON) - 1; i >= 0; i-- {
		if !f.JSON[i].Index {
			return f.JSON[i].Key
		}
	}
	if len(f.JSON) > 0 || f.Cast != "" {
		return f.Name
	}
	return ""
}

// filter adds each condition to its target.
func (p *planner) filter(targets []*Read, filters []query.PathFilter) error {
	for i, f := range filters {
		condition, err := p.condition(targets[i], f.Condition)
		if err != nil {
			return err
		}
		targets[i].Where = append(targets[i].Where, condition)
	}
	return nil
}

func (p *planner) condition(read *Read, c query.Condition) (Condition, error) {
	switch c := c.(type) {
	case query.Logic:
		planned := Logic{Negated: c.Negated, Or: c.Or}
		for _, child := range c.Conditions {
			condition, err := p.condition(read, child)
			if err != nil {
				return nil, err
			}
			planned.Conditions = append(planned.Conditions, condition)
		}
		return planned, nil
	case query.Filter:
		return p.plainFilter(read, c)
	}
	panic("plan: unknown condition")
}

func (p *planner) plainFilter(read *Read, f query.Filter) (Condition, error) {
	var column *schema.Column
	if table, ok := p.schema.Table(read.Table); ok {
		column, _ = table.Column(f.Field.Name)
	}
	if column == nil && len(f.Field.JSON) == 0 {
		if embed := embedWithKey(read, f.Field.Name); embed != nil {
			if f.Operator != "is" || f.Value != "null" && f.Value != "not_null" {
				return nil, apierr.New(400, "PGRST120", "Bad operator on the '%s' embedded resource", f.Field.Name).
					WithDetail("Only is null or not is null filters are allowed on embedded resources")
			}
			return EmbedPresence{embed, (f.Value == "not_null") != f.Negated}, nil
		}
	}
	vector := strings.HasSuffix(string(f.Operator), "fts") && column != nil && column.BaseType != "tsvector"
	f.Field = p.fieldOf(read, f.Field)
	planned := Filter{Filter: f, Vector: vector}
	if column != nil && len(f.Field.JSON) == 0 {
		planned.FromText = column.FromText
	}
	return planned, nil
}

// order adds the terms of each order to its target.
func (p *planner) order(targets []*Read, orders []query.PathOrder) error {
	for i, o := range orders {
		read := targets[i]
		for _, term := range o.Terms {
			planned := Order{OrderTerm: term}
			planned.Field = p.fieldOf(read, term.Field)
			if term.Relation != "" {
				if planned.Embed = embedWithKey(read, term.Relation); planned.Embed == nil {
					return notEmbedded(term.Relation)
				}
				if !planned.Embed.ToOne() {
					return apierr.New(400, "PGRST118", "A related order on '%s' is not possible", term.Relation).
						WithDetail("'%s' and '%s' do not form a many-to-one or one-to-one relationship", read.Table.Name, term.Relation)
				}
			}
			read.Order = append(read.Order, planned)
		}
	}
	return nil
}

// setRanges sets limit and offset of each target.
func setRanges(targets []*Read, ranges []query.PathRange) {
	for i, r := range ranges {
		if r.Limit != nil {
			targets[i].Limit = r.Limit
		}
		if r.Offset != nil {
			targets[i].Offset = r.Offset
		}
	}
}

// applyLimits checks the client's limits and applies the server's limit to every list.
func (p *planner) applyLimits(read *Read, toOne bool) error {
	if read.Limit != nil && *read.Limit < 0 {
		return apierr.New(416, "PGRST103", "Requested range not satisfiable").
			WithDetail("Limit should be greater than or equal to zero.")
	}
	if read.Offset != nil && *read.Offset < 0 {
		read.Offset = nil // as upstream, no rows are skipped
	}
	if limit := p.limits.MaxRows; limit > 0 && !toOne && (read.Limit == nil || *read.Limit > limit) {
		read.Limit = &limit
	}
	for _, embed := range read.Embeds {
		if err := p.applyLimits(embed.Read, embed.ToOne()); err != nil {
			return err
		}
	}
	return nil
}

func unknownTable(s *schema.Snapshot, name schema.Name) error {
	err := apierr.New(404, "PGRST205", "Could not find the table '%s' in the schema cache", name)
	if closest, ok := s.Closest(name); ok {
		return err.WithHint("Perhaps you meant the table '%s'", closest)
	}
	return err
}
