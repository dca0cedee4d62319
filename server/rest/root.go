package rest

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/openapi"
	"plaza/server/rest/request"
	"plaza/server/rest/settings"
)

// serveRoot serves the OpenAPI document, or calls the function that is configured to
// return it. A POST of a list of requests runs them in one transaction.
func (s *Server) serveRoot(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodPost && request.BodyType(r) == request.TypeTransaction {
		return s.serveTransaction(w, r)
	}
	if config := s.state.Load().config; config.RootSpec != "" && config.OpenAPIMode != settings.OpenAPIDisabled {
		name := config.RootSpec
		return s.serveFunction(w, r, name[strings.LastIndexByte(name, '.')+1:])
	}
	req, err := s.readRequest(r)
	if err != nil {
		return err
	}
	if req.config.OpenAPIMode == settings.OpenAPIDisabled {
		return apierr.New(http.StatusNotFound, "PGRST126", "Root endpoint metadata is disabled")
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return s.serveOpenAPI(w, r, req)
	case http.MethodOptions:
		req.allow(w.Header(), "OPTIONS,GET,HEAD")
		return nil
	}
	return apierr.New(http.StatusMethodNotAllowed, "PGRST117", "Unsupported HTTP method: %s", r.Method)
}

func (s *Server) serveOpenAPI(w http.ResponseWriter, r *http.Request, req *apiRequest) (err error) {
	if req.form, err = answer.Negotiate(r, false, offerOpenAPI); err != nil {
		return err
	}
	options, err := s.readPrivileges(r.Context(), req)
	if err != nil {
		return err
	}
	result := answer.NewResult()
	defer result.Release()
	if r.Method == http.MethodGet {
		if err := req.documents.write(req.snapshot, options, &result.Body); err != nil {
			return err
		}
	}
	return req.write(w, r, result, http.StatusOK)
}

func offerOpenAPI(wanted request.MediaType) (answer.Form, bool) {
	switch wanted.Name {
	case request.TypeAny, "application/*", request.TypeJSON, request.TypeOpenAPI:
		return answer.Form{ContentType: answer.ContentTypeOf(request.TypeOpenAPI)}, true
	}
	return answer.Form{}, false
}

// commentSQL and privilegesSQL take the schema as $1. privilegesSQL returns the tables
// on which the caller has any privilege, and the functions that it may execute.
const (
	commentSQL = `
	select 'comment', pg_catalog.obj_description(n.oid, 'pg_namespace')
	from pg_catalog.pg_namespace n
	where n.nspname = $1`

	privilegesSQL = commentSQL + `
	union all
	select 'table', c.relname::text
	from pg_catalog.pg_class c
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition and (
		pg_catalog.pg_has_role(c.relowner, 'usage')
		or pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
		or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update, references'))
	union all
	select 'function', p.oid::text
	from pg_catalog.pg_proc p
	join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	where n.nspname = $1 and p.prokind = 'f' and pg_catalog.has_function_privilege(p.oid, 'execute')`
)

// readPrivileges queries, with the caller's role, what the document may contain.
func (s *Server) readPrivileges(ctx context.Context, req *apiRequest) (openapi.Options, error) {
	options := openapi.Options{Schema: req.schema, Address: req.address, Security: req.config.OpenAPISecurity}
	statement := pg.Statement{SQL: commentSQL, Args: [][]byte{[]byte(req.schema)}}
	if req.config.OpenAPIMode != settings.IgnorePrivileges {
		statement.SQL = privilegesSQL
		options.SearchPath = append([]string{req.schema}, req.config.ExtraSearchPath...)
		options.Access = &openapi.Access{Tables: make(map[string]bool), Functions: make(map[uint32]bool)}
	}
	req.settings.ReadOnly = true
	err := s.query(ctx, req, statement, func(row [][]byte) error {
		switch name := string(row[1]); string(row[0]) {
		case "comment":
			options.Description = name
		case "table":
			options.Access.Tables[name] = true
		case "function":
			oid, err := strconv.ParseUint(name, 10, 32)
			options.Access.Functions[uint32(oid)] = true
			return err
		}
		return nil
	})
	return options, pg.APIError(err, req.who.Role == req.config.AnonRole)
}
