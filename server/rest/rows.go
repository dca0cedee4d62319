package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"plaza/server/jsontext"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
	"plaza/server/rest/sqlgen"
	"plaza/server/rowjson"
)

// errUnsupportedType is returned if only PostgreSQL can encode a column as JSON.
var errUnsupportedType = errors.New("a column has a type that PostgreSQL must encode as JSON")

// errCountFirst is returned if the response is too large to buffer until all rows are counted.
var errCountFirst = errors.New("the count has to be known before the rows")

// errAlreadySent is returned if a query is retried after a part of the response was sent.
var errAlreadySent = errors.New("a part of the response was already sent")

// readQuery is a read of a table or a call of a function. write returns its statement.
type readQuery struct {
	read    *plan.Read // nil if the function returns a scalar
	call    *plan.Call // nil for a table
	options sqlgen.Options
	write   func(sqlgen.Options) sqlgen.Statement
}

// serveRead runs a query and sends the response.
func (s *Server) serveRead(w http.ResponseWriter, r *http.Request, req *apiRequest, q readQuery) error {
	if req.form.Explain != nil {
		return s.servePlan(w, r, req, q.write(q.options))
	}
	result := answer.NewResult()
	defer result.Release()
	result.Binary = req.form.Binary
	if q.call != nil {
		req.verifyRows(result, nil)
	}
	out := &stream{w: w, r: r, req: req, read: q.read, slots: s.streams}
	defer out.close()
	if err := s.runRead(r.Context(), req, q, result, out); err != nil {
		return err
	}
	if out.begun {
		out.end(result)
		return nil
	}
	if q.call == nil {
		if err := s.addEstimate(r.Context(), req, q.read, result); err != nil {
			return err
		}
	} else if q.call.Function.IsVoid {
		result.Status = cmp.Or(result.Status, http.StatusNoContent)
	}
	return respondRows(w, r, req, q.read, result)
}

// runRead executes a query. The server encodes rows as JSON itself, which is faster
// than PostgreSQL. If a column has a type that the server cannot encode, the query
// runs again with PostgreSQL's encoding; later requests use that encoding directly.
func (s *Server) runRead(ctx context.Context, req *apiRequest, q readQuery, result *answer.Result, out *stream) error {
	switch {
	case q.options.Body != sqlgen.JSONList && q.options.Body != sqlgen.JSONObject:
		return s.runInto(ctx, req, q.write(q.options), result)
	case !req.settings.ReadOnly:
		// A statement that may write must run only once, so it cannot be retried.
		q.options.Apart = true
		return s.runRows(ctx, req, q, sqlgen.RowsJSON, result, out)
	}
	body := sqlgen.Rows
	if q.options.Strip {
		body = sqlgen.RowsJSON
	}
	for {
		switch err := s.runRows(ctx, req, q, body, result, out); {
		case errors.Is(err, errUnsupportedType):
			body = sqlgen.RowsJSON
		case errors.Is(err, errCountFirst):
			q.options.Apart = true
		default:
			return err
		}
	}
}

// runRows executes a query that returns rows and joins the rows to a JSON list.
func (s *Server) runRows(ctx context.Context, req *apiRequest, q readQuery, body sqlgen.Body, result *answer.Result, out *stream) error {
	object := q.options.Body == sqlgen.JSONObject
	q.options.Body = body
	statement := q.write(q.options)
	if req.jsonStatements.has(statement.SQL) {
		return errUnsupportedType
	}
	rows := rowWriter{
		into: result, whole: body == sqlgen.RowsJSON,
		counted: q.options.Count, apart: q.options.CountsApart(q.read),
	}
	if !req.readResponse(result) && !object && req.settings.Verify == nil && req.batchTx == nil {
		rows.out = out
	}
	sent := req.statement(statement)
	sent.Describe, sent.Begun = rows.describe, rows.begun
	err := s.queryGuarded(ctx, req, statement, sent, rows.row)
	switch {
	case err == nil:
		rows.end(object)
		if q.options.Count && !rows.apart {
			result.Total = result.Rows
		}
		return nil
	case out.begun:
		s.abort(ctx, err)
	case errors.Is(err, errUnsupportedType):
		req.jsonStatements.add(statement.SQL)
	}
	return pg.APIError(err, req.who.Role == req.config.AnonRole)
}

