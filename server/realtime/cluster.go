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

// cluster exchanges broadcasts and presences with the other servers of the database. Table changes
// and broadcasts from the database are not exchanged: each server reads them from the WAL.
type cluster struct {
	server *Server
	bus    *bus.Bus
	id     string

	clock atomic.Uint64 // numbers the messages about presences, and the rooms: see sharedRoom.epoch

	mu    sync.Mutex
	peers map[string]*peer
}

// peer is another server.
type peer struct {
	lastSeen  time.Time
	heartbeat uint64 // number of the last one; 0: none came yet
	usage     usage
}

// Intervals of the cluster.
const (
	heartbeatInterval = time.Second
	peerTimeout       = 5 * time.Second // a server's presences are removed after this time without a heartbeat
	registryInterval  = 2 * time.Second
)

// Subjects. Those of a room end with a hash of its roomKey.
const (
	broadcastSubject = "b."
	presenceSubject  = "p."
	serverSubject    = "s." // with a server's id: messages to it alone
	heartbeatSubject = "h"
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
	c.bus.Subscribe(heartbeatSubject)
	c.bus.Subscribe(serverSubject + c.id)
	s.cluster, s.rooms.cluster = c, c
	return nil
}

// run sends heartbeats and connects to new servers until ctx ends.
func (c *cluster) run(ctx context.Context) {
	heartbeat, registry := time.NewTicker(heartbeatInterval), time.NewTimer(0)
	defer heartbeat.Stop()
	defer registry.Stop()
	var known []string
	for n := uint64(1); ; {
		select {
		case <-ctx.Done():
			c.close(context.WithoutCancel(ctx))
			return
		case <-heartbeat.C:
			c.send(heartbeatSubject, clusterMessage{Heartbeat: n, Usage: c.server.usage()})
			n++
			c.dropTimedOut()
		case <-registry.C:
			found, err := c.server.store.RenewServer(ctx, c.id, c.server.cfg.Bus)
			if err == nil && !slices.Equal(found, known) {
				if err = c.bus.SetPeers(found); err == nil {
					known = found
				}
			}
			if err != nil && ctx.Err() == nil {
				c.server.log.WarnContext(ctx, "cannot find the other servers", "error", err)
			}
			registry.Reset(registryInterval)
		}
	}
}

// close removes this server from the cluster. Server.Close has disconnected the clients before.
func (c *cluster) close(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := c.server.store.RemoveServer(within, c.id); err != nil {
		c.server.log.WarnContext(ctx, "the other servers keep trying to connect to this one for a while", "error", err)
	}
	c.bus.Close()
}

// subscribeRoom makes a room receive messages of other servers. Its mu is held.
func (c *cluster) subscribeRoom(r *room) {
	subject := subjectOf(r.key)
	stops := []func(){c.bus.Subscribe(broadcastSubject + subject), c.bus.Subscribe(presenceSubject + subject)}
	r.shared = &sharedRoom{cluster: c, subject: subject, epoch: c.clock.Add(1), remote: make(map[string]*remotePresence), stop: func() {
		for _, stop := range stops {
			stop()
		}
	}}
	r.requestState("")
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
	var m clusterMessage
	if json.Unmarshal(data, &m) != nil || m.Server == "" {
		return
	}
	c.recordPeer(m)
	switch {
	case m.Heartbeat > 0:
	case m.Kind == kindResync:
		c.sendAll(m.Server)
	case m.Kind == kindDone:
		c.endResync(m)
	default:
		if r := c.server.rooms.get(roomKey{m.Topic, m.Private}); r != nil {
			r.handleMessage(c, m)
		}
	}
}

func (c *cluster) send(subject string, m clusterMessage) {
	m.Server = c.id
	data, err := json.Marshal(m)
	if err != nil { // a payload that clients sent is valid JSON
		return
	}
	c.bus.Publish(subject, data)
}

