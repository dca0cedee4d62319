package rest

import (
	"net/http"

	"plaza/server/apierr"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/request"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// serveTable handles requests on a table or view.
func (s *Server) serveTable(w http.ResponseWriter, r *http.Request, table string) error {
	req, err := s.readRequest(r)
	if err != nil {
		return err
	}
	name := schema.Name{Schema: req.schema, Name: table}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return s.readTable(w, r, req, name)
	}
	if err := req.parse(r, query.Options{}); err != nil {
		return err
	}
	switch r.Method {
	case http.MethodPost, http.MethodPut:
		return s.insert(w, r, req, name)
	case http.MethodPatch:
		return s.update(w, r, req, name)
	case http.MethodDelete:
		return s.delete(w, r, req, name)
	case http.MethodOptions:
		return s.options(w, req, name)
	}
	return apierr.New(http.StatusMethodNotAllowed, "PGRST117", "Unsupported HTTP method: %s", r.Method)
}

func (s *Server) serveUnknown(_ http.ResponseWriter, r *http.Request) error {
	if _, err := s.readRequest(r); err != nil {
		return err
	}
	return apierr.New(http.StatusNotFound, "PGRST125", "Invalid path specified in request URL")
}

func (s *Server) readTable(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name) error {
	req.settings.ReadOnly = true
	req.prefer.ClearWrites()
	req.prefer.MaxAffected = nil
	if done, err := s.readCached(w, r, req, name); done {
		return err
	}
	if err := req.parse(r, query.Options{}); err != nil {
		return err
	}
	read, err := plan.ForTable(req.snapshot, name, req.query, req.limits())
	if err != nil {
		return err
	}
	s.warnLegacyNames(r, req, read.LegacyNames)
	if req.form, err = answer.RowsForm(r, req.acceptable(), read, req.query.WholeRows()); err != nil {
		return err
	}
	return s.serveRead(w, r, req, readQuery{
		read: read, options: req.withCount(req.options(r)),
		write: func(o sqlgen.Options) sqlgen.Statement { return sqlgen.Read(read, o) },
	})
}

// readCached handles a read whose shape can be cached. done is false if it cannot.
func (s *Server) readCached(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name) (done bool, err error) {
	if r.Header.Get("Range") != "" || req.prefer.Count != "" && req.prefer.Count != "exact" {
		return false, nil
	}
	shape, values := req.shapes.lookup(req.state, name, r.URL.RawQuery)
	if shape == nil {
		return false, nil
	}
	req.watch.lap(partParse)
	s.warnLegacyNames(r, req, shape.read.LegacyNames)
	if req.form, err = answer.RowsForm(r, req.acceptable(), shape.read, shape.wholeRows); err != nil {
		return true, err
	}
	return true, s.serveRead(w, r, req, readQuery{
		read: shape.read, options: req.options(r),
		write: func(o sqlgen.Options) sqlgen.Statement { return shape.statement(o, values) },
	})
}

// options returns the options for the request's statement.
func (req *apiRequest) options(r *http.Request) sqlgen.Options {
	options := sqlgen.Options{Count: req.prefer.CountsRows(), Body: req.form.Body, Strip: req.form.Strip, Handler: req.form.Handler}
	if r.Method == http.MethodHead {
		options.Body = sqlgen.NoBody
	}
	return options
}

// insert inserts rows. PUT inserts or replaces the single row that the filters identify.
func (s *Server) insert(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name) error {
	body := s.bodyFor(w, r, req, name, "insert")
	defer body.Close()
	payload, keys, err := body.Rows(req.query.HasColumns)
	if err != nil {
		return err
	}
	if table, ok := req.snapshot.Table(name); ok && req.prefer.Missing != "default" && payload.Keys == nil {
		switch {
		case !payload.List:
			payload.Values = request.PlainValues(table, payload.JSON)
		case req.query.HasColumns:
			payload.Values = request.PlainArrays(table, req.query.Columns, payload.JSON)
		default:
			payload.Values = request.PlainArrays(table, keys, payload.JSON)
		}
	}
	change := plan.Change{
		Kind: plan.Insert, Keys: keys, Defaults: req.prefer.Missing == "default",
		Resolution: plan.Resolution(req.prefer.Resolution), Put: r.Method == http.MethodPut,
		Return: req.prefer.Return == "representation", KeyOnly: req.prefer.Return == "headers-only",
	}
	req.prefer.MaxAffected = nil
	if change.Put {
		// PUT always merges duplicates, and does not report it in Preference-Applied.
		change.Resolution, change.KeyOnly = plan.MergeDuplicates, false
		req.prefer.Resolution, req.prefer.Missing = "", ""
	}
	return s.mutate(w, r, req, name, change, payload)
}

// bodyFor returns the body of a write. A large one is read only if the caller has the privilege.
func (s *Server) bodyFor(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name, privilege string) *request.Body {
	body := s.bodies.Of(w, r)
	body.BeforeLarge = func() error { return s.requireWrite(r.Context(), req, name, privilege) }
	req.onArgSent = body.Discard
	return body
}

func (s *Server) update(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name) error {
	body := s.bodyFor(w, r, req, name, "update")
	defer body.Close()
	payload, keys, err := body.Rows(req.query.HasColumns)
	if err != nil {
		return err
	}
	if payload.List {
		payload.JSON, payload.List = request.FirstElement(payload.JSON), false
	}
	change := plan.Change{Kind: plan.Update, Keys: keys, Defaults: req.prefer.Missing == "default", Return: req.prefer.Return == "representation"}
	return s.mutate(w, r, req, name, change, payload)
}

