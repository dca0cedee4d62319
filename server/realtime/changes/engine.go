package changes

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/realtime/visible"
	"plaza/server/wake"
)

// Publications whose changes are read.
const (
	publication         = "supabase_realtime"
	messagesPublication = "supabase_realtime_messages_publication"
)

// Sink is a channel that receives changes. Its methods must not block.
type Sink interface {
	Subscribed()                   // every change that is committed from now on is delivered
	Changed(d *Data, ids []uint32) // ids are those of the entries that match
	Missed()                       // changes were missed; the group has ended
}

// Message is a broadcast from the database.
type Message struct {
	ID, Topic, Event string
	Private          bool
	Payload, Bytes   []byte // JSON, or bytes; the other is nil
	Position         pg.LSN // a server that has replayed it shows what was committed with the broadcast; 0: unknown
}

// Deps are the dependencies of an Engine.
type Deps struct {
	DB        *pg.DB
	Log       *slog.Logger
	Now       func() time.Time
	Broadcast func(Message) // delivers a broadcast from the database
	// Recover delivers the stored broadcasts that were missed since a time, or only records them as delivered.
	Recover func(ctx context.Context, since time.Time, deliver bool) error
	Limits  Limits
}

// Engine reads the WAL while there are listeners, and delivers changes to groups.
type Engine struct {
	Deps

	catalog *visible.Catalog
	wake    wake.Signal // a listener was added

	mu         sync.RWMutex
	groups     map[*Group]struct{}
	index      index    // of the groups' entries
	unseen     []uint32 // transactions of changes that were delivered to nobody; some may not be visible yet
	callers    map[callerKey]*caller
	listeners  int
	idleSince  time.Time
	live       bool          // the WAL is read
	ready      chan struct{} // closed while broadcasts from the database are delivered
	isReady    bool          // ready is closed
	refusal    error
	position   atomic.Uint64 // see Position
	lastCommit time.Time     // commit of the last change, by the database's clock; zero: the WAL was never read
	counts     counts

	// Only the goroutine that processes changes uses them.
	keepsIndexKeys bool   // schema changes are in the WAL, so that entries may have keys
	searches       uint64 // in the index
}

// Group is the entries of one channel.
type Group struct {
	engine  *Engine
	sink    Sink
	entries []*subscription

	caller *caller // the engine's mu guards it

	// Only the goroutine that processes changes uses them: the last search that found the group, and
	// where it is in the result.
	foundIn uint64
	foundAt int
}

// subscription is an entry with its id.
type subscription struct {
	Entry
	group     *Group
	position  int // among the group's entries
	id        uint32
	selection string // of the entry, as a key

	key   valueKey // the engine's mu guards it
	keyed bool     // the key was set from the entry's tests, or the entry is a wildcard and has none

	// Only the goroutine that processes changes uses it, after the subscription.
	tests map[*visible.RoleView]compiled
}

type compiled struct {
	tests     []*test
	isRefused bool // the table has changed, and the entry does not apply to it
}

// caller is shared by all groups with the same role and claims: policies can distinguish them by
// nothing else.
type caller struct {
	claims.Caller
	groups int
}

type callerKey struct{ role, claims string }

// New returns an Engine. Run does its work.
func New(deps Deps) *Engine {
	deps.Limits = deps.Limits.withDefaults()
	return &Engine{
		Deps: deps, catalog: visible.NewCatalog(deps.DB, publication, deps.Now), wake: wake.NewSignal(),
		groups: make(map[*Group]struct{}), index: make(index), callers: make(map[callerKey]*caller), idleSince: deps.Now(), ready: make(chan struct{}),
	}
}

// Listen adds a listener: the WAL is read while there are any, and for idleTimeout after.
func (e *Engine) Listen() {
	e.mu.Lock()
	e.listeners++
	e.mu.Unlock()
	e.wake.Wake()
}

// Position returns a position of the WAL: every change after it is delivered to those who have subscribed. 0: there was no
// listener yet.
func (e *Engine) Position() pg.LSN { return pg.LSN(e.position.Load()) }

// Await waits until broadcasts from the database are delivered.
//
// Errors: ctx's.
func (e *Engine) Await(ctx context.Context) error {
	e.mu.RLock()
	ready := e.ready
	e.mu.RUnlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// setLive records whether the WAL is read. e.mu is held.
func (e *Engine) setLive(live bool) {
	e.live = live
	e.setReady(live)
}

// setReady records whether broadcasts from the database are delivered. e.mu is held.
func (e *Engine) setReady(ready bool) {
	switch {
	case ready && !e.isReady:
		close(e.ready)
	case !ready && e.isReady:
		e.ready = make(chan struct{})
	}
	e.isReady = ready
}

// State returns the state for operators: live, idle (no client listens), interrupted, or unavailable
// (the database does not allow logical replication).
func (e *Engine) State() string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	switch {
	case e.refusal != nil:
		return "unavailable"
	case e.live:
		return "live"
	case e.listeners == 0:
		return "idle"
	}
	return "interrupted"
}

// Unlisten removes a listener.
func (e *Engine) Unlisten() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners--
	if e.listeners == 0 {
		e.idleSince = e.Now()
	}
}

