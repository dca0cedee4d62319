package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// table is a table of the source and the columns that are moved.
type table struct {
	schema, name string
	columns      []string
	inherited    bool // other tables inherit from it; only its own rows are moved with it
}

func (t table) String() string { return t.schema + "." + t.name }

func (t table) quoted() string { return pgx.Identifier{t.schema, t.name}.Sanitize() }

func (t table) columnList() string {
	quoted := make([]string, len(t.columns))
	for i, column := range t.columns {
		quoted[i] = pgx.Identifier{column}.Sanitize()
	}
	return strings.Join(quoted, ", ")
}

// from returns the from clause of a query of the table's rows. A partitioned table is read as a whole, since the target may
// have other partitions.
func (t table) from() string {
	if t.inherited {
		return "from only " + t.quoted()
	}
	return "from " + t.quoted()
}

// rows returns the from and where clauses that select the rows to move.
func (t table) rows() string {
	from := t.from()
	if condition, ok := only[t.String()]; ok {
		from += " where " + condition
	}
	return from
}

// copyOut returns the statement that reads the rows to move.
func (t table) copyOut() string {
	return "copy (select " + t.columnList() + " " + t.rows() + ") to stdout"
}

// sum is the number of a table's rows, and the sum of their checksums.
type sum struct {
	rows int64
	hash string
}

// moveRows copies the rows of all tables and the values of sequences.
func (m *mover) moveRows(ctx context.Context) error {
	tables, err := listTablesOf(ctx, m.source)
	if err != nil {
		return err
	}
	for i, t := range tables {
		m.o.Progress(fmt.Sprintf("Table %d of %d: %s", i+1, len(tables), t))
		if err := m.moveTable(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := m.report.warnOfFactors(ctx, m.source); err != nil {
		return err
	}
	return m.moveSequences(ctx)
}

// warnOfFactors adds a warning about second factors that are left out.
func (r *Report) warnOfFactors(ctx context.Context, source *pgx.Conn) error {
	var factors int64
	if err := source.QueryRow(ctx, countFactors).Scan(&factors); err != nil {
		return fmt.Errorf("count the second factors: %w", err)
	}
	if factors > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d second factors were left out, whose secrets are encrypted with the source's own key: users enrol them again", factors))
	}
	return nil
}

// listTablesOf lists the tables whose rows are moved.
func listTablesOf(ctx context.Context, conn *pgx.Conn) ([]table, error) {
	rows, err := conn.Query(ctx, listTables, managed, moved, left)
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	tables, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t table, err error) {
		return t, row.Scan(&t.schema, &t.name, &t.columns, &t.inherited)
	})
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	return tables, nil
}

