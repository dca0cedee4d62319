package realtime

import (
	"encoding/json"
	"errors"
	"sync"
	"time"

	"plaza/server/jsontext"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
)

// channel is a client's membership of a topic.
type channel struct {
	membership

	client       *client
	topic        string // on the wire
	name         string // without topicPrefix
	joinRef, ref frame.Ref
	config       joinConfig

	presenceCalls callLimiter // only tasks use it

	mu           sync.Mutex
	ready        sync.Cond // a waiting task has started
	waiting      []task
	waitingBytes int
	changes      subscription
	isBusy       bool
	isEnded      bool
	listens      bool // it is counted by changes.Listen
	who          messages.Caller
	token        string
	mayWrite     map[string]error // results of the policy checks by extension; those not checked are missing
}

// task is a step of a channel. Tasks run one after another.
type task struct {
	size int // bytes that it keeps in memory
	run  func()
}

// Limits of the tasks that wait. When they are reached, the goroutine that reads from the client blocks.
const (
	maxWaiting      = 256
	maxWaitingBytes = 1 << 20
)

// enqueue runs a task after those that were enqueued before. A task that uses the database runs in
// another goroutine.
func (ch *channel) enqueue(usesDatabase bool, t task) {
	ch.mu.Lock()
	for ch.isBusy && !ch.isEnded && (len(ch.waiting) >= maxWaiting || ch.waitingBytes+t.size > maxWaitingBytes && len(ch.waiting) > 0) {
		ch.ready.Wait()
	}
	if ch.isBusy {
		ch.waiting = append(ch.waiting, t)
		ch.waitingBytes += t.size
		ch.mu.Unlock()
		return
	}
	ch.isBusy = true
	ch.mu.Unlock()
	if usesDatabase {
		go ch.run(t)
	} else {
		ch.run(t)
	}
}

// run runs a task and those that were enqueued meanwhile.
func (ch *channel) run(t task) {
	for {
		t.run()
		ch.mu.Lock()
		if len(ch.waiting) == 0 {
			ch.waiting, ch.isBusy = nil, false
			ch.mu.Unlock()
			return
		}
		t = ch.waiting[0]
		ch.waiting[0] = task{}
		ch.waiting = ch.waiting[1:]
		ch.waitingBytes -= t.size
		ch.ready.Signal()
		ch.mu.Unlock()
	}
}

// handle handles a message of the client.
func (ch *channel) handle(m frame.Message) {
	size := len(m.Payload)
	if m.Broadcast != nil {
		size = len(m.Broadcast.Payload)
	}
	switch m.Event {
	case "phx_leave":
		ch.enqueue(false, task{run: func() {
			ch.reply(m.Ref, "ok", "{}")
			ch.end(ch.sendClose)
		}})
	case "access_token":
		ch.enqueue(ch.config.private || ch.config.wantsChanges, task{size, func() { ch.renewToken(m.Payload) }})
	case "broadcast":
		ch.enqueue(ch.needsPolicyCheck(messages.Broadcast) || m.Broadcast != nil && len(m.Broadcast.Meta) > 0, task{size, func() { ch.broadcast(m) }})
	case "presence":
		ch.enqueue(ch.needsPolicyCheck(messages.Presence), task{size, func() { ch.track(m) }})
	default:
		ch.client.server.log.DebugContext(ch.client.ctx, "unknown event on a channel", "event", m.Event)
	}
}

// end ends the channel: it leaves the room and ends its subscription. Only the first call has an effect, and calls
// last, if it is not nil, to send the client a final message.
func (ch *channel) end(last func()) {
	ch.mu.Lock()
	isEnded, listens, group := ch.isEnded, ch.listens, ch.changes.group
	ch.isEnded = true
	ch.ready.Broadcast()
	ch.mu.Unlock()
	if isEnded {
		return
	}
	if listens {
		ch.client.server.changes.Unlisten()
	}
	if group != nil {
		group.Close()
	}
	ch.client.server.rooms.leave(ch, ch.client.server.now())
	ch.client.conn.DropDelayed(ch)
	ch.client.remove(ch)
	if last != nil {
		last()
	}
}

// listen makes the server read the WAL while the channel is joined.
func (ch *channel) listen() {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if !ch.isEnded {
		ch.listens = true
		ch.client.server.changes.Listen()
	}
}

func (ch *channel) ended() bool {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.isEnded
}

// sendClose notifies the client that the channel is closed; realtime-js does not rejoin it.
func (ch *channel) sendClose() {
	ch.client.send(ch.joinRef, ch.ref, ch.topic, "phx_close", []byte("{}"))
}

