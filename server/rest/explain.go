package rest

import (
	"net/http"

	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/sqlgen"
)

// answerPlan answers with the execution plan of a statement. Lists are planned
// with PostgreSQL's json_agg on top, as upstream runs them; here the rows below
// it are strung together by the server.
func (s *Server) answerPlan(w http.ResponseWriter, r *http.Request, req *apiRequest, of sqlgen.Statement) error {
	result := answer.NewResult()
	defer result.Release()
	statement := req.form.Explain.Statement(of)
	err := s.queryGuarded(r.Context(), req, of, req.statement(statement), func(row [][]byte) error {
		if result.Body.Len() > 0 {
			result.Body.WriteByte('\n')
		}
		result.Body.Write(row[0])
		return nil
	})
	if err != nil {
		return pg.APIError(err, req.who.Role == req.config.AnonRole)
	}
	return req.write(w, r, result, http.StatusOK)
}
