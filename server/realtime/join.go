package realtime

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/gobwas/ws"

	"plaza/server/apierr"
	"plaza/server/jsontext"
	"plaza/server/pg"
	"plaza/server/realtime/changes"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
)

// refusalPauses are the pauses before the answers to refused joins of one connection. They slow down
// clients that join again at once.
var refusalPauses = []time.Duration{0, time.Second, 2 * time.Second, 5 * time.Second}

// refuse answers a join that is refused, after a pause in which no other message of the client is
// handled.
func (c *client) refuse(m frame.Message, text string) {
	c.pauseRefusal()
	c.reply(m.JoinRef, m.Ref, m.Topic, "error", string(reason(text)))
}

func (c *client) pauseRefusal() {
	c.server.counts.joins.Add("refused", 1)
	select {
	case <-time.After(refusalPauses[min(int(c.refusals.Add(1)), len(refusalPauses))-1]):
	case <-c.ctx.Done():
	}
}

// join handles a join.
func (c *client) join(m frame.Message) {
	s := c.server
	name := m.Topic[len(topicPrefix):]
	config, err := parseJoin(m.Payload)
	if err != nil {
		s.log.DebugContext(c.ctx, "InvalidJoinPayload", "error", err)
	}
	switch {
	case s.isClosing():
		c.refuse(m, "RealtimeRestarting: Realtime is restarting, please standby")
		return
	case name == "":
		c.refuse(m, "TopicNameRequired: You must provide a topic name")
		return
	case s.cfg.PrivateOnly && !config.private:
		c.refuse(m, "PrivateOnly: This project only allows private channels")
		return
	case s.joins.add(1):
		c.refuse(m, "ClientJoinRateLimitReached: Too many joins per second")
		c.conn.Close(ws.StatusGoingAway, "")
		return
	}
	who, token := c.who, c.token
	if config.token != "" && config.token != token && !isAPIKey(config.token) {
		token = config.token
	}
	config.token = ""
	var refused *tokenError
	if who.Caller, refused = s.verify(token); refused != nil {
		c.refuse(m, refused.code+": "+refused.text)
		return
	}
	ch := &channel{client: c, topic: m.Topic, name: name, joinRef: m.JoinRef, ref: m.Ref, config: config, who: who, token: token}
	ch.ready.L = &ch.mu
	replaced, ok := c.put(ch)
	if !ok {
		c.refuse(m, "ChannelRateLimitReached: Too many channels")
		return
	}
	if replaced != nil {
		replaced.end(replaced.sendClose)
	}
	ch.enqueue(config.private || config.wantsChanges, task{len(m.Payload), ch.join})
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// fail refuses the join of a channel that was added.
func (ch *channel) fail(text string) {
	ch.client.pauseRefusal()
	ch.end(func() { ch.refuse(ch.ref, text) })
}

// join is the first task of a channel: it enters the room, if policies allow it.
func (ch *channel) join() {
	rights := messages.Rights{Broadcast: true, Presence: true}
	if ch.config.private {
		who, _ := ch.caller()
		var err error
		if rights, err = ch.client.mayRead(who, ch.name, ch.config.presence); err != nil {
			ch.fail(ch.client.refusalOf(err, readDenied(ch.name)))
			return
		}
	}
	if text := ch.config.checkReplay(); text != "" {
		ch.fail(text)
		return
	}
	s, now := ch.client.server, ch.client.server.now()
	ch.rights, ch.expires = rights, unixNanos(ch.who.Expires)
	if ch.config.replay != nil || ch.config.wait > 0 {
		ch.buffer = new(joinBuffer)
	}
	answer := `{"postgres_changes":` + string(appendChanges(nil, ch.config.changes)) + `}`
	s.rooms.enter(roomKey{ch.name, ch.config.private}, ch, func(r *room) {
		if ch.config.wait == 0 && !ch.ended() {
			ch.accept(r, answer)
		}
	})
	ch.listen()
	if ch.ended() { // meanwhile
		s.rooms.leave(ch, now)
		return
	}
	switch {
	case ch.config.wait > 0:
		confirmed := make(chan struct{})
		ch.changes.confirmed = confirmed
		if err := ch.subscribe(); err != nil {
			ch.fail(ch.client.refusalOf(err, readDenied(ch.name)))
			return
		}
		go ch.acceptSubscribed(confirmed, answer)
	case ch.config.wantsChanges:
		ch.trySubscribe()
	}
	if ch.config.replay != nil && ch.config.wait == 0 {
		ch.replay()
	}
	if ch.config.replicationReady {
		go ch.awaitReplication()
	}
}

// accept answers the join. The room's mu is held.
func (ch *channel) accept(r *room, answer string) {
	ch.client.server.saw(ch, ch.client.server.changes.Position())
	ch.client.server.counts.joins.Add("ok", 1)
	ch.reply(ch.ref, "ok", answer)
	if ch.buffer == nil {
		ch.sendState(r)
	}
}

// acceptSubscribed answers a join that waits for its subscription, once it is confirmed, and sends
// what has arrived since the channel entered the room.
func (ch *channel) acceptSubscribed(confirmed <-chan struct{}, answer string) {
	select {
	case <-confirmed:
	case <-ch.client.ctx.Done():
		return
	case <-time.After(ch.config.wait):
		if ch.ended() {
			return
		}
		ch.fail("PostgresChangesSubscribeTimeout: Changes of tables could not be subscribed to in time")
		return
	}
	r := ch.room.Load()
	r.mu.Lock()
	if !ch.ended() {
		ch.accept(r, answer)
	}
	r.mu.Unlock()
	ch.sendSubscribed()
	if ch.config.replay != nil {
		ch.replay()
	} else {
		ch.flushBuffer(nil)
	}
}

// replicationTimeout is how long a client that has set replication_ready waits.
const replicationTimeout = time.Minute

// awaitReplication notifies the client when broadcasts from the database are delivered.
func (ch *channel) awaitReplication() {
	within, cancel := context.WithTimeout(ch.client.ctx, replicationTimeout)
	defer cancel()
	if ch.client.server.changes.Await(within) == nil {
		ch.system("system", "ok", "Replication connection established")
	} else {
		ch.closeWithError("Replication connection was not established in time")
	}
}

func (c *joinConfig) checkReplay() string {
	switch {
	case c.replay == nil:
		return ""
	case !c.private:
		return "UnableToReplayMessages: Replay is not allowed for public channels"
	case !c.replay.isValid:
		return "UnableToReplayMessages: Replay params are not valid"
	}
	return ""
}

// sendState sends the state of presences. The room's mu is held.
func (ch *channel) sendState(r *room) {
	if ch.config.presence && ch.rights.Presence {
		ch.client.send("", "", ch.topic, "presence_state", r.present.AppendJSON(nil))
	}
}

// replay sends stored broadcasts, and then what has arrived since the channel entered the room.
func (ch *channel) replay() {
	s, request := ch.client.server, ch.config.replay
	stored, err := s.store.Replay(ch.client.ctx, ch.name, request.since, request.limit)
	if err != nil {
		s.log.WarnContext(ch.client.ctx, "cannot replay messages", "error", err)
		ch.crash("UnableToReplayMessages: Realtime was unable to replay messages")
		return
	}
	sent := make(map[string]bool, len(stored))
	for _, m := range stored {
		if f := replayed(ch.topic, m).frame(ch.client.version); f != nil && ch.rights.Broadcast {
			ch.client.conn.Send(f)
			sent[m.ID] = true
		}
	}
	ch.flushBuffer(sent)
}

// flushBuffer sends what has arrived since the channel entered the room, except for the messages whose
// ids are in sent.
func (ch *channel) flushBuffer(sent map[string]bool) {
	r := ch.room.Load()
	r.mu.Lock()
	buffer := ch.buffer
	ch.buffer = nil
	ch.sendState(r)
	missed := buffer.isFull
	for _, m := range buffer.messages {
		if !sent[m.id] {
			_, full := ch.sendFrame(m.frame, m.isPaced)
			missed = missed || full
		}
	}
	r.mu.Unlock()
	if missed {
		ch.Missed()
	}
}

// replayed returns the message for a stored broadcast.
func replayed(topic string, stored messages.Stored) *outgoing {
	meta := append(jsontext.AppendString([]byte(`{"replayed":true,"id":`), stored.ID), '}')
	b := &frame.Broadcast{Event: stored.Event, Meta: meta, IsJSON: stored.Payload != nil, Payload: stored.Payload}
	if !b.IsJSON {
		b.Payload = stored.Bytes
	}
	return &outgoing{topic: topic, broadcast: b}
}

// mayRead checks what the policies let a caller receive on a channel.
func (c *client) mayRead(who messages.Caller, name string, presence bool) (messages.Rights, error) {
	return c.server.store.CheckRead(c.ctx, who, name, presence)
}

func readDenied(name string) string {
	return "You do not have permissions to read from this Channel topic: " + name
}

func writeDenied(name string) string {
	return "You do not have permissions to write to this Channel topic: " + name
}

// refusalOf returns the text for the client after an error; denied is the text if policies do not allow it. Faults of
// the database are logged.
func (c *client) refusalOf(err error, denied string) string {
	if expired, ok := errors.AsType[*tokenError](err); ok {
		return expired.code + ": " + expired.text
	}
	if refused, ok := errors.AsType[changes.RefusedError](err); ok {
		return "RealtimeDisabledForConfiguration: " + refused.Error()
	}
	if errors.Is(err, messages.ErrDenied) {
		return "Unauthorized: " + denied
	}
	c.server.log.WarnContext(c.ctx, "the database failed for a channel", "error", err)
	return faultText(err)
}

// faultText returns the text for clients after a fault of the database. Clients do not get the error itself, which may
// contain the database's address.
func faultText(err error) string {
	refusal := pg.AsPgError(err)
	visible := apierr.As(err)
	switch {
	case errors.Is(err, pg.ErrBusy):
		return "IncreaseConnectionPool: Please increase your connection pool size"
	case messages.IsNoPartition(err):
		return "MissingPartition: Realtime was unable to find the expected messages partition"
	case refusal != nil && refusal.Code == "57014", visible != nil && visible.Code == "57014":
		return "QueryCanceled: The database took too long to answer"
	case refusal != nil && refusal.Code[:2] == "53":
		return "DatabaseLackOfConnections: Database can't accept more connections, Realtime won't connect"
	case visible != nil, pg.IsUnavailable(err):
		return "UnableToConnectToProject: Realtime was unable to connect to the project database"
	}
	return "UnknownErrorOnChannel: Realtime could not query the database"
}

// appendChanges appends the entries of postgres_changes with their ids.
func appendChanges(out []byte, entries [][]byte) []byte {
	out = append(out, '[')
	for i, entry := range entries {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = appendEntry(out, entry)
	}
	return append(out, ']')
}

// appendEntry appends an entry as it was sent, without nulls, and with an id. Equal entries have the
// same id.
func appendEntry(out, entry []byte) (_ []byte, id uint32) {
	out = append(out, '{')
	start := len(out)
	jsontext.Members(entry, func(key, value []byte) bool {
		if string(value) != "null" && string(key) != `"id"` {
			out = append(append(append(append(out, key...), ':'), value...), ',')
		}
		return true
	})
	id = idOf(out[start:])
	return append(strconv.AppendUint(append(out, `"id":`...), uint64(id), 10), '}'), id
}

// idOf returns the id of an entry: 27 bits, like upstream's.
func idOf(entry []byte) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(entry)
	return h.Sum32() & (1<<27 - 1)
}
