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

	calls calls // of presence; only tasks use it

	mu           sync.Mutex
	ready        sync.Cond // some waiting task has begun
	waiting      []task
	waitingBytes int
	changes      subscription
	isBusy       bool
	isEnded      bool
	listens      bool // it counts as a listener of changes
	who          messages.Caller
	token        string
	mayWrite     map[string]error // answers of the policies by extension; those not asked are missing
}

// task is a step of a channel. Tasks run one after another.
type task struct {
	size int // bytes that it keeps in memory
	run  func()
}

// Limits of the tasks that wait. The goroutine that reads waits when they are reached.
const (
	maxWaiting      = 256
	maxWaitingBytes = 1 << 20
)

// do runs a task after those before it. asks means that it asks the database, so that it gets
// a goroutine of its own.
func (ch *channel) do(asks bool, t task) {
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
	if asks {
		go ch.run(t)
	} else {
		ch.run(t)
	}
}

// run runs a task and those that came meanwhile.
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
		ch.do(false, task{run: func() {
			ch.reply(m.Ref, "ok", "{}")
			ch.end(ch.sendClose)
		}})
	case "access_token":
		ch.do(ch.config.private || ch.config.wantsChanges, task{size, func() { ch.renewToken(m.Payload) }})
	case "broadcast":
		ch.do(ch.mustAsk(messages.Broadcast) || m.Broadcast != nil && len(m.Broadcast.Meta) > 0, task{size, func() { ch.broadcast(m) }})
	case "presence":
		ch.do(ch.mustAsk(messages.Presence), task{size, func() { ch.track(m) }})
	default:
		ch.client.server.log.DebugContext(ch.client.ctx, "unknown event on a channel", "event", m.Event)
	}
}

// end leaves the room. last is called once, before the client could join again; nil sends
// nothing.
func (ch *channel) end(last func()) {
	ch.mu.Lock()
	isEnded, listens := ch.isEnded, ch.listens
	ch.isEnded = true
	ch.ready.Broadcast()
	ch.mu.Unlock()
	if isEnded {
		return
	}
	if listens {
		ch.client.server.changes.Unlisten()
	}
	ch.unsubscribe()
	ch.client.server.rooms.leave(ch, ch.client.server.now())
	ch.client.remove(ch)
	if last != nil {
		last()
	}
}

// listen makes the server read the log as long as the channel is joined.
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

// sendClose tells the client that the channel is closed for good.
func (ch *channel) sendClose() {
	ch.client.send(ch.joinRef, ch.ref, ch.topic, "phx_close", []byte("{}"))
}

// shut closes the channel for good and tells the client why.
func (ch *channel) shut(why string) {
	ch.end(func() {
		ch.system("system", "error", why)
		ch.sendClose()
	})
}

// crash closes the channel so that the client joins again.
func (ch *channel) crash(why string) {
	ch.end(func() { ch.client.send(ch.joinRef, ch.ref, ch.topic, "phx_error", reason(why)) })
}

func (ch *channel) reply(ref frame.Ref, status, response string) {
	ch.client.reply(ch.joinRef, ref, ch.topic, status, response)
}

func (ch *channel) refuse(ref frame.Ref, why string) { ch.reply(ref, "error", string(reason(why))) }

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
	if json.Unmarshal(payload, &sent) != nil || sent.Token == nil || isKey(*sent.Token) || ch.ended() {
		return
	}
	now, token := ch.caller()
	if *sent.Token == token {
		return
	}
	who, refused := ch.client.server.verify(*sent.Token)
	if refused != nil {
		ch.shut(refused.text)
		return
	}
	now.Caller = who
	hears := messages.Rights{Broadcast: true, Presence: true}
	if ch.config.private {
		var err error
		if hears, err = ch.client.mayRead(now, ch.name, ch.config.presence || ch.hearsPresence()); err != nil {
			ch.lose(err)
			return
		}
	}
	ch.setCaller(now, *sent.Token)
	before := ch.setHears(hears, until(who.Expires))
	ch.renewSubscription(now)
	if before.Broadcast && !hears.Broadcast || before.Presence && !hears.Presence {
		ch.shut("You no longer have permission to read from this Channel topic: " + ch.name)
	}
}

// lose ends a channel whose rights were not confirmed.
func (ch *channel) lose(err error) {
	if errors.Is(err, messages.ErrDenied) {
		ch.shut(noRead(ch.name))
	} else {
		ch.crash(refusalOf(err, ch.name))
	}
}

// caller returns whom the channel acts for, and the token.
func (ch *channel) caller() (messages.Caller, string) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.who, ch.token
}

// setCaller changes whom the channel acts for. What it may write is asked again.
func (ch *channel) setCaller(who messages.Caller, token string) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.who, ch.token, ch.mayWrite = who, token, nil
}

// until returns a token's expiry as a membership has it.
func until(expires time.Time) int64 {
	if expires.IsZero() {
		return 0
	}
	return expires.UnixNano()
}

// expiryGrace is how long a channel whose token has expired stays open, without a message, for
// a client that is about to renew its token. realtime-js does not join a closed channel again.
const expiryGrace = 10 * time.Second

// sweep ends the channels whose tokens have expired or whose sessions have ended.
func (s *Server) sweep() {
	now := s.now()
	for _, c := range s.snapshot() {
		for ch, why := range c.overdue(now) {
			ch.shut(why.text)
		}
	}
}

// overdue returns the channels that are to be ended, with the reason; usually nil.
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

// overdue returns why a channel is to be ended, or nil.
func (s *Server) overdue(ch *channel, now time.Time) *tokenError {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if expires := ch.who.Expires; !expires.IsZero() && now.Sub(expires) >= expiryGrace {
		return expired(expires, now)
	}
	if s.auth.Verifier.CheckRefused(&ch.who.Caller) != nil {
		return errEnded
	}
	return nil
}
