package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// serveFunction answers calls of a function.
func (s *Server) serveFunction(w http.ResponseWriter, r *http.Request, function string) error {
	req, err := s.understand(r)
	if err != nil {
		return err
	}
	if err := req.parse(r, query.Options{Function: r.Method != http.MethodPost}); err != nil {
		return err
	}
	req.prefer.forgetWrites()
	req.isCall = true
	name := schema.Name{Schema: req.schema, Name: function}
	var given arguments
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		given = argumentsOfQuery(req.query.Params)
	case http.MethodPost:
		body := s.bodies.of(w, r)
		defer body.close()
		body.beforeLarge = func() error { return s.mayCall(r.Context(), req, name) }
		req.sent = body.passed
		if given, err = body.arguments(); err != nil {
			return err
		}
		if req.query.HasColumns {
			given.keep(req.query.Columns)
		}
	case http.MethodOptions:
		given = argumentsOfQuery(req.query.Params)
	default:
		return apierr.New(http.StatusMethodNotAllowed, "PGRST101", "Cannot use the %s method on RPC", r.Method)
	}
	call, err := plan.ForCall(req.snapshot, name, given.names, given.kind, req.query, req.limits())
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
		req.form, err = req.negotiateRows(r, call.Read, req.query.WholeRows())
	} else {
		req.form, err = req.negotiateValue(r, call.Function)
	}
	if err != nil {
		return err
	}
	values, err := given.of(call)
	if err != nil {
		return err
	}
	req.followFunction(call.Function)
	// A GET may not write; what is declared not to write cannot either.
	req.settings.ReadOnly = r.Method != http.MethodPost || call.Function.Volatility != schema.Volatile
	if req.prefer.MaxAffected != nil && !call.Function.ReturnsSet {
		return apierr.New(http.StatusBadRequest, "PGRST128", "Function must return SETOF or TABLE when max-affected preference is used with handling=strict")
	}
	return s.answerRead(w, r, req, readQuery{
		read: call.Read, call: call, options: req.callOptions(r, call),
		write: func(o sqlgen.Options) sqlgen.Statement { return sqlgen.Call(call, values, o) },
	})
}

// followFunction gives the transaction those of a function's own settings that
// have to hold from its start.
func (req *request) followFunction(f *schema.Function) {
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

func (req *request) callOptions(r *http.Request, call *plan.Call) sqlgen.Options {
	options := req.options(r)
	switch {
	case options.Body == sqlgen.NoBody, options.Body == sqlgen.RawScalar, options.Body == sqlgen.Custom:
	case call.Function.IsVoid:
		options.Body = sqlgen.NoBody
	case call.Function.Composite:
		if !call.Function.ReturnsSet && options.Body == sqlgen.JSONList {
			options.Body = sqlgen.JSONObject
		}
	case call.Function.ReturnsSet && !req.form.object:
		options.Body = sqlgen.ScalarList
	default:
		options.Body = sqlgen.Scalar
	}
	return options
}

// arguments are what a client gives a function.
type arguments struct {
	kind   string // of whole: json, text, xml or bytea
	names  []string
	texts  map[string][]string // of a query string or a form: a name may come several times
	raw    map[string][]byte   // of a JSON body's object
	object []byte              // … and that itself
	whole  []byte              // the body as it came, for a function with one unnamed argument
}

func argumentsOfQuery(params []query.Param) arguments {
	given := arguments{texts: make(map[string][]string)}
	for _, param := range params {
		if len(given.texts[param.Name]) == 0 {
			given.names = append(given.names, param.Name)
		}
		given.texts[param.Name] = append(given.texts[param.Name], param.Value)
	}
	return given
}

// keep makes columns the arguments' names: others are dropped, and one that the
// body lacks is null.
func (a *arguments) keep(columns []string) {
	if a.raw == nil {
		return // a form, or the whole body as one argument
	}
	for _, name := range columns {
		if _, given := a.raw[name]; !given {
			a.raw[name] = []byte("null")
		}
	}
	a.names = slices.Compact(slices.Sorted(slices.Values(columns)))
}

// arguments reads the arguments of a call.
//
// Errors: 400 PGRST102; 413 PLZ010.
func (b *requestBody) arguments() (arguments, error) {
	body, kind, err := b.read(bodyJSON, bodyForm, bodyCSV, bodyText, bodyXML, bodyBytes)
	if err != nil {
		return arguments{}, err
	}
	switch kind {
	case bodyText:
		return arguments{whole: body, kind: "text"}, nil
	case bodyXML:
		return arguments{whole: body, kind: "xml"}, nil
	case bodyBytes:
		return arguments{whole: body, kind: "bytea"}, nil
	case bodyForm:
		fields, err := parseForm(body)
		if err != nil {
			return arguments{}, err
		}
		return arguments{texts: fields, names: slices.Sorted(maps.Keys(fields))}, nil
	case bodyCSV:
		if body, err = firstCSVRow(body); err != nil {
			return arguments{}, err
		}
		given, err := argumentsOfJSON(body)
		given.kind = ""
		return given, err
	}
	return argumentsOfJSON(body)
}

func argumentsOfJSON(body []byte) (arguments, error) {
	if body = bytes.TrimSpace(body); len(body) == 0 {
		body = []byte("{}")
	}
	if !json.Valid(body) {
		return arguments{}, errBadBody
	}
	given := arguments{whole: body, kind: "json"}
	// Of a list, as upstream, the first object's; a plain value has none: only an
	// unnamed argument takes it.
	if body[0] == '[' {
		body = firstElement(body)
	}
	if body[0] != '{' {
		return given, nil
	}
	given.object, given.raw = body, make(map[string][]byte)
	if _, err := keysOf(body); err != nil {
		return given, err
	}
	members(body, func(key, value []byte) bool {
		name := decodeKey(key)
		if _, twice := given.raw[name]; !twice {
			given.names = append(given.names, name)
		}
		given.raw[name] = value
		return len(given.names) < maxKeys
	})
	return given, nil
}

// of puts the values in the order the call wants.
func (a arguments) of(call *plan.Call) ([]sqlgen.Value, error) {
	if call.Body {
		return []sqlgen.Value{{Text: a.whole, Binary: a.kind == "bytea"}}, nil
	}
	values := make([]sqlgen.Value, len(call.Given))
	for i, wanted := range call.Given {
		if raw, ok := a.raw[wanted.Name]; ok {
			value, err := argument(a.object, wanted.Name, raw, wanted.Type)
			if err != nil {
				return nil, errBadBody.WithCause(err)
			}
			values[i] = value
			continue
		}
		texts := a.texts[wanted.Name]
		if wanted.Variadic {
			values[i] = sqlgen.Value{Text: []byte(sqlgen.ArrayLiteral(texts))}
		} else {
			values[i] = sqlgen.Value{Text: []byte(texts[len(texts)-1])}
		}
	}
	return values, nil
}
