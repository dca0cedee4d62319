package realtime

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"plaza/server/pg"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
	"plaza/server/realtime/presence"
	"plaza/server/realtime/socket"
)

// topicPrefix is what the topics of all channels begin with on the wire.
const topicPrefix = "realtime:"

// roomKey identifies a room by its topic without topicPrefix. A private room and a public one of the
// same topic are distinct.
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
	room    atomic.Pointer[room] // nil until it has entered
	index   int                  // among the members
	rights  messages.Rights      // whether it receives broadcasts and presences
	expires int64                // when its token expires, in Unix nanoseconds; 0: never
	buffer  *joinBuffer          // nil: messages are sent immediately
	entry   *presence.Entry      // nil: it is not present
	hasLeft bool
}

// setRights sets the rights and the expiry of the channel's token. It returns the rights before.
func (m *membership) setRights(rights messages.Rights, expires int64) (before messages.Rights) {
	r := m.room.Load()
	r.mu.Lock()
	defer r.mu.Unlock()
	before = m.rights
	m.rights, m.expires = rights, expires
	return before
}

func (m *membership) receivesPresence() bool {
	r := m.room.Load()
	r.mu.RLock()
	defer r.mu.RUnlock()
	return m.rights.Presence
}

// joinBuffer holds the messages that arrive before the replay is sent, or before the subscription is
// confirmed.
type joinBuffer struct {
	mu       sync.Mutex
	messages []buffered
	bytes    int
	isFull   bool // messages were dropped
}

type buffered struct {
	frame   *socket.Frame
	id      string // empty: it has none
	isPaced bool
}

// Limits of a joinBuffer.
const (
	maxBuffered      = 1000
	maxBufferedBytes = 16 << 20
)

func (b *joinBuffer) add(m buffered) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.messages) == maxBuffered || b.bytes+m.frame.Size() > maxBufferedBytes {
		b.isFull = true
		return
	}
	b.messages = append(b.messages, m)
	b.bytes += m.frame.Size()
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

// get returns a room, or nil if it has no members.
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
		all.cluster.subscribeRoom(r)
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
	if ch.hasLeft {
		mu.Unlock()
		return
	}
	ch.hasLeft = true
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

// replaceEntry sets the presence of a channel, or removes it if entry is nil, and notifies the members
// and the other servers. r.mu is held.
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
	r.publishDiff(joins, leaves)
	r.sendDiff(joins, leaves, now)
}

// sendDiff sends the members a change of presences. r.mu is held.
func (r *room) sendDiff(joins, leaves []*presence.Entry, now time.Time) {
	diff := &outgoing{topic: topicPrefix + r.key.topic, event: "presence_diff", payload: presence.AppendDiff(nil, joins, leaves)}
	r.sendAll(diff, now, func(ch *channel) bool { return ch.rights.Presence })
}

// broadcast sends a message to the members that receive broadcasts, except for one, and returns how
// many it was sent to.
func (r *room) broadcast(m *outgoing, except *channel, now time.Time) int {
	r.mu.RLock()
	sent, missed := r.sendAll(m, now, func(ch *channel) bool { return ch != except && ch.rights.Broadcast })
	r.mu.RUnlock()
	for _, ch := range missed {
		ch.Missed()
	}
	return sent
}

// sendAll sends a message to the members that receive it. It returns how many it was sent to, and the
// members for which too many messages wait. r.mu is held.
func (r *room) sendAll(m *outgoing, now time.Time, receives func(*channel) bool) (sent int, missed []*channel) {
	at := now.UnixNano()
	for _, ch := range r.members {
		if !receives(ch) || ch.expires != 0 && at >= ch.expires {
			continue
		}
		isSent, isFull := ch.sendOrBuffer(m)
		if isSent {
			sent++
		}
		if isFull {
			missed = append(missed, ch)
		}
	}
	return sent, missed
}

// sendOrBuffer sends a message to a member, or adds it to its joinBuffer. isFull means that too many
// messages wait for the client. The room's mu is held.
func (ch *channel) sendOrBuffer(m *outgoing) (isSent, isFull bool) {
	ch.client.server.saw(ch, m.position)
	f := m.frame(ch.client.version)
	switch {
	case f == nil:
		return false, false
	case ch.buffer != nil:
		ch.buffer.add(buffered{f, m.id, m.isPaced})
		return false, false
	}
	return ch.sendFrame(f, m.isPaced)
}

// sendFrame sends a frame to a member, by SendPaced if isPaced is true.
func (ch *channel) sendFrame(f *socket.Frame, isPaced bool) (isSent, isFull bool) {
	if !isPaced {
		return ch.client.conn.Send(f), false
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if ch.isEnded {
		return false, false
	}
	isSent = ch.client.conn.SendPaced(f, ch)
	return isSent, !isSent
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
	id        string           // of a message from the database
	position  pg.LSN           // of what the message tells of, in the database's log; 0: none
	isPaced   bool             // it may be one of many that come at once: see socket.Conn.SendPaced

	frames    [2]*socket.Frame // by version
	isEncoded [2]bool
}

// frame returns the message encoded for a version, or nil if it cannot be encoded for it.
func (m *outgoing) frame(v frame.Version) *socket.Frame {
	at := v - frame.V1
	if !m.isEncoded[at] {
		m.frames[at], m.isEncoded[at] = m.encode(v), true
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
