// Package rowjson encodes PostgreSQL values as JSON in the same way as json_agg.
package rowjson

import (
	"bytes"

	"github.com/jackc/pgx/v5/pgtype"

	"plaza/server/jsontext"
)

// Encoder appends a value, given in PostgreSQL's text format, as JSON. ok is false if
// it cannot encode the value.
type Encoder func(out, text []byte) (_ []byte, ok bool)

// Encoders holds the encoders by type OID. Their output equals that of json_agg byte
// for byte. Values of all other types are encoded by PostgreSQL.
//
// Source: PostgreSQL's src/backend/utils/adt/json.c.
var Encoders = map[uint32]Encoder{
	pgtype.BoolOID: encodeBool,
	pgtype.Int2OID: encodeRaw, pgtype.Int4OID: encodeRaw, pgtype.Int8OID: encodeRaw,
	pgtype.Float4OID: encodeNumber, pgtype.Float8OID: encodeNumber, pgtype.NumericOID: encodeNumber,
	pgtype.TextOID: encodeText, pgtype.VarcharOID: encodeText, pgtype.BPCharOID: encodeText, pgtype.NameOID: encodeText,
	pgtype.UUIDOID: encodeText, pgtype.TimeOID: encodeText, pgtype.TimetzOID: encodeText, pgtype.IntervalOID: encodeText,
	pgtype.ByteaOID: encodeText, pgtype.InetOID: encodeText, pgtype.CIDROID: encodeText,
	pgtype.DateOID: encodeDate, pgtype.TimestampOID: encodeTimestamp, pgtype.TimestamptzOID: encodeTimestampTZ,
	pgtype.JSONOID: encodeRaw, pgtype.JSONBOID: encodeRaw,
}

func encodeRaw(out, text []byte) ([]byte, bool) { return append(out, text...), true }

func encodeBool(out, text []byte) ([]byte, bool) {
	if text[0] == 't' {
		return append(out, "true"...), true
	}
	return append(out, "false"...), true
}

// encodeNumber writes NaN and the infinities as strings, since JSON has no such numbers.
func encodeNumber(out, text []byte) ([]byte, bool) {
	if last := text[len(text)-1]; last < '0' || last > '9' {
		return jsontext.AppendPostgresString(out, text), true
	}
	return append(out, text...), true
}

func encodeText(out, text []byte) ([]byte, bool) {
	return jsontext.AppendPostgresString(out, text), true
}

// isISO reports whether a date is in ISO style. The session's DateStyle may be another.
func isISO(text []byte) bool {
	dash := bytes.IndexByte(text, '-')
	return dash >= 4 && len(text) >= dash+6 && text[dash+3] == '-'
}

func isInfinite(text []byte) bool { return bytes.HasSuffix(text, []byte("infinity")) }

func encodeDate(out, text []byte) ([]byte, bool) {
	return jsontext.AppendPostgresString(out, text), isISO(text) || isInfinite(text)
}

// encodeTimestamp puts a T between date and time.
func encodeTimestamp(out, text []byte) ([]byte, bool) {
	if isInfinite(text) {
		return jsontext.AppendPostgresString(out, text), true
	}
	date, clock, ok := bytes.Cut(text, []byte(" "))
	if !ok || !isISO(date) {
		return out, false
	}
	out = append(append(append(out, '"'), date...), 'T')
	return append(append(out, clock...), '"'), true
}

// encodeTimestampTZ also writes the minutes of the offset: +00 becomes +00:00.
func encodeTimestampTZ(out, text []byte) ([]byte, bool) {
	if isInfinite(text) {
		return jsontext.AppendPostgresString(out, text), true
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
