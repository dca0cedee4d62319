// Package migrate brings a database to the state its SQL files describe. One
// mechanism serves three kinds of folders: the platform's own bootstrap, a
// project of ours (versioned migrations plus repeatable functions, views and
// policies), and a project folder made for the Supabase CLI.
//
// Files are plain SQL and run as they are. Each versioned file is one
// transaction together with the record that it ran, unless it has a statement
// that cannot run in a transaction: then each statement commits by itself. All
// repeatable files are one more transaction. Any number of servers may call Up at
// once: one of them migrates, the others wait and then find nothing to do.
package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Report says what a run did.
type Report struct {
	// Applied lists files in the order they ran.
	Applied []Applied
	// Warnings are worth showing and stop nothing.
	Warnings []string
}

// Applied is one file that ran.
type Applied struct {
	Source   string
	Path     string
	Duration time.Duration
}

// Up applies what is pending in each source, in order, to the database at url.
// It runs as the user of url, in sessions of its own. The report covers what was
// done also when an error ends the run. A failed file leaves nothing behind,
// unless its statements commit one by one.
//
// Errors: *FileError for a file that fails; *ChangedError for an applied
// migration whose file was edited; *NewerError for a database that a newer
// release has migrated.
func Up(ctx context.Context, url string, sources []Source, progress func(string)) (Report, error) {
	return locked(ctx, url, progress, func(r *runner) error {
		for _, source := range sources {
			if err := r.up(ctx, source); err != nil {
				return err
			}
		}
		return nil
	})
}

// Record records a versioned file as applied, without running it, in a database that has what it creates.
func Record(ctx context.Context, url string, source Source, name, text string) error {
	parts := versionedName().FindStringSubmatch(name)
	if parts == nil {
		return fmt.Errorf("%s is not the name of a migration", name)
	}
	_, err := locked(ctx, url, nil, func(r *runner) (err error) {
		s, err := r.open(ctx, source)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.db.Close()) }()
		_, err = s.conn.Exec(ctx, source.history.insert, source.history.values(file{prefix: parts[1], name: parts[2], text: text})...)
		return err
	})
	if err != nil {
		return fmt.Errorf("record %s as applied: %w", name, err)
	}
	return nil
}

// runner is one run: its database, and what was done so far.
type runner struct {
	config   *pgx.ConnConfig
	progress func(string)
	report   Report
}

// locked runs work while no other run touches the same database. If files were
// applied, it then notifies the data API, as the schema may have changed.
func locked(ctx context.Context, url string, progress func(string), work func(*runner) error) (Report, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return Report{}, fmt.Errorf("database address: %w", err)
	}
	if progress == nil {
		progress = func(string) {}
	}
	config.BuildContextWatcherHandler = cancelStatements
	r := &runner{config: config, progress: progress}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return Report{}, fmt.Errorf("connect to migrate: %w", err)
	}
	// Closing the session also releases its lock.
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := acquireLock(ctx, conn, progress); err != nil {
		return Report{}, err
	}
	err = work(r)
	if len(r.report.Applied) > 0 {
		_, notifyErr := conn.Exec(context.WithoutCancel(ctx), reloadSchema)
		err = errors.Join(err, notifyErr)
	}
	return r.report, err
}

// cancelTimeout is how long an interrupted run waits for PostgreSQL to end its
// statement before it closes the connection.
const cancelTimeout = 10 * time.Second

// cancelStatements makes an ended context cancel the statement in PostgreSQL and
// wait until it has ended. By default pgx closes the connection and cancels in the
// background; a command that ends at once would leave its statement running.
func cancelStatements(conn *pgconn.PgConn) ctxwatch.Handler {
	return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelTimeout}
}

// lockPoll is how often a waiting run tries to take the lock. A statement that waited
// for the lock in PostgreSQL would keep a snapshot open, for which a migration may have
// to wait.
const lockPoll = 100 * time.Millisecond

func acquireLock(ctx context.Context, conn *pgx.Conn, progress func(string)) error {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for told := false; ; {
		var mine bool
		if err := conn.QueryRow(ctx, tryLock, lockKey).Scan(&mine); err != nil {
			return fmt.Errorf("take the migration lock: %w", err)
		}
		if mine {
			return nil
		}
		if !told {
			progress("Waiting for another server that is migrating")
			told = true
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for another migration: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// session is one connection, reachable as database/sql for goose and as pgx.
type session struct {
	db    *sql.DB
	conn  *pgx.Conn
	owner bool // its files run as postgres
}

// resetRole returns the statement that undoes what a file did to the session's role.
func (s *session) resetRole() string {
	if s.owner {
		return resetRole + "; " + becomeOwner
	}
	return resetRole
}

// open makes a session of its own for a source, so that it starts with the
// settings (search_path above all) that earlier sources gave the database, and
// makes the tables that the source's files are recorded in.
func (r *runner) open(ctx context.Context, source Source) (*session, error) {
	s := &session{}
	s.db = stdlib.OpenDB(*r.config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		s.conn = conn
		_, err := conn.Exec(ctx, noTimeouts+"; "+noticeLostClient)
		return err
	}))
	// One connection only, which is conn.
	s.db.SetMaxOpenConns(1)
	if err := s.db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to migrate: %w", err), s.db.Close())
	}
	if err := s.prepare(ctx, source); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare %s: %w", source.history.table, err), s.db.Close())
	}
	return s, nil
}

