package realtime_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"plaza/server/realtime"
)

// RT-01: the response to a refused handshake contains the reason.
func TestRefusedHandshakes(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.MaxUsers = 1 })
	head, payload, signature := cut(a.user(t, "1"))
	for name, c := range map[string]struct {
		query  url.Values
		status int
		want   string
	}{
		"no key":            {url.Values{}, 401, "API key is missing"},
		"no token":          {url.Values{"apikey": {"bad"}}, 401, "The token provided is not a valid JWT"},
		"expired":           {url.Values{"apikey": {a.token(t, map[string]any{"role": "anon", "exp": startTime.Add(-time.Hour).Unix()})}}, 401, "Token has expired"},
		"expired just now":  {url.Values{"apikey": {a.token(t, map[string]any{"role": "anon", "exp": startTime.Unix()})}}, 401, "Token has expired"},
		"without a role":    {url.Values{"apikey": {a.token(t, map[string]any{"sub": "1"})}}, 401, "Fields `role` and `exp` are required in JWT"},
		"without an expiry": {url.Values{"apikey": {a.token(t, map[string]any{"role": "anon", "exp": nil})}}, 401, "Fields `role` and `exp` are required in JWT"},
		"another signature": {url.Values{"apikey": {head + "." + payload + "." + strings.Repeat("A", len(signature))}}, 401, "Failed to validate JWT signature"},
		"unknown key":       {url.Values{"apikey": {"eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ." + payload + "." + signature}}, 401, "Failed to generate JWT signer, check your JWT secret or JWKS"},
		"unsigned":          {url.Values{"apikey": {"eyJhbGciOiJub25lIn0." + payload + "."}}, 401, "Failed to generate JWT signer, check your JWT secret or JWKS"},
		"version 3":         {url.Values{"apikey": {a.auth.Keys.Anon}, "vsn": {"3.0.0"}}, 403, "The protocol version is not one of 1.0.0 and 2.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := a.handshake(t, c.query, "")
			if want := `{"error":"` + c.want + `"}`; status != c.status || body != want {
				t.Errorf("%d %s, want %d %s", status, body, c.status, want)
			}
		})
	}
	a.dial(t, "", a.auth.Keys.Anon).expectNothing()
	if status, body := a.handshake(t, url.Values{"apikey": {a.auth.Keys.Anon}}, ""); status != http.StatusTooManyRequests || body != `{"error":"Too many connected users"}` {
		t.Errorf("one too many: %d %s", status, body)
	}
}

func TestKeyInTheHeaderWins(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	// The key is valid: only the headers for a WebSocket are missing.
	if status, body := a.handshake(t, url.Values{"apikey": {"bad"}}, a.auth.Keys.Publishable); status != http.StatusBadRequest {
		t.Errorf("%d %s", status, body)
	}
}

func cut(token string) (head, payload, signature string) {
	parts := strings.Split(token, ".")
	return parts[0], parts[1], parts[2]
}

// handshake requests a WebSocket without the headers for it, which are checked last.
func (a *api) handshake(t *testing.T, query url.Values, key string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.web.URL+"/realtime/v1/websocket?"+query.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", key)
	response, err := a.web.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text := make([]byte, 1000)
	n, _ := response.Body.Read(text)
	return response.StatusCode, string(text[:n])
}

func TestPing(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	response, err := a.web.Client().Get(a.web.URL + "/realtime/v1/api/ping")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text := make([]byte, 100)
	n, _ := response.Body.Read(text)
	if response.StatusCode != http.StatusOK || string(text[:n]) != `{"message":"Success"}` {
		t.Errorf("%d %s", response.StatusCode, text[:n])
	}
}

// RT-02: join, heartbeat and leave in both versions.
func TestBothProtocolVersions(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	const topic = "realtime:room"
	for _, version := range []string{"", "1.0.0", "2.0.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := a.dial(t, version, a.auth.Keys.Anon)
			c.expectNothing() // also sends a heartbeat
			c.join(topic, plain)
			c.expectReply(topic, c.send(topic, "phx_leave", "{}"), "ok", "{}")
			c.expect(closed(topic, "2"))

			// On a topic that is not joined.
			c.expectReply(topic, c.send(topic, "phx_leave", "{}"), "ok", "{}")
			ref := c.send(topic, "broadcast", "{}")
			c.expect(message{"", ref, topic, "phx_reply", `{"response":{"reason":"unmatched topic"},"status":"error"}`, false})
			ref = c.send("other", "phx_join", "{}")
			c.expect(message{"", ref, "other", "phx_reply", `{"response":{"reason":"unmatched topic"},"status":"error"}`, false})
		})
	}
	t.Run("join_ref stale or missing", func(t *testing.T) {
		t.Parallel()
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		c.join(topic, `{"broadcast":{"ack":true},"presence":{"enabled":false}}`)
		for _, joinRef := range []string{"null", `"stale"`} {
			c.sendRaw(ws.OpText, fmt.Sprintf(`[%s,"9",%q,"broadcast",{}]`, joinRef, topic))
			c.expectReply(topic, "9", "ok", "{}")
		}
	})
}

// RT-03: data that is not a valid message is dropped, and the connection stays open.
func TestMalformedMessages(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	for _, version := range []string{"1.0.0", "2.0.0"} {
		c := a.dial(t, version, a.auth.Keys.Anon)
		for _, bad := range []string{"", "[", "{}", "[]", `["1","1","realtime:room","phx_join"]`, `{"topic":"realtime:room"}`, `"text"`, strings.Repeat("[", 100_000)} {
			c.sendRaw(ws.OpText, bad)
			c.sendRaw(ws.OpBinary, bad)
		}
		c.sendRaw(ws.OpBinary, "\x03\x00\x00\xff")
		c.expectNothing()
	}
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	go func() { _ = wsutil.WriteClientText(c.net, make([]byte, 6_000_000)) }() // it is interrupted
	c.expectEnd(ws.StatusMessageTooBig)
}

