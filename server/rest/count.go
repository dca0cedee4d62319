package rest

import (
	"context"

	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
	"plaza/server/rest/sqlgen"
)

// counted says which count the statement itself answers: none where the
// planner's will do, and one that stops early where it may do.
func (req *apiRequest) counted(options sqlgen.Options) sqlgen.Options {
	switch req.prefer.Count {
	case "planned":
		options.Count = false
	case "estimated":
		options.CountUpTo = req.config.MaxRows
	}
	return options
}

// estimate puts the planner's count into an answer, where the client is content
// with it: always for planned; for estimated where it is higher, unless so few
// rows were counted that one answer may hold them all.
func (s *Server) estimate(ctx context.Context, req *apiRequest, read *plan.Read, a *answer.Result) error {
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
