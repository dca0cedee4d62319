package realtime

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plaza/server/realtime/bus"
	"plaza/server/realtime/frame"
)

// cluster shares broadcasts and presences with the other servers of the database. Changes of
// tables and broadcasts of the database are not shared: each server reads them from the log.
type cluster struct {
	server *Server
	bus    *bus.Bus
	id     string

	epochs atomic.Uint64 // of rooms

	mu    sync.Mutex
	peers map[string]*peer
}

// peer is another server.
type peer struct {
	seen  time.Time
	beat  uint64 // number of its last heartbeat
	round uint64 // of the last request for all of its presences
	usage usage
}

// Intervals of the cluster.
const (
	beatInterval     = time.Second
	silence          = 5 * time.Second // after which a server's presences have left
	registryInterval = 2 * time.Second
)

// Subjects. Those of a room end with the hash of its topic.
const (
	broadcastSubject = "b."
	presenceSubject  = "p."
	serverSubject    = "s." // with the id of a server: what is for it alone
	beatSubject      = "h"
)

func subjectOf(key roomKey) string {
	private := "\x00"
	if key.private {
		private = "\x01"
	}
	sum := sha256.Sum256([]byte(private + key.topic))
	return hex.EncodeToString(sum[:16])
}

// startCluster connects to the bus, if there is one.
func (s *Server) startCluster(secret []byte) error {
	if s.cfg.Bus == "" {
		return nil
	}
	c := &cluster{server: s, id: s.id, peers: make(map[string]*peer)}
	var err error
	c.bus, err = bus.Start(bus.Config{ID: c.id, Address: s.cfg.Bus, Listen: s.cfg.BusListen, Secret: secret, Log: s.log}, c.handle)
	if err != nil {
		return err
	}
	c.bus.Subscribe(beatSubject)
	c.bus.Subscribe(serverSubject + c.id)
	s.cluster, s.rooms.cluster = c, c
	return nil
}

// run keeps in touch with the other servers until ctx ends.
func (c *cluster) run(ctx context.Context) {
	beat, registry := time.NewTicker(beatInterval), time.NewTimer(0)
	defer beat.Stop()
	defer registry.Stop()
	var known []string
	for n := uint64(1); ; {
		select {
		case <-ctx.Done():
			c.leave(context.WithoutCancel(ctx))
			return
		case <-beat.C:
			c.send(beatSubject, presenceMessage{Beat: n, Usage: c.server.usage()})
			n++
			c.dropSilent()
		case <-registry.C:
			found, err := c.server.store.RenewServer(ctx, c.id, c.server.cfg.Bus)
			if err == nil && !slices.Equal(found, known) {
				if err = c.bus.SetPeers(found); err == nil {
					known = found
				}
			}
			if err != nil && ctx.Err() == nil {
				c.server.log.WarnContext(ctx, "cannot look for other servers", "error", err)
			}
			registry.Reset(registryInterval)
		}
	}
}

// leave ends the cluster. The presences of clients have left before.
func (c *cluster) leave(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := c.server.store.RemoveServer(within, c.id); err != nil {
		c.server.log.WarnContext(ctx, "the other servers will look for this one for a while", "error", err)
	}
	c.bus.Close()
}

// opened makes messages of other servers reach a room. Its mu is held.
func (c *cluster) opened(r *room) {
	subject := subjectOf(r.key)
	ends := []func(){c.bus.Subscribe(broadcastSubject + subject), c.bus.Subscribe(presenceSubject + subject)}
	r.shared = &sharedRoom{cluster: c, subject: subject, epoch: c.epochs.Add(1), remote: make(map[string]*remotePresence), stop: func() {
		for _, end := range ends {
			end()
		}
	}}
	r.ask("")
}

// handle handles a message of another server.
func (c *cluster) handle(subject string, data []byte) {
	if strings.HasPrefix(subject, broadcastSubject) {
		if key, m, ok := parseBroadcast(data); ok {
			if r := c.server.rooms.get(key); r != nil {
				c.server.deliver(r, m, nil)
			}
		}
		return
	}
	var m presenceMessage
	if json.Unmarshal(data, &m) != nil || m.Server == "" {
		return
	}
	switch {
	case m.Beat > 0:
		c.hear(m)
	case m.Kind == kindResync:
		c.sendAll(m.Server, m.Round)
	case m.Kind == kindDone:
		c.endRound(m)
	default:
		if r := c.server.rooms.get(roomKey{m.Topic, m.Private}); r != nil {
			r.hear(c, m)
		}
	}
}