// recordPeer records the sender of a message, so that its presences are removed when no heartbeat
// follows. Other messages may have been missed before the first heartbeat, and when heartbeats are
// missing; then all presences of the sender are requested.
func (c *cluster) recordPeer(m clusterMessage) {
	c.mu.Lock()
	p := c.peers[m.Server]
	if p == nil {
		p = &peer{lastSeen: time.Now()}
		c.peers[m.Server] = p
	}
	isMissing := false
	if m.Heartbeat > 0 {
		isMissing = p.heartbeat == 0 || m.Heartbeat != p.heartbeat+1
		p.lastSeen, p.heartbeat, p.usage = time.Now(), m.Heartbeat, m.Usage
		c.updateUsage()
	}
	c.mu.Unlock()
	if isMissing {
		c.send(serverSubject+m.Server, clusterMessage{Kind: kindResync})
	}
}

// updateUsage counts the usage of the other servers against the limits. c.mu is held.
func (c *cluster) updateUsage() {
	var sum usage
	for _, p := range c.peers {
		sum = sum.plus(p.usage)
	}
	c.server.setOthers(sum)
}

// dropTimedOut removes the presences of servers whose heartbeats have stopped.
func (c *cluster) dropTimedOut() {
	now := time.Now()
	var gone []string
	c.mu.Lock()
	for id, p := range c.peers {
		if now.Sub(p.lastSeen) > peerTimeout {
			gone = append(gone, id)
			delete(c.peers, id)
		}
	}
	c.updateUsage()
	c.mu.Unlock()
	for _, id := range gone {
		c.server.log.Warn("another server sends no heartbeats: its presences are removed", "server", id)
		for _, r := range c.server.rooms.all() {
			r.dropRemote(id, c.server.now(), func(*remotePresence) bool { return true })
		}
	}
}

// sendAll sends a server all presences of this one, and then the clock at which it began.
func (c *cluster) sendAll(to string) {
	began := c.clock.Add(1)
	for _, r := range c.server.rooms.all() {
		r.mu.RLock()
		if r.shared != nil {
			if m, hasEntries := r.state(); hasEntries {
				c.send(serverSubject+to, m)
			}
		}
		r.mu.RUnlock()
	}
	c.send(serverSubject+to, clusterMessage{Kind: kindDone, Clock: began})
}

// endResync removes the presences of rooms about which a server has sent nothing since it began to send
// all. An answer to an earlier request removes less, so requests may overlap.
func (c *cluster) endResync(m clusterMessage) {
	for _, r := range c.server.rooms.all() {
		r.dropRemote(m.Server, c.server.now(), func(p *remotePresence) bool { return p.clock < m.Clock })
	}
}

// publish sends a broadcast of a client to the other servers.
func (s *Server) publish(key roomKey, m *outgoing) {
	if s.cluster != nil {
		s.cluster.bus.Publish(broadcastSubject+subjectOf(key), appendBroadcast(nil, key, m))
	}
}

// Flags of a broadcast between servers.
const (
	isPrivate    = 1 << iota
	hasBroadcast // the message is outgoing.broadcast, not event and payload
	isJSON
)

// appendBroadcast appends a broadcast: its flags, and its parts with their lengths.
func appendBroadcast(out []byte, key roomKey, m *outgoing) []byte {
	flags := byte(0)
	if key.private {
		flags |= isPrivate
	}
	parts := [][]byte{[]byte(key.topic), nil, nil, m.payload}
	if b := m.broadcast; b != nil {
		flags |= hasBroadcast
		if b.IsJSON {
			flags |= isJSON
		}
		parts[1], parts[2], parts[3] = []byte(b.Event), b.Meta, b.Payload
	}
	out = append(out, flags)
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
	flags, rest := data[0], data[1:]
	var parts [4][]byte
	for i := range parts {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return key, nil, false
		}
		parts[i], rest = rest[n:n+int(size)], rest[n+int(size):]
	}
	key = roomKey{string(parts[0]), flags&isPrivate != 0}
	m = &outgoing{topic: topicPrefix + key.topic, event: "broadcast", payload: parts[3]}
	if flags&hasBroadcast != 0 {
		m.broadcast = &frame.Broadcast{Event: string(parts[1]), Meta: parts[2], IsJSON: flags&isJSON != 0, Payload: parts[3]}
	}
	return key, m, true
}
