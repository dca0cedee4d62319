package realtime_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/realtime"
	"plaza/tests/testkit"
	"plaza/tests/testkit/restkit"
	"plaza/tests/testkit/wsframe"
)

const (
	secret      = "a-secret-of-tests-with-32-characters"
	testTimeout = 20 * time.Second // of everything that a test waits for
)

var startTime = time.Date(2026, time.November, 27, 12, 0, 0, 0, time.UTC)

// api is a realtime server on a database of its own.
type api struct {
	db     *pgxpool.Pool // the superuser's
	clock  *testkit.Clock
	auth   *claims.Authenticator
	server *realtime.Server
	web    *httptest.Server
}

// start starts a server. policies is SQL; change may be nil.
func start(t *testing.T, policies string, change func(*realtime.Config)) *api {
	t.Helper()
	address := testkit.PlatformURL(t)
	a := &api{db: testkit.Open(t, address), clock: testkit.NewClock(startTime)}
	a.exec(t, policies)
	a.serve(t, address, address, change)
	return a
}

// startWithoutLog starts a server whose role may not read the WAL.
func startWithoutLog(t *testing.T) *api {
	t.Helper()
	address, err := url.Parse(testkit.PlatformURL(t))
	if err != nil {
		t.Fatal(err)
	}
	a := &api{db: testkit.Open(t, address.String()), clock: testkit.NewClock(startTime)}
	role := strings.TrimPrefix(address.Path, "/") + "_worker"
	a.exec(t, `create role `+role+` login password 'x' in role supabase_realtime_admin, anon, authenticated`)
	t.Cleanup(func() {
		if _, err := testkit.Open(t, address.String()).Exec(context.Background(), `drop role `+role); err != nil {
			t.Error(err)
		}
	})
	own := *address
	own.User = url.UserPassword(role, "x")
	a.serve(t, address.String(), own.String(), nil)
	a.run(t)
	return a
}

