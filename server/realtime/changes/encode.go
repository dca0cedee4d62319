package changes

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"plaza/server/jsontext"
	"plaza/server/pg"
	"plaza/server/realtime/visible"
	"plaza/server/realtime/wal"
	"plaza/server/rowjson"
)

// Limits of the size of a change.
const (
	maxData  = 1 << 20 // bytes of a change; long values of a larger one are left out
	maxField = 64      // bytes of a value that is never left out
)

// change is a change of a row, with what is known of its table.
type change struct {
	relation *wal.Relation
	op       string // INSERT, UPDATE or DELETE
	xid      uint32 // of its transaction, the lower half
	at       time.Time
	position pg.LSN    // a server that has replayed it shows the change
	old, new wal.Tuple // nil: there is none
	size     int
	isStale  bool // the schema has changed before it

	committed time.Time // by this database's clock; zero: it was replicated from another

	forms  map[projectionKey]*projection
	faults map[string]*Data // by the error sent in place of the values
}

// projectionKey identifies a form of a change. Roles have separate views: what is sent of a deleted row
// depends on whether policies apply to the role.
type projectionKey struct {
	view      *visible.RoleView
	selection string
}

// projection is a change as the subscribers of a role with the same selection of columns get it.
type projection struct {
	columns []*visible.Column
	data    *Data // nil until it was encoded
}

// form returns the form of a change for a subscription, and whether it is a new one.
func (c *change) form(view *visible.RoleView, s *subscription) (f *projection, isNew bool) {
	key := projectionKey{view, s.selection}
	if f = c.forms[key]; f != nil {
		return f, false
	}
	f = &projection{columns: c.columns(view, &s.Entry)}
	if c.forms == nil {
		c.forms = make(map[projectionKey]*projection)
	}
	c.forms[key] = f
	return f, true
}

// value returns a column's value in the new row, or in the deleted row. ok is false if it is not
// known.
func (c *change) value(name string) (value wal.Value, ok bool) {
	at := c.index(name)
	if at < 0 {
		return wal.Value{}, false
	}
	if c.op == "DELETE" {
		// If the WAL has only the key of the row, all other values in it are null.
		if c.relation.Identity != 'f' && !c.relation.Columns[at].IsKey {
			return wal.Value{}, false
		}
		return c.old[at], true
	}
	return c.newValue(at)
}

// newValue returns a value of the new row. An unchanged TOAST value is taken from the old row, if the
// WAL has all of that.
func (c *change) newValue(at int) (value wal.Value, ok bool) {
	value = c.new[at]
	if value.Kind == wal.Unchanged && c.relation.Identity == 'f' && c.old != nil {
		value = c.old[at]
	}
	return value, value.Kind != wal.Unchanged
}

