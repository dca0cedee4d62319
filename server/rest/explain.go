package rest

import (
	"net/http"

	"plaza/server/pg"
	"plaza/server/rest/sqlgen"
)

// answerPlan answers with the execution plan of a statement. Lists are planned
// with PostgreSQL's json_agg on top, as upstream runs them; here the rows below
// it are strung together by the server.
func (s *Server) answerPlan(w http.ResponseWriter, r *http.Request, req *apiRequest, of sqlgen.Statement) error {
	answer := newAnswer()
	defer answer.release()
	statement := req.form.explain.Statement(of)
	err := s.queryGuarded(r.Context(), req, of, req.statement(statement), func(row [][]byte) error {
		if answer.body.Len() > 0 {
			answer.body.WriteByte('\n')
		}
		answer.body.Write(row[0])
		return nil
	})
	if err != nil {
		return pg.APIError(err, req.who.Role == req.config.AnonRole)
	}
	return req.write(w, r, answer, http.StatusOK)
}
