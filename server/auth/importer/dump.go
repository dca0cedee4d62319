package importer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/lazyregexp"
)

// dumpTables are the tables imported from a Supabase dump, in the order of their foreign keys.
var dumpTables = []string{"users", "identities", "sessions", "refresh_tokens"}

var (
	dumpedName  = `"?auth"?\."?(` + strings.Join(dumpTables, "|") + `)"?\s*\(([^)]*)\)`
	copyStart   = lazyregexp.New(`(?i)^COPY ` + dumpedName + ` FROM stdin;`)
	insertStart = lazyregexp.New(`(?i)^INSERT INTO ` + dumpedName)
	otherCopy   = lazyregexp.New(`(?i)^COPY .* FROM stdin;`)
)

// importDump imports the accounts of a plain dump of a Supabase database. Each table is first
// loaded into a temporary table without constraints, because a dump has the tables in any
// order.
func importDump(ctx context.Context, tx pgx.Tx, in *bufio.Reader) (Report, error) {
	for _, table := range dumpTables {
		if _, err := tx.Exec(ctx, "create temp table import_"+table+" (like auth."+table+" including defaults) on commit drop"); err != nil {
			return Report{}, err
		}
	}
	d := &dump{in: in, tx: tx, tableColumns: map[string][]string{}}
	if err := d.read(ctx); err != nil {
		return Report{}, fmt.Errorf("line %d: %w", d.line, err)
	}
	if len(d.tableColumns["users"]) == 0 {
		return Report{}, errors.New("no accounts found: it is neither a list in CSV or JSON nor a plain dump with auth.users")
	}
	var report Report
	for i, count := range []*int64{&report.Users, &report.Identities, &report.Sessions, &report.RefreshTokens} {
		table := dumpTables[i]
		names, err := d.columns(ctx, table)
		if err != nil {
			return Report{}, err
		}
		if len(names) == 0 {
			continue
		}
		list := strings.Join(names, ", ")
		order := ""
		if table == "refresh_tokens" {
			order = " order by id"
		}
		done, err := tx.Exec(ctx, "insert into auth."+table+" ("+list+") select "+list+" from import_"+table+order)
		if err != nil {
			return Report{}, fmt.Errorf("auth.%s: %w", table, err)
		}
		*count = done.RowsAffected()
	}
	return report, nil
}

type dump struct {
	in           *bufio.Reader
	tx           pgx.Tx
	line         int
	tableColumns map[string][]string // the columns of each table
}

func (d *dump) next() (string, error) {
	d.line++
	text, err := d.in.ReadString('\n')
	if text != "" && errors.Is(err, io.EOF) {
		err = nil
	}
	return text, err
}

func (d *dump) read(ctx context.Context) error {
	for {
		text, err := d.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if found := copyStart().FindStringSubmatch(text); found != nil {
			err = d.copy(ctx, strings.ToLower(found[1]), found[2])
		} else if otherCopy().MatchString(text) {
			_, err = io.Copy(io.Discard, &rows{d: d})
		} else if found := insertStart().FindStringSubmatch(text); found != nil {
			err = d.insert(ctx, strings.ToLower(found[1]), found[2], text)
		}
		if err != nil {
			return err
		}
	}
}

// recordColumns records a table's columns. All sections of a table must have the same columns.
func (d *dump) recordColumns(table, columns string) error {
	var names []string
	for name := range strings.SplitSeq(columns, ",") {
		names = append(names, pgx.Identifier{strings.Trim(strings.TrimSpace(name), `"`)}.Sanitize())
	}
	if before := d.tableColumns[table]; before != nil && !slices.Equal(before, names) {
		return fmt.Errorf("auth.%s has other columns here than before", table)
	}
	d.tableColumns[table] = names
	return nil
}

func (d *dump) copy(ctx context.Context, table, columns string) error {
	if err := d.recordColumns(table, columns); err != nil {
		return err
	}
	from := d.line
	_, err := d.tx.Conn().PgConn().CopyFrom(ctx, &rows{d: d}, "copy import_"+table+" ("+strings.Join(d.tableColumns[table], ", ")+") from stdin")
	if err != nil {
		d.line = from
	}
	return err
}

// insert runs an INSERT statement. It ends with a semicolon at the end of a line, outside of a
// string literal.
func (d *dump) insert(ctx context.Context, table, columns, statement string) error {
	if err := d.recordColumns(table, columns); err != nil {
		return err
	}
	var whole strings.Builder
	whole.WriteString(statement)
	quotes := strings.Count(statement, "'")
	for text := statement; quotes%2 != 0 || !strings.HasSuffix(strings.TrimRight(text, " \r\n"), ";"); {
		var err error
		if text, err = d.next(); err != nil {
			return fmt.Errorf("the statement does not end: %w", err)
		}
		quotes += strings.Count(text, "'") // an odd count means that a string literal is open
		whole.WriteString(text)
	}
	rest := whole.String()[len(insertStart().FindString(whole.String())):]
	_, err := d.tx.Exec(ctx, "insert into import_"+table+" ("+strings.Join(d.tableColumns[table], ", ")+")"+rest)
	return err
}

// columns returns the columns of a table to import. Generated columns and serial numbers are
// left out.
func (d *dump) columns(ctx context.Context, table string) ([]string, error) {
	found, err := d.tx.Query(ctx, `select quote_ident(attname) from pg_attribute
		where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`, "auth."+table)
	if err != nil {
		return nil, err
	}
	known, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range d.tableColumns[table] {
		if plain := strings.Trim(name, `"`); slices.Contains(known, plain) || slices.Contains(known, name) {
			if table != "refresh_tokens" || plain != "id" {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// rows reads the lines of a COPY section up to its "\.".
type rows struct {
	d    *dump
	rest string
	end  bool
}

func (r *rows) Read(into []byte) (int, error) {
	for r.rest == "" {
		if r.end {
			return 0, io.EOF
		}
		text, err := r.d.next()
		if err != nil {
			return 0, fmt.Errorf("the section does not end: %w", io.ErrUnexpectedEOF)
		}
		if strings.TrimRight(text, "\r\n") == `\.` {
			r.end = true
			continue
		}
		r.rest = text
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
