package plan

import (
	"slices"

	"plaza/server/apierr"
	"plaza/server/rest/query"
)

// LegacyName is an embed that a filter, order or limit refers to by table name
// although it has an alias.
type LegacyName struct{ Name, Alias string }

// targets holds the reads to which the filters, orders and ranges of a query apply,
// in the query's order.
type targets struct{ filters, orders, ranges []*Read }

// targets resolves the paths of filters, orders and ranges.
//
// With legacy names, a name can match several embeds, and the one found last is
// preferred. The paths must therefore be resolved in upstream's order: filters,
// orders, ranges, logic trees, each from the last to the first.
//
// Source: PostgREST, Plan.hs, updateNode.
func (p *planner) targets(root *Read, q *query.Query) (targets, error) {
	found := targets{make([]*Read, len(q.Filters)), make([]*Read, len(q.Orders)), make([]*Read, len(q.Ranges))}
	filters := func(logic bool) error {
		for i := range slices.Backward(q.Filters) {
			if _, isLogic := q.Filters[i].Condition.(query.Logic); isLogic == logic {
				if err := p.lookUp(root, q.Filters[i].Path, &found.filters[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := filters(false); err != nil {
		return found, err
	}
	for i := range slices.Backward(q.Orders) {
		if err := p.lookUp(root, q.Orders[i].Path, &found.orders[i]); err != nil {
			return found, err
		}
	}
	for i := range slices.Backward(q.Ranges) {
		if err := p.lookUp(root, q.Ranges[i].Path, &found.ranges[i]); err != nil {
			return found, err
		}
	}
	return found, filters(true)
}

// lookUp finds the read at the end of a path of embeds.
//
// Errors: 400 PGRST108.
func (p *planner) lookUp(read *Read, path []string, found **Read) error {
	for _, name := range path {
		embed := p.target(read, name)
		if embed == nil {
			return p.notTarget(read, name)
		}
		read = embed.Read
	}
	*found = read
	return nil
}

// target finds the embed for a name in a filter, order or limit. The name is the
// embed's alias, or the selected name if it has no alias or legacy names are allowed.
// With legacy names, the embed moves to the front of the lookup order.
func (p *planner) target(read *Read, name string) *Embed {
	if !p.limits.LegacyNames {
		return embedWithKey(read, name)
	}
	order := p.searchOrder(read)
	at := slices.IndexFunc(order, func(e *Embed) bool { return e.Key == name || e.Name == name })
	if at < 0 {
		return nil
	}
	embed := order[at]
	if at > 0 {
		if p.search == nil {
			p.search = make(map[*Read][]*Embed)
		}
		others := slices.Delete(slices.Clone(order), at, at+1)
		p.search[read] = slices.Insert(others, 0, embed)
	}
	embed.legacyName = embed.legacyName || embed.Key != name
	return embed
}

func (p *planner) searchOrder(read *Read) []*Embed {
	if order, changed := p.search[read]; changed {
		return order
	}
	return read.Embeds
}

// embedWithKey returns the embed with the given key in the response, or nil.
func embedWithKey(read *Read, key string) *Embed {
	for _, embed := range read.Embeds {
		if embed.Key == key {
			return embed
		}
	}
	return nil
}

// notTarget returns the error for a name that matches no embed.
func (p *planner) notTarget(read *Read, name string) error {
	if !p.limits.LegacyNames {
		for _, embed := range read.Embeds {
			if embed.Name == name {
				return errNotEmbedded(name).WithDetail("Target names are not allowed in filters if they have an alias").
					WithHint("Change '%s' to '%s' in filters, orders or limits.", name, embed.Key)
			}
		}
	}
	return notEmbedded(name)
}

func notEmbedded(name string) error {
	return errNotEmbedded(name).WithHint("Verify that '%s' is included in the 'select' query parameter.", name)
}

func errNotEmbedded(name string) *apierr.Error {
	return apierr.New(400, "PGRST108", "'%s' is not an embedded resource in this request", name)
}

// legacyNames lists the embeds that were referred to by a legacy name.
func (p *planner) legacyNames(read *Read) []LegacyName {
	var names []LegacyName
	for _, embed := range p.searchOrder(read) {
		if embed.legacyName {
			names = append(names, LegacyName{embed.Name, embed.Key})
		}
		names = append(names, p.legacyNames(embed.Read)...)
	}
	return names
}
