package plan

import (
	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// checkFields fails for a column that a table lacks, in what is not written into
// the statement, so that PostgreSQL would not say so: the select of a minimal
// answer, the filters of an insert.
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

// checkNames fails for columns= and on_conflict= that name what the table lacks,
// on any request: where they have no effect, a mistake in them would stay hidden.
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
