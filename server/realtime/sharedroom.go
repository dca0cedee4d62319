package realtime

import (
	"encoding/json"
	"slices"
	"time"

	"plaza/server/realtime/presence"
)

// sharedRoom is the cluster's state of a room. The room's mu guards it.
//
// Each presence belongs to the server of its connection, which numbers its changes per room. A server
// that has missed one requests the state.
type sharedRoom struct {
	cluster *cluster
	subject string
	epoch   uint64 // distinguishes this room from a later one of the same key
	seq     uint64 // number of the last change of this server's presences
	remote  map[string]*remotePresence
	stop    func()
}

// remotePresence holds the presences of another server.
type remotePresence struct {
	epoch, seq uint64
	clock      uint64 // the server's, at its last message about the room
	entries    map[string]*presence.Entry
}

// Kinds of messages about presences.
const (
	kindDiff   = "diff"
	kindAsk    = "ask"    // requests the state of a room
	kindState  = "state"  // of a room
	kindResync = "resync" // requests the states of all rooms
	kindDone   = "done"   // all states were sent; Clock is when that began
)

// clusterMessage is a message between servers about presences, or a heartbeat.
type clusterMessage struct {
	Server    string        `json:"s"`
	Kind      string        `json:"k,omitempty"`
	Heartbeat uint64        `json:"b,omitempty"`
	Usage     usage         `json:"u,omitzero"`  // of a heartbeat
	Clock     uint64        `json:"c,omitempty"` // the server's
	To        string        `json:"d,omitempty"` // the server whose state is requested; empty: all
	Topic     string        `json:"t,omitempty"`
	Private   bool          `json:"p,omitempty"`
	Epoch     uint64        `json:"e,omitempty"`
	Seq       uint64        `json:"n,omitempty"`
	Joins     []sharedEntry `json:"j,omitempty"`
	Leaves    []string      `json:"l,omitempty"` // references
}

type sharedEntry struct {
	Key     string          `json:"k"`
	Ref     string          `json:"r"`
	Prev    string          `json:"v,omitempty"`
	Payload json.RawMessage `json:"p"`
}

func (e *sharedEntry) entry() *presence.Entry {
	return &presence.Entry{Key: e.Key, Ref: e.Ref, Prev: e.Prev, Payload: e.Payload}
}

func toShared(entries []*presence.Entry) []sharedEntry {
	shared := make([]sharedEntry, len(entries))
	for i, e := range entries {
		shared[i] = sharedEntry{e.Key, e.Ref, e.Prev, e.Payload}
	}
	return shared
}

// requestState requests the presences of a server, or of all servers if server is empty. r.mu is held.
func (r *room) requestState(server string) {
	m := r.message(kindAsk)
	m.To = server
	r.shared.cluster.send(presenceSubject+r.shared.subject, m)
}

// publishDiff sends the other servers a change of this one's presences. r.mu is held.
func (r *room) publishDiff(joins, leaves []*presence.Entry) {
	if r.shared == nil {
		return
	}
	r.shared.seq++
	m := r.message(kindDiff)
	m.Joins = toShared(joins)
	for _, e := range leaves {
		m.Leaves = append(m.Leaves, e.Ref)
	}
	r.shared.cluster.send(presenceSubject+r.shared.subject, m)
}

func (r *room) message(kind string) clusterMessage {
	return clusterMessage{Kind: kind, Topic: r.key.topic, Private: r.key.private, Epoch: r.shared.epoch, Seq: r.shared.seq, Clock: r.shared.cluster.clock.Add(1)}
}

// state returns the presences of this server, and whether there are any. r.mu is held.
func (r *room) state() (m clusterMessage, hasEntries bool) {
	m = r.message(kindState)
	for _, ch := range r.members {
		if ch.entry != nil {
			m.Joins = append(m.Joins, toShared([]*presence.Entry{ch.entry})...)
		}
	}
	return m, len(m.Joins) > 0
}

