package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
)

// Settings are what a transaction tells PostgreSQL beside the caller. SQL reads
// them with current_setting('request.method', true) and so on.
type Settings struct {
	Method, Path     string // request.method, request.path
	Headers, Cookies string // request.headers, request.cookies: JSON objects
	ReadOnly         bool   // the transaction may not write
	Rollback         bool   // undo all at the end, as Prefer: tx=rollback asks
	SearchPath       string // overrides the connection's; empty keeps it
	TimeZone         string // time zone of the answer; empty keeps the server's
	Before           string // a statement to run before the caller's own

	// After is a statement to run after the caller's own; AfterRow takes its row.
	After    string
	AfterRow func(row [][]byte) error

	// Verify looks at the rows once they are read; its error undoes all. It
	// costs a second round trip, so it is set only where it is needed.
	Verify func() error
}

// Statement is one statement with its parameters in text form; nil is NULL.
// Its text is a shape: it is prepared once per connection and role.
type Statement struct {
	SQL  string
	Args [][]byte

	// Describe is told the columns before the first row, and whether the
	// statement has its connection to itself; it may be nil.
	Describe func(fields []pgconn.FieldDescription, alone bool)
}

// ErrAlone is for a statement's rows to return where they turn out to be more
// than others on the same trip should wait for: it is then run again, alone.
var ErrAlone = errors.New("the statement has to run alone")

// QueryAsCaller runs one statement as the caller in a transaction of its own,
// in one network round trip. scan is called for each row, with values in text
// form that are valid only during the call; nil takes no rows.
//
// PostgreSQL runs all that a pipeline sends before its Sync as one implicit
// transaction, so that neither BEGIN nor COMMIT is sent, and what
// set_config(…, true) set is gone when the answer is complete.
//
// A nil error means committed. Errors: *apierr.Error from the database (see
// APIError), ErrBusy when no connection came free in time.
func (db *DB) QueryAsCaller(ctx context.Context, who claims.Caller, set Settings, st Statement, scan func(row [][]byte) error) (pgconn.CommandTag, error) {
	if scan == nil {
		scan = func([][]byte) error { return nil }
	}
	j := &job{ctx: ctx, who: who, set: set, statement: st, scan: scan}
	conn, riders, err := db.acquire(ctx, j)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	if conn != nil {
		defer conn.release()
		conn.run(j, riders)
	}
	if j.err != nil {
		return pgconn.CommandTag{}, j.err
	}
	return j.tag, nil
}

// lease is a connection of callers and its place in line.
type lease struct {
	*pgxpool.Conn
	db    *DB
	short bool
}

func (l *lease) raw() *pgconn.PgConn { return l.Conn.Conn().PgConn() }

// release hands the connection to the next in line, or back to the pool.
func (l *lease) release() {
	raw := l.raw()
	if raw.IsClosed() || raw.IsBusy() || raw.TxStatus() != 'I' {
		l.Conn.Release() // which gives it up
		l.db.line.pass(nil, l.short)
		return
	}
	if !l.db.line.pass(l.Conn, l.short) {
		l.Conn.Release()
	}
}

// acquire waits for a connection. With a job it may also get others to take
// along; or no connection, when another took the job along and it is done.
func (db *DB) acquire(ctx context.Context, j *job) (*lease, []*waiter, error) {
	t, err := db.line.wait(ctx, j)
	if err != nil || t.done {
		return nil, nil, err
	}
	if t.conn == nil {
		if t.conn, err = db.callers.Acquire(ctx); err != nil {
			db.line.pass(nil, t.short)
			return nil, nil, unavailable(err)
		}
	}
	return &lease{t.conn, db, t.short}, t.riders, nil
}

// finish ends an explicit transaction the way its rows, once seen, ask for.
func finish(ctx context.Context, raw *pgconn.PgConn, set Settings, err error) error {
	if err == nil {
		err = set.Verify()
	}
	end := "commit"
	if err != nil || set.Rollback {
		end = rollbackSQL
	}
	_, endErr := raw.Exec(context.WithoutCancel(ctx), end).ReadAll()
	if err != nil {
		return err
	}
	return endErr
}

