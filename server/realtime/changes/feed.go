package changes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"plaza/server/pg"
	"plaza/server/realtime/wal"
	"plaza/server/tally"
)

// Limits of reading the log.
const (
	maxSlice    = 500              // changes that are processed together
	maxQueue    = 64 << 20         // bytes of changes that wait
	idleTimeout = 10 * time.Minute // after which the log is no longer read if nobody listens
)

// Pauses between attempts to read the log.
const (
	retryMin = 100 * time.Millisecond
	retryMax = 10 * time.Second
)

// counts are the counters since the start.
type counts struct {
	read      atomic.Uint64    // changes
	gaps      tally.Of[string] // by cause: lost or lag
	asked     atomic.Uint64    // questions about rows
	delivered atomic.Uint64    // changes to channels
	took      atomic.Int64     // nanoseconds of questions about rows
}

// Stats are the figures of an Engine since its start.
type Stats struct {
	Live      bool              // the log is read
	Groups    int               // channels that are told of changes
	Callers   int               // different callers among them
	Read      uint64            // changes of the log
	Delivered uint64            // changes to channels
	Questions uint64            // of callers about rows of a table
	Asking    time.Duration     // for their answers
	Gaps      map[string]uint64 // by cause: lost or lag
}

// Stats returns the current figures.
func (e *Engine) Stats() Stats {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return Stats{
		e.live, len(e.groups), len(e.callers), e.counts.read.Load(), e.counts.delivered.Load(), e.counts.asked.Load(),
		time.Duration(e.counts.took.Load()), e.counts.gaps.All(),
	}
}

// Run reads the log while somebody listens, until ctx ends.
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
		if err == nil { // nobody listens
			continue
		}
		if e.State() == "unavailable" {
			e.Log.WarnContext(ctx, "changes of tables cannot be told", "error", err)
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
		e.Log.WarnContext(ctx, "changes of tables were missed: reading the log has ended", "error", err)
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

// isIdle reports whether nobody has listened for long.
func (e *Engine) isIdle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listeners > 0 || e.Now().Sub(e.idleSince) < idleTimeout {
		return false
	}
	e.setLive(false)
	e.seen = time.Time{} // who listens next is not told of what was sent meanwhile
	return true
}

// errUnsupported is what subscribers are told where the log cannot be read.
var errUnsupported = errors.New("Postgres changes need wal_level = logical and a role with REPLICATION")

// session reads the log until an error, or until nobody has listened for long.
func (e *Engine) session(ctx context.Context) error {
	stream, err := e.open(ctx)
	e.setRefusal(err)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	e.Log.InfoContext(ctx, "reading changes of tables from the log", "slot", stream.Slot())
	if err := e.setNotifying(ctx, false); err != nil {
		e.Log.WarnContext(ctx, "inserts of broadcasts notify, although nobody needs it", "error", err)
	}
	f := &feed{engine: e, stream: stream, relations: make(map[uint32]*wal.Relation), queue: make(chan *change, maxSlice), budget: semaphore.NewWeighted(maxQueue)}
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

// run processes what is read. It returns nil when nobody has listened for long.
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
			if f.engine.isIdle() {
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
	return wal.Open(ctx, conn, []string{publication, messagesPublication}, wal.Silence{Ask: e.Limits.Check, End: e.Limits.Time})
}

// setRefusal notes whether the database can tell of changes at all.
func (e *Engine) setRefusal(err error) {
	refusal := pg.AsRefusal(err)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refusal = nil
	// object_not_in_prerequisite_state: wal_level; insufficient_privilege.
	if refusal != nil && (refusal.Code == "55000" || refusal.Code == "42501") {
		e.refusal = errUnsupported
	}
}

// schemaPrefix is the prefix of the messages that realtime.note_schema_change writes to the log.
const schemaPrefix = "plaza_schema"

// beginSQL returns the time, and whether changes of the schema are written to the log.
const beginSQL = `select now(), 2 = (select count(*) from pg_catalog.pg_event_trigger where evtname in ('realtime_schema_change', 'realtime_schema_drop') and evtenabled in ('O', 'A'))`

// begin tells the groups that the log is read.
func (e *Engine) begin(ctx context.Context) error {
	var now time.Time
	var isTold bool
	if err := e.DB.Owner().QueryRow(ctx, beginSQL).Scan(&now, &isTold); err != nil {
		return err
	}
	e.catalog.Keep(isTold)
	e.mu.Lock()
	seen := e.seen
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
	e.seen = now
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
	written   wal.LSN             // what was written at the last check
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

// keep copies the values, which are valid only until the next message is read.
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
	slice := []*change{first}
	for len(slice) < maxSlice {
		select {
		case c := <-f.queue:
			slice = append(slice, c)
			continue
		default:
		}
		break
	}
	size := 0
	for _, c := range slice {
		size += c.size
	}
	defer f.budget.Release(int64(size))
	if f.engine.isWanted(slice) {
		if err := f.engine.awaitVisible(ctx, slice); err != nil {
			return err
		}
	}
	if err := f.engine.tellAll(ctx, slice); err != nil {
		return err
	}
	if last := slice[len(slice)-1].committed; !last.IsZero() {
		f.engine.mu.Lock()
		f.engine.seen = last
		f.engine.mu.Unlock()
	}
	return nil
}

// isWanted reports whether anybody could be told of one of the changes.
func (e *Engine) isWanted(slice []*change) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return len(e.groups) > 0 || slices.ContainsFunc(slice, (*change).isMessage)
}

// tellAll tells of changes in order: of rows of realtime.messages, which are broadcasts, and of
// those of tables.
func (e *Engine) tellAll(ctx context.Context, slice []*change) error {
	start := 0
	for i, c := range slice {
		if c.isStale {
			if err := e.process(ctx, slice[start:i]); err != nil {
				return err
			}
			start = i
			e.catalog.Forget()
		}
		if !c.isMessage() {
			continue
		}
		if err := e.process(ctx, slice[start:i]); err != nil {
			return err
		}
		start = i + 1
		if m, ok := c.message(); ok {
			e.Broadcast(m)
		}
	}
	return e.process(ctx, slice[start:])
}

func (c *change) isMessage() bool {
	return c.relation.Schema == "realtime" && (c.relation.Name == "messages" || strings.HasPrefix(c.relation.Name, "messages_"))
}

// message returns the broadcast that a row of realtime.messages is. ok is false for a row that
// is none.
func (c *change) message() (m Message, ok bool) {
	if c.op != "INSERT" {
		return m, false
	}
	text := func(name string) []byte {
		if at := c.index(name); at >= 0 && c.new[at].Kind == wal.Text {
			return c.new[at].Text
		}
		return nil
	}
	m = Message{ID: string(text("id")), Topic: string(text("topic")), Event: string(text("event")), Private: string(text("private")) == "t", Payload: text("payload")}
	if bytes := text("binary_payload"); bytes != nil {
		m.Bytes = decodeBytea(bytes)
	}
	return m, string(text("extension")) == "broadcast" && (m.Payload != nil || m.Bytes != nil)
}