// moveTable copies a table's rows unless the target has the same. Copy and check are one transaction.
func (m *mover) moveTable(ctx context.Context, t table) error {
	known, err := m.fit(ctx, &t)
	if err != nil || !known {
		return err
	}
	want, err := m.sum(ctx, m.source, t)
	if err != nil {
		return fmt.Errorf("read the source: %w", err)
	}
	m.report.Tables++
	m.report.Rows += want.rows
	tx, err := m.target.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := tx.Exec(ctx, disableTriggers); err != nil {
		return fmt.Errorf("turn triggers off, which needs a superuser: %w", err)
	}
	before, err := m.sum(ctx, m.target, t)
	if err != nil || before == want {
		return err
	}
	if _, err := tx.Exec(ctx, "delete from "+t.quoted()); err != nil {
		return err
	}
	if err := m.copyRows(ctx, t); err != nil {
		return err
	}
	if statement, ok := settle[t.String()]; ok {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	got, err := m.sum(ctx, m.target, t)
	if err != nil {
		return err
	}
	if got != want {
		m.report.differ("the rows of %s: %d in the source, %d in the target, with different checksums", t, want.rows, got.rows)
	}
	return tx.Commit(ctx)
}

// fit removes the columns of t that the target lacks. If they have values, or the target lacks the table and it has rows, that
// is a difference. known is false if there is nothing to copy.
func (m *mover) fit(ctx context.Context, t *table) (known bool, err error) {
	var there []string
	if err := m.target.QueryRow(ctx, listColumns, t.quoted()).Scan(&there); err != nil {
		return false, err
	}
	lacks := slices.DeleteFunc(slices.Clone(t.columns), func(column string) bool { return slices.Contains(there, column) })
	t.columns = slices.DeleteFunc(t.columns, func(column string) bool { return slices.Contains(lacks, column) })
	if len(there) == 0 {
		lacks = []string{""} // no such table: any row is a difference
	}
	for _, column := range lacks {
		value := "true"
		if column != "" {
			value = pgx.Identifier{column}.Sanitize() + " is not null"
		}
		var used bool
		if err := m.source.QueryRow(ctx, "select exists (select "+t.from()+" where "+value+")").Scan(&used); err != nil {
			return false, fmt.Errorf("read the source: %w", err)
		}
		if used {
			m.report.differ("the target lacks %s", strings.TrimSuffix(t.String()+"."+column, "."))
		}
	}
	return len(t.columns) > 0, nil
}

// sum counts the rows to move of a table, and adds up their checksums.
func (m *mover) sum(ctx context.Context, conn *pgx.Conn, t table) (s sum, err error) {
	err = conn.QueryRow(ctx, `select pg_catalog.count(*), coalesce(pg_catalog.sum(('x' || pg_catalog.substr(pg_catalog.md5(row(`+t.columnList()+`)::text), 1, 15))::bit(60)::bigint), 0)::text
		`+t.rows()).Scan(&s.rows, &s.hash)
	return s, err
}

// copyRows streams a table's rows from the source to the target.
func (m *mover) copyRows(ctx context.Context, t table) error {
	from, to := io.Pipe()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := m.source.PgConn().CopyTo(ctx, to, t.copyOut())
		if err != nil {
			err = fmt.Errorf("read the source: %w", err)
		}
		return errors.Join(err, to.CloseWithError(err))
	})
	group.Go(func() error {
		_, err := m.target.PgConn().CopyFrom(ctx, from, "copy "+t.quoted()+" ("+t.columnList()+") from stdin")
		return errors.Join(err, from.CloseWithError(err))
	})
	return group.Wait()
}

// moveSequences sets the values of sequences. One that the target lacks is skipped.
func (m *mover) moveSequences(ctx context.Context) error {
	sequences, err := readSequences(ctx, m.source)
	if err != nil {
		return err
	}
	for _, s := range sequences {
		if _, err := m.target.Exec(ctx, setSequence, s.name.Sanitize(), s.last, s.called); err != nil {
			return fmt.Errorf("set the sequence %s: %w", s.name.Sanitize(), err)
		}
	}
	return nil
}

// sequence is the state of a sequence.
type sequence struct {
	name   pgx.Identifier
	last   int64
	called bool // last was returned; the next value is another
}

// readSequences reads the sequences of the project, and of the tables whose rows are moved.
func readSequences(ctx context.Context, conn *pgx.Conn) ([]sequence, error) {
	rows, err := conn.Query(ctx, listSequences, managed, moved)
	if err != nil {
		return nil, fmt.Errorf("list the sequences: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s sequence, err error) {
		s.name = make(pgx.Identifier, 2)
		return s, row.Scan(&s.name[0], &s.name[1])
	})
	if err != nil {
		return nil, fmt.Errorf("list the sequences: %w", err)
	}
	for i, s := range all {
		if err := conn.QueryRow(ctx, "select last_value, is_called from "+s.name.Sanitize()).Scan(&all[i].last, &all[i].called); err != nil {
			return nil, fmt.Errorf("read the sequence %s: %w", s.name.Sanitize(), err)
		}
	}
	return all, nil
}
