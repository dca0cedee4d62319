package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/batch"
	"plaza/server/rest/request"
)

// A client can send several requests that succeed or fail together: a list of requests
// with the content type request.TypeTransaction, by POST to the API's root. They run
// with the caller's role in one transaction. The response is the list of their
// responses. If one fails, the transaction is rolled back and the response is its error.

// transaction holds what the requests of a batch share.
type transaction struct {
	*state
	who   claims.Caller
	tx    *pg.Tx
	batch *batch.Batch
}

// transactionKey is the context key for the transaction of a request.
type transactionKey struct{}

// serveTransaction handles a list of requests.
//
// Errors: 400 PLZ004 if the body is not a list of requests, PLZ005 for a reference
// to a missing value; 503 PLZ012 if too many batches are running; 504 PLZ011 if the
// requests take too long; the error of the first failed request, with its number.
func (s *Server) serveTransaction(w http.ResponseWriter, r *http.Request) error {
	req, err := s.readRequest(r)
	if err != nil {
		return err
	}
	if req.batchTx != nil {
		return batch.Malformed("a transaction cannot be a part of one")
	}
	parts, err := s.readParts(w, r)
	if err != nil {
		return err
	}
	all := &transaction{state: req.state, who: req.who}
	anonymous := req.who.Role == req.config.AnonRole
	release, err := s.batches.Acquire(r.Context(), anonymous)
	if err != nil {
		return err
	}
	err = s.runParts(r, req, all, parts)
	release()
	var failed *batch.Error
	if errors.As(err, &failed) {
		failed.Write(w)
		return nil
	}
	if err != nil {
		return pg.APIError(err, anonymous)
	}
	body, err := all.batch.JSON()
	if err != nil {
		return err
	}
	result := answer.NewResult()
	defer result.Release()
	result.Body.Write(body)
	req.form = answer.JSONForm
	return req.write(w, r, result, http.StatusOK)
}

// runParts runs the requests in one transaction, within the statement timeout of the role or, without one, the
// configured transaction timeout.
//
// Errors: 504 PLZ011.
func (s *Server) runParts(r *http.Request, req *apiRequest, all *transaction, parts []batch.Part) (err error) {
	how := req.settings
	how.Repeatable = true
	how.MaxTime = cmp.Or(s.db.StatementTimeout(req.who.Role), time.Duration(req.config.TransactionTime))
	req.committed, err = s.db.AsCaller(r.Context(), req.who, how, func(tx *pg.Tx) error {
		all.tx, all.batch = tx, batch.New()
		for _, part := range parts {
			if err := s.servePart(r, all, part); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, pg.ErrMaxTime) {
		return batch.ErrTooLong
	}
	return err
}

func (s *Server) readParts(w http.ResponseWriter, r *http.Request) ([]batch.Part, error) {
	source := s.bodies.Of(w, r)
	defer source.Close()
	body, _, err := source.Read(request.TypeTransaction)
	if err != nil {
		return nil, err
	}
	return batch.Decode(body)
}

// servePart runs one request and stores its response.
func (s *Server) servePart(outer *http.Request, all *transaction, part batch.Part) error {
	ctx := context.WithValue(outer.Context(), transactionKey{}, all)
	inner, err := all.batch.Request(ctx, outer, s.prefix, part)
	if err != nil {
		return err
	}
	recorder := batch.NewRecorder()
	s.routes.ServeHTTP(recorder, inner)
	if all.tx.Failed() { // SQL may raise an error with a success status
		recorder.Fail()
	}
	return all.batch.Keep(recorder)
}
