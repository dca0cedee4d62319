// Package answer holds what the data API answers with: its form, the one row that a
// statement gives, values as JSON, headers and errors.
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

// Result is the one row every statement gives, copied off the wire so that the
// connection is free before a slow client has read it.
type Result struct {
	Body    bytes.Buffer
	Total   int64 // -1 where it was not counted
	Rows    int64 // rows in body
	Changed int64 // rows that a write changed, where the body may have fewer
	Key     string
	Headers string
	Status  int // set by SQL, or 0

	UpdatedOnly bool // an upsert that inserted nothing
	Binary      bool // the body is a bytea
}

// keptBody is the largest buffer kept for reuse, in bytes: a rare huge answer
// must not hold its memory.
const keptBody = 1 << 20

var answers = sync.Pool{New: func() any { return new(Result) }}

// NewResult returns an empty one, which Release takes back.
func NewResult() *Result { return answers.Get().(*Result) }

// Release gives the memory of a result to the next. It must not be used after.
func (a *Result) Release() {
	if a.Body.Cap() > keptBody {
		return
	}
	a.Body.Reset()
	*a = Result{Body: a.Body}
	answers.Put(a)
}

// Take copies the row.
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

// Affected returns how many rows a request changed, or a function returned.
func (a *Result) Affected() int64 { return max(a.Rows, a.Changed) }

// TakeResponse reads what SQL has set: headers, then status.
func (a *Result) TakeResponse(row [][]byte) (err error) {
	a.Headers = string(row[0])
	if text := row[1]; text != nil {
		if a.Status, err = strconv.Atoi(string(text)); err != nil || a.Status < 200 || a.Status > 599 {
			return apierr.New(http.StatusInternalServerError, "PGRST112", "response.status guc must be a valid status code")
		}
	}
	return nil
}

// takeBody copies the body; bytes come as "\x" and hexadecimal digits.
func (a *Result) takeBody(text []byte) error {
	if digits, ok := bytes.CutPrefix(text, []byte(`\x`)); ok && a.Binary {
		_, err := io.Copy(&a.Body, hex.NewDecoder(bytes.NewReader(digits)))
		return err
	}
	a.Body.Write(text)
	return nil
}
