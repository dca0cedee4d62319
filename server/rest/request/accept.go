package request

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"plaza/server/rest/sqlgen"
)

// Media types with a meaning here: of bodies, and of answers.
const (
	TypeJSON   = "application/json"
	TypeForm   = "application/x-www-form-urlencoded"
	TypeCSV    = "text/csv"
	TypeText   = "text/plain"
	TypeXML    = "text/xml"
	TypeBytes  = "application/octet-stream"
	TypeGeo    = "application/geo+json"
	TypeArray  = "application/vnd.pgrst.array"
	TypeObject = "application/vnd.pgrst.object"
	TypeAny    = "*/*"

	TypePlan        = "application/vnd.pgrst.plan"
	TypeOpenAPI     = "application/openapi+json"
	TypeTransaction = "application/vnd.plaza.transaction+json"
)

// knownTypes are told in small letters or capitals; all other types as they are
// called in the database. Source: PostgREST's MediaType.
var knownTypes = []string{TypeJSON, TypeGeo, TypeCSV, TypeText, TypeXML, TypeOpenAPI, TypeForm, TypeBytes}

// MediaType is one entry of an Accept header.
type MediaType struct {
	Name    string // without +json for PostgREST's own
	Strip   bool   // nulls=stripped
	Quality float64
	Explain *sqlgen.Explain // of TypePlan
	Of      string          // whose plan
}

// ParseAccept reads an Accept header, the most wanted first.
func ParseAccept(accept string) []MediaType {
	if accept == "" {
		return []MediaType{{Name: TypeAny}}
	}
	var wanted []MediaType
	for entry := range strings.SplitSeq(accept, ",") {
		wanted = append(wanted, ParseMediaType(entry))
	}
	slices.SortStableFunc(wanted, func(a, b MediaType) int { return cmp.Compare(b.Quality, a.Quality) })
	return wanted
}

// ParseMediaType reads one entry of an Accept header.
func ParseMediaType(entry string) MediaType {
	parts := strings.Split(entry, ";")
	found := MediaType{Name: strings.TrimSpace(parts[0]), Quality: 1}
	if own := strings.ToLower(found.Name); strings.HasPrefix(own, "application/vnd.pgrst.") {
		var suffix string
		found.Name, suffix, _ = strings.Cut(own, "+")
		if found.Name == TypePlan {
			found.Explain = &sqlgen.Explain{JSON: suffix == "json"}
			found.Of = TypeJSON
		}
	} else if slices.Contains(knownTypes, own) {
		found.Name = own
	}
	for _, parameter := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		switch value = strings.Trim(strings.TrimSpace(value), `"`); strings.ToLower(name) {
		case "nulls":
			found.Strip = value == "stripped"
		case "q":
			if quality, err := strconv.ParseFloat(value, 64); err == nil {
				found.Quality = quality
			}
		case "for":
			found.Of = value
		case "options":
			if found.Explain != nil {
				found.Explain.Take(strings.Split(value, "|"))
			}
		}
	}
	return found
}
