package rest

import (
	"net/http"

	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/sqlgen"
)

// servePlan responds with the execution plan of a statement. The plan of a list
// includes json_agg, as upstream runs it, although this server normally builds the
// JSON list from the rows itself.
func (s *Server) servePlan(w http.ResponseWriter, r *http.Request, req *apiRequest, of sqlgen.Statement) error {
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
