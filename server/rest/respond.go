package rest

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
	"plaza/server/rest/sqlgen"
)

// runInto executes a statement that returns one row and stores the row in result.
func (s *Server) runInto(ctx context.Context, req *apiRequest, statement sqlgen.Statement, result *answer.Result) error {
	err := s.queryGuarded(ctx, req, statement, req.statement(statement), result.Take)
	return pg.APIError(err, req.who.Role == req.config.AnonRole)
}

// runSilent executes a statement that returns no rows.
func (s *Server) runSilent(ctx context.Context, req *apiRequest, statement sqlgen.Statement, result *answer.Result) error {
	sent := req.statement(statement)
	sent.Changed = func(rows int64) { result.Rows = rows }
	result.Total = -1
	return pg.APIError(s.queryGuarded(ctx, req, statement, sent, nil), req.who.Role == req.config.AnonRole)
}

// maySetResponse reports whether SQL may set headers or the status of the response.
func (req *apiRequest) maySetResponse() bool {
	return req.preRequest != "" || req.snapshot.SetsResponse
}

// readResponse arranges that the headers and the status set by SQL are read after a
// statement for rows. It reports whether SQL may set any.
func (req *apiRequest) readResponse(a *answer.Result) bool {
	if !req.maySetResponse() {
		return false
	}
	req.settings.After, req.settings.AfterRow = sqlgen.Response, a.TakeResponse
	return true
}

// respondRows responds to a read or a function call. read is nil for a scalar.
func respondRows(w http.ResponseWriter, r *http.Request, req *apiRequest, read *plan.Read, a *answer.Result) error {
	status, err := setRange(w.Header(), r, req, read, a.Rows, a.Total)
	if err != nil {
		return err
	}
	if status = cmp.Or(a.Status, status); status != http.StatusNoContent {
		w.Header().Set("Content-Type", req.form.ContentType)
	}
	return req.write(w, r, a, status)
}

// setRange sets the headers Content-Range and Content-Location and returns the status.
//
// Errors: 416 PGRST103; 406 PGRST116.
func setRange(header http.Header, r *http.Request, req *apiRequest, read *plan.Read, rows, total int64) (status int, err error) {
	status = http.StatusOK
	offset := int64(0)
	if read != nil {
		offset = offsetOf(read)
		if total >= 0 && offset > total && offset > 0 {
			header.Set("Content-Range", "*/"+strconv.FormatInt(total, 10))
			return 0, apierr.New(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable").
				WithDetail("An offset of %d was requested, but there are only %d rows.", offset, total)
		}
		if total >= 0 && rows < total {
			status = http.StatusPartialContent
		}
	}
	if err := req.checkSingle(rows); err != nil {
		return 0, err
	}
	header.Set("Content-Range", answer.ContentRange(offset, rows, total))
	if !req.isCall {
		header.Set("Content-Location", answer.Canonical(r.URL))
	}
	return status, nil
}

func offsetOf(read *plan.Read) int64 {
	if read.Offset == nil {
		return 0
	}
	return *read.Offset
}

// respondChange responds to a write.
func respondChange(w http.ResponseWriter, r *http.Request, req *apiRequest, m *plan.Mutation, a *answer.Result) error {
	shown := m.Read != nil
	status := http.StatusNoContent
	switch {
	case m.Put: // has no Content-Range, and is 201 only if the row is returned
		if shown && !a.UpdatedOnly {
			status = http.StatusCreated
		}
	case m.Kind == plan.Insert:
		none := m.Resolution == plan.MergeDuplicates && len(m.Columns) == 0 && a.Rows == 0 // an empty list
		status = http.StatusOK
		if !a.UpdatedOnly && !none {
			status = http.StatusCreated
		}
		w.Header().Set("Content-Range", answer.ContentRange(0, 0, a.Total))
		if a.Key != "" {
			location, err := answer.Location(r, m, a.Key)
			if err != nil {
				return err
			}
			w.Header().Set("Location", location)
		}
	case m.Kind == plan.Update:
		w.Header().Set("Content-Range", answer.ContentRange(0, a.Rows, a.Total))
	default:
		w.Header().Set("Content-Range", answer.ContentRange(0, 0, a.Total))
	}
	if shown && status == http.StatusNoContent {
		status = http.StatusOK
	}
	return req.write(w, r, a, cmp.Or(a.Status, status))
}

// setHeaders sets the headers that every response has.
func (req *apiRequest) setHeaders(header http.Header, a *answer.Result) error {
	if len(req.config.Schemas) > 1 {
		header.Set("Content-Profile", req.schema)
	}
	if applied := req.prefer.Applied(req.tx); applied != "" {
		header.Set("Preference-Applied", applied)
	}
	if req.warning != "" {
		header.Add("Warning", req.warning)
	}
	header.Add("Vary", varyBy)
	req.setCommitHeader(header)
	req.setTiming(header)
	return answer.SetHeaders(header, a.Headers)
}

// varyBy lists the request headers on which a response depends.
const varyBy = "Accept, Prefer, Range"

// allow sets the headers of a response to OPTIONS.
func (req *apiRequest) allow(header http.Header, methods string) {
	header.Set("Allow", methods)
	header.Add("Vary", varyBy)
	req.setTiming(header)
}

// setTiming sets Server-Timing if it is enabled.
func (req *apiRequest) setTiming(header http.Header) {
	if req.watch != nil {
		req.watch.lap(partResponse)
		header.Set("Server-Timing", req.watch.header())
	}
}

// write sends the headers and the body.
func (req *apiRequest) write(w http.ResponseWriter, r *http.Request, a *answer.Result, status int) error {
	header := w.Header()
	if err := req.setHeaders(header, a); err != nil {
		return err
	}
	if status == http.StatusNoContent || a.Body.Len() == 0 && r.Method != http.MethodHead {
		if status != http.StatusNoContent {
			header.Set("Content-Length", "0")
		}
		w.WriteHeader(status)
		return nil
	}
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", req.form.ContentType)
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return nil
	}
	header.Set("Content-Length", strconv.Itoa(a.Body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(a.Body.Bytes()) // fails only if the client has disconnected
	return nil
}