func (s *Server) delete(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name) error {
	req.prefer.Missing = ""
	change := plan.Change{Kind: plan.Delete, Return: req.prefer.Return == "representation"}
	return s.mutate(w, r, req, name, change, sqlgen.Payload{})
}

func (s *Server) mutate(w http.ResponseWriter, r *http.Request, req *apiRequest, name schema.Name, change plan.Change, payload sqlgen.Payload) error {
	mutation, err := plan.ForMutation(req.snapshot, name, req.query, change, req.limits())
	if err != nil {
		return err
	}
	s.warnLegacyNames(r, req, mutation.LegacyNames)
	if mutation.FiltersUnused {
		if err := req.warnUnusedFilters(w); err != nil {
			return err
		}
	}
	shown := mutation.Read
	if shown == nil {
		shown = &plan.Read{Table: name}
	}
	if req.form, err = answer.RowsForm(r, req.acceptable(), shown, req.query.WholeRows()); err != nil {
		return err
	}
	options := sqlgen.Options{Body: sqlgen.NoBody, Count: req.prefer.CountsRows()}
	if change.Return {
		options = req.options(r)
	}
	options.Silent = req.form.Explain == nil && !req.maySetResponse()
	if mutation.Resolution == "" {
		req.prefer.Resolution = ""
	}
	statement := sqlgen.Mutation(mutation, payload, options)
	if req.form.Explain != nil {
		return s.servePlan(w, r, req, statement)
	}
	result := answer.NewResult()
	defer result.Release()
	result.Binary = req.form.Binary
	req.verifyRows(result, rowCheck(mutation))
	run := s.runInto
	if statement.Silent {
		run = s.runSilent
	}
	if err := run(r.Context(), req, statement, result); err != nil {
		return err
	}
	return respondChange(w, r, req, mutation, result)
}

// warnUnusedFilters warns the client that filters have no effect on an insert.
// Existing clients send them, and upstream ignores them silently.
//
// Errors: 400 PLZ009 with handling=strict.
func (req *apiRequest) warnUnusedFilters(w http.ResponseWriter) error {
	if req.prefer.Handling == "strict" {
		return apierr.New(http.StatusBadRequest, "PLZ009", "Filters have no effect on an insert").
			WithHint("Remove them, or update rows in place of inserting them.")
	}
	w.Header().Add("Warning", `299 Plaza "Filters have no effect on an insert"`)
	return nil
}

// verifyRows checks the number of affected rows before the commit, if the request
// limits it. further is an additional check of the number of changed rows; it may be nil.
func (req *apiRequest) verifyRows(result *answer.Result, further func(changed int64) error) {
	if !req.form.Object && req.prefer.MaxAffected == nil && further == nil {
		return
	}
	req.settings.Verify = func() error {
		if err := req.checkAffected(result); err != nil {
			return err
		}
		if further != nil {
			if err := further(result.Affected()); err != nil {
				return err
			}
		}
		return req.checkSingle(result.Rows)
	}
}

// rowCheck returns the check of the number of changed rows that a mutation requires, or nil.
func rowCheck(m *plan.Mutation) func(rows int64) error {
	switch {
	case m.Put:
		return func(rows int64) error {
			if rows != 1 {
				return apierr.New(http.StatusBadRequest, "PGRST115", "Payload values do not match URL in primary key column(s)")
			}
			return nil
		}
	case m.MaxRows != nil:
		return func(rows int64) error {
			if rows > *m.MaxRows {
				return apierr.New(http.StatusBadRequest, "PLZ008", "The request would change more rows than its limit").
					WithDetail("The filters match %d rows, and the limit is %d", rows, *m.MaxRows).
					WithHint("A limit does not choose the rows of an update or delete: use filters.")
			}
			return nil
		}
	}
	return nil
}

// checkAffected enforces the client's max-affected preference.
func (req *apiRequest) checkAffected(result *answer.Result) error {
	if limit := req.prefer.MaxAffected; limit != nil && result.Affected() > *limit {
		return apierr.New(http.StatusBadRequest, "PGRST124", "Query result exceeds max-affected preference constraint").
			WithDetail("The query affects %d rows", result.Affected())
	}
	return nil
}

// checkSingle requires exactly one row if the response is a single object.
func (req *apiRequest) checkSingle(rows int64) error {
	if !req.form.Object || rows == 1 {
		return nil
	}
	return apierr.New(http.StatusNotAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object").
		WithDetail("The result contains %d rows", rows)
}

// options responds to OPTIONS with the methods that a table supports.
func (s *Server) options(w http.ResponseWriter, req *apiRequest, name schema.Name) error {
	if _, err := plan.ForTable(req.snapshot, name, &query.Query{}, req.limits()); err != nil {
		return err
	}
	table, _ := req.snapshot.Table(name)
	allow := "OPTIONS,GET,HEAD"
	for _, method := range []struct {
		name    string
		allowed bool
	}{
		{"POST", table.Insertable()},
		{"PUT", table.Insertable() && table.Updatable() && len(table.PrimaryKey) > 0},
		{"PATCH", table.Updatable()},
		{"DELETE", table.Deletable()},
	} {
		if method.allowed {
			allow += "," + method.name
		}
	}
	req.allow(w.Header(), allow)
	return nil
}
