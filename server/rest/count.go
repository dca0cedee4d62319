package rest

import (
	"context"

	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
	"plaza/server/rest/sqlgen"
)

// withCount returns the options with the kind of count that the statement performs:
// none for the planner's estimate, and a bounded count for "estimated".
func (req *apiRequest) withCount(options sqlgen.Options) sqlgen.Options {
	switch req.prefer.Count {
	case "planned":
		options.Count = false
	case "estimated":
		options.CountUpTo = req.config.MaxRows
	}
	return options
}

// addEstimate raises a.Total to the planner's row count if the client prefers
// "planned". For "estimated" it does so only if the counted rows exceed the maximum
// number of rows in a response.
func (s *Server) addEstimate(ctx context.Context, req *apiRequest, read *plan.Read, a *answer.Result) error {
	limit := req.config.MaxRows
	switch {
	case req.prefer.Count == "planned":
	case req.prefer.Count == "estimated" && (limit == 0 || a.Total > limit):
	default:
		return nil
	}
	expected, err := planOf(sqlgen.ExplainCount(read), func(statement pg.Statement, scan func(row [][]byte) error) error {
		return s.query(ctx, req, statement, scan)
	})
	if err != nil {
		return pg.APIError(err, req.who.Role == req.config.AnonRole)
	}
	a.Total = max(a.Total, int64(expected.Rows))
	return nil
}
