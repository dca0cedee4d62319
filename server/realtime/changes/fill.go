package changes

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/realtime/wal"
)

// toastGap is a change with unchanged TOAST values, which are not in the WAL.
type toastGap struct {
	change  *change
	missing []int // columns
}

// fillToastValues reads the TOAST values that updates have not changed, which are not in the WAL, from the tables,
// if the row was not changed again since. Others stay unknown, and so do those beyond maxQueue bytes in all.
func (e *Engine) fillToastValues(ctx context.Context, batch []*change, matched [][]match) error {
	var gaps []toastGap
	queries := new(pgconn.Batch)
	for i, c := range batch {
		if len(matched[i]) == 0 || c.op != "UPDATE" {
			continue
		}
		g := toastGap{change: c}
		for at := range c.new {
			if _, ok := c.newValue(at); !ok {
				g.missing = append(g.missing, at)
			}
		}
		if len(g.missing) > 0 && g.addQuery(queries) {
			gaps = append(gaps, g)
		}
	}
	if len(gaps) == 0 {
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
	results := raw.ExecBatch(ctx, queries)
	for size, i := 0, 0; results.NextResult(); i++ {
		rows := results.ResultReader()
		for rows.NextRow() {
			size += gaps[i].setValues(rows.Values(), maxQueue-size)
		}
		_, _ = rows.Close()
	}
	// A table that was dropped or renamed ends the batch: the values after it stay unknown.
	if err := results.Close(); err != nil && ctx.Err() != nil {
		return err
	}
	return raw.Exec(ctx, "rollback").Close()
}

// startFill begins a transaction in which values have the same format as in the WAL.
var startFill = func() string {
	sql := "begin read only"
	for name, value := range wal.Settings {
		if name != "replication" && name != "client_encoding" {
			sql += "; set local " + name + " = '" + value + "'"
		}
	}
	return sql
}()

// addQuery adds the query for the values to a batch. It returns false for a table without a key.
func (g *toastGap) addQuery(queries *pgconn.Batch) bool {
	relation := g.change.relation
	columns := []string{"xmin::text"}
	for _, at := range g.missing {
		columns = append(columns, pgx.Identifier{relation.Columns[at].Name}.Sanitize()+"::text")
	}
	var conditions []string
	var key [][]byte
	for at, column := range relation.Columns {
		if column.IsKey {
			key = append(key, g.change.new[at].Text)
			conditions = append(conditions, pgx.Identifier{column.Name}.Sanitize()+" = $"+strconv.Itoa(len(key)))
		}
	}
	if len(key) == 0 {
		return false
	}
	queries.ExecParams("select "+strings.Join(columns, ", ")+" from "+pgx.Identifier{relation.Schema, relation.Name}.Sanitize()+
		" where "+strings.Join(conditions, " and "), key, nil, nil, nil)
	return true
}

// setValues sets the missing values from a row, if the change's transaction wrote it and the row has at most
// maxSize bytes. It returns the size of the row, or 0 if nothing was set.
func (g *toastGap) setValues(row [][]byte, maxSize int) (size int) {
	for _, value := range row {
		size += len(value)
	}
	if size > maxSize || string(row[0]) != strconv.FormatUint(uint64(g.change.xid), 10) {
		return 0
	}
	for i, at := range g.missing {
		if value := row[i+1]; value != nil {
			g.change.new[at] = wal.Value{Kind: wal.Text, Text: slices.Clone(value)}
		}
	}
	return size
}
