package request

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"plaza/server/rest/sqlgen"
)

// Media types of requests and responses.
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

// knownTypes lists the media types that are matched case-insensitively. All others must
// match the name in the database exactly. Source: PostgREST's MediaType.
var knownTypes = []string{TypeJSON, TypeGeo, TypeCSV, TypeText, TypeXML, TypeOpenAPI, TypeForm, TypeBytes}

// MediaType is one entry of an Accept header.
type MediaType struct {
	Name    string // PostgREST's own types are without +json
	Strip   bool   // nulls=stripped
	Quality float64
	Explain *sqlgen.Explain // set for TypePlan
	Of      string          // the media type whose execution plan is wanted
}

// ParseAccept parses an Accept header. The result is sorted by descending quality.
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

// ParseMediaType parses one entry of an Accept header.
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
