package pg

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
)

// Tx is an explicit transaction of a caller, for statements that succeed or fail
// together. Each statement is a round trip. A Tx is for one goroutine.
type Tx struct {
	lease *lease
	ctx   context.Context // of AsCaller, within MaxTime
	who   claims.Caller
	begin string // the statement that opens the transaction; empty once it was sent

	set     Settings
	settled bool     // set was sent
	lost    bool     // the connection was lost
	undo    bool     // the settings are a read's: a rollback to the savepoint before them resets them
	resets  []string // statements that reset the settings of a write, before others are sent
}

// A read-only transaction cannot be made writable again, but settings made after a
// savepoint can be rolled back.
const (
	readSQL     = "savepoint pgrst_read"
	undoReadSQL = "rollback to savepoint pgrst_read"
)

// resetResponseSQL resets what SQL has set for the response.
const resetResponseSQL = "select pg_catalog.set_config('response.headers', '', true), pg_catalog.set_config('response.status', '', true)"

// errFailed is the outcome of a transaction whose function ignored a failed statement.
var errFailed = errors.New("a statement of the transaction has failed")

// ErrMaxTime is the outcome of a transaction that exceeds its MaxTime. It was rolled back.
var ErrMaxTime = errors.New("the transaction takes too long")

// AsCaller runs fn in an explicit transaction of the caller, on the primary.
// It commits when fn returns nil, unless how.Rollback; how.Isolation is its
// isolation level.
//
// A nil error means committed; LSN as in QueryAsCaller. Errors: as there, fn's, and ErrMaxTime.
//
// With how.Repeatable, fn is called again if the connection was lost before the commit.
func (db *DB) AsCaller(ctx context.Context, who claims.Caller, how Settings, fn func(*Tx) error) (LSN, error) {
	committed, err := db.tryAsCaller(ctx, who, how, fn)
	for range maxLost {
		if !how.Repeatable || !IsRolledBack(err) {
			break
		}
		committed, err = db.tryAsCaller(ctx, who, how, fn)
	}
	return committed, err
}

func (db *DB) tryAsCaller(ctx context.Context, who claims.Caller, how Settings, fn func(*Tx) error) (LSN, error) {
	conn, _, err := db.primary.acquire(ctx, who, nil)
	if err != nil {
		return 0, err
	}
	defer conn.release()
	if how.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, how.MaxTime, ErrMaxTime)
		defer cancel()
	}
	how.Isolation = cmp.Or(how.Isolation, db.primary.roles.Load().isolation[who.Role])
	tx := &Tx{lease: conn, ctx: ctx, who: who, begin: how.begin(), set: how}
	end := &job{who: who, set: Settings{Rollback: how.Rollback, Verify: func() error { return nil }}, err: fn(tx)}
	if tx.begin == "" { // something was sent
		conn.finish(ctx, end)
	}
	if tx.lost && !end.ending && ctx.Err() == nil {
		db.primary.pool.Reset()
		return 0, &rolledBack{end.err, true}
	}
	if end.err != nil && !end.ending && errors.Is(context.Cause(ctx), ErrMaxTime) {
		return 0, ErrMaxTime
	}
	if end.err == nil {
		db.replicas.wrote(who, end.committed)
	}
	return end.committed.at, end.err
}

// Failed reports whether a statement has failed, so that the transaction cannot commit.
func (tx *Tx) Failed() bool { return tx.lease.raw().TxStatus() == 'E' }

// Become makes the next statements run under other settings. Rollback and Isolation stay
// those of the transaction.
func (tx *Tx) Become(set Settings) { tx.set, tx.settled = set, false }

// Query runs one statement as QueryAsCaller does, except that the function must call
// Verify itself. After an error the transaction can only be rolled back.
func (tx *Tx) Query(statement Statement, scan func(row [][]byte) error) error {
	if scan == nil {
		scan = func([][]byte) error { return nil }
	}
	j := &job{ctx: tx.ctx, who: tx.who, set: tx.set, Run: pipeline.Run{Statement: statement, Alone: true}, scan: scan}
	end := j.startSpan()
	err := refuseWrite(tx.who, tx.run(j))
	tx.lost = tx.lost || isGone(err)
	end(err)
	return err
}

func (tx *Tx) run(j *job) error {
	j.noteSent(tx.lease, 1)
	tx.lease.setReplyTimeout([]*job{j})
	line, err := tx.lease.start(tx.ctx)
	if err != nil {
		return err
	}
	sent := tx.send(line, j)
	if err := line.Flush(); err != nil {
		return err
	}
	err = line.Read(sent, &j.Run)
	if isStalePlan(err) {
		line.Cache().Expire() // the next transaction prepares it again
	}
	return err
}

func (tx *Tx) send(line *pipeline.Pipeline, j *job) (sent []pipeline.Sent) {
	line.Begin()
	control := func(sql string) { sent = append(sent, line.Send(j.who.Role, sql, nil)) }
	if tx.begin != "" {
		control(tx.begin)
		tx.begin = ""
	}
	if !tx.settled {
		if tx.undo {
			control(undoReadSQL)
		}
		for _, sql := range tx.resets {
			control(sql)
		}
		tx.resets = nil
		if tx.undo = j.set.ReadOnly; tx.undo {
			control(readSQL)
		} else {
			tx.resets = j.set.resets()
		}
		sent = tx.lease.sendSettings(line, j, sent)
		tx.settled = true
	}
	return tx.lease.sendStatement(line, j, sent)
}

// resets returns the statements that reset the settings, and what the statement that runs
// under them has set for the response, before the next statement of the transaction.
func (set Settings) resets() []string {
	resets := []string{resetResponseSQL}
	byDefault := func(name string) {
		resets = append(resets, "set local "+pgx.Identifier(strings.Split(name, ".")).Sanitize()+" to default")
	}
	if set.SearchPath != "" {
		byDefault("search_path")
	}
	if set.TimeZone != "" {
		byDefault("timezone")
	}
	for _, local := range set.Locals {
		byDefault(local.Name)
	}
	return resets
}