// serve starts a server on a database. serviceURL has the role of the server itself.
func (a *api) serve(t *testing.T, address, serviceURL string, change func(*realtime.Config)) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	serverDB, err := pg.Open(t.Context(), pg.Config{
		CallerURL: restkit.CallerURL(t, a.db, address), ServiceURL: serviceURL, MaxCallers: 4, MaxService: 4, AcquireTimeout: 5 * time.Second, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serverDB.Close)
	verifier := claims.NewVerifier([]byte(secret), a.clock.Now)
	keys, err := claims.NewKeys(verifier, a.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	a.auth = &claims.Authenticator{Verifier: verifier, Keys: keys}
	config, err := env.ParseAsWithOptions[realtime.Config](env.Options{Environment: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&config)
	}
	a.server, err = realtime.New(config, realtime.Deps{DB: serverDB, Auth: a.auth, Log: log, Now: a.clock.Now, Secret: []byte(secret)})
	if err != nil {
		t.Fatal(err)
	}
	a.web = httptest.NewServer(a.server.Routes("/realtime/v1"))
	t.Cleanup(a.web.Close)
}

func (a *api) exec(t *testing.T, sql string) {
	t.Helper()
	if _, err := a.db.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// token returns a token with claims, valid for an hour unless they have an exp; nil means none.
func (a *api) token(t *testing.T, set map[string]any) string {
	t.Helper()
	if _, ok := set["exp"]; !ok {
		set["exp"] = a.clock.Now().Add(time.Hour).Unix()
	}
	if set["exp"] == nil {
		delete(set, "exp")
	}
	token, err := a.auth.Verifier.Mint(set)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// user returns the token of a user.
func (a *api) user(t *testing.T, id string) string {
	t.Helper()
	return a.token(t, map[string]any{"role": "authenticated", "sub": id})
}

// post sends a request to the HTTP API. token is the bearer token; empty: the anon key.
func (a *api) post(t *testing.T, path, token, contentType, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.web.URL+"/realtime/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", a.auth.Keys.Anon)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := a.web.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// message is a message of the server. Binary ones are broadcasts.
type message struct {
	joinRef, ref string // empty: null
	topic, event string
	payload      string // JSON without spaces; of a binary message the bytes
	binary       bool
}

// conn is a client's connection.
type conn struct {
	t       *testing.T
	net     net.Conn
	version string
	refs    int

	write sync.Mutex
	pause sync.RWMutex // while it is locked, at most one more message is read
	in    chan message
	end   error // set when in is closed
}

// dial connects with a key or token.
func (a *api) dial(t *testing.T, version, token string) *conn {
	t.Helper()
	address := strings.Replace(a.web.URL, "http", "ws", 1) + "/realtime/v1/websocket?" + url.Values{"apikey": {token}, "vsn": {version}}.Encode()
	raw, early, _, err := ws.Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	c := &conn{t: t, net: raw, version: version, in: make(chan message, 100_000)}
	t.Cleanup(func() { _ = raw.Close() })
	var from io.Reader = raw
	if early != nil {
		from = early
	}
	go c.read(bufio.NewReader(from))
	return c
}

func (c *conn) read(from *bufio.Reader) {
	defer close(c.in)
	for {
		code, payload, err := wsframe.Read(from)
		if err != nil {
			c.end = err
			return
		}
		c.waitForPause()
		switch code {
		case ws.OpClose:
			status, reason := ws.ParseCloseFrameData(payload)
			c.end = wsutil.ClosedError{Code: status, Reason: reason}
			_ = c.net.Close()
			return
		case ws.OpBinary:
			c.in <- parseBinary(payload)
		default:
			m, err := parseText(c.version, payload)
			if err != nil {
				c.t.Errorf("%s: %v", payload, err)
			}
			c.in <- m
		}
	}
}

func (c *conn) waitForPause() {
	c.pause.RLock()
	defer c.pause.RUnlock()
}

func parseText(version string, text []byte) (message, error) {
	var parts [5]any
	if version == "2.0.0" {
		var list []any
		if err := decode(text, &list); err != nil || len(list) != 5 {
			return message{}, fmt.Errorf("not an array of 5: %w", err)
		}
		copy(parts[:], list)
	} else {
		var object map[string]any
		if err := decode(text, &object); err != nil || len(object) != 4 {
			return message{}, fmt.Errorf("not an object of 4: %w", err)
		}
		parts = [5]any{nil, object["ref"], object["topic"], object["event"], object["payload"]}
	}
	text, err := json.Marshal(parts[4])
	m := message{payload: string(text)}
	m.joinRef, _ = parts[0].(string)
	m.ref, _ = parts[1].(string)
	m.topic, _ = parts[2].(string)
	m.event, _ = parts[3].(string)
	return m, err
}

// decode decodes JSON. Numbers keep their digits.
func decode(text []byte, value any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(value)
}

// parseBinary returns a broadcast as "EVENT META ENCODING" with its payload.
func parseBinary(data []byte) message {
	topic, event, meta := int(data[1]), int(data[2]), int(data[3])
	rest := data[5:]
	return message{
		binary: true, topic: string(rest[:topic]), payload: string(rest[topic+event+meta:]),
		event: strings.TrimSpace(fmt.Sprintf("%s %s %d", rest[topic:topic+event], rest[topic+event:topic+event+meta], data[4])),
	}
}

// joinRef returns the join_ref of a topic.
func joinRef(topic string) string { return "j" + topic[:min(len(topic), 100)] }

// sendRaw sends a frame.
func (c *conn) sendRaw(code ws.OpCode, data string) {
	c.t.Helper()
	c.write.Lock()
	defer c.write.Unlock()
	if err := wsutil.WriteClientMessage(c.net, code, []byte(data)); err != nil {
		c.t.Fatal(err)
	}
}

// send sends a message and returns its ref.
func (c *conn) send(topic, event, payload string) string {
	c.t.Helper()
	c.refs++
	ref := strconv.Itoa(c.refs)
	text := fmt.Sprintf(`[%q,%q,%q,%q,%s]`, joinRef(topic), ref, topic, event, payload)
	if c.version != "2.0.0" {
		text = fmt.Sprintf(`{"join_ref":%q,"ref":%q,"topic":%q,"event":%q,"payload":%s}`, joinRef(topic), ref, topic, event, payload)
	}
	c.sendRaw(ws.OpText, text)
	return ref
}

// next returns the next message.
func (c *conn) next() message {
	c.t.Helper()
	m, ok := c.nextOrEnd()
	if !ok {
		c.t.Fatalf("disconnected: %v", c.end)
	}
	return m
}

// nextOrEnd returns the next message. ok is false if the connection has ended.
func (c *conn) nextOrEnd() (m message, ok bool) {
	c.t.Helper()
	select {
	case m, ok = <-c.in:
		return m, ok
	case <-time.After(testTimeout):
		c.t.Fatal("no message arrived")
		return message{}, false
	}
}

// expect checks the next message.
func (c *conn) expect(want message) {
	c.t.Helper()
	if c.version != "2.0.0" {
		want.joinRef = ""
	}
	if m := c.next(); m != want {
		c.t.Errorf("got  %+v\nwant %+v", m, want)
	}
}

// expectReply checks that the next message is the reply to a ref of a channel.
func (c *conn) expectReply(topic, ref, status, response string) {
	c.t.Helper()
	c.expect(message{joinRef(topic), ref, topic, "phx_reply", `{"response":` + response + `,"status":"` + status + `"}`, false})
}

// expectNothing checks that nothing was sent before the answer to a heartbeat.
func (c *conn) expectNothing() {
	c.t.Helper()
	ref := c.send("phoenix", "heartbeat", "{}")
	c.expect(message{"", ref, "phoenix", "phx_reply", `{"response":{},"status":"ok"}`, false})
}

// expectEnd checks that the connection is closed with a code.
func (c *conn) expectEnd(code ws.StatusCode) {
	c.t.Helper()
	m, ok := c.nextOrEnd()
	if closed, isClosed := c.end.(wsutil.ClosedError); ok || !isClosed || closed.Code != code {
		c.t.Errorf("got %+v, connected: %t, %v; want the end with %d", m, ok, c.end, code)
	}
}

// join joins a topic and checks the answer. config is JSON.
func (c *conn) join(topic, config string) {
	c.t.Helper()
	ref := c.send(topic, "phx_join", `{"config":`+config+`}`)
	c.expectReply(topic, ref, "ok", `{"postgres_changes":[]}`)
}

// joinAs joins a topic with a token.
func (c *conn) joinAs(topic, config, token string) {
	c.t.Helper()
	ref := c.send(topic, "phx_join", `{"config":`+config+`,"access_token":"`+token+`"}`)
	c.expectReply(topic, ref, "ok", `{"postgres_changes":[]}`)
}

// expectRefusedJoin tries to join and checks the reason of the refusal.
func (c *conn) expectRefusedJoin(topic, payload, reason string) {
	c.t.Helper()
	ref := c.send(topic, "phx_join", payload)
	c.expectReply(topic, ref, "error", `{"reason":`+strconv.Quote(reason)+`}`)
}

// system is a message about a channel.
func system(topic, extension, status, text string) message {
	return message{"", "", topic, "system", fmt.Sprintf(`{"channel":%q,"extension":%q,"message":%q,"status":%q}`, strings.TrimPrefix(topic, "realtime:"), extension, text, status), false}
}

// closed is the end of a channel that was joined with a ref.
func closed(topic, ref string) message {
	return message{"j" + topic, ref, topic, "phx_close", "{}", false}
}

const (
	plain   = `{"presence":{"enabled":false}}`
	private = `{"private":true,"presence":{"enabled":false}}`
)
