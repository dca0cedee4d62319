package realtime

import (
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
	"plaza/server/realtime/presence"
)

// track handles a presence event of the client.
func (ch *channel) track(m frame.Message) {
	s := ch.client.server
	var sent struct {
		Event   string          `json:"event"`
		Payload json.RawMessage `json:"payload"`
	}
	if err := json.Unmarshal(m.Payload, &sent); err != nil || ch.ended() {
		ch.refuse(m.Ref, "Presence payload must be a map")
		return
	}
	event := strings.ToLower(sent.Event)
	if event != "track" && event != "untrack" {
		ch.refuse(m.Ref, "Unknown presence event: "+sent.Event)
		return
	}
	if ch.presenceCalls.add(s.now(), s.cfg.MaxTracks, s.cfg.TrackWindow) {
		ch.closeWithError("Client presence rate limit exceeded")
		return
	}
	if s.presences.add(1) {
		ch.closeWithError("Too many presence messages per second")
		return
	}
	if event == "untrack" {
		ch.setEntry(nil)
		ch.reply(m.Ref, "ok", "{}")
		return
	}
	ch.trackEntry(m, sent.Payload)
}

// trackEntry sets the channel's presence to a payload.
func (ch *channel) trackEntry(m frame.Message, payload []byte) {
	s := ch.client.server
	switch {
	case len(payload) == 0:
		payload = []byte("{}")
	case payload[0] != '{':
		ch.refuse(m.Ref, "Presence track payload must be a map")
		return
	case !s.cfg.fits(len(payload)):
		ch.closeWithError("Track message size exceeded")
		return
	}
	if err := ch.checkWrite(messages.Presence); err != nil {
		ch.refuse(m.Ref, ch.client.refusalOf(err, writeDenied(ch.name)))
		return
	}
	// The policies for receiving presences have not been checked if the channel was joined without presence.
	if ch.config.private && !ch.config.presence {
		ch.config.presence = true
		who, _ := ch.caller()
		if rights, err := ch.client.mayRead(who, ch.name, true); err == nil {
			ch.setRights(rights, unixNanos(who.Expires))
		}
	}
	ch.setEntry(payload)
	ch.reply(m.Ref, "ok", "{}")
}

// setEntry sets the channel's presence to a payload, or removes it if payload is nil. The same payload
// changes nothing.
func (ch *channel) setEntry(payload []byte) {
	s := ch.client.server
	r := ch.room.Load()
	r.mu.Lock()
	defer r.mu.Unlock()
	before := ch.entry
	if ch.hasLeft || payload != nil && before != nil && before.Same(payload) {
		return
	}
	var entry *presence.Entry
	if payload != nil {
		if ch.config.presenceKey == "" {
			ch.config.presenceKey = uuid.NewString()
		}
		entry = &presence.Entry{Key: ch.config.presenceKey, Ref: s.nextRef(), Payload: payload}
		if before != nil {
			entry.Prev = before.Ref
		}
	}
	r.replaceEntry(ch, entry, s.now())
}
