package request

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/jsontext"
	"plaza/server/rest/sqlgen"
	"plaza/server/spool"
)

// maxRecord is the maximum length of one CSV record, in bytes. Records are decoded in
// memory.
const maxRecord = 4 << 20

// maxColumns is the maximum number of columns of a table. Source: PostgreSQL's
// MaxHeapAttributeNumber.
const maxColumns = 1600

// csvLines reads the records of a CSV body that follow its header line.
type csvLines struct {
	reader *csv.Reader
	left   int // remaining bytes of the current record's limit
	body   *bytes.Reader
	names  []string
}

// Read reads the body for the CSV reader.
//
// Errors: 413 PLZ010 for a record that is too long.
func (c *csvLines) Read(into []byte) (int, error) {
	if c.left <= 0 {
		return 0, errGrown.WithDetail("A line has more than %d bytes.", maxRecord)
	}
	n, err := c.body.Read(into)
	c.left -= n
	return n, err
}

// readCSV reads the header line.
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

// next returns the fields of the next record, which are valid until the next call.
//
// Errors: io.EOF at the end; 400 PGRST102; 413 PLZ010.
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

// appendCSVRow appends a record as a JSON object. The text NULL becomes null.
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

// firstCSVRow returns the first record as a JSON object, or an empty object if there
// is none.
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

// csvRows converts CSV to a list of JSON objects. The keys are column numbers:
// repeating long names in each row could multiply the size of the body by thousands.
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
		b.Discard(body[:len(body)-lines.body.Len()])
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

// grow appends text to the converted body.
//
// Errors: 413 PLZ010; 503 PLZ002; 507 PLZ014.
func (b *Body) grow(out *spool.Buffer, text []byte) error {
	if out.Len()+int64(len(text)) > maxGrowth*b.bodies.limit {
		return errGrown
	}
	_, err := out.Write(text)
	if errors.Is(err, spool.ErrNoSpace) {
		return spaceError(err)
	}
	return err
}
