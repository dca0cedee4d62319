package dump

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/ddl"
)

// tableRows is a table whose rows are dumped.
type tableRows struct {
	Schema, Name string
	Columns      []string // quoted, without generated ones
	Identity     bool     // it has a column that is always generated as an identity
	Inherited    bool     // other tables inherit from it; their rows are not dumped with it
}

// listTables lists the tables with rows to dump: those of the schemas $1 or, without any, of all but the
// excluded ones. What a server keeps for itself is of no use in another project. The rows of partitions are those
// of their table, as another project may have other partitions.
// Source: supabase/cli, the schemas and tables that a data dump leaves out.
const listTables = `
	select n.nspname::text, c.relname::text,
		array(select quote_ident(a.attname) from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum),
		exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attidentity = 'a' and not a.attisdropped),
		c.relkind = 'r' and exists (select from pg_catalog.pg_inherits i where i.inhparent = c.oid)
	from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where c.relkind in ('r', 'p') and not c.relispartition and case when cardinality($1::text[]) > 0 then n.nspname = any ($1) else n.nspname !~ '^(pg_|timescaledb_|_timescaledb_)' and n.nspname <> all (array[
			'information_schema', 'graphql', 'graphql_public', 'net', 'pgsodium', 'pgsodium_masks', 'pgtle', 'repack', 'tiger', 'tiger_data', 'topology', 'vault', 'etl',
			'extensions', 'pgbouncer', 'realtime', 'supabase_migrations', '_analytics', '_realtime', '_supavisor', 'plaza']) end
		and n.nspname || '.' || c.relname <> all (array['auth.schema_migrations', 'storage.migrations', 'supabase_functions.migrations',
			'auth.token_lifetime', 'auth.signing_keys', 'auth.refused_tokens', 'auth.mail_queue', 'storage.usage', 'storage.shared_usage', 'storage.unused_blobs'])
		and not exists (select from pg_catalog.pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e' and n.nspname <> 'cron')
	order by 1, 2`

// listSequences lists the sequences of schemas.
const listSequences = `
	select format('%I.%I', n.nspname, c.relname) from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where c.relkind = 'S' and n.nspname = any ($1) order by 1`

// rowsHeader turns triggers and foreign keys off, and lets values be read as they were written.
const rowsHeader = `set session_replication_role = replica;
set statement_timeout = 0;
set lock_timeout = 0;
set client_encoding = 'UTF8';
set standard_conforming_strings = on;
set datestyle = 'ISO';
set intervalstyle = 'postgres';
select pg_catalog.set_config('search_path', '', false);

`

// writeRows writes the rows of tables, the positions of sequences, and the statements that fill
// materialized views.
func writeRows(ctx context.Context, conn *pgx.Conn, out io.Writer, o Options) error {
	w := bufio.NewWriterSize(out, 1<<16)
	_, _ = w.WriteString(rowsHeader) // errors stay for Flush
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local search_path = ''; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3; set local statement_timeout = 0"); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, listTables, o.Schemas)
		if err != nil {
			return err
		}
		tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[tableRows])
		if err != nil {
			return err
		}
		var schemas []string
		for _, t := range tables {
			if !slices.Contains(schemas, t.Schema) {
				schemas = append(schemas, t.Schema)
			}
			if slices.Contains(o.Exclude, t.Schema+"."+t.Name) {
				continue
			}
			if err := t.write(ctx, tx, w, o.UseCopy); err != nil {
				return fmt.Errorf("dump %s.%s: %w", t.Schema, t.Name, err)
			}
		}
		return writeSequences(ctx, tx, w, schemas)
	})
	if err != nil {
		return fmt.Errorf("dump the rows: %w", err)
	}
	schema, err := ddl.Read(ctx, conn, ddl.Options{Schemas: o.Schemas})
	if err != nil {
		return err
	}
	for _, view := range schema.MaterializedViews() {
		_, _ = w.WriteString("refresh " + view + ";\n")
	}
	_, _ = w.WriteString("\n" + footer)
	return w.Flush()
}

