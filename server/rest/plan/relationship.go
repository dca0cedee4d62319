package plan

import (
	"fmt"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
)

// relationship returns the unique relationship between a table and an embed.
func (p *planner) relationship(from schema.Name, item query.Embed) (*schema.Relationship, error) {
	var found []*schema.Relationship
	for _, r := range p.schema.Relationships(from) {
		if r.Function != nil && r.Function.Name.Name == item.Relation {
			return r, nil // a computed relationship overrides all others of its name
		}
		if r.Function == nil && leadsTo(r, item) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return nil, p.noRelationship(from, item)
	case 1:
		return found[0], nil
	}
	return nil, ambiguous(from, item.Relation, found)
}

// leadsTo reports whether a relationship matches an embed. The embed's name can be
// the other table or view. If the other side is a table, it can also be the foreign
// key, or the key's column if it has only one.
func leadsTo(r *schema.Relationship, item query.Embed) bool {
	toTable := r.To.Name == item.Relation
	if r.Self {
		// A foreign key from a table to itself is a relationship in both directions:
		// the table's name means the to-many direction, the column's name the to-one.
		switch {
		case toTable && r.Cardinality == schema.OneToMany:
			return item.Hint == "" || singleColumn(r, right, item.Hint)
		default:
			return item.Hint == "" && r.Cardinality == schema.ManyToOne && singleColumn(r, left, item.Relation)
		}
	}
	if item.Hint != "" {
		return toTable && hinted(r, item.Hint)
	}
	return toTable || r.Junction == nil && !r.ToView && (r.Constraint == item.Relation || singleColumn(r, left, item.Relation))
}

func singleColumn(r *schema.Relationship, side func(schema.Pair) string, name string) bool {
	return len(r.Columns) == 1 && side(r.Columns[0]) == name
}

func hinted(r *schema.Relationship, hint string) bool {
	if r.Junction != nil {
		return r.Junction.Table.Name == hint
	}
	return r.Constraint == hint || singleColumn(r, left, hint) || singleColumn(r, right, hint)
}

func (p *planner) noRelationship(from schema.Name, item query.Embed) error {
	using := ""
	if item.Hint != "" {
		using = fmt.Sprintf(" using the hint '%s'", item.Hint)
	}
	err := apierr.New(400, "PGRST200", "Could not find a relationship between '%s' and '%s' in the schema cache", from.Name, item.Relation).
		WithDetail("Searched for a foreign key relationship between '%s' and '%s'%s in the schema '%s', but no matches were found.",
			from.Name, item.Relation, using, from.Schema)
	var names []string
	for _, r := range p.schema.Relationships(from) {
		names = append(names, r.To.Name)
	}
	if closest, ok := schema.Closest(item.Relation, names, schema.SimilarArguments); ok && closest != item.Relation {
		return err.WithHint("Perhaps you meant '%s' instead of '%s'.", closest, item.Relation)
	}
	return err
}

// candidate describes one of several matching relationships, in upstream's format.
type candidate struct {
	Cardinality  schema.Cardinality `json:"cardinality"`
	Embedding    string             `json:"embedding"`
	Relationship string             `json:"relationship"`
}

func ambiguous(from schema.Name, target string, found []*schema.Relationship) error {
	candidates := make([]candidate, 0, len(found))
	hints := make([]string, 0, len(found))
	for _, r := range found {
		candidates = append(candidates, candidate{
			Cardinality: r.Cardinality, Embedding: from.Name + " with " + r.To.Name, Relationship: describe(r),
		})
		hint := r.Constraint
		if r.Junction != nil {
			hint = r.Junction.Table.Name
		}
		hints = append(hints, fmt.Sprintf("'%s!%s'", target, hint))
	}
	return apierr.New(300, "PGRST201", "Could not embed because more than one relationship was found for '%s' and '%s'", from.Name, target).
		WithDetails(candidates).
		WithHint("Try changing '%s' to one of the following: %s. Find the desired relationship in the 'details' key.",
			target, strings.Join(hints, ", "))
}

func describe(r *schema.Relationship) string {
	if j := r.Junction; j != nil {
		return fmt.Sprintf("%s using %s(%s) and %s(%s)", j.Table.Name,
			j.FromConstraint, joined(j.FromColumns, right), j.ToConstraint, joined(j.ToColumns, right))
	}
	return fmt.Sprintf("%s using %s(%s) and %s(%s)", r.Constraint,
		r.From.Name, joined(r.Columns, left), r.To.Name, joined(r.Columns, right))
}

func left(p schema.Pair) string  { return p.From }
func right(p schema.Pair) string { return p.To }

func joined(pairs []schema.Pair, side func(schema.Pair) string) string {
	names := make([]string, len(pairs))
	for i, pair := range pairs {
		names[i] = side(pair)
	}
	return strings.Join(names, ", ")
}
