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

// A large body is read only for a caller who has a privilege to do something with
// it: reading takes room, and turning it into rows takes time. PostgreSQL checks
// again when the statement runs.

const (
	mayWriteSQL = "select pg_catalog.has_any_column_privilege($1, $2)"
	mayCallSQL  = `select coalesce(bool_or(pg_catalog.has_function_privilege(p.oid, 'execute')), false)
		from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2`
)

// mayWrite fails where the caller may insert into, or update, no column of a table.
//
// Errors: 404 PGRST205; 401 or 403 42501.
func (s *Server) mayWrite(ctx context.Context, req *apiRequest, name schema.Name, privilege string) error {
	if _, err := plan.ForTable(req.snapshot, name, &query.Query{}, req.limits()); err != nil {
		return err
	}
	quoted := sqlgen.Ident(name.Schema) + "." + sqlgen.Ident(name.Name)
	return s.hasPrivilege(ctx, req, pg.Statement{SQL: mayWriteSQL, Args: [][]byte{[]byte(quoted), []byte(privilege)}}, "table "+name.Name)
}

// mayCall fails where the caller may execute no function of a name.
//
// Errors: 404 PGRST202; 401 or 403 42501.
func (s *Server) mayCall(ctx context.Context, req *apiRequest, name schema.Name) error {
	if len(req.snapshot.Functions(name)) == 0 {
		_, err := plan.ForCall(req.snapshot, name, nil, "json", &query.Query{}, req.limits())
		return err
	}
	return s.hasPrivilege(ctx, req, pg.Statement{SQL: mayCallSQL, Args: [][]byte{[]byte(name.Schema), []byte(name.Name)}}, "function "+name.Name)
}

func (s *Server) hasPrivilege(ctx context.Context, req *apiRequest, question pg.Statement, what string) error {
	ask := *req
	ask.settings.ReadOnly, ask.settings.Before, ask.settings.Verify = true, "", nil
	allowed := false
	err := s.query(ctx, &ask, question, func(row [][]byte) error {
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
