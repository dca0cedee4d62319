package rest

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"plaza/server/apierr"
	"plaza/server/pg"
	"plaza/server/rest/plan"
	"plaza/server/rest/sqlgen"
)

// answer is the one row every statement gives, copied off the wire so that the
// connection is free before a slow client has read it.
type answer struct {
	body    bytes.Buffer
	total   int64 // -1 where it was not counted
	rows    int64 // rows in body
	changed int64 // rows that a write changed, where the body may have fewer
	key     string
	headers string
	status  int // set by SQL, or 0

	updatedOnly bool // an upsert that inserted nothing
	binary      bool // the body is a bytea
}

// keptBody is the largest buffer kept for reuse, in bytes: a rare huge answer
// must not hold its memory.
const keptBody = 1 << 20

var answers = sync.Pool{New: func() any { return new(answer) }}

func newAnswer() *answer { return answers.Get().(*answer) }

func (a *answer) release() {
	if a.body.Cap() > keptBody {
		return
	}
	a.body.Reset()
	*a = answer{body: a.body}
	answers.Put(a)
}

// runInto executes a statement whose one row is the answer.
func (s *Server) runInto(ctx context.Context, req *apiRequest, statement sqlgen.Statement, answer *answer) error {
	err := s.queryGuarded(ctx, req, statement, req.statement(statement), answer.take)
	return pg.APIError(err, req.who.Role == req.config.AnonRole)
}

// runSilent executes a statement that returns no row.
func (s *Server) runSilent(ctx context.Context, req *apiRequest, statement sqlgen.Statement, answer *answer) error {
	sent := req.statement(statement)
	sent.Changed = func(rows int64) { answer.rows = rows }
	answer.total = -1
	return pg.APIError(s.queryGuarded(ctx, req, statement, sent, nil), req.who.Role == req.config.AnonRole)
}

// take copies the row.
func (a *answer) take(row [][]byte) (err error) {
	a.body.Reset()
	if err := a.takeBody(row[sqlgen.BodyColumn]); err != nil {
		return err
	}
	a.total = -1
	if text := row[sqlgen.TotalColumn]; text != nil {
		if a.total, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return err
		}
	}
	if a.rows, err = strconv.ParseInt(string(row[sqlgen.PageColumn]), 10, 64); err != nil {
		return err
	}
	if err := a.takeResponse(row[sqlgen.HeadersColumn:]); err != nil {
		return err
	}
	if len(row) > sqlgen.InsertedColumn {
		a.key = string(row[sqlgen.KeyColumn])
		a.updatedOnly = string(row[sqlgen.InsertedColumn]) == "0"
	}
	if len(row) > sqlgen.AffectedColumn {
		a.changed, err = strconv.ParseInt(string(row[sqlgen.AffectedColumn]), 10, 64)
	}
	return err
}

// affected returns how many rows a request changed, or a function returned.
func (a *answer) affected() int64 { return max(a.rows, a.changed) }

// takeResponse reads what SQL has set: headers, then status.
func (a *answer) takeResponse(row [][]byte) (err error) {
	a.headers = string(row[0])
	if text := row[1]; text != nil {
		if a.status, err = strconv.Atoi(string(text)); err != nil || a.status < 200 || a.status > 599 {
			return apierr.New(http.StatusInternalServerError, "PGRST112", "response.status guc must be a valid status code")
		}
	}
	return nil
}

// mayHaveResponse reports whether SQL may set headers or the status of the answer.
func (req *apiRequest) mayHaveResponse() bool {
	return req.preRequest != "" || req.snapshot.SetsResponse
}

// readsResponse has SQL asked, after a statement for rows, for the headers and
// the status that it may have set; it tells whether it may.
func (req *apiRequest) readsResponse(a *answer) bool {
	if !req.mayHaveResponse() {
		return false
	}
	req.settings.After, req.settings.AfterRow = sqlgen.Response, a.takeResponse
	return true
}

// takeBody copies the body; bytes come as "\x" and hexadecimal digits.
func (a *answer) takeBody(text []byte) error {
	if digits, ok := bytes.CutPrefix(text, []byte(`\x`)); ok && a.binary {
		_, err := io.Copy(&a.body, hex.NewDecoder(bytes.NewReader(digits)))
		return err
	}
	a.body.Write(text)
	return nil
}

func orDefault(status, otherwise int) int {
	if status != 0 {
		return status
	}
	return otherwise
}

// respondRows answers a read or a function call; read is nil for a scalar.
func respondRows(w http.ResponseWriter, r *http.Request, req *apiRequest, read *plan.Read, a *answer) error {
	status, err := rangeOf(w.Header(), r, req, read, a.rows, a.total)
	if err != nil {
		return err
	}
	if status = orDefault(a.status, status); status != http.StatusNoContent {
		w.Header().Set("Content-Type", req.form.contentType)
	}
	return req.write(w, r, a, status)
}

// rangeOf says in the headers which rows the answer has, and finds its status.
//
// Errors: 416 PGRST103; 406 PGRST116.
func rangeOf(header http.Header, r *http.Request, req *apiRequest, read *plan.Read, rows, total int64) (status int, err error) {
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
	header.Set("Content-Range", contentRange(offset, rows, total))
	if !req.isCall {
		header.Set("Content-Location", canonical(r.URL))
	}
	return status, nil
}

func offsetOf(read *plan.Read) int64 {
	if read.Offset == nil {
		return 0
	}
	return *read.Offset
}