// AsCaller runs several dependent statements as the caller in one explicit
// transaction. It commits when fn returns nil.
func (db *DB) AsCaller(ctx context.Context, who claims.Caller, set Settings, fn func(tx pgx.Tx) error) error {
	conn, _, err := db.acquire(ctx, nil)
	if err != nil {
		return err
	}
	defer conn.release()
	return inTransaction(ctx, conn.Conn, set.Rollback, func(tx pgx.Tx) error {
		args := settingArgs(who, set)
		values := make([]any, len(args))
		for i, arg := range args {
			values[i] = string(arg)
		}
		if _, err := tx.Exec(ctx, db.roles.Load().statement(who.Role), values...); err != nil {
			return fmt.Errorf("become %s: %w", who.Role, err)
		}
		return fn(tx)
	})
}

// Service is a database role a part of the server acts as. Its uses are few and
// meant to be found by name.
type Service string

// The services.
const (
	AuthAdmin    Service = "supabase_auth_admin"
	StorageAdmin Service = "supabase_storage_admin"
	ServiceRole  Service = "service_role"
)

// AsService runs fn in a transaction with a service's power, past the policies
// that bind callers. It commits when fn returns nil.
func (db *DB) AsService(ctx context.Context, service Service, fn func(tx pgx.Tx) error) error {
	conn, err := db.service.Acquire(ctx)
	if err != nil {
		return unavailable(err)
	}
	defer conn.Release()
	return inTransaction(ctx, conn, false, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, becomeServiceSQL, string(service)); err != nil {
			return fmt.Errorf("become %s: %w", service, err)
		}
		return fn(tx)
	})
}

// becomeServiceSQL takes a service's role for the transaction.
const becomeServiceSQL = "select pg_catalog.set_config('role', $1, true)"

// QueryRowAsService runs one statement that gives one row with a service's
// power, in one network round trip; see QueryAsCaller for how.
//
// Errors: pgx.ErrNoRows.
func (db *DB) QueryRowAsService(ctx context.Context, service Service, sql string, args []any, dest ...any) error {
	batch := &pgx.Batch{}
	batch.Queue(becomeServiceSQL, string(service))
	batch.Queue(sql, args...)
	results := db.service.SendBatch(ctx, batch)
	_, err := results.Exec()
	if err == nil {
		err = results.QueryRow().Scan(dest...)
	}
	return errors.Join(err, results.Close())
}

// Owner gives the pool of the database's owner, for start-up work: reading the
// catalog, seeding, listening.
func (db *DB) Owner() *pgxpool.Pool { return db.service }

func inTransaction(ctx context.Context, conn *pgxpool.Conn, rollback bool, fn func(tx pgx.Tx) error) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return unavailable(err)
	}
	defer func() {
		// Ends the transaction on an error, a panic or a wish for it; after a
		// commit it does nothing. The request's context may be over by now.
		_ = tx.Rollback(context.WithoutCancel(ctx))
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if rollback {
		return nil
	}
	return tx.Commit(ctx)
}

const (
	beginSQL    = "begin"
	rollbackSQL = "rollback"

	// An empty argument keeps what is set.
	extraSettingsSQL = `select
		case when $1 <> '' then pg_catalog.set_config('search_path', $1, true) end,
		case when $2 <> '' then pg_catalog.set_config('timezone', $2, true) end`
)

func settingArgs(who claims.Caller, set Settings) [][]byte {
	readOnly := "off"
	if set.ReadOnly {
		readOnly = "on"
	}
	return [][]byte{
		[]byte(who.Role), []byte(who.JSON), []byte(set.Method), []byte(set.Path),
		[]byte(orEmptyObject(set.Headers)), []byte(orEmptyObject(set.Cookies)), []byte(readOnly),
	}
}

func extraArgs(set Settings) [][]byte {
	return [][]byte{[]byte(set.SearchPath), []byte(set.TimeZone)}
}

func orEmptyObject(object string) string {
	if strings.TrimSpace(object) == "" {
		return "{}"
	}
	return object
}