// closeWithError sends the client an error and closes the channel; realtime-js does not rejoin it.
func (ch *channel) closeWithError(text string) {
	ch.end(func() {
		ch.system("system", "error", text)
		ch.sendClose()
	})
}

// crash ends the channel with phx_error, which makes the client join again.
func (ch *channel) crash(text string) {
	ch.end(func() { ch.client.send(ch.joinRef, ch.ref, ch.topic, "phx_error", reason(text)) })
}

func (ch *channel) reply(ref frame.Ref, status, response string) {
	ch.client.reply(ch.joinRef, ref, ch.topic, status, response)
}

func (ch *channel) refuse(ref frame.Ref, text string) { ch.reply(ref, "error", string(reason(text))) }

// system sends a message about the channel itself.
func (ch *channel) system(extension, status, text string) {
	out := jsontext.AppendString([]byte(`{"extension":`), extension)
	out = jsontext.AppendString(append(out, `,"status":`...), status)
	out = jsontext.AppendString(append(out, `,"message":`...), text)
	out = jsontext.AppendString(append(out, `,"channel":`...), ch.name)
	ch.client.send("", "", ch.topic, "system", append(out, '}'))
}

func reason(text string) []byte {
	return append(jsontext.AppendString([]byte(`{"reason":`), text), '}')
}

// renewToken handles the event access_token.
func (ch *channel) renewToken(payload []byte) {
	var sent struct {
		Token *string `json:"access_token"`
	}
	if json.Unmarshal(payload, &sent) != nil || sent.Token == nil || isAPIKey(*sent.Token) || ch.ended() {
		return
	}
	caller, token := ch.caller()
	if *sent.Token == token {
		return
	}
	who, refused := ch.client.server.verify(*sent.Token)
	if refused != nil {
		ch.closeWithError(refused.text)
		return
	}
	caller.Caller = who
	rights := messages.Rights{Broadcast: true, Presence: true}
	if ch.config.private {
		var err error
		if rights, err = ch.client.mayRead(caller, ch.name, ch.config.presence || ch.receivesPresence()); err != nil {
			ch.closeUnauthorized(err)
			return
		}
	}
	ch.setCaller(caller, *sent.Token)
	before := ch.setRights(rights, unixNanos(who.Expires))
	ch.renewSubscription(caller)
	if before.Broadcast && !rights.Broadcast || before.Presence && !rights.Presence {
		ch.closeWithError("You no longer have permission to read from this Channel topic: " + ch.name)
	}
}

// closeUnauthorized ends the channel after the check of its new token has failed.
func (ch *channel) closeUnauthorized(err error) {
	if errors.Is(err, messages.ErrDenied) {
		ch.closeWithError(readDenied(ch.name))
	} else {
		ch.crash(ch.client.refusalOf(err, readDenied(ch.name)))
	}
}

// caller returns the channel's caller and token.
func (ch *channel) caller() (messages.Caller, string) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.who, ch.token
}

// setCaller replaces the caller and the token. The results of policy checks are discarded.
func (ch *channel) setCaller(who messages.Caller, token string) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.who, ch.token, ch.mayWrite = who, token, nil
}

// unixNanos converts a token's expiry to a membership's; 0 means never.
func unixNanos(expires time.Time) int64 {
	if expires.IsZero() {
		return 0
	}
	return expires.UnixNano()
}

// expiryGrace is how long a channel whose token has expired stays open, without receiving messages, for
// a client that is about to renew its token. realtime-js does not join a closed channel again.
const expiryGrace = 10 * time.Second

// sweep closes the channels whose tokens have expired or whose sessions have ended.
func (s *Server) sweep() {
	now := s.now()
	for _, c := range s.snapshot() {
		for ch, why := range c.overdue(now) {
			ch.closeWithError(why.text)
		}
	}
}

// overdue returns the channels to close, with the reason; usually nil.
func (c *client) overdue(now time.Time) (found map[*channel]*tokenError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ch := range c.channels {
		if why := c.server.overdue(ch, now); why != nil {
			if found == nil {
				found = make(map[*channel]*tokenError)
			}
			found[ch] = why
		}
	}
	return found
}

// overdue returns why a channel is to be closed, or nil.
func (s *Server) overdue(ch *channel, now time.Time) *tokenError {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if expires := ch.who.Expires; !expires.IsZero() && now.Sub(expires) >= expiryGrace {
		return expiredError(expires, now)
	}
	if s.auth.Verifier.CheckRefused(&ch.who.Caller) != nil {
		return errEnded
	}
	return nil
}