// Subscribe adds the entries of a channel, all or none.
//
// Errors: RefusedError, and faults of the database.
func (e *Engine) Subscribe(ctx context.Context, who claims.Caller, entries []Entry, ids []uint32, sink Sink) (*Group, error) {
	e.mu.RLock()
	refusal := e.refusal
	e.mu.RUnlock()
	if refusal != nil {
		return nil, refusal
	}
	g := &Group{engine: e, sink: sink}
	for i, entry := range entries {
		g.entries = append(g.entries, &subscription{
			Entry: entry, group: g, position: i, id: ids[i], selection: strings.Join(entry.Select, "\x00"),
			keyed: entry.isWildcard(),
		})
	}
	for _, s := range g.entries {
		var err error
		if s.tests, err = e.check(ctx, who, s); err != nil {
			return nil, err
		}
	}
	if err := e.register(ctx, g, who); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// register adds a group. It confirms the subscription when the earlier changes, which the group does
// not receive, are visible to new snapshots.
func (e *Engine) register(ctx context.Context, g *Group, who claims.Caller) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.groups[g] = struct{}{}
	for _, s := range g.entries {
		e.index.add(s)
	}
	g.caller = e.acquireCaller(who)
	if !e.live { // begin confirms the subscription
		return nil
	}
	if unseen := slices.Clone(e.unseen); len(unseen) > 0 {
		e.mu.Unlock()
		seen, _, err := e.snapshot(ctx)
		if err == nil {
			err = e.awaitVisible(ctx, seen, unseen)
		}
		e.mu.Lock()
		if _, isOpen := e.groups[g]; err != nil || !isOpen {
			return err
		}
	}
	g.sink.Subscribed()
	return nil
}

// check returns the tests of an entry for the published tables that it names now.
func (e *Engine) check(ctx context.Context, who claims.Caller, s *subscription) (map[*visible.RoleView]compiled, error) {
	published, err := e.catalog.Published(ctx, func(t visible.Table) bool { return s.names(t.Schema, t.Name) })
	if err != nil {
		return nil, err
	}
	if len(published) == 0 {
		return nil, refused("Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: %s", s.Entry)
	}
	all := make(map[*visible.RoleView]compiled, len(published))
	for _, table := range published {
		views, err := e.catalog.Views(ctx, table.OID, []string{who.Role})
		if err != nil {
			return nil, err
		}
		view := views[who.Role]
		var tests []*test
		if view == nil {
			err = refused("role %q does not exist", who.Role)
		} else {
			tests, err = compile(ctx, e.DB, &s.Entry, view)
		}
		if reason, ok := errors.AsType[RefusedError](err); ok {
			return nil, refused("Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: %s. Exception: %s", s.Entry, reason)
		}
		if err != nil {
			return nil, err
		}
		all[view] = compiled{tests: tests}
	}
	return all, nil
}

// compile returns the tests of an entry for a table, or whether it no longer applies to the table.
//
// Errors: those of the database.
func (e *Engine) compile(ctx context.Context, s *subscription, view *visible.RoleView) (compiled, error) {
	c, ok := s.tests[view]
	if !ok {
		var err error
		if c.tests, err = compile(ctx, e.DB, &s.Entry, view); err != nil {
			if _, c.isRefused = errors.AsType[RefusedError](err); !c.isRefused {
				return c, err
			}
		}
		// A table's view is replaced when the schema changes.
		for other := range s.tests {
			if other.OID == view.OID {
				delete(s.tests, other)
			}
		}
		s.tests[view] = c
	}
	return c, nil
}

// acquireCaller returns the caller that all groups with the same claims share. e.mu is held.
func (e *Engine) acquireCaller(who claims.Caller) *caller {
	key := callerKey{who.Role, who.JSON}
	c := e.callers[key]
	if c == nil {
		c = &caller{Caller: who}
		e.callers[key] = c
	}
	c.groups++
	return c
}

// releaseCaller undoes one acquireCaller. e.mu is held.
func (e *Engine) releaseCaller(c *caller) {
	if c.groups--; c.groups == 0 {
		delete(e.callers, callerKey{c.Role, c.JSON})
	}
}

// SetCaller changes the caller of a group, from the next change on.
//
// Errors: those of Subscribe. The group has ended then.
func (g *Group) SetCaller(ctx context.Context, who claims.Caller) error {
	for _, s := range g.entries {
		if _, err := g.engine.check(ctx, who, s); err != nil {
			g.Close()
			return err
		}
	}
	g.engine.mu.Lock()
	defer g.engine.mu.Unlock()
	if _, ok := g.engine.groups[g]; ok {
		g.engine.releaseCaller(g.caller)
		g.caller = g.engine.acquireCaller(who)
	}
	return nil
}

// Close ends the group. It may be called more than once.
func (g *Group) Close() {
	g.engine.mu.Lock()
	defer g.engine.mu.Unlock()
	if _, ok := g.engine.groups[g]; ok {
		delete(g.engine.groups, g)
		for _, s := range g.entries {
			g.engine.index.remove(s)
		}
		g.engine.releaseCaller(g.caller)
	}
}

// missed ends all groups, because changes were missed.
func (e *Engine) missed() {
	e.mu.Lock()
	e.setLive(false)
	groups := make([]*Group, 0, len(e.groups))
	for g := range e.groups {
		groups = append(groups, g)
	}
	e.mu.Unlock()
	for _, g := range groups {
		g.Close()
		g.sink.Missed()
	}
}
