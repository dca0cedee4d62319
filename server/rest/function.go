package rest

import (
	"net/http"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/request"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// serveFunction handles calls of a function.
func (s *Server) serveFunction(w http.ResponseWriter, r *http.Request, function string) error {
	req, err := s.readRequest(r)
	if err != nil {
		return err
	}
	if err := req.parse(r, query.Options{Function: r.Method != http.MethodPost}); err != nil {
		return err
	}
	req.prefer.ClearWrites()
	req.isCall = true
	name := schema.Name{Schema: req.schema, Name: function}
	var given request.Arguments
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		given = request.ArgumentsOfQuery(req.query.Params)
	case http.MethodPost:
		body := s.bodies.Of(w, r)
		defer body.Close()
		body.BeforeLarge = func() error { return s.requireCall(r.Context(), req, name) }
		req.onArgSent = body.Discard
		if given, err = body.Arguments(); err != nil {
			return err
		}
		if req.query.HasColumns {
			given.Keep(req.query.Columns)
		}
	case http.MethodOptions:
		given = request.ArgumentsOfQuery(req.query.Params)
	default:
		return apierr.New(http.StatusMethodNotAllowed, "PGRST101", "Cannot use the %s method on RPC", r.Method)
	}
	call, err := plan.ForCall(req.snapshot, name, given.Names, given.Kind, req.query, req.limits())
	if err != nil {
		return err
	}
	if call.Read != nil {
		s.warnLegacyNames(r, req, call.Read.LegacyNames)
	}
	if r.Method == http.MethodOptions {
		allow := "OPTIONS,GET,HEAD,POST"
		if call.Function.Volatility == schema.Volatile {
			allow = "OPTIONS,POST"
		}
		req.allow(w.Header(), allow)
		return nil
	}
	if call.Function.Composite {
		req.form, err = answer.RowsForm(r, req.acceptable(), call.Read, req.query.WholeRows())
	} else {
		req.form, err = answer.ValueForm(r, req.acceptable(), call.Function)
	}
	if err != nil {
		return err
	}
	values, err := given.Values(call)
	if err != nil {
		return err
	}
	req.applyFunctionSettings(call.Function)
	// Calls by GET and of functions that are not volatile are read-only.
	req.settings.ReadOnly = r.Method != http.MethodPost || call.Function.Volatility != schema.Volatile
	if req.prefer.MaxAffected != nil && !call.Function.ReturnsSet {
		return apierr.New(http.StatusBadRequest, "PGRST128", "Function must return SETOF or TABLE when max-affected preference is used with handling=strict")
	}
	return s.serveRead(w, r, req, readQuery{
		read: call.Read, call: call, options: req.callOptions(r, call),
		write: func(o sqlgen.Options) sqlgen.Statement { return sqlgen.Call(call, values, o) },
	})
}

// applyFunctionSettings applies those of a function's own settings that must be in
// effect from the start of the transaction.
func (req *apiRequest) applyFunctionSettings(f *schema.Function) {
	for _, setting := range f.Settings {
		name, value, _ := strings.Cut(setting, "=")
		switch {
		case !slices.Contains(req.config.Hoisted, name):
		case name == "default_transaction_isolation":
			req.settings.Isolation = value
		default:
			req.settings.Locals = append(req.settings.Locals, pg.Local{Name: name, Value: value})
		}
	}
}

func (req *apiRequest) callOptions(r *http.Request, call *plan.Call) sqlgen.Options {
	options := req.options(r)
	switch {
	case options.Body == sqlgen.NoBody, options.Body == sqlgen.RawScalar, options.Body == sqlgen.Custom:
	case call.Function.IsVoid:
		options.Body = sqlgen.NoBody
	case call.Function.Composite:
		if !call.Function.ReturnsSet && options.Body == sqlgen.JSONList {
			options.Body = sqlgen.JSONObject
		}
	case call.Function.ReturnsSet && !req.form.Object:
		options.Body = sqlgen.ScalarList
	default:
		options.Body = sqlgen.Scalar
	}
	return options
}
