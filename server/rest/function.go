package rest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// serveFunction answers calls of /rpc/{function}.
func (s *Server) serveFunction(w http.ResponseWriter, r *http.Request) error {
	req, err := s.understand(r, true)
	if err != nil {
		return err
	}
	name := schema.Name{Schema: req.schema, Name: r.PathValue("function")}
	var given arguments
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		given = argumentsOfQuery(req.query.Params)
	case http.MethodPost:
		if given, err = s.argumentsOfBody(w, r); err != nil {
			return err
		}
	case http.MethodOptions:
		w.Header().Set("Allow", "OPTIONS,GET,HEAD,POST")
		return nil
	default:
		return apierr.New(http.StatusMethodNotAllowed, "PGRST101", "Cannot use the %s method on RPC", r.Method)
	}
	call, err := plan.ForCall(req.snapshot, name, given.names, given.kind, req.query, s.limits())
	if err != nil {
		return err
	}
	if call.Read != nil {
		req.form, err = negotiateRows(r, req.snapshot, call.Read, req.query.WholeRows())
	} else {
		req.form, err = negotiateValue(r, call.Function)
	}
	if err != nil {
		return err
	}
	values, err := given.of(call)
	if err != nil {
		return err
	}
	// A GET may not write; what is declared not to write cannot either.
	req.settings.ReadOnly = r.Method != http.MethodPost || call.Function.Volatility != schema.Volatile
	answer, err := s.run(r.Context(), req, sqlgen.Call(call, values, req.callOptions(r, call)))
	if err != nil {
		return err
	}
	defer answer.release()
	if call.Function.IsVoid {
		answer.status = orDefault(answer.status, http.StatusNoContent)
	}
	return respondRows(w, r, req, call.Read, answer)
}

func (req *request) callOptions(r *http.Request, call *plan.Call) sqlgen.Options {
	options := req.options(r)
	switch {
	case options.Body == sqlgen.NoBody, options.Body == sqlgen.RawScalar, options.Body == sqlgen.Custom:
	case call.Function.IsVoid:
		options.Body = sqlgen.NoBody
	case call.Read == nil && call.Function.ReturnsSet && !req.form.object:
		options.Body = sqlgen.ScalarList
	case call.Read == nil:
		options.Body = sqlgen.Scalar
	case !call.Function.ReturnsSet && options.Body == sqlgen.JSONList:
		options.Body = sqlgen.JSONObject
	}
	return options
}

// arguments are what a client gives a function.
type arguments struct {
	kind   string // of whole: json, text, xml or bytea
	names  []string
	values map[string]sqlgen.Value
	raw    map[string]json.RawMessage
	whole  string // the body as it came, for a function with one unnamed argument
}

func argumentsOfQuery(params []query.Param) arguments {
	given := arguments{values: make(map[string]sqlgen.Value)}
	for _, param := range params {
		if _, twice := given.values[param.Name]; !twice {
			given.names = append(given.names, param.Name)
		}
		given.values[param.Name] = sqlgen.Value{Text: param.Value}
	}
	return given
}

func (s *Server) argumentsOfBody(w http.ResponseWriter, r *http.Request) (arguments, error) {
	body, kind, err := s.readBody(w, r, bodyJSON, bodyForm, bodyText, bodyXML, bodyBytes)
	if err != nil {
		return arguments{}, err
	}
	switch kind {
	case bodyText:
		return arguments{whole: string(body), kind: "text"}, nil
	case bodyXML:
		return arguments{whole: string(body), kind: "xml"}, nil
	case bodyBytes:
		return arguments{whole: `\x` + hex.EncodeToString(body), kind: "bytea"}, nil
	case bodyForm:
		if body, err = formToJSON(body); err != nil {
			return arguments{}, err
		}
	}
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	given := arguments{whole: string(body), kind: "json"}
	if err := json.Unmarshal(body, &given.raw); err != nil {
		if json.Valid(body) {
			return given, nil // a list or a plain value: only an unnamed argument takes it
		}
		return arguments{}, errBadBody.WithCause(err)
	}
	for name := range given.raw {
		given.names = append(given.names, name)
	}
	return given, nil
}

// of puts the values in the order the call wants.
func (a arguments) of(call *plan.Call) ([]sqlgen.Value, error) {
	if call.Body {
		return []sqlgen.Value{{Text: a.whole}}, nil
	}
	values := make([]sqlgen.Value, len(call.Given))
	for i, wanted := range call.Given {
		if raw, ok := a.raw[wanted.Name]; ok {
			value, err := argument(raw, wanted.Type)
			if err != nil {
				return nil, errBadBody.WithCause(err)
			}
			values[i] = value
			continue
		}
		values[i] = a.values[wanted.Name]
	}
	return values, nil
}