// RT-04: a second join of a topic closes the first.
func TestSecondJoin(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	const topic = "realtime:room"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join(topic, plain)
	ref := c.send(topic, "phx_join", `{"config":{"broadcast":{"self":true},"presence":{"enabled":false}}}`)
	c.expect(closed(topic, "1"))
	c.expectReply(topic, ref, "ok", `{"postgres_changes":[]}`)
	c.send(topic, "broadcast", `{"type":"broadcast","event":"e","payload":{}}`)
	c.expect(message{"", "", topic, "broadcast", `{"event":"e","payload":{},"type":"broadcast"}`, false})
	c.expectNothing()
}

// RT-06: the reasons of refused joins.
func TestRefusedJoins(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.MaxChannels = 2 })
	const topic = "realtime:room"
	fresh := func() *conn { return a.dial(t, "2.0.0", a.auth.Keys.Anon) } // the first answer has no pause
	as := func(token string) string { return `{"config":` + plain + `,"access_token":"` + token + `"}` }
	head, payload, signature := cut(a.user(t, "1"))
	fresh().expectRefusedJoin("realtime:", `{}`, "TopicNameRequired: You must provide a topic name")
	fresh().expectRefusedJoin(topic, as("bad"), "MalformedJWT: The token provided is not a valid JWT")
	fresh().expectRefusedJoin(topic, as(a.token(t, map[string]any{"role": "anon", "exp": startTime.Add(-90 * time.Second).Unix()})), "InvalidJWTToken: Token has expired 90 seconds ago")
	fresh().expectRefusedJoin(topic, as(a.token(t, map[string]any{"role": "anon", "exp": startTime.Add(-3 * time.Second).Unix()})), "InvalidJWTToken: Token has expired 3 seconds ago")
	fresh().expectRefusedJoin(topic, as(a.token(t, map[string]any{"sub": "1"})), "InvalidJWTToken: Fields `role` and `exp` are required in JWT")
	fresh().expectRefusedJoin(topic, as(head+"."+payload+"."+strings.Repeat("A", len(signature))), "JwtSignatureError: Failed to validate JWT signature")
	fresh().expectRefusedJoin(topic, as("eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ."+payload+"."+signature), "JwtSignerError: Failed to generate JWT signer, check your JWT secret or JWKS")
	fresh().expectRefusedJoin(topic, `{"config":`+private+`}`, "Unauthorized: You do not have permissions to read from this Channel topic: room")
	fresh().expectRefusedJoin(topic, `{"config":{"private":true},"access_token":"`+a.token(t, map[string]any{"role": "nobody"})+`"}`, "Unauthorized: You do not have permissions to read from this Channel topic: room")
	fresh().expectRefusedJoin(topic, `{"config":{"broadcast":{"replay":{"since":1}}}}`, "UnableToReplayMessages: Replay is not allowed for public channels")
	service := `,"access_token":"` + a.auth.Keys.Service + `"}`
	fresh().expectRefusedJoin(topic, `{"config":{"private":true,"broadcast":{"replay":{"since":1,"limit":26}}}`+service, "UnableToReplayMessages: Replay params are not valid")

	c := fresh()
	c.join("realtime:1", plain)
	c.join("realtime:2", plain)
	c.expectRefusedJoin("realtime:3", `{}`, "ChannelRateLimitReached: Too many channels")
	c.expectReply("realtime:1", c.send("realtime:1", "phx_leave", "{}"), "ok", "{}")
	c.expect(closed("realtime:1", "1"))
	c.join("realtime:3", plain)
}

func TestPrivateOnly(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.PrivateOnly = true })
	a.dial(t, "2.0.0", a.auth.Keys.Anon).expectRefusedJoin("realtime:room", `{}`, "PrivateOnly: This project only allows private channels")
}

func TestTooManyJoins(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.MaxJoins = 2 })
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join("realtime:1", plain)
	c.join("realtime:2", plain)
	c.expectRefusedJoin("realtime:3", `{}`, "ClientJoinRateLimitReached: Too many joins per second")
	c.expectEnd(ws.StatusGoingAway)
	a.clock.Advance(time.Minute)
	a.dial(t, "2.0.0", a.auth.Keys.Anon).join("realtime:1", plain)
}

// Invalid values in a payload get their defaults, and booleans may be strings.
func TestLenientPayloads(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join("realtime:1", `{"private":"false","broadcast":{"self":"true","ack":7},"presence":{"enabled":"false","key":1}}`)
	c.send("realtime:1", "broadcast", `{"a":1}`)
	c.expect(message{"", "", "realtime:1", "broadcast", `{"a":1}`, false})
	for _, payload := range []string{`null`, `[]`, `"text"`, `{"config":7}`, `{"config":{"broadcast":null,"presence":[]}}`} {
		ref := c.send("realtime:2", "phx_join", payload)
		for {
			m := c.next()
			if m.ref == ref && strings.Contains(m.payload, "error") {
				t.Fatalf("%s: %+v", payload, m)
			}
			if m.event == "presence_state" {
				break
			}
		}
	}
}

// The server notifies its clients that it stops.
func TestClose(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join("realtime:1", plain)
	a.server.Close(context.Background())
	c.expect(system("realtime:1", "system", "ok", "Server requested disconnect"))
	c.expectEnd(1012)
	if status, _ := a.handshake(t, url.Values{"apikey": {a.auth.Keys.Anon}}, ""); status != http.StatusServiceUnavailable {
		t.Errorf("a handshake afterwards: %d", status)
	}
}
