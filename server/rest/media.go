package rest

import (
	"net/http"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/plan"
	"plaza/server/rest/request"
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

const jsonContent = request.TypeJSON + "; charset=utf-8"

var jsonForm = form{contentType: jsonContent, body: sqlgen.JSONList}

// negotiateRows chooses how rows are answered: whole tells that they are a
// table's rows as they are, which a handler made for the table needs.
//
// Errors: 406 PGRST107.
func (req *apiRequest) negotiateRows(r *http.Request, read *plan.Read, whole bool) (form, error) {
	return negotiate(r, req.config.PlanEnabled, func(wanted request.MediaType) (form, bool) {
		if handler, ok := req.snapshot.Handler(wanted.Name, read.Table, whole); ok && wanted.Name != request.TypeObject && wanted.Name != request.TypeArray {
			return handled(wanted.Name, handler), true
		}
		switch wanted.Name {
		case request.TypeAny, "application/*", request.TypeJSON:
			return jsonForm, true
		case request.TypeArray:
			return stripped(form{contentType: jsonContent, body: sqlgen.JSONList}, request.TypeArray, wanted), true
		case request.TypeObject:
			return stripped(form{contentType: request.TypeObject + "+json; charset=utf-8", body: sqlgen.JSONObject, object: true}, request.TypeObject, wanted), true
		case request.TypeCSV:
			return form{contentType: request.TypeCSV + "; charset=utf-8", body: sqlgen.CSV}, true
		case request.TypeGeo:
			return form{contentType: request.TypeGeo + "; charset=utf-8", body: sqlgen.GeoJSON}, req.snapshot.HasPostGIS
		}
		return form{}, false
	})
}

// negotiateValue chooses how a function's plain value is answered.
//
// Errors: 406 PGRST107.
func (req *apiRequest) negotiateValue(r *http.Request, f *schema.Function) (form, error) {
	return negotiate(r, req.config.PlanEnabled, func(wanted request.MediaType) (form, bool) {
		own := f.MediaType
		switch {
		case own != "" && f.ReturnsSet: // there is no way to join such values
			return form{}, false
		case own != "" && (wanted.Name == own || wanted.Name == request.TypeAny || own == request.TypeAny):
			return form{contentType: contentTypeOf(own), body: sqlgen.RawScalar, binary: f.Binary}, true
		case strings.HasSuffix(own, "+json") && wanted.Name == request.TypeJSON:
			return form{contentType: jsonContent, body: sqlgen.RawScalar, binary: f.Binary}, true
		case own != "":
			return form{}, false
		}
		switch wanted.Name {
		case request.TypeAny, "application/*", request.TypeJSON:
			return jsonForm, true
		case request.TypeArray:
			return stripped(jsonForm, request.TypeArray, wanted), true
		case request.TypeObject:
			return stripped(form{contentType: request.TypeObject + "+json; charset=utf-8", object: true}, request.TypeObject, wanted), true
		}
		return form{}, false
	})
}

// negotiate takes the first wanted media type that is offered; where plans may be
// shown, also the plan of one.
func negotiate(r *http.Request, plans bool, offer func(request.MediaType) (form, bool)) (form, error) {
	accept := r.Header.Get("Accept")
	for _, wanted := range request.ParseAccept(accept) {
		explain := wanted.Explain
		if explain != nil {
			wanted = request.ParseMediaType(wanted.Of)
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
	if handler.MediaType == request.TypeAny {
		name = request.TypeAny
	}
	return form{contentType: contentTypeOf(name), body: sqlgen.Custom, handler: handler, binary: handler.Binary}
}

func stripped(f form, name string, wanted request.MediaType) form {
	if wanted.Strip {
		f.strip = true
		f.contentType = name + "+json;nulls=stripped; charset=utf-8"
	}
	return f
}

// explained is the form of a form's plan.
func explained(of form, explain *sqlgen.Explain) form {
	name, _, _ := strings.Cut(of.contentType, "; charset")
	of.explain, of.binary = explain, false
	of.contentType = request.TypePlan + "+" + explain.Format() + `; for="` + name + `"`
	if options := explain.Options(); len(options) > 0 {
		of.contentType += "; options=" + strings.Join(options, "|")
	}
	of.contentType += "; charset=utf-8"
	return of
}

// contentTypeOf says which text a known type is written in.
func contentTypeOf(name string) string {
	switch name {
	case request.TypeAny:
		return request.TypeBytes
	case request.TypeJSON, request.TypeGeo, request.TypeCSV, "text/plain", "text/xml", request.TypeOpenAPI:
		return name + "; charset=utf-8"
	case request.TypeObject:
		return request.TypeObject + "+json; charset=utf-8"
	}
	return name
}
