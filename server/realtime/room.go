package realtime

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
	"plaza/server/realtime/presence"
	"plaza/server/realtime/socket"
)

// topicPrefix is what the topics of all channels begin with on the wire.
const topicPrefix = "realtime:"

// roomKey names a room: its topic without topicPrefix. A private room and a public one of the
// same topic are apart.
type roomKey struct {
	topic   string
	private bool
}

// room has the channels of a topic.
type room struct {
	key roomKey

	mu      sync.RWMutex
	members []*channel
	present presence.State // of all servers
	shared  *sharedRoom    // nil: there is one server
}

// membership is a channel's place in its room. The room's mu guards it.
type membership struct {
	room   atomic.Pointer[room] // nil until it has entered
	index  int                  // among the members
	hears  messages.Rights      // broadcasts and presences that it receives
	until  int64                // when its token expires, in Unix nanoseconds; 0: never
	hold   *hold                // keeps messages back; nil: they are sent at once
	entry  *presence.Entry      // nil: it is not present
	isGone bool                 // it has left
}

// setHears changes what is received, and until when. It returns what was received before.
func (m *membership) setHears(hears messages.Rights, until int64) (before messages.Rights) {
	r := m.room.Load()
	r.mu.Lock()
	defer r.mu.Unlock()
	before = m.hears
	m.hears, m.until = hears, until
	return before
}

func (m *membership) hearsPresence() bool {
	r := m.room.Load()
	r.mu.RLock()
	defer r.mu.RUnlock()
	return m.hears.Presence
}

// hold keeps back what arrives while stored messages are read.
type hold struct {
	mu     sync.Mutex
	frames []*socket.Frame
	ids    []string // of the messages; empty where they have none
	isFull bool     // more arrived than are kept
}

// maxHeld is the maximum number of messages that are kept back.
const maxHeld = 1000

func (h *hold) add(f *socket.Frame, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.frames) == maxHeld {
		h.isFull = true
		return
	}
	h.frames, h.ids = append(h.frames, f), append(h.ids, id)
}

// rooms are all rooms of the server that have members.
type rooms struct {
	cluster *cluster // nil: there is one server

	seed   maphash.Seed
	shards [64]struct {
		mu   sync.RWMutex
		open map[roomKey]*room
	}
}

func newRooms() *rooms { return &rooms{seed: maphash.MakeSeed()} }

func (all *rooms) shard(key roomKey) (mu *sync.RWMutex, open *map[roomKey]*room) {
	s := &all.shards[maphash.Comparable(all.seed, key)%uint64(len(all.shards))]
	return &s.mu, &s.open
}

// get returns a room, or nil if nobody is in it.
func (all *rooms) get(key roomKey) *room {
	mu, open := all.shard(key)
	mu.RLock()
	defer mu.RUnlock()
	return (*open)[key]
}

// enter adds a channel to a room. entered is called before anything can be sent to it.
func (all *rooms) enter(key roomKey, ch *channel, entered func(r *room)) {
	mu, open := all.shard(key)
	mu.Lock()
	r := (*open)[key]
	if r == nil {
		r = &room{key: key}
		if *open == nil {
			*open = make(map[roomKey]*room)
		}
		(*open)[key] = r
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	mu.Unlock()
	ch.index = len(r.members)
	ch.room.Store(r)
	r.members = append(r.members, ch)
	if all.cluster != nil && r.shared == nil {
		all.cluster.opened(r)
	}
	entered(r)
}

// leave removes a channel from its room, and its presence. It may be called more than once.
func (all *rooms) leave(ch *channel, now time.Time) {
	r := ch.room.Load()
	if r == nil {
		return
	}
	mu, open := all.shard(r.key)
	mu.Lock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if ch.isGone {
		mu.Unlock()
		return
	}
	ch.isGone = true
	last := len(r.members) - 1
	r.members[last].index = ch.index
	r.members[ch.index] = r.members[last]
	r.members = slices.Delete(r.members, last, last+1)
	if last == 0 {
		delete(*open, r.key)
	}
	mu.Unlock()
	r.replaceEntry(ch, nil, now)
	if last == 0 && r.shared != nil {
		r.shared.stop()
	}
}

// all returns all rooms.
func (all *rooms) all() []*room {
	var found []*room
	for i := range all.shards {
		s := &all.shards[i]
		s.mu.RLock()
		found = slices.AppendSeq(found, maps.Values(s.open))
		s.mu.RUnlock()
	}
	return found
}

// replaceEntry makes a channel present with an entry, or not present with nil, and tells the
// members. r.mu is held.
func (r *room) replaceEntry(ch *channel, entry *presence.Entry, now time.Time) {
	before := ch.entry
	ch.entry = entry
	var joins, leaves []*presence.Entry
	if before != nil {
		leaves = append(leaves, before)
	}
	switch {
	case entry != nil:
		joins = append(joins, entry)
		if r.present == nil {
			r.present = make(presence.State)
		}
		r.present.Put(entry, before)
	case before != nil:
		r.present.Remove(before)
	default:
		return
	}
	r.tell(joins, leaves)
	r.sendDiff(joins, leaves, now)
}

// sendDiff tells the members of a change of presences. r.mu is held.
func (r *room) sendDiff(joins, leaves []*presence.Entry, now time.Time) {
	diff := &outgoing{topic: topicPrefix + r.key.topic, event: "presence_diff", payload: presence.AppendDiff(nil, joins, leaves)}
	r.sendAll(diff, now, func(ch *channel) bool { return ch.hears.Presence })
}

// broadcast sends a message to the members that hear broadcasts, but for one, and returns how
// many got it.
func (r *room) broadcast(m *outgoing, except *channel, now time.Time) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sendAll(m, now, func(ch *channel) bool { return ch != except && ch.hears.Broadcast })
}

// sendAll sends a message to the members that hear it. r.mu is held.
func (r *room) sendAll(m *outgoing, now time.Time, hears func(*channel) bool) (sent int) {
	at := now.UnixNano()
	for _, ch := range r.members {
		if !hears(ch) || ch.until != 0 && at >= ch.until {
			continue
		}
		f := m.frame(ch.client.version)
		switch {
		case f == nil:
		case ch.hold != nil:
			ch.hold.add(f, m.id)
		case ch.client.conn.Send(f):
			sent++
		}
	}
	return sent
}

// copyMembers returns the current members.
func (r *room) copyMembers() []*channel {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.members)
}

// outgoing is a message to any number of clients. It is encoded once for each version of the
// protocol that they use. It is for one goroutine.
type outgoing struct {
	topic     string // on the wire
	event     string
	payload   []byte           // JSON
	broadcast *frame.Broadcast // instead of event and payload
	id        string           // of a message of the database

	frames [2]*socket.Frame // by version
	isMade [2]bool
}

// frame returns the message for a version; nil: it has none.
func (m *outgoing) frame(v frame.Version) *socket.Frame {
	at := v - frame.V1
	if !m.isMade[at] {
		m.frames[at], m.isMade[at] = m.encode(v), true
	}
	return m.frames[at]
}

func (m *outgoing) encode(v frame.Version) *socket.Frame {
	ok := true
	f := socket.Message(func(out []byte) (_ []byte, isBinary bool) {
		if m.broadcast == nil {
			return v.AppendMessage(out, "", "", m.topic, m.event, m.payload), false
		}
		out, isBinary, ok = v.AppendBroadcast(out, m.topic, m.broadcast)
		return out, isBinary
	})
	if !ok {
		return nil
	}
	return f
}
