package realtime_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gobwas/ws"

	"plaza/server/realtime"
)

// everybody lets all callers listen and send on all topics.
const everybody = `create policy everybody on realtime.messages to public using (true) with check (true);`

// RT-07: who receives a broadcast, and who gets a reply.
func TestAckAndSelf(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	for _, ack := range []bool{false, true} {
		for _, self := range []bool{false, true} {
			t.Run(fmt.Sprintf("ack %t self %t", ack, self), func(t *testing.T) {
				t.Parallel()
				topic := fmt.Sprintf("realtime:%t-%t", ack, self)
				sender, tab, old := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "1.0.0", a.auth.Keys.Anon)
				sender.join(topic, fmt.Sprintf(`{"broadcast":{"ack":%t,"self":%t},"presence":{"enabled":false}}`, ack, self))
				tab.join(topic, plain)
				old.join(topic, plain)
				const sent = `{"type":"broadcast","event":"e","payload":{"a":[1]},"more":true}`
				want := message{"", "", topic, "broadcast", `{"event":"e","more":true,"payload":{"a":[1]},"type":"broadcast"}`, false}
				ref := sender.send(topic, "broadcast", sent)
				if self {
					sender.expect(want)
				}
				if ack {
					sender.expectReply(topic, ref, "ok", "{}")
				}
				sender.expectNothing()
				tab.expect(want)
				old.expect(want)
			})
		}
	}
}

