// Package answer builds the data API's responses: content negotiation, the result
// row of a statement, headers and errors.
package answer

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"sync"

	"plaza/server/apierr"
	"plaza/server/rest/sqlgen"
)

// Result is the result of a statement. It is copied from the connection's buffer, so
// that a slow client does not hold the connection.
type Result struct {
	Body    bytes.Buffer
	Total   int64  // -1 if it was not counted
	Rows    int64  // rows in the body
	Changed int64  // rows that a write changed; the body may have fewer
	Key     string // primary key of an inserted row, for Location: a JSON object or empty
	Headers string // set by SQL, or empty
	Status  int    // set by SQL, or 0

	UpdatedOnly bool // an upsert that inserted nothing
	Binary      bool // the body is a bytea
}

// maxPooledBody is the largest buffer that is returned to the pool, in bytes, so
// that a rare huge response does not keep its memory.
const maxPooledBody = 1 << 20

var pool = sync.Pool{New: func() any { return new(Result) }}

// NewResult returns an empty Result from a pool. Release returns it to the pool.
func NewResult() *Result { return pool.Get().(*Result) }

// Release returns a result to the pool. The result must not be used afterwards.
func (a *Result) Release() {
	if a.Body.Cap() > maxPooledBody {
		return
	}
	a.Body.Reset()
	*a = Result{Body: a.Body}
	pool.Put(a)
}

// Take copies a row with sqlgen's columns, from TotalColumn on, into the result.
func (a *Result) Take(row [][]byte) (err error) {
	a.Body.Reset()
	if err := a.takeBody(row[sqlgen.BodyColumn]); err != nil {
		return err
	}
	a.Total = -1
	if text := row[sqlgen.TotalColumn]; text != nil {
		if a.Total, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return err
		}
	}
	if a.Rows, err = strconv.ParseInt(string(row[sqlgen.PageColumn]), 10, 64); err != nil {
		return err
	}
	if err := a.TakeResponse(row[sqlgen.HeadersColumn:]); err != nil {
		return err
	}
	if len(row) > sqlgen.InsertedColumn {
		a.Key = string(row[sqlgen.KeyColumn])
		a.UpdatedOnly = string(row[sqlgen.InsertedColumn]) == "0"
	}
	if len(row) > sqlgen.AffectedColumn {
		a.Changed, err = strconv.ParseInt(string(row[sqlgen.AffectedColumn]), 10, 64)
	}
	return err
}

// Affected returns the number of rows that a request changed or a function returned.
func (a *Result) Affected() int64 { return max(a.Rows, a.Changed) }

// TakeResponse copies the response headers and the status that SQL has set.
//
// Errors: 500 PGRST112.
func (a *Result) TakeResponse(row [][]byte) (err error) {
	a.Headers = string(row[0])
	if text := row[1]; text != nil {
		if a.Status, err = strconv.Atoi(string(text)); err != nil || a.Status < 200 || a.Status > 599 {
			return apierr.New(http.StatusInternalServerError, "PGRST112", "response.status guc must be a valid status code")
		}
	}
	return nil
}

// takeBody copies the body. A bytea arrives as "\x" and hexadecimal digits.
func (a *Result) takeBody(text []byte) error {
	if digits, ok := bytes.CutPrefix(text, []byte(`\x`)); ok && a.Binary {
		_, err := io.Copy(&a.Body, hex.NewDecoder(bytes.NewReader(digits)))
		return err
	}
	a.Body.Write(text)
	return nil
}
