package changes

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/realtime/wal"
)

// fill reads the large values that updates have not changed, which are not in the log, from the
// tables: of rows that were not changed again since. Others stay unknown.
func (e *Engine) fill(ctx context.Context, slice []*change, matched [][]pair) error {
	for i, c := range slice {
		if len(matched[i]) == 0 || c.op != "UPDATE" {
			continue
		}
		var missing []int
		for at := range c.new {
			if _, ok := c.newValue(at); !ok {
				missing = append(missing, at)
			}
		}
		if len(missing) == 0 {
			continue
		}
		if err := e.fillFrom(ctx, c, missing); err != nil {
			return err
		}
	}
	return nil
}

// startFill begins to read values in the form that they have in the log.
var startFill = func() string {
	sql := "begin read only"
	for name, value := range wal.Settings {
		if name != "replication" && name != "client_encoding" {
			sql += "; set local " + name + " = '" + value + "'"
		}
	}
	return sql
}()

// fillFrom reads values of the new row from its table.
func (e *Engine) fillFrom(ctx context.Context, c *change, missing []int) error {
	columns := []string{"xmin::text"}
	for _, at := range missing {
		columns = append(columns, pgx.Identifier{c.relation.Columns[at].Name}.Sanitize()+"::text")
	}
	var conditions []string
	var key [][]byte
	for at, column := range c.relation.Columns {
		if column.IsKey {
			key = append(key, c.new[at].Text)
			conditions = append(conditions, pgx.Identifier{column.Name}.Sanitize()+" = $"+strconv.Itoa(len(key)))
		}
	}
	if len(key) == 0 {
		return nil
	}
	conn, err := e.DB.Owner().Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	raw := conn.Conn().PgConn()
	if err := raw.Exec(ctx, startFill).Close(); err != nil {
		return err
	}
	sql := "select " + strings.Join(columns, ", ") + " from " + pgx.Identifier{c.relation.Schema, c.relation.Name}.Sanitize() + " where " + strings.Join(conditions, " and ")
	found := raw.ExecParams(ctx, sql, key, nil, nil, nil).Read()
	if err := raw.Exec(ctx, "rollback").Close(); err != nil {
		return err
	}
	// A table that is gone, or was renamed, has no values.
	if found.Err != nil || len(found.Rows) != 1 || string(found.Rows[0][0]) != strconv.FormatUint(uint64(c.xid), 10) {
		return ctx.Err()
	}
	for i, at := range missing {
		if value := found.Rows[0][i+1]; value != nil {
			c.new[at] = wal.Value{Kind: wal.Text, Text: slices.Clone(value)}
		}
	}
	return nil
}
