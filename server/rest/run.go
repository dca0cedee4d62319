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

// statement is what is sent of a statement made for the request.
func (req *apiRequest) statement(made sqlgen.Statement) pg.Statement {
	return pg.Statement{SQL: made.SQL, Args: made.Args, Binary: made.Binary, Sent: req.sent}
}

// query runs one statement as the request's caller.
func (s *Server) query(ctx context.Context, req *apiRequest, statement pg.Statement, scan func(row [][]byte) error) error {
	return s.execute(ctx, req, nil, statement, scan)
}

// queryGuarded is query for what a client asked, of: a role may have a limit for
// what the planner thinks that costs, and what is above it does not run.
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

// execute runs a statement in the transaction that the request is a part of, or
// in its own; first, which may be nil, comes before it in the same.
func (s *Server) execute(ctx context.Context, req *apiRequest, first func(*pg.Tx) error, statement pg.Statement, scan func(row [][]byte) error) error {
	if req.config.LogQuery {
		httpx.NoteQuery(ctx, s.db.BecomeSQL(req.who.Role), req.settings.Before, statement.SQL)
	}
	req.watch.lap(partPlan)
	defer req.watch.lap(partTransaction)
	if req.within != nil {
		return req.executeWithin(req.within, first, statement, scan)
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

// planned is what the planner expects of a statement.
type planned struct {
	Rows float64 `json:"Plan Rows"`
	Cost float64 `json:"Total Cost"` // in units of the planner
}

// planOf reads the plan that an explain in JSON gives.
func planOf(explain sqlgen.Statement, query func(pg.Statement, func(row [][]byte) error) error) (planned, error) {
	var plans []struct{ Plan planned }
	err := query(pg.Statement{SQL: explain.SQL, Args: explain.Args, Binary: explain.Binary}, func(row [][]byte) error {
		return json.Unmarshal(row[0], &plans)
	})
	if err != nil {
		return planned{}, err
	}
	if len(plans) == 0 {
		return planned{}, errors.New("the planner gave no plan")
	}
	return plans[0].Plan, nil
}
