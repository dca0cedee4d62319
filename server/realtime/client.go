package realtime

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"plaza/server/httpx"
	"plaza/server/realtime/frame"
	"plaza/server/realtime/messages"
	"plaza/server/realtime/socket"
)

// client is a WebSocket connection and its channels.
type client struct {
	server  *Server
	conn    *socket.Conn
	version frame.Version
	who     messages.Caller // whose key or token the handshake had
	token   string
	ctx     context.Context // ends with the connection
	cancel  context.CancelFunc

	refusals atomic.Int32 // of joins

	mu       sync.Mutex
	channels map[string]*channel // by topic on the wire
}

// serveWebSocket serves the handshake of a WebSocket.
func (s *Server) serveWebSocket(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	version, ok := frame.ParseVersion(query.Get("vsn"))
	if !ok {
		answer(w, http.StatusForbidden, "error", "The protocol version is not one of 1.0.0 and 2.0.0")
		return
	}
	token := r.Header.Get("x-api-key")
	for _, other := range []string{r.Header.Get("apikey"), query.Get("apikey")} {
		if token == "" {
			token = other
		}
	}
	if token == "" {
		answer(w, http.StatusUnauthorized, "error", "API key is missing")
		return
	}
	who, refused := s.verify(token)
	if refused != nil {
		text := refused.text
		if strings.HasPrefix(text, "Token has expired") {
			text = "Token has expired"
		}
		answer(w, http.StatusUnauthorized, "error", text)
		return
	}
	c := &client{server: s, version: version, who: messages.Caller{Caller: who, Headers: httpx.HeadersJSON(r.Header)}, token: token, channels: make(map[string]*channel)}
	c.ctx, c.cancel = context.WithCancel(context.Background()) // the request's context would keep the request in memory
	if status, text := s.admit(c); status != 0 {
		answer(w, status, "error", text)
		return
	}
	var err error
	if c.conn, err = s.sockets.Accept(w, r); err != nil {
		s.forget(c)
		return
	}
	go c.run()
}

// admit registers a client. If it is refused, it returns the status and the text of the answer.
func (s *Server) admit(c *client) (status int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return http.StatusServiceUnavailable, "Realtime is restarting, please standby"
	case s.cfg.MaxUsers > 0 && len(s.clients)+s.otherUsers >= s.cfg.MaxUsers:
		return http.StatusTooManyRequests, "Too many connected users"
	}
	s.clients[c] = struct{}{}
	return 0, ""
}

func (s *Server) forget(c *client) {
	c.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, c)
}

// run reads the client's messages until the connection ends. After a message it continues in a new goroutine, whose
// stack is small again: most connections are idle most of the time, and the grown stack would stay allocated. Heartbeats
// do not grow it.
func (c *client) run() {
	for {
		isBinary, data, err := c.conn.Read()
		if err != nil {
			c.leaveAll()
			c.server.forget(c)
			c.conn.Release()
			return
		}
		m, err := c.decode(isBinary, data)
		switch {
		case err != nil:
			c.server.log.DebugContext(c.ctx, "MalformedWebSocketMessage", "error", err)
		case m.Topic == "phoenix" && m.Event == "heartbeat":
			c.conn.SendNow(c.replyFrame("", m.Ref, m.Topic, "ok", "{}"))
			continue
		default:
			c.handle(m)
		}
		if !c.conn.HasBuffered() {
			go c.run()
			return
		}
	}
}

func (c *client) decode(isBinary bool, data []byte) (frame.Message, error) {
	if isBinary && c.version == frame.V2 {
		return frame.DecodeBinary(data)
	}
	return c.version.DecodeText(data)
}

// handle passes a message to its channel. Those of one channel are handled in order; a database query blocks
// only its channel.
func (c *client) handle(m frame.Message) {
	if m.Event == "phx_join" && strings.HasPrefix(m.Topic, topicPrefix) {
		c.join(m)
	} else if ch := c.channel(m.Topic); ch != nil {
		ch.handle(m)
	} else {
		c.answerUnmatched(m)
	}
}

// answerUnmatched answers a message on a topic that is not joined.
func (c *client) answerUnmatched(m frame.Message) {
	if m.Event == "phx_leave" {
		c.reply(m.JoinRef, m.Ref, m.Topic, "ok", "{}")
		return
	}
	c.reply("", m.Ref, m.Topic, "error", `{"reason":"unmatched topic"}`)
}

func (c *client) channel(topic string) *channel {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.channels[topic]
}

// put adds a channel. It returns the one that it replaces, or false if there are too many.
func (c *client) put(ch *channel) (replaced *channel, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	replaced = c.channels[ch.topic]
	if limit := c.server.cfg.MaxChannels; replaced == nil && limit > 0 && len(c.channels) >= limit {
		return nil, false
	}
	c.channels[ch.topic] = ch
	return replaced, true
}

// remove removes a channel unless another has replaced it.
func (c *client) remove(ch *channel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels[ch.topic] == ch {
		delete(c.channels, ch.topic)
	}
}

func (c *client) joinedChannels() []*channel {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*channel, 0, len(c.channels))
	for _, ch := range c.channels {
		all = append(all, ch)
	}
	return all
}

// leaveAll ends all channels after the connection has ended.
func (c *client) leaveAll() {
	for _, ch := range c.joinedChannels() {
		ch.end(nil)
	}
}

// announceClose sends the reason for closing the connection on each channel.
func (c *client) announceClose(reason string) {
	for _, ch := range c.joinedChannels() {
		ch.system("system", "ok", reason)
	}
}

func (c *client) reply(joinRef, ref frame.Ref, topic, status, response string) {
	c.conn.Send(c.replyFrame(joinRef, ref, topic, status, response))
}

func (c *client) replyFrame(joinRef, ref frame.Ref, topic, status, response string) *socket.Frame {
	return c.frame(joinRef, ref, topic, frame.Reply, []byte(`{"status":"`+status+`","response":`+response+`}`))
}

func (c *client) send(joinRef, ref frame.Ref, topic, event string, payload []byte) {
	c.conn.Send(c.frame(joinRef, ref, topic, event, payload))
}

func (c *client) frame(joinRef, ref frame.Ref, topic, event string, payload []byte) *socket.Frame {
	return socket.Text(func(out []byte) []byte { return c.version.AppendMessage(out, joinRef, ref, topic, event, payload) })
}
