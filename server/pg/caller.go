package pg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
)

// Settings configure a transaction, in addition to its caller. SQL reads those of
// the request with current_setting('request.method', true) and so on.
type Settings struct {
	Method, Path     string    // request.method, request.path
	Headers, Cookies string    // request.headers, request.cookies: JSON objects
	ReadOnly         bool      // the transaction may not write
	Rollback         bool      // undo all at the end, as Prefer: tx=rollback asks
	SearchPath       string    // overrides the connection's; empty keeps it
	TimeZone         string    // time zone of the answer; empty keeps the server's
	First            Statement // a statement to run before the transaction becomes the caller's: as the role that signs in
	Before           string    // a statement to run before the caller's own
	Isolation        string    // such as "serializable"; empty keeps the role's
	Locals           []Local   // further settings of the transaction
	AtLeast          LSN       // what the client has seen: a read must not show an earlier state

	// Repeatable means that the function of an explicit transaction may be called again after a rollback.
	Repeatable bool

	// MaxTime is how long an explicit transaction may hold its connection; 0: any time. What it waits for before, such
	// as a new primary, does not count.
	MaxTime time.Duration

	// After is a statement to run after the caller's own; AfterRow takes its row.
	After    string
	AfterRow func(row [][]byte) error

	// Verify is called when the rows were read; its error rolls the transaction back. It
	// costs a second round trip, so it is set only where it is needed.
	Verify func() error
}

// Local is a setting of one transaction.
type Local struct{ Name, Value string }

// Statement is one statement with its parameters.
type Statement = pipeline.Statement

// Column is a column of a result.
type Column = pipeline.Column

// ErrRerunAlone is returned by scan if the result is too large for the batch, whose other
// statements would wait for it. The statement is then run again, alone.
var ErrRerunAlone = errors.New("the statement has to run alone")

// QueryAsCaller runs one statement as the caller in a transaction of its own,
// in one round trip. scan is called for each row, with values in text form that are
// valid only during the call; nil ignores the rows.
//
// PostgreSQL runs everything that a pipeline sends before its Sync as one implicit
// transaction, so neither BEGIN nor COMMIT is sent, and what set_config(…, true) has set
// is reset when the result is complete.
//
// A read may be answered by a replica that has replayed what the caller wrote
// last. Where a read is run again, on another connection or server, Describe is
// called again and scan is given all rows anew.
//
// A nil error means committed. The LSN is the position that a replica must have
// replayed to show a write; 0 for a read, and without replicas.
//
// Errors: *PgError from PostgreSQL, which APIError translates; ErrBusy if no
// connection came free in time; 503 PGRST000 or PGRST001 if the database cannot be
// reached or the connection is lost; 504 PLZ013 if it does not answer; 413 PLZ010 if
// the parameters are too large; ErrInsufficientScope; scan's and Verify's.
func (db *DB) QueryAsCaller(ctx context.Context, who claims.Caller, set Settings, st Statement, scan func(row [][]byte) error) (LSN, error) {
	if scan == nil {
		scan = func([][]byte) error { return nil }
	}
	set.Isolation = cmp.Or(set.Isolation, db.primary.roles.Load().isolation[who.Role])
	if set.Isolation != "" && set.Verify == nil {
		set.Verify = func() error { return nil } // an explicit transaction
	}
	j := &job{ctx: ctx, who: who, set: set, Run: pipeline.Run{Statement: st}, scan: scan}
	end := j.startSpan()
	committed, err := db.do(j)
	end(err)
	return committed, refuseWrite(who, err)
}

// do runs a job on a replica or the primary.
func (db *DB) do(j *job) (LSN, error) {
	if db.readOnReplica(j) {
		return 0, j.err
	}
	if err := db.primary.do(j); err != nil {
		return 0, err
	}
	if err := db.retry(j); err != nil {
		return 0, err
	}
	if j.positionLost {
		j.committed, j.err = db.position(j)
	}
	if j.err == nil {
		db.replicas.wrote(j.who, j.committed)
	}
	return j.committed.at, j.err
}

