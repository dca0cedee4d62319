// Package transfer moves a project from hosted Supabase, or any database of its layout, to this one.
//
// The steps can be repeated. A run that was interrupted is continued by the next: the schema is loaded in one
// transaction, each table's rows are compared by their number and a checksum and copied if they differ, and an
// object whose bytes are there is not copied again.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/storage/blob"
	"plaza/storage/core"
)

// ErrDiffers means that something of the source is missing in the target, or differs there. The report lists it.
var ErrDiffers = errors.New("not everything was moved: see what differs above")

// Source is what is moved.
type Source struct {
	URL     string  // of the database
	Objects Objects // where the content of objects comes from; nil: it is not moved
}

// Objects reads the content of a project's objects.
type Objects interface {
	// Open returns the content of an object. Errors: ErrNoObject.
	Open(ctx context.Context, bucket, key string) (io.ReadCloser, error)
}

// ErrNoObject means that a store has no content for an object.
var ErrNoObject = errors.New("the source has no such object")

// Target is where a project is moved to.
type Target struct {
	URL     string         // the database, which has the platform's schema and no project yet
	Project migrate.Source // the folder that is served; its seed files are recorded as run
	Blobs   blob.Store
}

// Options are the options of a move.
type Options struct {
	// Schema reads the source's schema for Import.
	Schema Schema
	// Progress is called with a description of each step. May be nil.
	Progress func(string)
}

// Schema reads the schema of a source.
type Schema interface {
	// Read returns SQL that creates the schema, and warnings about what the SQL lacks.
	Read(ctx context.Context, source *pgx.Conn) (text string, warnings []string, err error)
}

// Report is the result of a move.
type Report struct {
	Tables, Rows int64
	Objects      int64 // with content in the target
	Bytes        int64 // of the objects copied in this run
	Warnings     []string
	Differences  []string
	more         int // differences that are not listed
}

// maxDifferences bounds the differences that a report lists.
const maxDifferences = 200

func (r *Report) differ(format string, args ...any) {
	if len(r.Differences) == maxDifferences {
		r.more++
		return
	}
	r.Differences = append(r.Differences, fmt.Sprintf(format, args...))
}

// Print writes the report as text.
func (r *Report) Print(out io.Writer) error {
	for _, warning := range r.Warnings {
		fmt.Fprintln(out, "warning:", warning)
	}
	for _, difference := range r.Differences {
		fmt.Fprintln(out, "differs:", difference)
	}
	if r.more > 0 {
		fmt.Fprintf(out, "differs: and %d more\n", r.more)
	}
	_, err := fmt.Fprintf(out, "%d tables with %d rows, %d objects, of which %d bytes were copied\n", r.Tables, r.Rows, r.Objects, r.Bytes)
	return err
}

// Import moves a project. The report is valid also after an error.
//
// Errors: ErrDiffers; the target has a project already; a step failed, in which case Import goes on if it is called again.
func Import(ctx context.Context, from Source, to Target, o Options) (Report, error) {
	m := &mover{from: from, to: to, o: o}
	if m.o.Progress == nil {
		m.o.Progress = func(string) {}
	}
	if err := m.run(ctx); err != nil {
		return m.report, err
	}
	if len(m.report.Differences) > 0 {
		return m.report, ErrDiffers
	}
	return m.report, nil
}

// mover is the state of one Import.
type mover struct {
	from           Source
	to             Target
	o              Options
	source, target *pgx.Conn
	report         Report
}

func (m *mover) run(ctx context.Context) (err error) {
	if m.source, err = connect(ctx, m.from.URL, "the source"); err != nil {
		return err
	}
	defer func() { _ = m.source.Close(context.WithoutCancel(ctx)) }()
	if m.target, err = connect(ctx, m.to.URL, "the target"); err != nil {
		return err
	}
	defer func() { _ = m.target.Close(context.WithoutCancel(ctx)) }()
	state, err := m.begin(ctx)
	if err != nil {
		return err
	}
	if !state.rows {
		if err := m.moveDatabase(ctx, state); err != nil {
			return err
		}
	}
	if m.from.Objects == nil {
		var objects int64
		if err := m.target.QueryRow(ctx, countObjects).Scan(&objects); err != nil {
			return err
		}
		if objects > 0 {
			m.report.Warnings = append(m.report.Warnings, fmt.Sprintf("the content of %d objects was not moved: run the command again with the S3 endpoint of the source", objects))
		}
		return nil
	}
	return m.moveObjects(ctx)
}

// connect opens a connection whose text form of values is the same on all servers.
func connect(ctx context.Context, url, name string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the address of %s: %w", name, err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // a pooler may be in between
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", name, err)
	}
	if _, err := conn.Exec(ctx, sessionSettings); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the session of %s: %w", name, err), conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

// state says which steps of an import are complete.
type state struct{ schema, rows bool }

// begin records the move in the target, or finds the one to continue.
func (m *mover) begin(ctx context.Context) (s state, err error) {
	config := m.source.Config()
	name := fmt.Sprintf("%s:%d/%s", config.Host, config.Port, config.Database)
	if _, err := m.target.Exec(ctx, createImports); err != nil {
		return s, fmt.Errorf("prepare the target: %w", err)
	}
	var recorded string
	err = m.target.QueryRow(ctx, readImport).Scan(&recorded, &s.schema, &s.rows)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		var used bool
		if err := m.target.QueryRow(ctx, targetUsed, managed).Scan(&used); err != nil {
			return s, fmt.Errorf("examine the target: %w", err)
		}
		if used {
			return s, fmt.Errorf("the target has users, buckets or tables already: %s", adviseNewFolder)
		}
		_, err = m.target.Exec(ctx, beginImport, name)
		return s, err
	case err != nil:
		return s, fmt.Errorf("examine the target: %w", err)
	case recorded != name:
		return s, fmt.Errorf("an import from %s was begun here: %s", recorded, adviseNewFolder)
	case s.rows && m.from.Objects == nil:
		return s, fmt.Errorf("everything but the content of objects was imported from %s already: %s", recorded, adviseNewFolder)
	}
	m.o.Progress("Going on with the import that was begun")
	return s, nil
}

// Unfinished returns the source of an import into the database whose rows are not all moved, or differ from the source. It
// returns "" if there is none.
func Unfinished(ctx context.Context, conn *pgx.Conn) (source string, err error) {
	var begun bool
	err = conn.QueryRow(ctx, "select to_regclass('plaza.imports') is not null").Scan(&begun)
	if err == nil && begun {
		err = conn.QueryRow(ctx, unfinishedImport).Scan(&source)
	}
	if err != nil {
		return "", fmt.Errorf("look for an unfinished import: %w", err)
	}
	return source, nil
}

// adviseNewFolder ends the errors about a target that cannot be used.
const adviseNewFolder = "import into a new data folder (PLAZA_DATA_DIR), before the project is served for the first time"

// moveDatabase moves the schema, and then rows as of one snapshot of the source. A schema that changes in between is
// a difference.
func (m *mover) moveDatabase(ctx context.Context, s state) error {
	if !s.schema {
		if err := m.moveSchema(ctx); err != nil {
			return err
		}
	}
	tx, err := m.source.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return fmt.Errorf("read the source: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := m.moveRows(ctx); err != nil {
		return err
	}
	if err := m.moveSecrets(ctx); err != nil {
		return err
	}
	if err := m.compareSchema(ctx); err != nil {
		return err
	}
	if err := core.EndUploads(ctx, m.target); err != nil {
		return err
	}
	if len(m.report.Differences) > 0 {
		return nil // the next run compares again
	}
	_, err = m.target.Exec(ctx, noteRows)
	return err
}
