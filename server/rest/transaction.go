package rest

import (
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

// Several requests that succeed or fail together: POST to the API's root a list
// of them, as request.TypeTransaction. They run as the caller, in one transaction.
// The answer is the list of theirs, or the error of the first that failed, and
// nothing was done.

// transaction is what the requests of one share.
type transaction struct {
	*state
	who   claims.Caller
	tx    *pg.Tx
	batch *batch.Batch
}

// transactionKey is where the context of a request carries its transaction.
type transactionKey struct{}

// serveTransaction answers a list of requests.
//
// Errors: 400 PLZ004 for what is no such list, PLZ005 for a reference that leads
// nowhere; 503 PLZ012 while too many others run, 504 PLZ011 where they take too
// long; those of the first request that fails, with its number.
func (s *Server) serveTransaction(w http.ResponseWriter, r *http.Request) error {
	req, err := s.understand(r)
	if err != nil {
		return err
	}
	if req.within != nil {
		return batch.Malformed("a transaction cannot be a part of one")
	}
	parts, err := s.readParts(w, r)
	if err != nil {
		return err
	}
	all := &transaction{state: req.state, who: req.who, batch: batch.New()}
	anonymous := req.who.Role == req.config.AnonRole
	end, err := s.turns.Take(r.Context(), anonymous)
	if err != nil {
		return err
	}
	err = s.timed(r.Context(), req, func(ctx context.Context) error { return s.runParts(r.WithContext(ctx), req, all, parts) })
	end()
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

// runParts runs the requests in one transaction.
func (s *Server) runParts(r *http.Request, req *apiRequest, all *transaction, parts []batch.Part) (err error) {
	req.committed, err = s.db.AsCaller(r.Context(), req.who, req.settings, func(tx *pg.Tx) error {
		all.tx = tx
		for _, part := range parts {
			if err := s.servePart(r, all, part); err != nil {
				return err
			}
		}
		return nil
	})
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

// servePart runs one request and keeps its answer.
func (s *Server) servePart(outer *http.Request, all *transaction, part batch.Part) error {
	ctx := context.WithValue(outer.Context(), transactionKey{}, all)
	inner, err := all.batch.Request(ctx, outer, s.prefix, part)
	if err != nil {
		return err
	}
	recorder := batch.NewRecorder()
	s.routes.ServeHTTP(recorder, inner)
	if all.tx.Failed() { // SQL may raise an error with the status of a success
		recorder.Fail()
	}
	return all.batch.Keep(recorder)
}

// timed calls run with a context that ends when a transaction of the role has had
// its time.
//
// Errors: 504 PLZ011; run's.
func (s *Server) timed(ctx context.Context, req *apiRequest, run func(ctx context.Context) error) error {
	limit := s.db.StatementTimeout(req.who.Role)
	if limit == 0 {
		limit = time.Duration(req.config.TransactionTime)
	}
	if limit == 0 {
		return run(ctx)
	}
	within, cancel := context.WithTimeoutCause(ctx, limit, batch.ErrTooLong)
	defer cancel()
	err := run(within)
	if err != nil && errors.Is(context.Cause(within), batch.ErrTooLong) {
		return batch.ErrTooLong
	}
	return err
}
