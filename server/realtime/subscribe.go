package realtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"plaza/server/jsontext"
	"plaza/server/pg"
	"plaza/server/realtime/changes"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
)

// subscription is a channel's subscription to table changes. The channel's mu guards it.
type subscription struct {
	group     *changes.Group // nil: it has none
	confirmed chan struct{}  // closed when the subscription is active; nil: no join waits for it
}

// resubscribePause is the minimum pause before the next attempt to subscribe after a fault of the database. The
// maximum is twice as long. Source: upstream's 5 to 10 seconds.
const resubscribePause = 5 * time.Second

// trySubscribe subscribes to the changes that the client has requested. It notifies the client of an error. After a
// fault of the database it tries again later.
func (ch *channel) trySubscribe() {
	if ch.ended() {
		return
	}
	err := ch.subscribe()
	if err == nil {
		return
	}
	if refused, ok := errors.AsType[changes.RefusedError](err); ok {
		ch.system("postgres_changes", "error", refused.Error())
		return
	}
	ch.system("postgres_changes", "error", ch.client.refusalOf(err, readDenied(ch.name)))
	pause := ch.client.server.resubscribePause
	time.AfterFunc(pause+rand.N(pause), func() { ch.enqueue(true, task{run: ch.trySubscribe}) })
}

// subscribe subscribes to the changes that the client has requested.
//
// Errors: changes.RefusedError, and faults of the database.
func (ch *channel) subscribe() error {
	texts := ch.config.changes
	entries, ids := make([]changes.Entry, len(texts)), make([]uint32, len(texts))
	for i, text := range texts {
		var err error
		if entries[i], err = changes.ParseEntry(text); err != nil {
			return err
		}
		ids[i] = idOfEntry(text)
	}
	who, _ := ch.caller()
	group, err := ch.client.server.changes.Subscribe(ch.client.ctx, who.Caller, entries, ids, ch)
	if err != nil {
		return err
	}
	ch.mu.Lock()
	isEnded := ch.isEnded
	ch.changes.group = group
	ch.mu.Unlock()
	ch.config.changes = nil
	if isEnded {
		group.Close()
	}
	return nil
}

// renewSubscription changes the caller of the subscription.
func (ch *channel) renewSubscription(who messages.Caller) {
	ch.mu.Lock()
	group := ch.changes.group
	ch.mu.Unlock()
	if group == nil {
		return
	}
	err := group.SetCaller(ch.client.ctx, who.Caller)
	if refused, ok := errors.AsType[changes.RefusedError](err); ok {
		ch.system("postgres_changes", "error", refused.Error())
	} else if err != nil {
		ch.crash(ch.client.refusalOf(err, readDenied(ch.name)))
	} else {
		ch.sendSubscribed()
	}
}

// Subscribed implements changes.Sink.
func (ch *channel) Subscribed() {
	ch.mu.Lock()
	confirmed := ch.changes.confirmed
	ch.changes.confirmed = nil
	ch.mu.Unlock()
	if confirmed != nil {
		close(confirmed)
		return
	}
	ch.sendSubscribed()
}

func (ch *channel) sendSubscribed() {
	ch.client.server.saw(ch, ch.client.server.changes.Position())
	ch.system("postgres_changes", "ok", "Subscribed to PostgreSQL")
}

// Missed implements changes.Sink. phx_error makes the client join again; the app is notified of it and
// should refetch.
func (ch *channel) Missed() { ch.crash("changes were missed") }

// Changed implements changes.Sink.
func (ch *channel) Changed(d *changes.Data, ids []uint32) {
	list := appendIDs(nil, ids)
	shared := d.Share(ch.topic+"\x00"+string(list), func() any {
		payload := append(append([]byte(`{"ids":`), list...), `,"data":`...)
		return &outgoing{topic: ch.topic, event: "postgres_changes", payload: append(append(payload, d.JSON...), '}'), position: d.Position, isPaced: true}
	})
	m, ok := shared.(*outgoing)
	if !ok {
		return
	}
	r, isFull := ch.room.Load(), false
	r.mu.RLock()
	if !ch.hasLeft && (ch.expires == 0 || ch.client.server.now().UnixNano() < ch.expires) {
		_, isFull = ch.sendOrBuffer(m)
	}
	r.mu.RUnlock()
	if isFull {
		ch.Missed()
	}
}

