package request

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/rest/jsontext"
	"plaza/server/rest/sqlgen"
	"plaza/server/spool"
)

// maxRecord bounds one line of CSV, in bytes: it is decoded in memory.
const maxRecord = 4 << 20

// maxColumns is more than any table has. Source: PostgreSQL's MaxHeapAttributeNumber.
const maxColumns = 1600

// csvLines reads the lines of a CSV body, under a line of names.
type csvLines struct {
	reader *csv.Reader
	left   int // bytes that the present record may still take
	body   *bytes.Reader
	names  []string
}

// Read is what the CSV reader reads from.
//
// Errors: 413 PLZ010 for a line that is too long.
func (c *csvLines) Read(into []byte) (int, error) {
	if c.left <= 0 {
		return 0, errGrown.WithDetail("A line has more than %d bytes.", maxRecord)
	}
	n, err := c.body.Read(into)
	c.left -= n
	return n, err
}

// readCSV reads the names.
//
// Errors: 400 PGRST102.
func readCSV(body []byte) (*csvLines, error) {
	c := &csvLines{body: bytes.NewReader(body), left: maxRecord}
	c.reader = csv.NewReader(c)
	c.reader.FieldsPerRecord = -1
	names, err := c.reader.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, badCSV(err)
	}
	if len(names) > maxColumns {
		return nil, apierr.New(http.StatusBadRequest, "PGRST102", "The first line has more than %d names", maxColumns)
	}
	known := make(map[string]bool, len(names))
	for _, name := range names {
		if known[name] {
			return nil, apierr.New(http.StatusBadRequest, "PGRST102", "The first line has a name twice: %s", name)
		}
		known[name] = true
	}
	c.names, c.reader.ReuseRecord = names, true
	return c, nil
}

func badCSV(err error) error {
	if answer := apierr.As(err); answer != nil {
		return answer
	}
	return errBadBody.WithCause(err)
}

// next returns the fields of a line, which hold until the next; io.EOF at the end.
//
// Errors: 400 PGRST102; 413 PLZ010.
func (c *csvLines) next() ([]string, error) {
	c.left = maxRecord
	line, err := c.reader.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case err != nil:
		return nil, badCSV(err)
	case len(line) != len(c.names):
		return nil, apierr.New(http.StatusBadRequest, "PGRST102", "All lines must have same number of fields")
	}
	return line, nil
}

// appendCSVRow writes a line as an object. NULL stands for null.
func appendCSVRow(out []byte, keys, line []string) []byte {
	out = append(out, '{')
	for i, text := range line {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsontext.AppendString(out, keys[i]), ':')
		if text == "NULL" {
			out = append(out, "null"...)
		} else {
			out = jsontext.AppendString(out, text)
		}
	}
	return append(out, '}')
}

// firstCSVRow turns the first line under the names into an object; an empty one
// where there is none.
func firstCSVRow(body []byte) ([]byte, error) {
	lines, err := readCSV(body)
	if err != nil {
		return nil, err
	}
	line, err := lines.next()
	if errors.Is(err, io.EOF) {
		return []byte("{}"), nil
	}
	if err != nil {
		return nil, err
	}
	return appendCSVRow(nil, lines.names, line), nil
}

// csvRows turns CSV into a list of objects. Their keys are the numbers of the
// columns, not the names: these would be repeated in each row, so that a body
// could take thousands of times its size.
func (b *Body) csvRows(body []byte) (sqlgen.Payload, []string, error) {
	lines, err := readCSV(body)
	if err != nil {
		return sqlgen.Payload{}, nil, err
	}
	keys := make([]string, len(lines.names))
	for i := range keys {
		keys[i] = strconv.FormatInt(int64(i), 36)
	}
	out := b.buffer()
	row, separator := []byte(nil), byte('[')
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return sqlgen.Payload{}, nil, err
		}
		row = appendCSVRow(append(row[:0], separator), keys, line)
		separator = ','
		if err := b.grow(out, row); err != nil {
			return sqlgen.Payload{}, nil, err
		}
		b.Passed(body[:len(body)-lines.body.Len()])
	}
	end := "]"
	if separator == '[' {
		end = "[]"
	}
	if err := b.grow(out, []byte(end)); err != nil {
		return sqlgen.Payload{}, nil, err
	}
	list, err := out.Bytes()
	return sqlgen.Payload{JSON: list, List: true, Names: lines.names, Keys: keys}, lines.names, err
}

// grow adds to what a body is turned into.
//
// Errors: 413 PLZ010; 503 PLZ002.
func (b *Body) grow(out *spool.Buffer, text []byte) error {
	if out.Len()+int64(len(text)) > maxGrowth*b.bodies.limit {
		return errGrown
	}
	_, err := out.Write(text)
	if errors.Is(err, spool.ErrNoRoom) {
		return noRoom(err)
	}
	return err
}