func (c *cluster) send(subject string, m presenceMessage) {
	m.Server = c.id
	data, err := json.Marshal(m)
	if err != nil { // a payload that clients sent is valid JSON
		return
	}
	c.bus.Publish(subject, data)
}

// hear notes a heartbeat. All presences of a server that is new, or of which heartbeats are
// missing, are asked for: other messages may be missing, too.
func (c *cluster) hear(m presenceMessage) {
	c.mu.Lock()
	p := c.peers[m.Server]
	isMissing := p == nil || m.Beat != p.beat+1
	if p == nil {
		p = new(peer)
		c.peers[m.Server] = p
	}
	p.seen, p.beat, p.usage = time.Now(), m.Beat, m.Usage
	c.shareLimits()
	if isMissing {
		p.round++
	}
	round := p.round
	c.mu.Unlock()
	if isMissing {
		c.send(serverSubject+m.Server, presenceMessage{Kind: kindResync, Round: round})
	}
}

// shareLimits makes what the other servers use count against the limits. c.mu is held.
func (c *cluster) shareLimits() {
	var all usage
	for _, p := range c.peers {
		all = all.plus(p.usage)
	}
	c.server.setOthers(all)
}

// round returns the number of the last request for all presences of a server.
func (c *cluster) round(server string) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.peers[server]; p != nil {
		return p.round
	}
	return 0
}

// dropSilent removes the presences of servers that have been silent for too long.
func (c *cluster) dropSilent() {
	now := time.Now()
	var gone []string
	c.mu.Lock()
	for id, p := range c.peers {
		if now.Sub(p.seen) > silence {
			gone = append(gone, id)
			delete(c.peers, id)
		}
	}
	c.shareLimits()
	c.mu.Unlock()
	for _, id := range gone {
		c.server.log.Warn("another server has been silent: its presences have left", "server", id)
		for _, r := range c.server.rooms.all() {
			r.drop(id, c.server.now(), func(*remotePresence) bool { return true })
		}
	}
}

// sendAll sends a server all presences of this one, and then that they were all of a round.
func (c *cluster) sendAll(to string, round uint64) {
	for _, r := range c.server.rooms.all() {
		r.mu.RLock()
		if r.shared != nil {
			if m, any := r.state(); any {
				c.send(serverSubject+to, m)
			}
		}
		r.mu.RUnlock()
	}
	c.send(serverSubject+to, presenceMessage{Kind: kindDone, Round: round})
}

// endRound removes the presences that a server has not sent although all were asked for.
func (c *cluster) endRound(m presenceMessage) {
	for _, r := range c.server.rooms.all() {
		r.drop(m.Server, c.server.now(), func(p *remotePresence) bool { return p.round < m.Round })
	}
}

// share sends a broadcast of a client to the other servers.
func (s *Server) share(key roomKey, m *outgoing) {
	if s.cluster != nil {
		s.cluster.bus.Publish(broadcastSubject+subjectOf(key), appendBroadcast(nil, key, m))
	}
}

// Kinds of a broadcast between servers.
const (
	isPrivate = 1 << iota
	isParsed  // outgoing.broadcast, not its payload
	isJSON
)

// appendBroadcast appends a broadcast: its kind, and its parts with their lengths.
func appendBroadcast(out []byte, key roomKey, m *outgoing) []byte {
	kind := byte(0)
	if key.private {
		kind |= isPrivate
	}
	parts := [][]byte{[]byte(key.topic), nil, nil, m.payload}
	if b := m.broadcast; b != nil {
		kind |= isParsed
		if b.IsJSON {
			kind |= isJSON
		}
		parts[1], parts[2], parts[3] = []byte(b.Event), b.Meta, b.Payload
	}
	out = append(out, kind)
	for _, part := range parts {
		out = append(binary.AppendUvarint(out, uint64(len(part))), part...)
	}
	return out
}

// parseBroadcast parses what appendBroadcast has appended.
func parseBroadcast(data []byte) (key roomKey, m *outgoing, ok bool) {
	if len(data) == 0 {
		return key, nil, false
	}
	kind, rest := data[0], data[1:]
	var parts [4][]byte
	for i := range parts {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return key, nil, false
		}
		parts[i], rest = rest[n:n+int(size)], rest[n+int(size):]
	}
	key = roomKey{string(parts[0]), kind&isPrivate != 0}
	m = &outgoing{topic: topicPrefix + key.topic, event: "broadcast", payload: parts[3]}
	if kind&isParsed != 0 {
		m.broadcast = &frame.Broadcast{Event: string(parts[1]), Meta: parts[2], IsJSON: kind&isJSON != 0, Payload: parts[3]}
	}
	return key, m, true
}