// prepare makes the tables that a source's files are recorded in, and chooses the session's role.
func (s *session) prepare(ctx context.Context, source Source) error {
	var owned bool
	if err := s.conn.QueryRow(ctx, hasOwner).Scan(&owned); err != nil {
		return err
	}
	prepare := []string{source.history.create}
	if source.volume != "" {
		prepare = append(prepare, createVolume)
	}
	if s.owner = owned && source.asOwner; s.owner {
		prepare = append(prepare, shareRecords, becomeOwner)
	}
	_, err := s.conn.Exec(ctx, strings.Join(prepare, ";"))
	return err
}

func (r *runner) up(ctx context.Context, source Source) (err error) {
	files, warnings, err := source.versioned()
	r.report.Warnings = append(r.report.Warnings, warnings...)
	if err != nil {
		return err
	}
	s, err := r.open(ctx, source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	if source.dir != "" {
		isNewer, err := r.checkHistory(ctx, s, source, files)
		if err != nil || isNewer {
			return err
		}
	}
	if _, err := s.conn.Exec(ctx, source.before); err != nil {
		return fmt.Errorf("begin %s: %w", source.Name, err)
	}
	for _, name := range slices.Sorted(maps.Keys(source.vault)) {
		if _, err := s.conn.Exec(ctx, putSecret, name, source.vault[name]); err != nil {
			return fmt.Errorf("put the secret %s into the vault: %w", name, err)
		}
	}
	before := len(r.report.Applied)
	if err := r.upVersioned(ctx, s, source, files); err != nil {
		return err
	}
	all := len(r.report.Applied) > before
	if err := r.upRepeatable(ctx, s, source, source.repeatable, all); err != nil {
		return err
	}
	if err := r.upRepeatable(ctx, s, source, source.reference, false); err != nil {
		return err
	}
	if source.standIns {
		if err := r.upStandIns(ctx, s, source); err != nil {
			return err
		}
	}
	if source.after == "" {
		return nil
	}
	if err := asSuperuser(ctx, s.conn, func() error {
		_, err := s.conn.Exec(ctx, source.after)
		return err
	}); err != nil {
		return fmt.Errorf("finish %s: %w", source.Name, err)
	}
	return nil
}

// checkHistory compares what was applied with the files at hand. isNewer means that a newer release has applied
// files, which stay as they are.
func (r *runner) checkHistory(ctx context.Context, s *session, source Source, files []file) (isNewer bool, err error) {
	states, err := source.compare(ctx, s.conn, files)
	if err != nil {
		return false, err
	}
	for _, state := range states {
		switch {
		case state.State == Changed && source.strict:
			return false, &ChangedError{Source: source.Name, Path: state.Path}
		case state.State == Changed:
			r.warn("%s: %s was changed after it was applied", source.Name, state.Path)
		case state.State == Unknown && source.strict && !source.asIs:
			return false, &NewerError{Source: source.Name, Version: state.Path}
		case state.State == Unknown:
			isNewer = source.strict
			r.warn("%s: version %s was applied by another release and has no file here", source.Name, state.Path)
		}
	}
	return isNewer, nil
}

func (r *runner) warn(format string, args ...any) {
	r.report.Warnings = append(r.report.Warnings, fmt.Sprintf(format, args...))
}

func (r *runner) upVersioned(ctx context.Context, s *session, source Source, files []file) error {
	if len(files) == 0 {
		return nil
	}
	byOrder := make(map[int64]file, len(files))
	migrations := make([]*goose.Migration, len(files))
	for i, f := range files {
		byOrder[f.order] = f
		// They need not use what goose passes: it is on the session's only connection, too.
		run := &goose.GoFunc{RunTx: func(ctx context.Context, _ *sql.Tx) error { return r.runVersioned(ctx, s, source, f) }}
		if f.alone {
			run = &goose.GoFunc{RunDB: func(ctx context.Context, _ *sql.DB) error { return r.runVersioned(ctx, s, source, f) }}
		}
		migrations[i] = goose.NewGoMigration(f.order, run, nil)
	}
	provider, err := goose.NewProvider("", s.db, nil,
		goose.WithStore(newStore(s.conn, source.history, byOrder)),
		goose.WithGoMigrations(migrations...),
		goose.WithDisableGlobalRegistry(true),
		goose.WithAllowOutofOrder(!source.strict),
	)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	done, err := provider.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		done, err = partial.Applied, partial.Err
	}
	for _, result := range done {
		r.report.Applied = append(r.report.Applied, Applied{source.Name, byOrder[result.Source.Version].path, result.Duration})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	return nil
}

func (r *runner) runVersioned(ctx context.Context, s *session, source Source, f file) error {
	r.progress("Applying " + source.Name + " " + f.path)
	if source.foreign {
		if _, err := s.conn.Exec(ctx, resetSession); err != nil {
			return err
		}
		var err error
		if f, err = r.withStandIns(ctx, s.conn, source, f); err != nil {
			return err
		}
	}
	run := runFile
	switch {
	case source.adopts:
		run = r.adoptFile
	case f.alone:
		run = runEach
	}
	if err := run(ctx, s.conn, f); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, s.resetRole())
	return err
}
