package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"plaza/server/rest/rowjson"

	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/jsontext"
	"plaza/server/rest/plan"
	"plaza/server/rest/sqlgen"
)

// errNotPlain says that a value's JSON form has to be PostgreSQL's to write.
var errNotPlain = errors.New("a column is of a type that PostgreSQL has to write as JSON")

// errCountFirst says that the rows are too many to be kept until they are counted.
var errCountFirst = errors.New("the count has to be known before the rows")

// errSent says that rows come once more of which a part was sent already.
var errSent = errors.New("a part of the answer was sent before")

// readQuery is a read or a function's call: write gives its statement.
type readQuery struct {
	read    *plan.Read // nil where the answer is a function's plain value
	call    *plan.Call // nil for a table
	options sqlgen.Options
	write   func(sqlgen.Options) sqlgen.Statement
}

// answerRead runs a query and answers.
func (s *Server) answerRead(w http.ResponseWriter, r *http.Request, req *apiRequest, q readQuery) error {
	if req.form.Explain != nil {
		return s.answerPlan(w, r, req, q.write(q.options))
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
		if err := s.estimate(r.Context(), req, q.read, result); err != nil {
			return err
		}
	} else if q.call.Function.IsVoid {
		result.Status = cmp.Or(result.Status, http.StatusNoContent)
	}
	return respondRows(w, r, req, q.read, result)
}

// runRead executes a query. Plain rows are written as JSON here, which costs less
// than having PostgreSQL do it; where a column is not plain, it is asked again,
// and from then on at once.
func (s *Server) runRead(ctx context.Context, req *apiRequest, q readQuery, result *answer.Result, out *stream) error {
	switch {
	case q.options.Body != sqlgen.JSONList && q.options.Body != sqlgen.JSONObject:
		return s.runInto(ctx, req, q.write(q.options), result)
	case !req.settings.ReadOnly:
		// What may write is run once only, so nothing can be tried.
		q.options.Apart = true
		return s.runRows(ctx, req, q, sqlgen.RowsJSON, result, out)
	}
	body := sqlgen.Rows
	if q.options.Strip {
		body = sqlgen.RowsJSON
	}
	for {
		switch err := s.runRows(ctx, req, q, body, result, out); {
		case errors.Is(err, errNotPlain):
			body = sqlgen.RowsJSON
		case errors.Is(err, errCountFirst):
			q.options.Apart = true
		default:
			return err
		}
	}
}

// runRows strings the rows of a query together.
func (s *Server) runRows(ctx context.Context, req *apiRequest, q readQuery, body sqlgen.Body, result *answer.Result, out *stream) error {
	object := q.options.Body == sqlgen.JSONObject
	q.options.Body = body
	statement := q.write(q.options)
	if req.unplain.has(statement.SQL) {
		return errNotPlain
	}
	rows := rowWriter{
		into: result, whole: body == sqlgen.RowsJSON,
		counted: q.options.Count, apart: q.options.CountsApart(q.read),
	}
	if !req.readsResponse(result) && !object && req.settings.Verify == nil && req.within == nil {
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
		s.breakOff(ctx, err)
	case errors.Is(err, errNotPlain):
		req.unplain.add(statement.SQL)
	}
	return pg.APIError(err, req.who.Role == req.config.AnonRole)
}

// rowWriter writes rows as a JSON list while they come.
type rowWriter struct {
	into    *answer.Result
	whole   bool // each row is one column, its JSON
	counted bool // a count is wanted
	apart   bool // it comes in front of each row
	out     *stream
	alone   bool
	columns []rowColumn
	err     error
}

type rowColumn struct {
	prefix []byte // what stands before the value: {"id": or ,"name":
	encode rowjson.Encoder
}

// describe learns the columns' names and types.
func (w *rowWriter) describe(columns []pg.Column, alone bool) {
	w.into.Body.Reset()
	w.into.Rows, w.into.Total = 0, -1
	w.alone, w.err = alone, nil
	if w.out != nil && w.out.begun {
		w.err = errSent
	}
	if w.apart {
		columns = columns[sqlgen.RowsFirstColumn:]
	}
	if w.whole {
		return
	}
	if len(columns) == 0 {
		w.err = errNotPlain
		return
	}
	w.columns = make([]rowColumn, len(columns))
	names := make([]byte, 0, 16*len(columns)) // one piece of memory for all prefixes, as a rule
	for i, column := range columns {
		encode, ok := rowjson.Encoders[column.Type]
		if !ok {
			w.err = errNotPlain
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

// begun reports whether the client has got some of the rows.
func (w *rowWriter) begun() bool { return w.out != nil && w.out.begun }

// row writes one row.
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
	if w.into.Body.Len() < keptAnswer || w.out == nil {
		return nil
	}
	if !w.alone {
		return pg.ErrAlone
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
			return out, errNotPlain
		}
	}
	return append(out, '}'), nil
}

// end closes the list, or leaves the one object of it.
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

// shapeSet remembers statements whose rows are not plain.
type shapeSet struct {
	mu    sync.RWMutex
	texts map[string]struct{}
}

// Bounds of a shapeSet: then it is forgotten.
const (
	maxShapes    = 1024
	maxShapeText = 4096
)

func (s *shapeSet) has(sql string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.texts[sql]
	return ok
}

func (s *shapeSet) add(sql string) {
	if len(sql) > maxShapeText {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil || len(s.texts) >= maxShapes {
		s.texts = make(map[string]struct{})
	}
	s.texts[sql] = struct{}{}
}
