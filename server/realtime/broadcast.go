package realtime

import (
	"errors"

	"plaza/server/jsontext"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
)

// needsPolicyCheck reports whether the channel's next message needs a check of the policies.
func (ch *channel) needsPolicyCheck(extension string) bool {
	if !ch.config.private {
		return false
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	_, isChecked := ch.mayWrite[extension]
	return !isChecked
}

// checkWrite returns nil if the channel may send. The result of the policies is cached until the token changes.
//
// Errors: a tokenError; messages.ErrDenied; the database's.
func (ch *channel) checkWrite(extension string) error {
	ch.mu.Lock()
	who := ch.who
	err, isChecked := ch.mayWrite[extension]
	ch.mu.Unlock()
	if now := ch.client.server.now(); !who.Expires.IsZero() && !now.Before(who.Expires) {
		return expiredError(who.Expires, now)
	}
	if isChecked || !ch.config.private {
		return err
	}
	err = ch.client.server.store.CheckWrite(ch.client.ctx, who, ch.name, extension)
	if err == nil || errors.Is(err, messages.ErrDenied) {
		ch.mu.Lock()
		if ch.mayWrite == nil {
			ch.mayWrite = make(map[string]error)
		}
		ch.mayWrite[extension] = err
		ch.mu.Unlock()
	}
	return err
}

// broadcast handles a broadcast of the client.
func (ch *channel) broadcast(m frame.Message) {
	s := ch.client.server
	if ch.ended() {
		return
	}
	acknowledge := func(status, response string) {
		if ch.config.ack {
			ch.reply(m.Ref, status, response)
		}
	}
	out := &outgoing{topic: ch.topic, event: "broadcast", payload: m.Payload, broadcast: m.Broadcast}
	size := len(m.Payload)
	if m.Broadcast != nil {
		size = len(m.Broadcast.Payload)
	}
	if !s.cfg.fits(size) {
		acknowledge("error", `"payload_size_exceeded"`)
		return
	}
	if err := ch.checkWrite(messages.Broadcast); err != nil {
		acknowledge("error", string(reason(ch.client.refusalOf(err, writeDenied(ch.name)))))
		return
	}
	stored, err := ch.storeIfRequested(out)
	if err != nil {
		acknowledge("error", `{"error":`+string(jsontext.AppendString(nil, err.Error()))+`}`)
		return
	}
	except := ch
	if ch.config.self {
		except = nil
	}
	r := ch.room.Load()
	s.deliver(r, out, except)
	if !stored { // otherwise the other servers read it from the WAL
		s.publish(r.key, out)
	}
	acknowledge("ok", "{}")
}

// storeIfRequested stores a broadcast if its metadata asks for it. Its errors are for the client.
func (ch *channel) storeIfRequested(m *outgoing) (stored bool, err error) {
	if m.broadcast == nil {
		return false, nil
	}
	p, err := persistOf(m.broadcast.Meta)
	if err == nil {
		err = p.check(ch.config.private)
	}
	if err != nil || !p.wanted {
		return false, err
	}
	if err := ch.client.server.storeBroadcast(ch.client.ctx, ch.name, m, p); err != nil {
		return false, errors.New(ch.client.refusalOf(err, writeDenied(ch.name)))
	}
	return true, nil
}

// send sends a broadcast to the members of a room on all servers.
func (s *Server) send(key roomKey, m *outgoing) {
	s.deliver(s.rooms.get(key), m, nil)
	s.publish(key, m)
}

// deliver sends a message to the members of a room of this server, which may be nil.
func (s *Server) deliver(r *room, m *outgoing, except *channel) {
	if r == nil {
		s.events.add(1)
		return
	}
	sent := r.broadcast(m, except, s.now())
	s.counts.delivered.Add("broadcast", uint64(sent))
	if s.events.add(1 + sent) {
		for _, ch := range r.copyMembers() {
			ch.closeWithError("Too many messages per second")
		}
	}
}
