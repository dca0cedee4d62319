package realtime_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gobwas/ws"
)

// sendBinary sends a broadcast with metadata, and returns its ref.
func (c *conn) sendBinary(topic, meta, payload string) string {
	c.t.Helper()
	const ref = "7"
	join := joinRef(topic)
	c.sendRaw(ws.OpBinary, string([]byte{3, byte(len(join)), 1, byte(len(topic)), 1, byte(len(meta)), 1})+join+ref+topic+"e"+meta+payload)
	return ref
}

// expectStoredJSON checks that the next message is a broadcast whose metadata has an id.
func (c *conn) expectStoredJSON(topic, meta, payload string) {
	c.t.Helper()
	if m := c.next(); !m.binary || m.topic != topic || !strings.HasPrefix(m.event, "e "+meta) || strings.ReplaceAll(m.payload, " ", "") != payload {
		c.t.Errorf("got %+v, want %s %s", m, meta, payload)
	}
}

// Broadcasts that clients store (persist) arrive once, also on another server, and are replayed until
// they expire.
func TestStoredBroadcasts(t *testing.T) {
	t.Parallel()
	servers, _ := startCluster(t, 2, everybody)
	a := servers[0]
	const topic, acknowledged = "realtime:room", `{"private":true,"broadcast":{"ack":true},"presence":{"enabled":false}}`
	sender, here, there := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), servers[1].dial(t, "2.0.0", a.auth.Keys.Anon)
	sender.join(topic, acknowledged)
	here.join(topic, private)
	there.join(topic, `{"private":true,"broadcast":{"replication_ready":true},"presence":{"enabled":false}}`)
	there.expect(system(topic, "system", "ok", "Replication connection established"))
	for meta, payload := range map[string]string{`{"persist":true}`: `{"n":1}`, `{"persist":{"ttl":60}}`: `{"n":2}`} {
		sender.expectReply(topic, sender.sendBinary(topic, meta, payload), "ok", "{}")
		here.expectStoredJSON(topic, `{"id":"`, payload)
		there.expectStoredJSON(topic, `{"id":"`, payload)
	}
	if status, text := a.post(t, "/api/broadcast/room/events/e?private=true&persist[ttl]=60", "", "application/json", `{"n":3}`); status != http.StatusAccepted {
		t.Errorf("%d %s", status, text)
	}
	for _, c := range []*conn{sender, here, there} {
		c.expectStoredJSON(topic, `{"id":"`, `{"n":3}`)
	}
	a.exec(t, `update realtime.messages set expires_at = now() where payload = '{"n":2}'`)
	late := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	late.join(topic, `{"private":true,"broadcast":{"replay":{"since":0}},"presence":{"enabled":false}}`)
	late.expectStoredJSON(topic, `{"replayed":true,`, `{"n":1}`)
	late.expectStoredJSON(topic, `{"replayed":true,`, `{"n":3}`)
	for _, c := range []*conn{sender, here, there, late} {
		c.expectNothing()
	}

	const wrong = "InvalidPersist: persist is true, or has a ttl in seconds from 1 to 259200"
	for _, meta := range []string{`{"persist":1}`, `{"persist":{"ttl":0}}`, `{"persist":{"ttl":259201}}`, `{"persist":{"ttl":"x"}}`} {
		sender.expectReply(topic, sender.sendBinary(topic, meta, "{}"), "error", `{"error":"`+wrong+`"}`)
	}
	sender.join("realtime:public", `{"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	const public = "InvalidPersist: only broadcasts of private channels can be stored"
	sender.expectReply("realtime:public", sender.sendBinary("realtime:public", `{"persist":true}`, "{}"), "error", `{"error":"`+public+`"}`)
	for query, want := range map[string]string{"persist=true": public, "private=true&persist=1": wrong, "private=true&persist[ttl]=x": wrong} {
		if status, text := a.post(t, "/api/broadcast/room/events/e?"+query, "", "application/json", `{}`); status != http.StatusUnprocessableEntity || text != `{"error":"`+want+`"}` {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
	here.expectNothing()
}
