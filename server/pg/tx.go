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
// together. Each is a network round trip. It is for one goroutine.
type Tx struct {
	lease *lease
	ctx   context.Context // of the function that the transaction is made for
	who   claims.Caller
	begin string // what opens the transaction; empty once that was sent

	set     Settings
	settled bool     // set was sent
	undo    bool     // what was sent is a read's, and undone before other settings
	left    []string // statements that undo what a write's settings have left
}

// In a transaction that may only read, writing cannot be allowed again, but what
// a savepoint has set can be undone.
const (
	readSQL   = "savepoint pgrst_read"
	unreadSQL = "rollback to savepoint pgrst_read"
)

// unansweredSQL forgets what SQL has set for an answer.
const unansweredSQL = "select pg_catalog.set_config('response.headers', '', true), pg_catalog.set_config('response.status', '', true)"

// errFailed says that a function went on in a transaction that can only end.
var errFailed = errors.New("a statement of the transaction has failed")

// AsCaller runs fn in an explicit transaction of the caller, on the primary.
// It commits when fn returns nil, unless how.Rollback; how.Isolation is its
// isolation level.
//
// A nil error means committed; LSN as in QueryAsCaller. Errors: as there, and fn's.
func (db *DB) AsCaller(ctx context.Context, who claims.Caller, how Settings, fn func(*Tx) error) (LSN, error) {
	conn, _, err := db.primary.acquire(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer conn.release()
	how.Isolation = cmp.Or(how.Isolation, db.primary.roles.Load().isolation[who.Role])
	tx := &Tx{lease: conn, ctx: ctx, who: who, begin: how.begin(), set: how}
	end := &job{who: who, set: Settings{Rollback: how.Rollback, Verify: func() error { return nil }}, err: fn(tx)}
	if tx.begin != "" {
		return 0, end.err // nothing was sent
	}
	conn.finish(ctx, end)
	if end.err == nil && end.committed != 0 {
		db.replicas.positions.Wrote(writerKey(who), end.committed)
	}
	return end.committed, end.err
}

// Failed reports whether a statement has failed, so that nothing can be committed.
func (tx *Tx) Failed() bool { return tx.lease.raw().TxStatus() == 'E' }

// Become has the statements that follow run under other settings, and those that
// only read be held to it. Rollback and Isolation are the transaction's.
func (tx *Tx) Become(set Settings) { tx.set, tx.settled = set, false }

// Query runs one statement; as QueryAsCaller otherwise, but Verify is for the
// function to call. After an error the transaction can only end.
func (tx *Tx) Query(statement Statement, scan func(row [][]byte) error) error {
	if scan == nil {
		scan = func([][]byte) error { return nil }
	}
	j := &job{ctx: tx.ctx, who: tx.who, set: tx.set, Run: pipeline.Run{Statement: statement, Alone: true}, scan: scan}
	end := j.follow()
	err := refuseWrite(tx.who, tx.run(j))
	end(err)
	return err
}

func (tx *Tx) run(j *job) error {
	j.note(tx.lease, 1)
	tx.lease.limit([]*job{j})
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
		line.Cache().Expire() // the next transaction finds it prepared anew
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
			control(unreadSQL)
		}
		for _, sql := range tx.left {
			control(sql)
		}
		tx.left = nil
		if tx.undo = j.set.ReadOnly; tx.undo {
			control(readSQL)
		} else {
			tx.left = j.set.leaves()
		}
		sent = tx.lease.sendSettings(line, j, sent)
		tx.settled = true
	}
	return tx.lease.sendStatement(line, j, sent)
}

// leaves returns the statements that undo what the settings, and the statement that
// runs under them, leave to those that follow in their transaction.
func (set Settings) leaves() []string {
	undo := []string{unansweredSQL}
	byDefault := func(name string) {
		undo = append(undo, "set local "+pgx.Identifier(strings.Split(name, ".")).Sanitize()+" to default")
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
	return undo
}