// canonical writes a URL with its parameters in alphabetical order, so that the
// same question has one name.
func canonical(u *url.URL) string {
	if !strings.Contains(u.RawQuery, "&") {
		return u.RequestURI()
	}
	parameters := make([]string, 0, 8) // more are rare
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		parameters = append(parameters, parameter)
	}
	slices.SortStableFunc(parameters, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	path := u.EscapedPath()
	var out strings.Builder
	out.Grow(len(path) + len("?") + len(u.RawQuery))
	out.WriteString(path)
	separator := byte('?')
	for _, parameter := range parameters {
		out.WriteByte(separator)
		out.WriteString(parameter)
		separator = '&'
	}
	return out.String()
}

// nameOf is the name of a parameter.
func nameOf(parameter string) string {
	name, _, _ := strings.Cut(parameter, "=")
	return name
}

// respondChange answers a write.
func respondChange(w http.ResponseWriter, r *http.Request, req *apiRequest, m *plan.Mutation, a *answer) error {
	shown := m.Read != nil
	status := http.StatusNoContent
	switch {
	case m.Put: // says nothing of ranges, and 201 with the row alone
		if shown && !a.updatedOnly {
			status = http.StatusCreated
		}
	case m.Kind == plan.Insert:
		none := m.Resolution == plan.MergeDuplicates && len(m.Columns) == 0 && a.rows == 0 // an empty list
		status = http.StatusOK
		if !a.updatedOnly && !none {
			status = http.StatusCreated
		}
		w.Header().Set("Content-Range", contentRange(0, 0, a.total))
		if a.key != "" {
			location, err := locationOf(r, m, a.key)
			if err != nil {
				return err
			}
			w.Header().Set("Location", location)
		}
	case m.Kind == plan.Update:
		w.Header().Set("Content-Range", contentRange(0, a.rows, a.total))
	default:
		w.Header().Set("Content-Range", contentRange(0, 0, a.total))
	}
	if shown && status == http.StatusNoContent {
		status = http.StatusOK
	}
	return req.write(w, r, a, orDefault(a.status, status))
}

// describe sets the headers that every answer has.
func (req *apiRequest) describe(header http.Header, a *answer) error {
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
	req.tellCommit(header)
	req.timing(header)
	return setHeaders(header, a.headers)
}

// varyBy are the request's headers that decide how an answer looks.
const varyBy = "Accept, Prefer, Range"

// allow answers OPTIONS.
func (req *apiRequest) allow(header http.Header, methods string) {
	header.Set("Allow", methods)
	header.Add("Vary", varyBy)
	req.timing(header)
}

// timing says how long the request's parts took.
func (req *apiRequest) timing(header http.Header) {
	if req.watch != nil {
		req.watch.lap(partResponse)
		header.Set("Server-Timing", req.watch.header())
	}
}

// write sends headers and body.
func (req *apiRequest) write(w http.ResponseWriter, r *http.Request, a *answer, status int) error {
	header := w.Header()
	if err := req.describe(header, a); err != nil {
		return err
	}
	if status == http.StatusNoContent || a.body.Len() == 0 && r.Method != http.MethodHead {
		if status != http.StatusNoContent {
			header.Set("Content-Length", "0")
		}
		w.WriteHeader(status)
		return nil
	}
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", req.form.contentType)
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return nil
	}
	header.Set("Content-Length", strconv.Itoa(a.body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(a.body.Bytes()) // fails only where the client has gone
	return nil
}

// contentRange is "0-11/200", with "*" for what is empty or unknown.
func contentRange(offset, rows, total int64) string {
	out := make([]byte, 0, 64)
	if rows > 0 {
		out = strconv.AppendInt(out, offset, 10)
		out = strconv.AppendInt(append(out, '-'), offset+rows-1, 10)
	} else {
		out = append(out, '*')
	}
	out = append(out, '/')
	if total < 0 {
		return string(append(out, '*'))
	}
	return string(strconv.AppendInt(out, total, 10))
}

// setHeaders takes over the headers that SQL set, a list of one-key objects, in
// place of ours.
func setHeaders(header http.Header, text string) error {
	if text == "" {
		return nil
	}
	var list []map[string]*string
	err := json.Unmarshal([]byte(text), &list)
	if err != nil || slices.ContainsFunc(list, isNoHeader) {
		return apierr.New(http.StatusInternalServerError, "PGRST111", `response.headers guc must be a JSON array composed of objects with a single key and a string value`).WithCause(err)
	}
	replaced := make(map[string]bool)
	for _, entry := range list {
		for name, value := range entry {
			if name = http.CanonicalHeaderKey(name); !replaced[name] {
				header.Del(name)
				replaced[name] = true
			}
			header.Add(name, *value)
		}
	}
	return nil
}

// isNoHeader tells an object that is not one key and a text.
func isNoHeader(entry map[string]*string) bool {
	for _, value := range entry {
		return value == nil || len(entry) != 1
	}
	return true
}

// locationOf is where an inserted row can be read: "/table?id=eq.1".
func locationOf(r *http.Request, m *plan.Mutation, key string) (string, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(key), &values); err != nil {
		return "", err
	}
	var filters []string
	for _, name := range m.Table.PrimaryKey {
		text := string(values[name])
		if text == "null" {
			filters = append(filters, url.QueryEscape(name)+"=is.null")
			continue
		}
		if unquoted, err := strconv.Unquote(text); err == nil {
			text = unquoted
		}
		filters = append(filters, url.QueryEscape(name)+"=eq."+url.QueryEscape(text))
	}
	slices.Sort(filters)
	return r.URL.Path + "?" + strings.Join(filters, "&"), nil
}
