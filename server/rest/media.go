package rest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// form is how an answer looks.
type form struct {
	contentType string
	body        sqlgen.Body
	object      bool            // exactly one row
	strip       bool            // without the keys that are null
	handler     *schema.Handler // the aggregate that makes it, for sqlgen.Custom
	binary      bool            // made as bytea
	explain     *sqlgen.Explain // the plan of the statement is asked for instead
}

// Media types with a meaning here.
const (
	typeJSON   = "application/json"
	typeArray  = "application/vnd.pgrst.array"
	typeObject = "application/vnd.pgrst.object"
	typeCSV    = "text/csv"
	typeGeo    = "application/geo+json"
	typeAny    = "*/*"
	typeBytes  = "application/octet-stream"

	typePlan    = "application/vnd.pgrst.plan"
	typeOpenAPI = "application/openapi+json"
)

// knownTypes are told in small letters or capitals; all other types as they are
// called in the database. Source: PostgREST's MediaType.
var knownTypes = []string{typeJSON, typeGeo, typeCSV, "text/plain", "text/xml", typeOpenAPI, bodyForm, typeBytes}

const jsonContent = typeJSON + "; charset=utf-8"

var jsonForm = form{contentType: jsonContent, body: sqlgen.JSONList}

// mediaType is one entry of an Accept header.
type mediaType struct {
	name    string // without +json for PostgREST's own
	strip   bool   // nulls=stripped
	quality float64
	explain *sqlgen.Explain // of typePlan
	of      string          // whose plan
}

// parseAccept reads an Accept header, the most wanted first.
func parseAccept(accept string) []mediaType {
	if accept == "" {
		return []mediaType{{name: typeAny}}
	}
	var wanted []mediaType
	for entry := range strings.SplitSeq(accept, ",") {
		wanted = append(wanted, parseMediaType(entry))
	}
	slices.SortStableFunc(wanted, func(a, b mediaType) int { return cmp.Compare(b.quality, a.quality) })
	return wanted
}

func parseMediaType(entry string) mediaType {
	parts := strings.Split(entry, ";")
	found := mediaType{name: strings.TrimSpace(parts[0]), quality: 1}
	if own := strings.ToLower(found.name); strings.HasPrefix(own, "application/vnd.pgrst.") {
		var suffix string
		found.name, suffix, _ = strings.Cut(own, "+")
		if found.name == typePlan {
			found.explain = &sqlgen.Explain{JSON: suffix == "json"}
			found.of = typeJSON
		}
	} else if slices.Contains(knownTypes, own) {
		found.name = own
	}
	for _, parameter := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		switch value = strings.Trim(strings.TrimSpace(value), `"`); strings.ToLower(name) {
		case "nulls":
			found.strip = value == "stripped"
		case "q":
			if quality, err := strconv.ParseFloat(value, 64); err == nil {
				found.quality = quality
			}
		case "for":
			found.of = value
		case "options":
			if found.explain != nil {
				found.explain.Take(strings.Split(value, "|"))
			}
		}
	}
	return found
}

// negotiateRows chooses how rows are answered: whole tells that they are a
// table's rows as they are, which a handler made for the table needs.
//
// Errors: 406 PGRST107.
func (req *request) negotiateRows(r *http.Request, read *plan.Read, whole bool) (form, error) {
	return negotiate(r, req.config.PlanEnabled, func(wanted mediaType) (form, bool) {
		if handler, ok := req.snapshot.Handler(wanted.name, read.Table, whole); ok && wanted.name != typeObject && wanted.name != typeArray {
			return handled(wanted.name, handler), true
		}
		switch wanted.name {
		case typeAny, "application/*", typeJSON:
			return jsonForm, true
		case typeArray:
			return stripped(form{contentType: jsonContent, body: sqlgen.JSONList}, typeArray, wanted), true
		case typeObject:
			return stripped(form{contentType: typeObject + "+json; charset=utf-8", body: sqlgen.JSONObject, object: true}, typeObject, wanted), true
		case typeCSV:
			return form{contentType: typeCSV + "; charset=utf-8", body: sqlgen.CSV}, true
		case typeGeo:
			return form{contentType: typeGeo + "; charset=utf-8", body: sqlgen.GeoJSON}, req.snapshot.HasPostGIS
		}
		return form{}, false
	})
}

// negotiateValue chooses how a function's plain value is answered.
//
// Errors: 406 PGRST107.
func (req *request) negotiateValue(r *http.Request, f *schema.Function) (form, error) {
	return negotiate(r, req.config.PlanEnabled, func(wanted mediaType) (form, bool) {
		own := f.MediaType
		switch {
		case own != "" && f.ReturnsSet: // there is no way to join such values
			return form{}, false
		case own != "" && (wanted.name == own || wanted.name == typeAny || own == typeAny):
			return form{contentType: contentTypeOf(own), body: sqlgen.RawScalar, binary: f.Binary}, true
		case strings.HasSuffix(own, "+json") && wanted.name == typeJSON:
			return form{contentType: jsonContent, body: sqlgen.RawScalar, binary: f.Binary}, true
		case own != "":
			return form{}, false
		}
		switch wanted.name {
		case typeAny, "application/*", typeJSON:
			return jsonForm, true
		case typeArray:
			return stripped(jsonForm, typeArray, wanted), true
		case typeObject:
			return stripped(form{contentType: typeObject + "+json; charset=utf-8", object: true}, typeObject, wanted), true
		}
		return form{}, false
	})
}

// negotiate takes the first wanted media type that is offered; where plans may be
// shown, also the plan of one.
func negotiate(r *http.Request, plans bool, offer func(mediaType) (form, bool)) (form, error) {
	accept := r.Header.Get("Accept")
	for _, wanted := range parseAccept(accept) {
		explain := wanted.explain
		if explain != nil {
			wanted = parseMediaType(wanted.of)
		}
		chosen, ok := offer(wanted)
		switch {
		case ok && explain == nil:
			return chosen, nil
		case ok && plans:
			return explained(chosen, explain), nil
		}
	}
	return form{}, apierr.New(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: %s", accept)
}

func handled(name string, handler *schema.Handler) form {
	if handler.MediaType == typeAny {
		name = typeAny
	}
	return form{contentType: contentTypeOf(name), body: sqlgen.Custom, handler: handler, binary: handler.Binary}
}

func stripped(f form, name string, wanted mediaType) form {
	if wanted.strip {
		f.strip = true
		f.contentType = name + "+json;nulls=stripped; charset=utf-8"
	}
	return f
}

// explained is the form of a form's plan.
func explained(of form, explain *sqlgen.Explain) form {
	name, _, _ := strings.Cut(of.contentType, "; charset")
	of.explain, of.binary = explain, false
	of.contentType = typePlan + "+" + explain.Format() + `; for="` + name + `"`
	if options := explain.Options(); len(options) > 0 {
		of.contentType += "; options=" + strings.Join(options, "|")
	}
	of.contentType += "; charset=utf-8"
	return of
}

// contentTypeOf says which text a known type is written in.
func contentTypeOf(name string) string {
	switch name {
	case typeAny:
		return typeBytes
	case typeJSON, typeGeo, typeCSV, "text/plain", "text/xml", typeOpenAPI:
		return name + "; charset=utf-8"
	case typeObject:
		return typeObject + "+json; charset=utf-8"
	}
	return name
}
