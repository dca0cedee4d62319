package plan

import (
	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// checkFields returns an error for unknown columns in parts of the request that are
// not part of the statement, where PostgreSQL would not detect them: the select of a
// minimal response and the filters of an insert.
//
// Errors: 400 42703.
func (p *planner) checkFields(read *Read) error {
	if table, ok := p.schema.Table(read.Table); ok {
		for _, name := range append(fieldsOf(read), conditionFields(read.Where)...) {
			if !p.schema.HasField(table, name) {
				return apierr.New(400, "42703", "column %s.%s does not exist", read.Alias, name)
			}
		}
	}
	for _, order := range read.Order {
		if order.Embed == nil {
			continue
		}
		if table, ok := p.schema.Table(order.Embed.Read.Table); ok && !p.schema.HasField(table, order.Field.Name) {
			return apierr.New(400, "42703", "column %s.%s does not exist", order.Embed.Key, order.Field.Name)
		}
	}
	for _, embed := range read.Embeds {
		if err := p.checkFields(embed.Read); err != nil {
			return err
		}
	}
	return nil
}

// fieldsOf lists the columns that a read selects and orders by.
func fieldsOf(read *Read) []string {
	var names []string
	for _, column := range read.Columns {
		if !column.Star && column.Field.Name != "" {
			names = append(names, column.Field.Name)
		}
	}
	for _, order := range read.Order {
		if order.Embed == nil {
			names = append(names, order.Field.Name)
		}
	}
	return names
}

func conditionFields(conditions []Condition) []string {
	var names []string
	for _, condition := range conditions {
		switch condition := condition.(type) {
		case Logic:
			names = append(names, conditionFields(condition.Conditions)...)
		case Filter:
			names = append(names, condition.Field.Name)
		}
	}
	return names
}

// checkNames returns an error if columns= or on_conflict= name unknown columns. It
// applies to every request, also where these parameters have no effect, so that
// mistakes are not hidden.
//
// Errors: 400 PGRST204.
func checkNames(table *schema.Table, q *query.Query) error {
	for _, names := range [][]string{q.Columns, q.OnConflict} {
		for _, name := range names {
			if _, ok := table.Column(name); !ok {
				return unknownColumn(table, name)
			}
		}
	}
	return nil
}

func unknownColumn(table *schema.Table, name string) error {
	return apierr.New(400, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", name, table.Name.Name)
}
