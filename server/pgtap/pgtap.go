// Package pgtap runs pgTAP files, and reports as pg_prove does. A file is a psql script that writes TAP.
package pgtap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrFailed is returned if a test failed.
var ErrFailed = errors.New("tests failed")

// Run runs the files of paths, each in a session of its own on the database at url. Of a folder it runs
// all files that end in .sql or .pg, also in the folders below. pgTAP is created for the tests where
// PostgreSQL has it, as the Supabase CLI does. notes is given what psql writes to standard error.
//
// Errors: ErrFailed if a test failed.
func Run(ctx context.Context, url string, paths []string, out, notes io.Writer) (err error) {
	files, err := find(paths)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	remove, err := provide(ctx, conn, notes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(context.WithoutCancel(ctx))) }()
	r := report{out: out, notes: notes, began: time.Now()}
	for _, name := range files {
		r.width = max(r.width, len(name))
	}
	for _, name := range files {
		if err := r.file(ctx, url, name); err != nil {
			return err
		}
		if r.bailed {
			break
		}
	}
	return r.summary()
}

// find returns the files of paths in their order.
func find(paths []string) (files []string, err error) {
	for _, path := range paths {
		var found []string
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && (name == path || slices.Contains([]string{".sql", ".pg"}, filepath.Ext(name))) {
				found = append(found, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no tests (*.sql, *.pg) in %s", strings.Join(paths, ", "))
	}
	return files, nil
}

// createPgTAP creates the extension pgtap. The functions of a stand-in do not belong to the extension: those that are new
// are added to it here, so that dropping the extension removes them.
const createPgTAP = `
do $do$
declare
  before oid[];
  made oid;
begin
  create schema if not exists extensions;
  before := array(select oid from pg_catalog.pg_proc where pronamespace = 'extensions'::pg_catalog.regnamespace);
  create extension pgtap with schema extensions;
  if (select extversion = 'stand-in' from pg_catalog.pg_extension where extname = 'pgtap') then
    for made in select oid from pg_catalog.pg_proc where pronamespace = 'extensions'::pg_catalog.regnamespace and oid <> all (before) loop
      execute pg_catalog.format('alter extension pgtap add function %s', made::pg_catalog.regprocedure);
    end loop;
  end if;
end
$do$`

// provide creates the extension pgtap if it is missing. remove drops it again in that case.
func provide(ctx context.Context, conn *pgx.Conn, notes io.Writer) (remove func(context.Context) error, err error) {
	nothing := func(context.Context) error { return nil }
	var exists bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_extension where extname = 'pgtap')").Scan(&exists); err != nil || exists {
		return nothing, err
	}
	_, err = conn.Exec(ctx, createPgTAP)
	var fault *pgconn.PgError
	if errors.As(err, &fault) && (fault.Code == "0A000" || fault.Code == "58P01") {
		fmt.Fprintln(notes, "This PostgreSQL does not have pgTAP: tests that call its functions fail, unless a migration creates them.")
		return nothing, nil
	}
	if err != nil {
		return nothing, fmt.Errorf("create the extension pgtap: %w", err)
	}
	return func(ctx context.Context) error {
		_, err := conn.Exec(ctx, "drop extension pgtap")
		return err
	}, nil
}

// report writes the result of each file and a summary, as prove does.
type report struct {
	out, notes   io.Writer
	began        time.Time
	width        int // of the longest name
	files, tests int
	problems     []string
	failed       bool
	bailed       bool
}

// file runs a file and writes its line.
func (r *report) file(ctx context.Context, url, name string) error {
	t := tap{planned: -1}
	status, err := r.run(ctx, url, name, &t)
	if err != nil {
		return err
	}
	r.files++
	r.tests += t.run
	problems := t.problems()
	if status != 0 {
		problems = append(problems, fmt.Sprintf("Non-zero exit status: %d", status))
	}
	if len(problems) > 0 {
		r.failed = true
		for _, line := range t.diagnostics {
			fmt.Fprintln(r.out, line)
		}
	}
	fmt.Fprintf(r.out, "%s %s ", name, strings.Repeat(".", r.width-len(name)+2))
	switch {
	case t.bailedOut:
		fmt.Fprintf(r.out, "Bailout called.  Further testing stopped:  %s\n", t.bailReason)
		r.bailed = true
	case status != 0:
		fmt.Fprintf(r.out, "Dubious, test returned %d\n", status)
	case len(t.failed) > 0:
		fmt.Fprintf(r.out, "Failed %d/%d subtests\n", len(t.failed), max(t.planned, t.run))
	case len(problems) > 0:
		fmt.Fprintln(r.out, problems[0])
	case t.skippedAll:
		fmt.Fprintf(r.out, "skipped: %s\n", t.skipReason)
	default:
		fmt.Fprintln(r.out, "ok")
	}
	if len(t.todoPassed) > 0 {
		problems = append(problems, "TODO passed: "+strings.Join(ranges(t.todoPassed), ", "))
	}
	if len(problems) > 0 {
		r.problems = append(r.problems, fmt.Sprintf("%s (Wstat: %d Tests: %d Failed: %d)\n  %s", name, status<<8, t.run, len(t.failed), strings.Join(problems, "\n  ")))
	}
	return nil
}

// statusStopped is psql's exit status when a statement failed.
const statusStopped = 3

// run runs a file and reads its TAP. status is the exit status that psql would return.
func (r *report) run(ctx context.Context, url, name string, t *tap) (status int, err error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return 0, fmt.Errorf("database address: %w", err)
	}
	note := func(text string) { fmt.Fprintln(r.notes, text) }
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { note(name + ": " + n.Severity + ":  " + n.Message) }
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return 0, fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	s := script{conn: conn, variables: map[string]string{}, stop: true, line: t.read, note: note}
	switch err := s.run(ctx, name); {
	case err == nil, errors.Is(err, errQuit):
		return 0, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.Is(err, errStopped):
	case errors.Is(err, os.ErrNotExist):
		note(err.Error())
	default:
		note(describe(err))
	}
	return statusStopped, nil
}

func (r *report) summary() error {
	if !r.failed {
		fmt.Fprintln(r.out, "All tests successful.")
	}
	if len(r.problems) > 0 {
		fmt.Fprintln(r.out, "\nTest Summary Report\n-------------------\n"+strings.Join(r.problems, "\n"))
	}
	fmt.Fprintf(r.out, "Files=%d, Tests=%d, %.1f seconds\n", r.files, r.tests, time.Since(r.began).Seconds())
	if !r.failed {
		fmt.Fprintln(r.out, "Result: PASS")
		return nil
	}
	fmt.Fprintln(r.out, "Result: FAIL")
	return ErrFailed
}