// readOnReplica has a replica run a job, if one can, and reports whether the job is done. No replica is used while an outage
// ends, or after a reload was announced, because a replica may lack what the new primary or another server has changed. Without
// a primary replicas are all there is.
func (db *DB) readOnReplica(j *job) bool {
	switch {
	case db.replicas == nil, db.failover.isEnding():
		return false
	case db.failover.hasOutage(), !db.replicas.awaitsReload():
		return db.replicas.read(j)
	}
	return false
}

// finish commits a job's explicit transaction or rolls it back.
func (l *lease) finish(ctx context.Context, j *job) {
	if j.err == nil {
		j.err = j.set.Verify()
	}
	if j.err == nil && l.raw().TxStatus() == 'E' {
		j.err = errFailed // a commit would roll back without an error
	}
	ctx = context.WithoutCancel(ctx)
	if j.err == nil && j.set.Rollback {
		_, err := l.raw().Exec(ctx, checkSQL).ReadAll()
		j.err = unavailable(err)
	}
	j.ending = j.err == nil && !j.set.Rollback
	if j.ending && l.at.returnsPosition {
		j.committed, j.err = commitAt(ctx, l.raw())
		return
	}
	end := "commit"
	if j.err != nil || j.set.Rollback {
		end = rollbackSQL
	}
	if _, err := l.raw().Exec(ctx, end).ReadAll(); j.err == nil {
		j.err = unavailable(err)
	}
}

// Service is the database role that a part of the server uses. Its uses are few, and easy
// to find by name.
type Service string

// The services.
const (
	AuthAdmin     Service = "supabase_auth_admin"
	StorageAdmin  Service = "supabase_storage_admin"
	RealtimeAdmin Service = "supabase_realtime_admin"
	ServiceRole   Service = "service_role"
)

// AsService runs fn in a transaction with a service's privileges, which bypass the
// policies that apply to callers. It commits when fn returns nil. As it may act for any
// caller, no caller then reads from a replica that has not replayed what it wrote.
//
// Errors: fn's; 503 or 504 if the database cannot be reached, lacks resources, does not
// answer or cancels a statement; 409 for a conflict between transactions. If the connection
// was lost before the commit, IsRolledBack reports true for the error.
func (db *DB) AsService(ctx context.Context, service Service, fn func(tx pgx.Tx) error) error {
	err := db.tryAsService(ctx, service, fn)
	for range maxLost {
		if !IsRolledBack(err) || isCalled(err) {
			break
		}
		err = db.tryAsService(ctx, service, fn)
	}
	return err
}

func (db *DB) tryAsService(ctx context.Context, service Service, fn func(tx pgx.Tx) error) error {
	conn, err := db.acquireService(ctx)
	if err != nil {
		return serviceError(ctx, err)
	}
	defer conn.Release()
	called, ending := false, false
	committed, err := db.inTransaction(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, becomeServiceSQL, string(service)); err != nil {
			return fmt.Errorf("become %s: %w", service, err)
		}
		called = true
		err := fn(tx)
		ending = err == nil
		return err
	})
	db.replicas.changed(committed)
	if !ending && IsUnavailable(err) && ctx.Err() == nil {
		return &rolledBack{serviceError(ctx, err), called}
	}
	return serviceError(ctx, err)
}

// acquireService waits for a connection for services and, for a limited time, for a primary.
func (db *DB) acquireService(ctx context.Context) (conn *pgxpool.Conn, err error) {
	if !db.failover.hasOutage() {
		if conn, err = db.service.Acquire(ctx); !db.failover.shouldWait(ctx, err) {
			return conn, err
		}
	}
	who, _ := claims.FromContext(ctx)
	err = db.failover.retry(ctx, who, err, func() (err error) {
		if db.failover.hasOutage() {
			return errAway
		}
		conn, err = db.service.Acquire(ctx)
		return err
	})
	return conn, err
}

// becomeServiceSQL sets a service's role for the transaction.
const becomeServiceSQL = "select pg_catalog.set_config('role', $1, true)"

