package changes

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"plaza/server/pg"
	"plaza/server/realtime/wal"
)

// Limits of reading the WAL.
const (
	maxBatch    = 500              // changes that are processed together
	maxQueue    = 64 << 20         // bytes of changes that wait
	idleTimeout = 10 * time.Minute // without listeners, after which the WAL is no longer read
)

// Delays between attempts to read the WAL.
const (
	retryMin = 100 * time.Millisecond
	retryMax = 10 * time.Second
)

// Run reads the WAL while there are listeners, until ctx ends.
func (e *Engine) Run(ctx context.Context) {
	for pause := retryMin; ctx.Err() == nil; {
		if !e.hasListeners() {
			select {
			case <-ctx.Done():
				return
			case <-e.wake:
			}
			continue
		}
		began := time.Now()
		err := e.session(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil { // there were no listeners for idleTimeout
			continue
		}
		if e.State() == "unavailable" {
			e.Log.WarnContext(ctx, "table changes cannot be delivered", "error", err)
			e.missed()
			if err = e.watch(ctx); err == nil {
				continue
			}
		}
		cause := "lost"
		if errors.Is(err, errLag) {
			cause = "lag"
		}
		e.counts.gaps.Add(cause, 1)
		e.Log.WarnContext(ctx, "table changes were missed: reading the WAL has ended", "error", err)
		e.missed()
		if time.Since(began) > retryMax {
			pause = retryMin
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, retryMax)
	}
}

func (e *Engine) hasListeners() bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.listeners > 0
}

// stopIfIdle reports whether there were no listeners for idleTimeout. If so, it records that reading ends.
func (e *Engine) stopIfIdle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listeners > 0 || e.Now().Sub(e.idleSince) < idleTimeout {
		return false
	}
	e.setLive(false)
	e.lastCommit = time.Time{} // the next listener does not receive what was sent meanwhile
	return true
}

// errUnsupported is the error that subscribers get where the WAL cannot be read.
var errUnsupported = RefusedError("Postgres changes need wal_level = logical and a role with REPLICATION")

// session reads the WAL until an error, or until there were no listeners for idleTimeout.
func (e *Engine) session(ctx context.Context) error {
	stream, err := e.open(ctx)
	e.setRefusal(err)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	e.Log.InfoContext(ctx, "reading table changes from the WAL", "slot", stream.Slot())
	if err := e.setNotifying(ctx, false); err != nil {
		e.Log.WarnContext(ctx, "cannot disable the trigger that notifies of broadcasts, which is not needed while the WAL is read", "error", err)
	}
	f := &feed{engine: e, stream: stream, relations: make(map[uint32]*wal.Relation), queue: make(chan *change, maxBatch), budget: semaphore.NewWeighted(maxQueue)}
	ctx, cancel := context.WithCancelCause(ctx)
	var reading sync.WaitGroup
	reading.Go(func() { cancel(f.read(ctx)) })
	// Nothing may read the stream while it is closed.
	defer reading.Wait()
	defer cancel(nil)
	err = f.run(ctx)
	if cause := context.Cause(ctx); cause != nil {
		return cause // the end of reading, of which err is a consequence
	}
	return err
}

// run processes what is read. It returns nil if there were no listeners for idleTimeout.
func (f *feed) run(ctx context.Context) error {
	if err := f.engine.begin(ctx); err != nil {
		return err
	}
	check := time.NewTicker(f.engine.Limits.Check)
	defer check.Stop()
	for {
		select {
		case c := <-f.queue:
			if err := f.process(ctx, c); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-check.C:
			if f.engine.stopIfIdle() {
				return nil
			}
			if err := f.checkBytes(ctx); err != nil {
				return err
			}
		}
	}
}

func (e *Engine) open(ctx context.Context) (*wal.Stream, error) {
	conn, err := e.DB.Replication(ctx, wal.Settings)
	if err != nil {
		return nil, err
	}
	return wal.Open(ctx, conn, []string{publication, messagesPublication}, wal.Timeouts{Status: e.Limits.Check, Answer: e.Limits.Time})
}

// setRefusal records whether err means that the database does not allow logical replication.
func (e *Engine) setRefusal(err error) {
	refusal := pg.AsPgError(err)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refusal = nil
	// 55000 means that wal_level is not logical, unless the database accepts no connections; 42501: insufficient_privilege.
	if refusal != nil && (refusal.Code == "55000" && pg.ConnectError(err) == nil || refusal.Code == "42501") {
		e.refusal = errUnsupported
	}
}

// schemaPrefix is the prefix of the messages that realtime.note_schema_change writes to the WAL.
const schemaPrefix = "plaza_schema"

// nowSQL returns the time, and the end of the WAL in bytes.
const nowSQL = `select now(), pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0')::bigint`

// beginSQL also returns whether schema changes are written to the WAL.
const beginSQL = nowSQL + `, 2 = (select count(*) from pg_catalog.pg_event_trigger where evtname in ('realtime_schema_change', 'realtime_schema_drop') and evtenabled in ('O', 'A'))`