func (c *change) index(name string) int {
	for i := range c.relation.Columns {
		if c.relation.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// keyOf returns the values of a table's primary key in the new row. ok is false if they are
// not known.
func (c *change) keyOf(view *visible.RoleView) (key []string, ok bool) {
	for _, name := range view.Key {
		value, known := c.value(name)
		if !known || value.Kind != wal.Text {
			return nil, false
		}
		key = append(key, string(value.Text))
	}
	return key, len(key) > 0
}

// Data is a change in the form in which some subscribers get it.
type Data struct {
	JSON     []byte
	Position pg.LSN // a server that has replayed it shows the change

	shared map[string]any
}

// Share returns the value that build returns for the first subscriber with a key. Only the goroutine
// that delivers may call it.
func (d *Data) Share(key string, build func() any) any {
	value, ok := d.shared[key]
	if !ok {
		value = build()
		if d.shared == nil {
			d.shared = make(map[string]any)
		}
		d.shared[key] = value
	}
	return value
}

// data returns the change for a subscription of a role that sees the table as view.
func (c *change) data(view *visible.RoleView, s *subscription, values *values) *Data {
	f, _ := c.form(view, s)
	if f.data == nil {
		text := c.append(nil, view, f.columns, values, false)
		if len(text) > maxData {
			text = c.append(nil, view, f.columns, values, true)
		}
		f.data = &Data{JSON: text, Position: c.position}
	}
	return f.data
}

// columns returns the columns that are sent, in the order of the table.
func (c *change) columns(view *visible.RoleView, e *Entry) []*visible.Column {
	var columns []*visible.Column
	for i := range view.Columns {
		column := &view.Columns[i]
		if column.Selectable && c.index(column.Name) >= 0 && (e.Select == nil || view.IsKey(column.Name) || slices.Contains(e.Select, column.Name)) {
			columns = append(columns, column)
		}
	}
	return columns
}

// failed returns the data of a change with an error in place of its values.
func (c *change) failed(why string) *Data {
	d, ok := c.faults[why]
	if !ok {
		out := c.appendHead(nil)
		out = jsontext.AppendString(append(out, `,"commit_timestamp":null,"columns":[],"record":{},"errors":[`...), why)
		d = &Data{JSON: append(out, "]}"...), Position: c.position}
		if c.faults == nil {
			c.faults = make(map[string]*Data)
		}
		c.faults[why] = d
	}
	return d
}

func (c *change) appendHead(out []byte) []byte {
	out = jsontext.AppendString(append(out, `{"schema":`...), c.relation.Schema)
	out = jsontext.AppendString(append(out, `,"table":`...), c.relation.Name)
	return append(append(append(out, `,"type":"`...), c.op...), '"')
}

func (c *change) append(out []byte, view *visible.RoleView, columns []*visible.Column, values *values, short bool) []byte {
	out = c.appendHead(out)
	out = append(c.at.UTC().AppendFormat(append(out, `,"commit_timestamp":"`...), "2006-01-02T15:04:05.000Z"), `","columns":[`...)
	for i, column := range columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontext.AppendString(append(out, `{"name":`...), column.Name)
		out = append(jsontext.AppendString(append(out, `,"type":`...), column.Type), '}')
	}
	out = append(out, ']')
	if c.op != "DELETE" {
		out = c.appendRow(append(out, `,"record":`...), columns, values, short, c.newValue)
	}
	if c.op != "INSERT" {
		out = c.appendRow(append(out, `,"old_record":`...), columns, values, short, func(at int) (wal.Value, bool) { return c.oldValue(view, at) })
	}
	if short {
		return append(out, `,"errors":["Error 413: Payload Too Large"]}`...)
	}
	return append(out, `,"errors":null}`...)
}

// oldValue returns a value of the old row: of the whole row or of its key. Policies cannot be checked
// for a deleted row, so that only the primary key of one is sent if the table has policies.
func (c *change) oldValue(view *visible.RoleView, at int) (value wal.Value, ok bool) {
	column := c.relation.Columns[at]
	switch {
	case c.relation.Identity != 'f' && !column.IsKey:
		return value, false
	case c.op == "DELETE" && view.Secured && !view.IsKey(column.Name):
		return value, false
	case c.old != nil:
		return c.old[at], c.old[at].Kind != wal.Unchanged
	}
	return c.new[at], true // the key has not changed
}

func (c *change) appendRow(out []byte, columns []*visible.Column, values *values, short bool, valueOf func(at int) (wal.Value, bool)) []byte {
	out = append(out, '{')
	isFirst := true
	for _, column := range columns {
		value, ok := valueOf(c.index(column.Name))
		if !ok || short && len(value.Text) > maxField {
			continue
		}
		if !isFirst {
			out = append(out, ',')
		}
		isFirst = false
		out = append(jsontext.AppendString(out, column.Name), ':')
		out = values.append(out, column, value)
	}
	return append(out, '}')
}

// values encodes values as JSON. Those that only PostgreSQL can encode are collected first.
type values struct {
	wanted  map[string]map[string]bool   // texts by type
	encoded map[string]map[string][]byte // JSON by type and text
}

// appendLocal appends a value, if it can be encoded without PostgreSQL. ok is false if it cannot.
func appendLocal(out []byte, column *visible.Column, text []byte) (_ []byte, ok bool) {
	switch {
	case column.Base == pgtype.ByteaOID:
		// Source: upstream leaves out the prefix \x.
		return jsontext.AppendPostgresString(out, strings.TrimPrefix(string(text), `\x`)), true
	case column.Kind == "e":
		return jsontext.AppendPostgresString(out, text), true
	}
	if encode := rowjson.Encoders[column.Base]; encode != nil {
		return encode(out, text)
	}
	return out, false
}

// want adds a value to be encoded by PostgreSQL, if it must be.
func (v *values) want(column *visible.Column, value wal.Value) {
	if value.Kind != wal.Text {
		return
	}
	if _, ok := appendLocal(nil, column, value.Text); ok {
		return
	}
	if v.wanted == nil {
		v.wanted = make(map[string]map[string]bool)
	}
	if v.wanted[column.SQL] == nil {
		v.wanted[column.SQL] = make(map[string]bool)
	}
	v.wanted[column.SQL][string(value.Text)] = true
}

// query lets PostgreSQL encode the values that were added.
func (v *values) query(ctx context.Context, db *pg.DB) error {
	v.encoded = make(map[string]map[string][]byte, len(v.wanted))
	for kind, texts := range v.wanted {
		encoded := make(map[string][]byte, len(texts))
		v.encoded[kind] = encoded
		list := make([]string, 0, len(texts))
		for text := range texts {
			list = append(list, text)
		}
		rows, err := db.Owner().Query(ctx, fmt.Sprintf("select v, to_jsonb(v::%s)::text from unnest($1::text[]) v", kind), list)
		if err != nil {
			return err
		}
		for rows.Next() {
			var text, value string
			if err := rows.Scan(&text, &value); err != nil {
				return err
			}
			encoded[text] = []byte(value)
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("encode values of %s: %w", kind, err)
		}
	}
	return nil
}

func (v *values) append(out []byte, column *visible.Column, value wal.Value) []byte {
	if value.Kind != wal.Text {
		return append(out, "null"...)
	}
	if encoded, ok := appendLocal(out, column, value.Text); ok {
		return encoded
	}
	if encoded, ok := v.encoded[column.SQL][string(value.Text)]; ok {
		return append(out, encoded...)
	}
	return jsontext.AppendPostgresString(out, value.Text)
}

// decodeBytea decodes a bytea's text, "\x" and hexadecimal digits.
func decodeBytea(text []byte) []byte {
	digits := bytes.TrimPrefix(text, []byte(`\x`))
	out := make([]byte, hex.DecodedLen(len(digits)))
	n, _ := hex.Decode(out, digits) // PostgreSQL writes nothing else
	return out[:n]
}
