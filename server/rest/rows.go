package rest

import (
	"bytes"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// errNotPlain says that a value's JSON form has to be PostgreSQL's to write.
var errNotPlain = errors.New("a column is of a type that PostgreSQL has to write as JSON")

// encoder appends a value, given in text form, as JSON; ok is false where it
// cannot.
type encoder func(out, text []byte) (_ []byte, ok bool)

// encoders are those of the plain types, which come out byte for byte as
// PostgreSQL's json_agg would write them. What is not here is PostgreSQL's.
//
// Source: PostgreSQL's src/backend/utils/adt/json.c.
var encoders = map[uint32]encoder{
	pgtype.BoolOID: encodeBool,
	pgtype.Int2OID: encodeRaw, pgtype.Int4OID: encodeRaw, pgtype.Int8OID: encodeRaw,
	pgtype.Float4OID: encodeNumber, pgtype.Float8OID: encodeNumber, pgtype.NumericOID: encodeNumber,
	pgtype.TextOID: encodeText, pgtype.VarcharOID: encodeText, pgtype.BPCharOID: encodeText, pgtype.NameOID: encodeText,
	pgtype.UUIDOID: encodeText, pgtype.TimeOID: encodeText, pgtype.TimetzOID: encodeText, pgtype.IntervalOID: encodeText,
	pgtype.ByteaOID: encodeText, pgtype.InetOID: encodeText, pgtype.CIDROID: encodeText,
	pgtype.DateOID: encodeDate, pgtype.TimestampOID: encodeTimestamp, pgtype.TimestamptzOID: encodeTimestampTZ,
	pgtype.JSONOID: encodeRaw, pgtype.JSONBOID: encodeRaw,
}

// rowWriter writes rows as a JSON list while they come.
type rowWriter struct {
	into    *answer
	columns []rowColumn
	err     error
	scratch []byte
}

type rowColumn struct {
	prefix []byte // what stands before the value: {"id": or ,"name":
	encode encoder
}

// describe learns the columns' names and types.
func (w *rowWriter) describe(fields []pgconn.FieldDescription) {
	w.into.body.Reset()
	w.into.rows, w.into.total = 0, -1
	w.columns = make([]rowColumn, len(fields))
	for i, field := range fields {
		encode, ok := encoders[field.DataTypeOID]
		if !ok {
			w.err = errNotPlain
			return
		}
		before := byte(',')
		if i == 0 {
			before = '{'
		}
		prefix := make([]byte, 1, len(field.Name)+4)
		prefix[0] = before
		w.columns[i] = rowColumn{append(appendPostgresString(prefix, []byte(field.Name)), ':'), encode}
	}
}

// row writes one row.
func (w *rowWriter) row(values [][]byte) error {
	if w.err != nil || len(values) == 0 {
		return errNotPlain
	}
	out := w.scratch[:0]
	if w.into.rows == 0 {
		out = append(out, '[')
	} else {
		out = append(out, ", \n "...)
	}
	for i, text := range values {
		out = append(out, w.columns[i].prefix...)
		if text == nil {
			out = append(out, "null"...)
			continue
		}
		var ok bool
		if out, ok = w.columns[i].encode(out, text); !ok {
			return errNotPlain
		}
	}
	out = append(out, '}')
	w.into.body.Write(out)
	w.scratch = out
	w.into.rows++
	return nil
}

// end closes the list, or leaves the one object of it.
func (w *rowWriter) end(object bool) error {
	switch {
	case w.err != nil:
		return w.err
	case object && w.into.rows > 0:
		w.into.body.Next(len("["))
	case object:
		w.into.body.WriteString("null")
	case w.into.rows == 0:
		w.into.body.WriteString("[]")
	default:
		w.into.body.WriteByte(']')
	}
	return nil
}

func encodeRaw(out, text []byte) ([]byte, bool) { return append(out, text...), true }

func encodeBool(out, text []byte) ([]byte, bool) {
	if text[0] == 't' {
		return append(out, "true"...), true
	}
	return append(out, "false"...), true
}

// encodeNumber writes NaN and the infinities as texts, since JSON has none.
func encodeNumber(out, text []byte) ([]byte, bool) {
	if last := text[len(text)-1]; last < '0' || last > '9' {
		return appendPostgresString(out, text), true
	}
	return append(out, text...), true
}

func encodeText(out, text []byte) ([]byte, bool) { return appendPostgresString(out, text), true }

// isISO tells a date in the ISO style, whatever the session's DateStyle is.
func isISO(text []byte) bool {
	dash := bytes.IndexByte(text, '-')
	return dash >= 4 && len(text) >= dash+6 && text[dash+3] == '-'
}

func isInfinite(text []byte) bool { return bytes.HasSuffix(text, []byte("infinity")) }

func encodeDate(out, text []byte) ([]byte, bool) {
	return appendPostgresString(out, text), isISO(text) || isInfinite(text)
}

// encodeTimestamp puts a T between date and time.
func encodeTimestamp(out, text []byte) ([]byte, bool) {
	if isInfinite(text) {
		return appendPostgresString(out, text), true
	}
	date, clock, ok := bytes.Cut(text, []byte(" "))
	if !ok || !isISO(date) {
		return out, false
	}
	out = append(append(append(out, '"'), date...), 'T')
	return append(append(out, clock...), '"'), true
}

// encodeTimestampTZ also writes the minutes of the offset: +00 is +00:00.
func encodeTimestampTZ(out, text []byte) ([]byte, bool) {
	if isInfinite(text) {
		return appendPostgresString(out, text), true
	}
	text, era := cutEra(text)
	sign := bytes.LastIndexAny(text, "+-")
	out, ok := encodeTimestamp(out, text)
	if !ok || sign < len("2000-01-01 00") {
		return out, false
	}
	out = out[:len(out)-1] // the quote
	if len(text)-sign == len("+00") {
		out = append(out, ":00"...)
	}
	return append(append(out, era...), '"'), true
}

func cutEra(text []byte) (rest, era []byte) {
	if rest, ok := bytes.CutSuffix(text, []byte(" BC")); ok {
		return rest, []byte(" BC")
	}
	return text, nil
}

const hexDigits = "0123456789abcdef"

// appendPostgresString writes a JSON string with PostgreSQL's escapes: nothing
// but quotes, backslashes and control characters is escaped.
func appendPostgresString(out, text []byte) []byte {
	out = append(out, '"')
	start := 0
	for i, char := range text {
		if char >= ' ' && char != '"' && char != '\\' {
			continue
		}
		out = append(out, text[start:i]...)
		start = i + 1
		switch char {
		case '"', '\\':
			out = append(out, '\\', char)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			out = append(out, `\u00`...)
			out = append(out, hexDigits[char>>4], hexDigits[char&0xf])
		}
	}
	return append(append(out, text[start:]...), '"')
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