// QueryRowAsService runs one statement that returns one row with a service's privileges,
// in one round trip; see QueryAsCaller for how. With replicas, a write as ServiceRole takes another
// one: like AsService, it keeps callers from replicas that lack it. The writes of the other services, such as
// the refresh of a token, are too frequent for that, and are in schemas of their own.
//
// Errors: pgx.ErrNoRows; those of AsService, except that IsRolledBack reports false.
func (db *DB) QueryRowAsService(ctx context.Context, service Service, sql string, args []any, dest ...any) error {
	err := db.tryQueryRowAsService(ctx, service, sql, args, dest)
	for range maxLost {
		if ctx.Err() != nil || !isEndedBeforeCommit(err) {
			break
		}
		err = db.tryQueryRowAsService(ctx, service, sql, args, dest)
	}
	return err
}

func (db *DB) tryQueryRowAsService(ctx context.Context, service Service, sql string, args, dest []any) error {
	conn, err := db.acquireService(ctx)
	if err != nil {
		return serviceError(ctx, err)
	}
	defer conn.Release()
	if service != ServiceRole || !db.primary.returnsPosition {
		return queryRowAsService(ctx, conn.Conn(), service, sql, args, dest, nil)
	}
	var wrote bool
	err = queryRowAsService(ctx, conn.Conn(), service, sql, args, dest, &wrote)
	if wrote {
		committed, unknown := currentPosition(ctx, conn.Conn().PgConn())
		db.replicas.changed(committed)
		err = cmp.Or(err, serviceError(ctx, unknown))
	}
	return err
}

// queryRowAsService runs a statement. wrote is set to whether the transaction has written, unless it is nil.
func queryRowAsService(ctx context.Context, conn *pgx.Conn, service Service, sql string, args, dest []any, wrote *bool) error {
	batch := &pgx.Batch{}
	batch.Queue(becomeServiceSQL, string(service))
	batch.Queue(sql, args...)
	if wrote != nil {
		batch.Queue(wroteSQL)
	}
	results := conn.SendBatch(ctx, batch)
	_, err := results.Exec()
	if err == nil {
		err = results.QueryRow().Scan(dest...)
		if wrote != nil { // also without a row: that rolls nothing back
			err = cmp.Or(err, results.QueryRow().Scan(wrote))
		}
	}
	err = errors.Join(err, results.Close())
	if unconfirmed := checkReplicated(conn.PgConn()); err == nil {
		err = unconfirmed
	}
	return serviceError(ctx, err)
}

// Owner returns the pool of the database's owner, for reading the catalog, seeding and
// listening.
func (db *DB) Owner() *pgxpool.Pool { return db.service }

// inTransaction runs fn in a transaction, and commits if fn returns nil. With replicas, it
// returns the position of the commit; zero if nothing was written.
func (db *DB) inTransaction(ctx context.Context, conn *pgxpool.Conn, fn func(tx pgx.Tx) error) (committed position, err error) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return committed, unavailable(err)
	}
	raw := conn.Conn().PgConn()
	defer func() {
		// On an error or a panic. pgx does not know of commitAt's commit. The request's context may have ended.
		if raw.TxStatus() != 'I' {
			_ = tx.Rollback(context.WithoutCancel(ctx))
		}
	}()
	if err := fn(tx); err != nil {
		return committed, err
	}
	if db.primary.returnsPosition {
		committed, err = commitAt(ctx, raw)
	} else {
		err = tx.Commit(ctx)
	}
	if unconfirmed := checkReplicated(raw); err == nil {
		err = unconfirmed
	}
	return committed, err
}

const (
	beginSQL    = "begin"
	rollbackSQL = "rollback"

	// checkSQL runs the checks of a commit before a rollback.
	// Source: PostgREST does so for tx=rollback.
	checkSQL = "set constraints all immediate"

	// An empty argument keeps the current value.
	extraSettingsSQL = `select
		case when $1 <> '' then pg_catalog.set_config('search_path', $1, true) end,
		case when $2 <> '' then pg_catalog.set_config('timezone', $2, true) end`
)

func settingArgs(to *pipeline.Arguments, who claims.Caller, set Settings) [][]byte {
	readOnly := "off"
	if set.ReadOnly || who.ReadOnly {
		readOnly = "on"
	}
	return to.Put(who.Role, who.JSON, set.Method, set.Path, orEmptyObject(set.Headers), orEmptyObject(set.Cookies), readOnly)
}

func orEmptyObject(object string) string {
	if strings.TrimSpace(object) == "" {
		return "{}"
	}
	return object
}
