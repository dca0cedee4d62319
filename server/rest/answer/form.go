package answer

import (
	"net/http"
	"strings"

	"plaza/server/apierr"
	"plaza/server/rest/plan"
	"plaza/server/rest/request"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// Form is the format of a response.
type Form struct {
	ContentType string
	Body        sqlgen.Body
	Object      bool            // exactly one row
	Strip       bool            // omit keys whose value is null
	Handler     *schema.Handler // the aggregate that builds the body, for sqlgen.Custom
	Binary      bool            // the body is a bytea
	Explain     *sqlgen.Explain // not nil if the client wants the execution plan instead
}

const jsonContent = request.TypeJSON + "; charset=utf-8"

// JSONForm is the default format.
var JSONForm = Form{ContentType: jsonContent, Body: sqlgen.JSONList}

// Offer determines which formats can be chosen.
type Offer struct {
	Snapshot *schema.Snapshot
	Plans    bool // execution plans may be shown
}

// RowsForm chooses the format for rows. whole means that they are complete rows of
// the table, which a media type handler defined for the table requires.
//
// Errors: 406 PGRST107.
func RowsForm(r *http.Request, o Offer, read *plan.Read, whole bool) (Form, error) {
	return Negotiate(r, o.Plans, func(wanted request.MediaType) (Form, bool) {
		if handler, ok := o.Snapshot.Handler(wanted.Name, read.Table, whole); ok && wanted.Name != request.TypeObject && wanted.Name != request.TypeArray {
			return handled(wanted.Name, handler), true
		}
		switch wanted.Name {
		case request.TypeAny, "application/*", request.TypeJSON:
			return JSONForm, true
		case request.TypeArray:
			return stripped(Form{ContentType: jsonContent, Body: sqlgen.JSONList}, request.TypeArray, wanted), true
		case request.TypeObject:
			return stripped(Form{ContentType: request.TypeObject + "+json; charset=utf-8", Body: sqlgen.JSONObject, Object: true}, request.TypeObject, wanted), true
		case request.TypeCSV:
			return Form{ContentType: request.TypeCSV + "; charset=utf-8", Body: sqlgen.CSV}, true
		case request.TypeGeo:
			return Form{ContentType: request.TypeGeo + "; charset=utf-8", Body: sqlgen.GeoJSON}, o.Snapshot.HasPostGIS
		}
		return Form{}, false
	})
}

// ValueForm chooses the format for the scalar value of a function.
//
// Errors: 406 PGRST107.
func ValueForm(r *http.Request, o Offer, f *schema.Function) (Form, error) {
	return Negotiate(r, o.Plans, func(wanted request.MediaType) (Form, bool) {
		own := f.MediaType
		switch {
		case own != "" && f.ReturnsSet: // several such values cannot be combined into one body
			return Form{}, false
		case own != "" && (wanted.Name == own || wanted.Name == request.TypeAny || own == request.TypeAny):
			return Form{ContentType: ContentTypeOf(own), Body: sqlgen.RawScalar, Binary: f.Binary}, true
		case strings.HasSuffix(own, "+json") && wanted.Name == request.TypeJSON:
			return Form{ContentType: jsonContent, Body: sqlgen.RawScalar, Binary: f.Binary}, true
		case own != "":
			return Form{}, false
		}
		switch wanted.Name {
		case request.TypeAny, "application/*", request.TypeJSON:
			return JSONForm, true
		case request.TypeArray:
			return stripped(JSONForm, request.TypeArray, wanted), true
		case request.TypeObject:
			return stripped(Form{ContentType: request.TypeObject + "+json; charset=utf-8", Object: true}, request.TypeObject, wanted), true
		}
		return Form{}, false
	})
}

// Negotiate chooses the first accepted media type for which offer returns a form.
// The execution plan of such a form is chosen only if plans is true.
//
// Errors: 406 PGRST107.
func Negotiate(r *http.Request, plans bool, offer func(request.MediaType) (Form, bool)) (Form, error) {
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
	return Form{}, apierr.New(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: %s", accept)
}

func handled(name string, handler *schema.Handler) Form {
	if handler.MediaType == request.TypeAny {
		name = request.TypeAny
	}
	return Form{ContentType: ContentTypeOf(name), Body: sqlgen.Custom, Handler: handler, Binary: handler.Binary}
}

func stripped(f Form, name string, wanted request.MediaType) Form {
	if wanted.Strip {
		f.Strip = true
		f.ContentType = name + "+json;nulls=stripped; charset=utf-8"
	}
	return f
}

// explained returns the form for the execution plan of a statement.
func explained(of Form, explain *sqlgen.Explain) Form {
	name, _, _ := strings.Cut(of.ContentType, "; charset")
	of.Explain, of.Binary = explain, false
	of.ContentType = request.TypePlan + "+" + explain.Format() + `; for="` + name + `"`
	if options := explain.Options(); len(options) > 0 {
		of.ContentType += "; options=" + strings.Join(options, "|")
	}
	of.ContentType += "; charset=utf-8"
	return of
}

// ContentTypeOf returns the Content-Type of a media type, with the charset for known text types.
func ContentTypeOf(name string) string {
	switch name {
	case request.TypeAny:
		return request.TypeBytes
	case request.TypeJSON, request.TypeGeo, request.TypeCSV, request.TypeText, request.TypeXML, request.TypeOpenAPI:
		return name + "; charset=utf-8"
	case request.TypeObject:
		return request.TypeObject + "+json; charset=utf-8"
	}
	return name
}
