package rest

import (
	"context"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// A large body is read only if the caller has the privilege that the request needs,
// because reading takes space and converting it to rows takes time. PostgreSQL
// checks privileges again when the statement runs.

const (
	mayWriteSQL = "select pg_catalog.has_any_column_privilege($1, $2)"
	mayCallSQL  = `select coalesce(bool_or(pg_catalog.has_function_privilege(p.oid, 'execute')), false)
		from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2`
)

// requireWrite returns an error if the caller may not insert into, or update, any
// column of a table.
//
// Errors: 404 PGRST205; 401 or 403 42501.
func (s *Server) requireWrite(ctx context.Context, req *apiRequest, name schema.Name, privilege string) error {
	if _, err := plan.ForTable(req.snapshot, name, &query.Query{}, req.limits()); err != nil {
		return err
	}
	quoted := sqlgen.Ident(name.Schema) + "." + sqlgen.Ident(name.Name)
	return s.requirePrivilege(ctx, req, pg.Statement{SQL: mayWriteSQL, Args: [][]byte{[]byte(quoted), []byte(privilege)}}, "table "+name.Name)
}

// requireCall returns an error if the caller may not execute any function of this name.
//
// Errors: 404 PGRST202; 401 or 403 42501.
func (s *Server) requireCall(ctx context.Context, req *apiRequest, name schema.Name) error {
	if len(req.snapshot.Functions(name)) == 0 {
		_, err := plan.ForCall(req.snapshot, name, nil, "json", &query.Query{}, req.limits())
		return err
	}
	return s.requirePrivilege(ctx, req, pg.Statement{SQL: mayCallSQL, Args: [][]byte{[]byte(name.Schema), []byte(name.Name)}}, "function "+name.Name)
}

func (s *Server) requirePrivilege(ctx context.Context, req *apiRequest, statement pg.Statement, what string) error {
	check := *req
	check.settings.ReadOnly, check.settings.Before, check.settings.Verify = true, "", nil
	allowed := false
	err := s.query(ctx, &check, statement, func(row [][]byte) error {
		allowed = string(row[0]) == "t"
		return nil
	})
	anonymous := req.who.Role == req.config.AnonRole
	switch {
	case err != nil:
		return pg.APIError(err, anonymous)
	case allowed:
		return nil
	case anonymous:
		return apierr.New(http.StatusUnauthorized, "42501", "permission denied for %s", what)
	}
	return apierr.New(http.StatusForbidden, "42501", "permission denied for %s", what)
}
