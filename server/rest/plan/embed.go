package plan

import (
	"strconv"

	"plaza/server/apierr"
	"plaza/server/rest/query"
)

func (p *planner) embed(parent *Read, item query.Embed) (*Embed, error) {
	relation, err := p.relationship(parent.Table, item)
	if err != nil {
		return nil, err
	}
	p.made++
	key := item.Alias
	if key == "" {
		key = item.Relation
	}
	suffix := "_" + strconv.Itoa(p.made)
	embed := &Embed{
		Key: key, Alias: key + suffix, Relation: relation, Inner: item.Join == query.InnerJoin,
		Spread: item.Spread, Name: item.Relation,
		Read: &Read{Table: relation.To, Alias: relation.To.Name + suffix},
	}
	p.depth++
	err = p.selectInto(embed.Read, item.Select)
	p.depth--
	if err != nil {
		return nil, err
	}
	embed.Hidden = embed.Read.isEmpty()
	if !item.Spread {
		return embed, nil
	}
	if !embed.ToOne() && embed.Read.Grouped() {
		return nil, apierr.New(400, "PGRST127", "Feature not implemented").
			WithDetail("Aggregates are not implemented for one-to-many or many-to-many spreads.")
	}
	embed.Spreads = p.hoist(embed.Read)
	for i := range embed.Spreads {
		embed.Spreads[i].JSON = embed.Spreads[i].JSON || !embed.ToOne()
	}
	return embed, nil
}

// hoist lists the columns that a spread embed adds to its parent, with stars expanded.
// Aggregates become plain columns that the parent aggregates.
func (p *planner) hoist(read *Read) []SpreadColumn {
	var columns []SpreadColumn
	raw := func() string {
		p.made++
		return "pgrst_value_" + strconv.Itoa(p.made)
	}
	kept := read.Columns[:0:0]
	for _, column := range read.Columns {
		switch {
		case column.Star:
			for _, name := range p.tableColumns(read) {
				columns = append(columns, SpreadColumn{From: name, As: name})
			}
		case column.Aggregate != "" && column.Field.Name == "":
			columns = append(columns, SpreadColumn{As: column.As, Aggregate: column.Aggregate, AggregateCast: column.AggregateCast})
			continue
		case column.Aggregate != "":
			spread := SpreadColumn{From: raw(), As: column.As, Aggregate: column.Aggregate, AggregateCast: column.AggregateCast}
			columns = append(columns, spread)
			column.As, column.Aggregate, column.AggregateCast = spread.From, "", ""
		case column.As != "":
			columns = append(columns, SpreadColumn{From: column.As, As: column.As})
		default:
			columns = append(columns, SpreadColumn{From: column.Field.Name, As: column.Field.Name})
		}
		kept = append(kept, column)
	}
	read.Columns = kept
	for _, embed := range read.Embeds {
		if !embed.Spread && !embed.Hidden {
			columns = append(columns, SpreadColumn{From: embed.Key, As: embed.Key, JSON: true})
		}
		inner := embed.Spreads[:0:0]
		for _, column := range embed.Spreads {
			passed := SpreadColumn{From: column.As, As: column.As, JSON: column.JSON}
			if column.Aggregate != "" {
				passed = SpreadColumn{As: column.As, Aggregate: column.Aggregate, AggregateCast: column.AggregateCast}
				if column.From == "" {
					columns = append(columns, passed)
					continue
				}
				passed.From = raw()
				column.As, column.Aggregate, column.AggregateCast = passed.From, "", ""
			}
			columns = append(columns, passed)
			inner = append(inner, column)
		}
		embed.Spreads = inner
	}
	read.Stars = nil
	return columns
}