func (t tableRows) name() string { return pgx.Identifier{t.Schema, t.Name}.Sanitize() }

// from returns the part of a query that selects the table's rows.
func (t tableRows) from() string {
	if t.Inherited {
		return "from only " + t.name()
	}
	return "from " + t.name()
}

// write writes the rows of a table. It writes nothing if there are none.
func (t tableRows) write(ctx context.Context, tx pgx.Tx, w *bufio.Writer, useCopy bool) error {
	if len(t.Columns) == 0 {
		return nil
	}
	if useCopy {
		return t.writeCopy(ctx, tx, w)
	}
	return t.writeInserts(ctx, tx, w)
}

func (t tableRows) writeCopy(ctx context.Context, tx pgx.Tx, w *bufio.Writer) error {
	_, err := WriteCopy(ctx, tx.Conn(), w, t.name(), strings.Join(t.Columns, ", "), t.from())
	return err
}

// WriteCopy writes the COPY section of a table, or nothing if it has no rows, and returns the number of rows. The
// columns are quoted; from is the part of the query that selects rows.
func WriteCopy(ctx context.Context, conn *pgx.Conn, out io.Writer, table, columns, from string) (rows int64, err error) {
	section := &lazyWriter{out: out, first: "copy " + table + " (" + columns + ") from stdin;\n"}
	done, err := conn.PgConn().CopyTo(ctx, section, "copy (select "+columns+" "+from+") to stdout")
	if err == nil && section.first == "" {
		_, err = io.WriteString(out, "\\.\n\n")
	}
	return done.RowsAffected(), err
}

// lazyWriter writes first before what is passed to the first call of Write.
type lazyWriter struct {
	out   io.Writer
	first string
}

func (l *lazyWriter) Write(p []byte) (int, error) {
	if l.first != "" {
		if _, err := io.WriteString(l.out, l.first); err != nil {
			return 0, err
		}
		l.first = ""
	}
	return l.out.Write(p)
}

// Limits of one INSERT.
const (
	maxInsertRows  = 1000
	maxInsertBytes = 1 << 20
)

func (t tableRows) writeInserts(ctx context.Context, tx pgx.Tx, w *bufio.Writer) error {
	values := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		values[i] = "quote_nullable(" + column + "::text)"
	}
	rows, err := tx.Query(ctx, "select concat_ws(', ', "+strings.Join(values, ", ")+") "+t.from())
	if err != nil {
		return err
	}
	begin := "insert into " + t.name() + " (" + strings.Join(t.Columns, ", ") + ")"
	if t.Identity {
		begin += " overriding system value"
	}
	count, size := 0, 0
	var line string
	_, err = pgx.ForEachRow(rows, []any{&line}, func() error {
		switch {
		case count == 0:
			_, _ = w.WriteString(begin + " values\n  (")
		case count == maxInsertRows || size > maxInsertBytes:
			_, _ = w.WriteString(";\n" + begin + " values\n  (")
			count, size = 0, 0
		default:
			_, _ = w.WriteString(",\n  (")
		}
		count, size = count+1, size+len(line)
		_, err := w.WriteString(line + ")")
		return err
	})
	if err == nil && count > 0 {
		_, err = w.WriteString(";\n\n")
	}
	return err
}

func writeSequences(ctx context.Context, tx pgx.Tx, w *bufio.Writer, schemas []string) error {
	rows, err := tx.Query(ctx, listSequences, schemas)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		var statement string
		if err := tx.QueryRow(ctx, "select format('select pg_catalog.setval(%L, %s, %s)', $1::text, last_value, is_called::text) from "+name, name).Scan(&statement); err != nil {
			return fmt.Errorf("dump the sequence %s: %w", name, err)
		}
		_, _ = w.WriteString(statement + ";\n")
	}
	return nil
}
