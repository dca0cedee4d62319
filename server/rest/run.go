package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/rest/sqlgen"
)

// statement converts a generated statement for execution in this request.
func (req *apiRequest) statement(generated sqlgen.Statement) pg.Statement {
	return pg.Statement{SQL: generated.SQL, Args: generated.Args, Binary: generated.Binary, Sent: req.onArgSent}
}

// query runs one statement as the request's caller.
func (s *Server) query(ctx context.Context, req *apiRequest, statement pg.Statement, scan func(row [][]byte) error) error {
	return s.execute(ctx, req, nil, statement, scan)
}

// queryGuarded is like query, but does not run the statement if the planner's cost of
// the client's query, of, exceeds the limit of the role.
//
// Errors: 400 PLZ003.
func (s *Server) queryGuarded(ctx context.Context, req *apiRequest, of sqlgen.Statement, statement pg.Statement, scan func(row [][]byte) error) error {
	limit := s.db.CostLimit(req.who.Role)
	if limit == 0 {
		return s.execute(ctx, req, nil, statement, scan)
	}
	check := func(tx *pg.Tx) error { return checkCost(tx, of, limit, req.who.Role) }
	return s.execute(ctx, req, check, statement, scan)
}

// execute runs a statement in the transaction of the batch that contains the request,
// or in a transaction of its own. first runs before it in the same transaction; it
// may be nil.
func (s *Server) execute(ctx context.Context, req *apiRequest, first func(*pg.Tx) error, statement pg.Statement, scan func(row [][]byte) error) error {
	if req.config.LogQuery {
		httpx.RecordQuery(ctx, s.db.SetRoleSQL(req.who.Role), req.settings.Before, statement.SQL)
	}
	req.watch.lap(partPlan)
	defer req.watch.lap(partTransaction)
	if req.batchTx != nil {
		return req.executeWithin(req.batchTx, first, statement, scan)
	}
	var committed pg.LSN
	var err error
	if first == nil {
		committed, err = s.db.QueryAsCaller(ctx, req.who, req.settings, statement, scan)
	} else {
		committed, err = s.db.AsCaller(ctx, req.who, req.settings, func(tx *pg.Tx) error {
			return req.executeWithin(tx, first, statement, scan)
		})
	}
	req.committed = max(req.committed, committed)
	return err
}

func (req *apiRequest) executeWithin(tx *pg.Tx, first func(*pg.Tx) error, statement pg.Statement, scan func(row [][]byte) error) error {
	tx.Become(req.settings)
	if first != nil {
		if err := first(tx); err != nil {
			return err
		}
	}
	err := tx.Query(statement, scan)
	if err == nil && req.settings.Verify != nil {
		err = req.settings.Verify()
	}
	return err
}

func checkCost(tx *pg.Tx, of sqlgen.Statement, limit float64, role string) error {
	planned, err := planOf((&sqlgen.Explain{JSON: true}).Statement(of), tx.Query)
	if err != nil || planned.Cost <= limit {
		return err
	}
	return apierr.New(http.StatusBadRequest, "PLZ003", "The request would cost too much").
		WithDetail("Its planned cost is %s, and the limit of the role %s is %s.", number(planned.Cost), role, number(limit)).
		WithHint("Ask for fewer rows, filter by columns that have an index, or leave out the count.")
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// planned is the planner's estimate for a statement.
type planned struct {
	Rows float64 `json:"Plan Rows"`
	Cost float64 `json:"Total Cost"` // in the planner's cost units
}

// planOf runs an explain statement with JSON output and returns its estimate.
func planOf(explain sqlgen.Statement, query func(pg.Statement, func(row [][]byte) error) error) (planned, error) {
	var plans []struct{ Plan planned }
	err := query(pg.Statement{SQL: explain.SQL, Args: explain.Args, Binary: explain.Binary}, func(row [][]byte) error {
		return json.Unmarshal(row[0], &plans)
	})
	if err != nil {
		return planned{}, err
	}
	if len(plans) == 0 {
		return planned{}, errors.New("explain returned no plan")
	}
	return plans[0].Plan, nil
}