// RT-08: binary broadcasts.
func TestBinaryBroadcasts(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	const topic = "realtime:room"
	old, other, sender := a.dial(t, "1.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	old.join(topic, plain)
	other.join(topic, plain)
	sender.join(topic, `{"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	binary := func(meta string, encoding byte, payload string) {
		t.Helper()
		sender.sendRaw(ws.OpBinary, string([]byte{3, 1, 1, byte(len(topic)), 1, byte(len(meta)), encoding})+"j7"+topic+"e"+meta+payload)
		sender.expect(message{"j" + topic, "7", topic, "phx_reply", `{"response":{},"status":"ok"}`, false})
	}
	binary("", 0, "\x00\xff")
	other.expect(message{topic: topic, event: "e  0", payload: "\x00\xff", binary: true})
	binary("", 0, "")
	other.expect(message{topic: topic, event: "e  0", binary: true})
	binary(`{"m":1}`, 1, `[1]`)
	other.expect(message{topic: topic, event: `e {"m":1} 1`, payload: `[1]`, binary: true})
	old.expect(message{"", "", topic, "broadcast", `{"event":"e","meta":{"m":1},"payload":[1],"type":"broadcast"}`, false})
	old.expectNothing()

	status, body := a.post(t, "/api/broadcast/room/events/e", "", "application/octet-stream", "\x01\x02")
	if status != http.StatusAccepted || body != "" {
		t.Errorf("%d %s", status, body)
	}
	other.expect(message{topic: topic, event: "e  0", payload: "\x01\x02", binary: true})
	if status, _ = a.post(t, "/api/broadcast/room/events/e", "", "application/octet-stream", ""); status != http.StatusAccepted {
		t.Errorf("no bytes: %d", status)
	}
	other.expect(message{topic: topic, event: "e  0", binary: true})
	old.expectNothing()
}

func TestPayloadLimit(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.MaxPayload = 1 })
	const topic = "realtime:room"
	other, sender := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	other.join(topic, plain)
	sender.join(topic, `{"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	text := func(size int) string { return `{"a":"` + strings.Repeat("x", size-8) + `"}` }
	sender.expectReply(topic, sender.send(topic, "broadcast", text(1500)), "ok", "{}")
	other.expect(message{"", "", topic, "broadcast", text(1500), false})
	sender.expectReply(topic, sender.send(topic, "broadcast", text(1501)), "error", `"payload_size_exceeded"`)
	other.expectNothing()
	if status, body := a.post(t, "/api/broadcast/room/events/e", "", "", text(1501)); status != http.StatusUnprocessableEntity || body != `{"errors":{"payload":["Payload size exceeds tenant limit"]}}` {
		t.Errorf("%d %s", status, body)
	}
}

// RT-09: a batch of broadcasts.
func TestBatch(t *testing.T) {
	t.Parallel()
	a := start(t, `create policy listen on realtime.messages for select to anon using (true);
		create policy send on realtime.messages for insert to anon with check (realtime.topic() = 'mine');`, nil)
	const topic, mine, others = "realtime:room", "realtime:mine", "realtime:others"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join(topic, plain)
	c.join(mine, private)
	c.join(others, private)
	status, body := a.post(t, "/api/broadcast", "", "application/json", `{"messages":[
		{"topic":"others","event":"e","payload":{"n":0},"private":true},
		{"topic":"mine","event":"e","payload":{"n":1},"private":true},
		{"topic":"room","event":"e","payload":{"n":2},"id":"m1"},
		{"topic":"nobody","event":"e","payload":{}}]}`)
	if status != http.StatusAccepted || body != "" {
		t.Errorf("%d %s", status, body)
	}
	c.expect(message{"", "", mine, "broadcast", `{"event":"e","payload":{"n":1},"type":"broadcast"}`, false})
	c.expect(message{"", "", topic, "broadcast", `{"event":"e","meta":{"id":"m1"},"payload":{"n":2},"type":"broadcast"}`, false})
	c.expectNothing()
	for sent, want := range map[string]string{
		`{}`:              `422 {"errors":{"messages":["can't be blank"]}}`,
		`{"messages":[]}`: `422 {"errors":{"messages":["can't be blank"]}}`,
		`{"messages":[{"topic":"room","event":"e","payload":{}},{"topic":"","event":"e","payload":1},{}]}`:     `422 {"errors":{"messages":[{},{"payload":["is invalid"],"topic":["can't be blank"]},{"event":["can't be blank"],"payload":["can't be blank"],"topic":["can't be blank"]}]}}`,
		`{"messages":[{"topic":"room","event":"e","payload":{"a":"` + strings.Repeat("x", 3_001_000) + `"}}]}`: `422 {"errors":{"messages":[{"payload":["Payload size exceeds tenant limit"]}]}}`,
		`[`: `400 {"message":"The body is not valid JSON"}`,
	} {
		if status, body := a.post(t, "/api/broadcast", "", "application/json", sent); fmt.Sprintf("%d %s", status, body) != want {
			t.Errorf("%.80s: %d %s, want %s", sent, status, body, want)
		}
	}
	c.expectNothing() // no message of an invalid batch is sent
	if status, body := a.post(t, "/api/broadcast", "bad", "", `{}`); status != http.StatusUnauthorized || body != `{"message":"Unauthorized"}` {
		t.Errorf("%d %s", status, body)
	}
}

// RT-10: any names in the path, and any JSON.
func TestNamesInPaths(t *testing.T) {
	t.Parallel()
	a := start(t, everybody, nil)
	const name, event = "a/b:c d/😀", "é/:?"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join("realtime:"+name, plain)
	const path = "/api/broadcast/a%2Fb:c%20d%2F%F0%9F%98%80/events/%C3%A9%2F%3A%3F"
	for contentType, bodies := range map[string][][2]string{
		"":                                {{`{"a":1}`, `{"a":1}`}, {"", `{}`}, {`[1]`, `{"_json":[1]}`}},
		"application/json; charset=utf-8": {{` 7 `, `{"_json":7}`}, {`null`, `{"_json":null}`}},
	} {
		for _, body := range bodies {
			if status, text := a.post(t, path, "", contentType, body[0]); status != http.StatusAccepted {
				t.Errorf("%q: %d %s", body[0], status, text)
			}
			c.expect(message{topic: "realtime:" + name, event: event + "  1", payload: body[1], binary: true})
		}
	}
	c.expectNothing()
	long := strings.Repeat("n", 300)
	c.join("realtime:"+long, private)
	if status, text := a.post(t, "/api/broadcast/"+long+"/events/e?private=true", "", "", `{}`); status != http.StatusAccepted {
		t.Errorf("a long name: %d %s", status, text)
	}
	c.expect(message{"", "", "realtime:" + long, "broadcast", `{"event":"e","payload":{},"type":"broadcast"}`, false})
	for _, c := range []struct {
		contentType, body, want string
	}{
		{"text/plain", "x", `415 {"error":"Unsupported Media Type. Use application/json or application/octet-stream"}`},
		{"application/json", "{", `400 {"message":"The body is not valid JSON"}`},
	} {
		if status, text := a.post(t, path, "", c.contentType, c.body); fmt.Sprintf("%d %s", status, text) != c.want {
			t.Errorf("%s: %d %s, want %s", c.contentType, status, text, c.want)
		}
	}
	if status, _ := a.post(t, "/api/broadcast/"+long+"/events/e", "", "application/octet-stream", "x"); status != http.StatusUnprocessableEntity {
		t.Errorf("bytes with a long name: %d", status)
	}
}

// Channels are closed when they receive a message over the limit.
func TestTooManyMessages(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.MaxEvents = 4 })
	const topic = "realtime:room"
	sender, other := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	sender.join(topic, plain)
	other.join(topic, plain)
	for range 3 { // each counts as one in and one out
		sender.send(topic, "broadcast", `{}`)
		other.expect(message{"", "", topic, "broadcast", `{}`, false})
	}
	for _, c := range []*conn{sender, other} {
		c.expect(system(topic, "system", "error", "Too many messages per second"))
		c.expect(closed(topic, "1"))
	}
	if status, body := a.post(t, "/api/broadcast/room/events/e", "", "", "{}"); status != http.StatusTooManyRequests || body != `{"message":"You have exceeded your rate limit"}` {
		t.Errorf("%d %s", status, body)
	}
}