// handleMessage handles a message of another server about the room.
func (r *room) handleMessage(c *cluster, m clusterMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shared == nil || len(r.members) == 0 {
		return
	}
	switch m.Kind {
	case kindAsk:
		if m.To == "" || m.To == c.id {
			state, _ := r.state()
			c.send(serverSubject+m.Server, state)
		}
	case kindState:
		r.applyState(m, c.server.now())
	case kindDiff:
		r.applyDiff(m, c.server.now())
	}
}

// applyDiff applies a change of another server's presences, or requests the state if earlier changes
// are missing. r.mu is held.
func (r *room) applyDiff(m clusterMessage, now time.Time) {
	p := r.shared.remote[m.Server]
	switch {
	case m.Seq == 1 && (p == nil || p.epoch < m.Epoch): // the first change of its room
		r.applyState(m, now)
	case p == nil || p.epoch < m.Epoch || p.epoch == m.Epoch && m.Seq > p.seq+1:
		r.requestState(m.Server)
	case p.epoch == m.Epoch && m.Seq == p.seq+1:
		p.seq, p.clock = m.Seq, max(p.clock, m.Clock)
		var joins, leaves []*presence.Entry
		for _, ref := range m.Leaves {
			if e := p.entries[ref]; e != nil {
				leaves = append(leaves, e)
			}
		}
		for i := range m.Joins {
			joins = append(joins, m.Joins[i].entry())
		}
		r.updateRemote(p, joins, leaves, now)
	}
}

// applyState replaces the presences of another server with those of a state. r.mu is held.
func (r *room) applyState(m clusterMessage, now time.Time) {
	p := r.shared.remote[m.Server]
	if p == nil {
		p = &remotePresence{entries: make(map[string]*presence.Entry)}
		r.shared.remote[m.Server] = p
	}
	p.clock = max(p.clock, m.Clock)
	if p.epoch > m.Epoch || p.epoch == m.Epoch && p.seq > m.Seq { // a later change was applied
		return
	}
	p.epoch, p.seq = m.Epoch, m.Seq
	var joins, leaves []*presence.Entry
	current := make(map[string]bool, len(m.Joins))
	for i := range m.Joins {
		current[m.Joins[i].Ref] = true
		if p.entries[m.Joins[i].Ref] == nil {
			joins = append(joins, m.Joins[i].entry())
		}
	}
	for ref, e := range p.entries {
		if !current[ref] {
			leaves = append(leaves, e)
		}
	}
	r.updateRemote(p, joins, leaves, now)
}

// updateRemote changes the presences of another server, and notifies the members. r.mu is held.
func (r *room) updateRemote(p *remotePresence, joins, leaves []*presence.Entry, now time.Time) {
	if len(joins) == 0 && len(leaves) == 0 {
		return
	}
	if r.present == nil {
		r.present = make(presence.State)
	}
	rest := slices.Clone(leaves)
	for _, e := range joins {
		at := slices.IndexFunc(rest, func(before *presence.Entry) bool { return before.Ref == e.Prev })
		if at >= 0 {
			r.present.Put(e, rest[at])
			rest = slices.Delete(rest, at, at+1)
		} else {
			r.present.Put(e, nil)
		}
		p.entries[e.Ref] = e
	}
	for _, e := range rest {
		r.present.Remove(e)
	}
	for _, e := range leaves {
		delete(p.entries, e.Ref)
	}
	r.sendDiff(joins, leaves, now)
}

// dropRemote removes the presences of another server if a condition holds for them.
func (r *room) dropRemote(server string, now time.Time, condition func(*remotePresence) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shared == nil {
		return
	}
	p := r.shared.remote[server]
	if p == nil || !condition(p) {
		return
	}
	delete(r.shared.remote, server)
	var leaves []*presence.Entry
	for _, e := range p.entries {
		leaves = append(leaves, e)
	}
	r.updateRemote(p, nil, leaves, now)
}