// begin confirms the subscriptions of all groups, now that the WAL is read, and delivers the broadcasts that were missed.
func (e *Engine) begin(ctx context.Context) error {
	var now time.Time
	var written int64
	var logsSchemaChanges bool
	if err := e.DB.Owner().QueryRow(ctx, beginSQL).Scan(&now, &written, &logsSchemaChanges); err != nil {
		return err
	}
	e.position.Store(uint64(written))
	e.catalog.SetCaching(logsSchemaChanges)
	e.mu.Lock()
	e.keepsIndexKeys = logsSchemaChanges
	e.clearIndexKeys()
	e.unseen = nil
	seen := e.lastCommit
	e.setLive(true)
	for g := range e.groups {
		g.sink.Subscribed()
	}
	e.mu.Unlock()
	if !seen.IsZero() {
		if err := e.Recover(ctx, seen, true); err != nil {
			return err
		}
	}
	e.mu.Lock()
	e.lastCommit = now
	e.mu.Unlock()
	return nil
}

// feed is one session of reading.
type feed struct {
	engine    *Engine
	stream    *wal.Stream
	relations map[uint32]*wal.Relation
	queue     chan *change
	budget    *semaphore.Weighted // bytes of changes that wait
	written   wal.LSN             // end of the WAL at the last check
}

// read reads changes into the queue.
func (f *feed) read(ctx context.Context) error {
	var transaction wal.Begin
	var committed time.Time
	isStale := false
	for {
		message, err := f.stream.Next(ctx)
		if err != nil {
			return err
		}
		var c *change
		switch m := message.(type) {
		case *wal.Begin:
			transaction, committed = *m, m.At
		case *wal.Origin:
			committed = time.Time{}
		case *wal.Relation:
			f.relations[m.ID] = m
		case *wal.Message:
			isStale = isStale || m.Prefix == schemaPrefix
		case *wal.Insert:
			c = &change{relation: f.relations[m.Relation], op: "INSERT", new: m.New}
		case *wal.Update:
			c = &change{relation: f.relations[m.Relation], op: "UPDATE", old: m.Old, new: m.New}
		case *wal.Delete:
			c = &change{relation: f.relations[m.Relation], op: "DELETE", old: m.Old}
		}
		if c == nil {
			continue
		}
		f.engine.counts.read.Add(1)
		c.xid, c.at, c.committed, c.isStale, isStale = transaction.XID, transaction.At, committed, isStale, false
		c.position = pg.LSN(transaction.Final) + 1 // Final is where the record of the commit begins
		if err := f.put(ctx, c); err != nil {
			return err
		}
	}
}

// put adds a change to the queue.
func (f *feed) put(ctx context.Context, c *change) error {
	if c.relation == nil {
		return wal.ErrMalformed
	}
	for _, t := range []wal.Tuple{c.old, c.new} {
		if t != nil && len(t) != len(c.relation.Columns) {
			return wal.ErrMalformed
		}
	}
	c.keep()
	within, cancel := context.WithTimeout(ctx, f.engine.Limits.Time)
	defer cancel()
	if f.budget.Acquire(within, int64(c.size)) != nil {
		return errLag
	}
	select {
	case f.queue <- c:
		return nil
	case <-within.Done():
		return errLag
	}
}

// keep copies the values, which are valid only until the next message is read, and sets the size.
func (c *change) keep() {
	c.size = 256
	for _, t := range []wal.Tuple{c.old, c.new} {
		for _, value := range t {
			c.size += len(value.Text) + 32
		}
	}
	c.size = min(c.size, maxQueue)
	texts := make([]byte, 0, c.size)
	for _, t := range []wal.Tuple{c.old, c.new} {
		for i, value := range t {
			start := len(texts)
			texts = append(texts, value.Text...)
			t[i].Text = texts[start:len(texts):len(texts)]
		}
	}
}

// process processes a change and those that wait behind it.
func (f *feed) process(ctx context.Context, first *change) error {
	batch := []*change{first}
	for len(batch) < maxBatch {
		select {
		case c := <-f.queue:
			batch = append(batch, c)
			continue
		default:
		}
		break
	}
	size := 0
	for _, c := range batch {
		size += c.size
	}
	defer f.budget.Release(int64(size))
	if transactions, mustWait := f.engine.addUnseen(batch); mustWait {
		seen, now, err := f.engine.snapshot(ctx)
		if err == nil {
			err = f.engine.Limits.checkTime(batch[0], now)
		}
		if err == nil {
			err = f.engine.awaitVisible(ctx, seen, transactions)
		}
		if err != nil {
			return err
		}
		f.engine.setVisible(len(transactions))
	}
	// Before anything is delivered: who subscribes meanwhile may not get these changes.
	last := batch[len(batch)-1]
	f.engine.position.Store(uint64(last.position))
	if err := f.engine.deliverBatch(ctx, batch); err != nil {
		return err
	}
	if !last.committed.IsZero() {
		f.engine.mu.Lock()
		f.engine.lastCommit = last.committed
		f.engine.mu.Unlock()
	}
	return nil
}

// deliverBatch delivers changes in order: those of realtime.messages, which are broadcasts, and those of
// other tables.
func (e *Engine) deliverBatch(ctx context.Context, batch []*change) error {
	start := 0
	for i, c := range batch {
		if c.isStale {
			if err := e.process(ctx, batch[start:i]); err != nil {
				return err
			}
			start = i
			e.catalog.Invalidate()
			e.mu.Lock()
			e.clearIndexKeys()
			e.mu.Unlock()
		}
		if !c.isMessage() {
			continue
		}
		if err := e.process(ctx, batch[start:i]); err != nil {
			return err
		}
		start = i + 1
		if m, ok := c.message(); ok {
			e.Broadcast(m)
		}
	}
	return e.process(ctx, batch[start:])
}