func appendIDs(out []byte, ids []uint32) []byte {
	out = append(out, '[')
	for i, id := range ids {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, uint64(id), 10)
	}
	return append(out, ']')
}

// idOfEntry returns the id of an entry, as in the answer to the join.
func idOfEntry(entry []byte) uint32 {
	_, id := appendEntry(nil, entry)
	return id
}

// saw notes that a client is told of what the database's log has up to a position, so that replicas which lack it do not
// answer what the client reads next.
func (s *Server) saw(ch *channel, position pg.LSN) {
	if position != 0 && s.db.HasReplicas() { // otherwise each message would lock its channel once more
		who, _ := ch.caller()
		s.db.Saw(who.Caller, position)
	}
}

// deliverStored delivers a broadcast from the database.
func (s *Server) deliverStored(m changes.Message) {
	s.sent.renew(s.now())
	s.deliverOnce(m)
}

// deliverOnce delivers a broadcast from the database, unless it was already delivered.
func (s *Server) deliverOnce(m changes.Message) {
	// Also without members: a client that joins later must not receive it when broadcasts are read again.
	isNew := s.sent.add(m.ID)
	r := s.rooms.get(roomKey{m.Topic, m.Private})
	if r == nil || !isNew {
		return
	}
	b := &frame.Broadcast{Event: m.Event, Meta: append(jsontext.AppendString([]byte(`{"id":`), m.ID), '}'), IsJSON: m.Payload != nil, Payload: m.Payload}
	if !b.IsJSON {
		b.Payload = m.Bytes
	}
	if !s.cfg.fits(len(b.Payload)) {
		s.log.Warn("a broadcast from the database was dropped: it is too large", "bytes", len(b.Payload))
		return
	}
	s.deliver(r, &outgoing{topic: topicPrefix + m.Topic, broadcast: b, id: m.ID, position: m.Position, isPaced: true}, nil)
}

// recoveryOverlap is how far before the last change that was read stored broadcasts are read again. They have the
// time at which their transaction began, which may be long before its commit.
const recoveryOverlap = time.Minute

// recoverStored delivers the broadcasts from the database that were missed since a time. If deliver is false, it
// only records them as delivered.
func (s *Server) recoverStored(ctx context.Context, since time.Time, deliver bool) error {
	err := s.store.Since(ctx, since.Add(-recoveryOverlap), func(one messages.Stored) {
		if !deliver {
			s.sent.add(one.ID)
			return
		}
		s.deliverOnce(changes.Message{ID: one.ID, Topic: one.Topic, Event: one.Event, Private: one.Private, Payload: one.Payload, Bytes: one.Bytes, Position: s.changes.Position()})
	})
	if err != nil {
		return fmt.Errorf("read the broadcasts that were missed: %w", err)
	}
	return nil
}

// maxSentIDs is the maximum number of ids of a generation.
const maxSentIDs = 50_000

// sentIDs are the ids of the last stored broadcasts, in two generations, so that none is sent twice.
type sentIDs struct {
	mu         sync.Mutex
	began      time.Time
	young, old map[string]struct{}
}

// renew begins a generation if the young one is old. It is not called while stored broadcasts are read
// again: they are compared with those before the gap, however long it was.
func (s *sentIDs) renew(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.began) > 2*recoveryOverlap {
		s.began, s.old, s.young = now, s.young, make(map[string]struct{})
	}
}

// add adds an id and reports whether it is new.
func (s *sentIDs) add(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, isYoung := s.young[id]
	_, isOld := s.old[id]
	if isYoung || isOld {
		return false
	}
	if len(s.young) >= maxSentIDs {
		s.old, s.young = s.young, make(map[string]struct{})
	}
	s.young[id] = struct{}{}
	return true
}