// rowWriter writes rows to a JSON list as they arrive.
type rowWriter struct {
	into    *answer.Result
	whole   bool // each row is a single column that already holds JSON
	counted bool // the client wants a count
	apart   bool // the count is the first column of each row
	out     *stream
	alone   bool // the statement does not share its round trip
	columns []rowColumn
	err     error
}

type rowColumn struct {
	prefix []byte // text before the value: {"id": or ,"name":
	encode rowjson.Encoder
}

// describe is called with the names and types of the columns before the rows.
func (w *rowWriter) describe(columns []pg.Column, alone bool) {
	w.into.Body.Reset()
	w.into.Rows, w.into.Total = 0, -1
	w.alone, w.err = alone, nil
	if w.out != nil && w.out.begun {
		w.err = errAlreadySent
	}
	if w.apart {
		columns = columns[sqlgen.RowsFirstColumn:]
	}
	if w.whole {
		return
	}
	if len(columns) == 0 {
		w.err = errUnsupportedType
		return
	}
	w.columns = make([]rowColumn, len(columns))
	names := make([]byte, 0, 16*len(columns)) // usually a single allocation for all prefixes
	for i, column := range columns {
		encode, ok := rowjson.Encoders[column.Type]
		if !ok {
			w.err = errUnsupportedType
			return
		}
		before := byte(',')
		if i == 0 {
			before = '{'
		}
		start := len(names)
		names = append(jsontext.AppendPostgresString(append(names, before), column.Name), ':')
		w.columns[i] = rowColumn{names[start:], encode}
	}
}

// begun reports whether some rows were already sent to the client.
func (w *rowWriter) begun() bool { return w.out != nil && w.out.begun }

// row appends one row.
func (w *rowWriter) row(values [][]byte) (err error) {
	if w.err != nil {
		return w.err
	}
	if w.apart {
		if w.into.Total, err = strconv.ParseInt(string(values[sqlgen.RowsTotalColumn]), 10, 64); err != nil {
			return err
		}
		if values[sqlgen.RowsFoundColumn] == nil {
			return nil
		}
		values = values[sqlgen.RowsFirstColumn:]
	}
	out := w.into.Body.AvailableBuffer()
	if w.into.Rows == 0 {
		out = append(out, '[')
	} else {
		out = append(out, ", \n "...)
	}
	if w.whole {
		out = append(out, values[0]...)
	} else if out, err = w.object(out, values); err != nil {
		return err
	}
	w.into.Body.Write(out)
	w.into.Rows++
	if w.into.Body.Len() < maxBuffered || w.out == nil {
		return nil
	}
	if !w.alone {
		return pg.ErrRerunAlone
	}
	if w.counted && !w.apart {
		return errCountFirst
	}
	return w.out.send(w.into)
}

func (w *rowWriter) object(out []byte, values [][]byte) ([]byte, error) {
	for i, text := range values {
		out = append(out, w.columns[i].prefix...)
		if text == nil {
			out = append(out, "null"...)
			continue
		}
		var ok bool
		if out, ok = w.columns[i].encode(out, text); !ok {
			return out, errUnsupportedType
		}
	}
	return append(out, '}'), nil
}

// end closes the list, or removes the list's bracket if the response is one object.
func (w *rowWriter) end(object bool) {
	switch {
	case object && w.into.Rows > 0:
		w.into.Body.Next(len("["))
	case object:
		w.into.Body.WriteString("null")
	case w.into.Rows == 0:
		w.into.Body.WriteString("[]")
	default:
		w.into.Body.WriteByte(']')
	}
}

// statementSet holds the statements whose rows PostgreSQL must encode as JSON.
type statementSet struct {
	mu    sync.RWMutex
	texts map[string]struct{}
}

// Limits of a statementSet. A full set is cleared.
const (
	maxStatements      = 1024
	maxStatementLength = 4096 // bytes; longer statements are not stored
)

func (s *statementSet) has(sql string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.texts[sql]
	return ok
}

func (s *statementSet) add(sql string) {
	if len(sql) > maxStatementLength {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil || len(s.texts) >= maxStatements {
		s.texts = make(map[string]struct{})
	}
	s.texts[sql] = struct{}{}
}
