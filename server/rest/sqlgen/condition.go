package sqlgen

import (
	"strings"

	"plaza/server/rest/plan"
	"plaza/server/rest/query"
)

// sqlOperators maps the binary operators to their SQL.
var sqlOperators = map[query.Operator]string{
	"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=",
	"like": "like", "ilike": "ilike", "match": "~", "imatch": "~*",
	"isdistinct": "is distinct from",
	"cs":         "@>", "cd": "<@", "ov": "&&", "sl": "<<", "sr": ">>", "nxr": "&<", "nxl": "&>", "adj": "-|-",
}

var searchFunctions = map[query.Operator]string{
	"fts": "to_tsquery", "plfts": "plainto_tsquery", "phfts": "phraseto_tsquery", "wfts": "websearch_to_tsquery",
}

var isKeywords = map[string]string{
	"null": "null", "not_null": "not null", "true": "true", "false": "false", "unknown": "unknown",
}

func (b *builder) where(alias string, conditions []plan.Condition) {
	for i, c := range conditions {
		if i == 0 {
			b.write(" where ")
		} else {
			b.write(" and ")
		}
		b.condition(alias, c)
	}
}

func (b *builder) condition(alias string, c plan.Condition) {
	switch c := c.(type) {
	case plan.Logic:
		b.logic(alias, c)
	case plan.EmbedPresence:
		b.presence(alias, c)
	case plan.Filter:
		if c.Negated {
			b.write("not ")
		}
		b.filter(alias, c)
	}
}

func (b *builder) logic(alias string, l plan.Logic) {
	if l.Negated {
		b.write("not ")
	}
	word := " and "
	if l.Or {
		word = " or "
	}
	b.write("(")
	for i, c := range l.Conditions {
		if i > 0 {
			b.write(word)
		}
		b.condition(alias, c)
	}
	b.write(")")
}

func (b *builder) presence(parent string, c plan.EmbedPresence) {
	if b.counts {
		if !c.Present {
			b.write("not ")
		}
		b.exists(parent, c.Embed)
		return
	}
	alias := Ident(c.Embed.Alias)
	if !c.Embed.ToOne() {
		alias += "." + alias
	}
	if c.Present {
		b.write(alias, " is distinct from null")
	} else {
		b.write(alias, " is not distinct from null")
	}
}

func (b *builder) filter(alias string, f plan.Filter) {
	if search, ok := searchFunctions[f.Operator]; ok {
		b.search(alias, f, search)
		return
	}
	b.field(alias, f.Field)
	switch f.Operator {
	case "in":
		b.write(" = any (")
		if f.FromText.Name != "" {
			b.write("select ", tableSource(f.FromText), "(pgrst_text) from unnest(")
			b.arg(ArrayLiteral(f.List))
			b.write("::text[]) pgrst_text")
		} else {
			b.arg(ArrayLiteral(f.List))
		}
		b.write(")")
	case "is":
		b.write(" is ", isKeywords[f.Value])
	case "match", "imatch":
		b.write(" ", sqlOperators[f.Operator], " ")
		b.quantified(f.Quantifier, f.Value)
	case "like", "ilike":
		b.write(" ", sqlOperators[f.Operator], " ")
		b.quantified(f.Quantifier, strings.ReplaceAll(f.Value, "*", "%"))
	default:
		b.write(" ", sqlOperators[f.Operator], " ")
		if f.FromText.Name != "" && f.Quantifier == query.None {
			b.write(tableSource(f.FromText), "(")
			b.arg(f.Value)
			b.write("::text)")
			return
		}
		b.quantified(f.Quantifier, f.Value)
	}
}

func (b *builder) quantified(q query.Quantifier, value string) {
	if q == query.None {
		b.arg(value)
		return
	}
	b.write(string(q), " (")
	b.arg(value)
	b.write(")")
}

func (b *builder) search(alias string, f plan.Filter, function string) {
	if f.Vector {
		b.write("to_tsvector(")
		if f.Language != "" {
			b.arg(f.Language)
			b.write("::regconfig, ")
		}
		b.field(alias, f.Field)
		b.write(")")
	} else {
		b.field(alias, f.Field)
	}
	b.write(" @@ ", function, "(")
	if f.Language != "" {
		b.arg(f.Language)
		b.write("::regconfig, ")
	}
	b.arg(f.Value)
	b.write(")")
}

// ArrayLiteral returns an array in PostgreSQL's text format.
func ArrayLiteral(elements []string) string {
	var out strings.Builder
	out.WriteByte('{')
	for i, element := range elements {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('"')
		for _, char := range []byte(element) {
			if char == '"' || char == '\\' {
				out.WriteByte('\\')
			}
			out.WriteByte(char)
		}
		out.WriteByte('"')
	}
	out.WriteByte('}')
	return out.String()
}
