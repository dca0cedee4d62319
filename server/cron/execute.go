package cron

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"plaza/server/pg"
)

// Limits of a run.
const (
	connectTimeout = 10 * time.Second // Source: pg_cron
	cancelTimeout  = 2 * time.Second  // how long PostgreSQL may take to end a cancelled statement
	recordTimeout  = 5 * time.Second  // how long recording a run may take
	maxMessage     = 8 << 10          // of a run's return_message, in bytes
)

// execute runs a job once and records the run.
func (t *turn) execute(ctx context.Context, d definition) {
	var id int64
	if t.cfg.LogRun {
		if err := t.db.Owner().QueryRow(ctx, insertRun, d.ID, d.Database, d.Username, d.Command).Scan(&id); err != nil {
			t.log.ErrorContext(ctx, "a job was not started, because its run cannot be recorded", "jobid", d.ID, "error", err)
			return
		}
	}
	message, err := t.runCommand(ctx, d, id)
	status := "succeeded"
	if err != nil {
		status, message = "failed", describe(ctx, err)
		t.log.WarnContext(ctx, "a job of cron.job has failed", "jobid", d.ID, "error", err)
	}
	t.record(ctx, finishRun, id, status, truncate(message))
}

// record writes the state of a run, also when the run was cancelled.
func (t *turn) record(ctx context.Context, statement string, run int64, args ...any) {
	if run == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if _, err := t.db.Owner().Exec(ctx, statement, append([]any{run}, args...)...); err != nil {
		t.log.ErrorContext(ctx, "the run of a job cannot be recorded", "runid", run, "error", err)
	}
}

// runCommand runs a job's command on a connection of its own and returns what PostgreSQL answered.
func (t *turn) runCommand(ctx context.Context, d definition, run int64) (string, error) {
	conn, err := t.connect(ctx, d)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errConnect, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	t.record(ctx, startRun, run, conn.PgConn().PID())
	return send(ctx, conn.PgConn(), d.Command)
}

var errConnect = errors.New("connection failed")

func (t *turn) connect(ctx context.Context, d definition) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	login, err := t.roles.login(ctx, d.Username)
	if err != nil {
		return nil, err
	}
	conn, err := t.db.Connect(ctx, func(c *pgx.ConnConfig) {
		c.Database = d.Database
		c.RuntimeParams["application_name"] = "pg_cron"
		if login != "" {
			c.User, c.Password = login, t.roles.password
		}
	})
	if err != nil || login == "" {
		return conn, err
	}
	if _, err := conn.Exec(ctx, "set role "+pgx.Identifier{d.Username}.Sanitize()); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

// send sends a command, which may have several statements, and returns the result of the last one.
// Rows are counted and not kept.
func send(ctx context.Context, conn *pgconn.PgConn, command string) (result string, err error) {
	defer context.AfterFunc(ctx, func() { cancelStatement(context.WithoutCancel(ctx), conn) })()
	conn.Frontend().Send(&pgproto3.Query{String: command})
	if err := conn.Frontend().Flush(); err != nil {
		return "", err
	}
	var failed error
	returnsRows := false
	for rows := 0; ; {
		message, err := conn.ReceiveMessage(context.Background()) // cancelled above
		if err != nil {
			return "", cmp.Or(failed, err)
		}
		switch message := message.(type) {
		case *pgproto3.RowDescription:
			rows, returnsRows = 0, true
		case *pgproto3.DataRow:
			rows++
		case *pgproto3.CommandComplete:
			result = string(message.CommandTag)
			if returnsRows {
				result = count(rows)
			}
			returnsRows = false
		case *pgproto3.EmptyQueryResponse:
			result = count(0)
		case *pgproto3.CopyInResponse:
			conn.Frontend().Send(&pgproto3.CopyFail{Message: "COPY not supported"})
			if err := conn.Frontend().Flush(); err != nil {
				return "", err
			}
		case *pgproto3.ErrorResponse:
			failed = pgconn.ErrorResponseToPgError(message)
		case *pgproto3.ReadyForQuery:
			return result, failed
		}
	}
}

// cancelStatement asks PostgreSQL to cancel a statement. If it does not end in time, the next read fails.
func cancelStatement(ctx context.Context, conn *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(ctx, cancelTimeout)
	defer cancel()
	_ = conn.CancelRequest(ctx)                                    // if this fails, the deadline ends the read
	_ = conn.Conn().SetReadDeadline(time.Now().Add(cancelTimeout)) // if this fails, the next read fails, too
}

func count(rows int) string {
	if rows == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", rows)
}

// describe returns the message of a failed run, as libpq formats it.
func describe(ctx context.Context, err error) string {
	var refused *pgconn.PgError
	switch {
	case errors.Is(context.Cause(ctx), errCanceled):
		return errCanceled.Error()
	case errors.Is(err, errConnect) || !errors.As(err, &refused):
		return err.Error()
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s:  %s\n", refused.Severity, refused.Message)
	for _, part := range []struct{ label, value string }{{"DETAIL", refused.Detail}, {"HINT", refused.Hint}, {"CONTEXT", refused.Where}} {
		if part.value != "" {
			fmt.Fprintf(&text, "%s:  %s\n", part.label, part.value)
		}
	}
	return text.String()
}

func truncate(message string) string {
	if len(message) > maxMessage {
		message = message[:maxMessage]
	}
	return strings.ToValidUTF8(message, "")
}

// roles creates logins for the roles that own jobs. A job's connection signs in as a role that may do
// nothing but become the job's role, so that a command that resets its role gains no privileges.
type roles struct {
	db       *pg.DB
	password string // of this turn's logins
	mu       *sync.Mutex
	made     map[string]string // role → login, created in this turn
}

func newRoles(db *pg.DB) roles {
	return roles{db: db, password: rand.Text(), mu: &sync.Mutex{}, made: make(map[string]string)}
}

// login returns the role to sign in as, or "" for the server's own.
func (r roles) login(ctx context.Context, role string) (string, error) {
	pool := r.db.Owner()
	if role == pool.Config().ConnConfig.User {
		return "", nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if login, ok := r.made[role]; ok {
		return login, nil
	}
	var id uint32
	err := pool.QueryRow(ctx, selectRole, role).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("role %q does not exist", role)
	}
	if err != nil {
		return "", err
	}
	login := fmt.Sprintf("plaza_cron_%d", id)
	var exists bool
	err = pool.QueryRow(ctx, "select exists (select from pg_catalog.pg_roles where rolname = $1)", login).Scan(&exists)
	if err == nil && !exists {
		_, err = pool.Exec(ctx, "create role "+login+" login noinherit")
	}
	for _, statement := range []string{
		"alter role " + login + " login noinherit password '" + r.password + "'",
		"grant " + pgx.Identifier{role}.Sanitize() + " to " + login,
	} {
		if err == nil {
			_, err = pool.Exec(ctx, statement)
		}
	}
	if err != nil {
		return "", fmt.Errorf("create a login for the role %q: %w", role, err)
	}
	r.made[role] = login
	return login, nil
}
