package realtime_test

import (
	"testing"
	"time"

	"plaza/server/claims"
)

// RT-15: a new token on an open channel.
func TestNewToken(t *testing.T) {
	t.Parallel()
	a := start(t, `create policy listen on realtime.messages for select to authenticated using (extension = 'broadcast' and auth.jwt() ? 'hear' or extension = 'presence' and auth.jwt() ? 'see');
		create policy send on realtime.messages for insert to authenticated with check (auth.jwt() ? 'send');`, nil)
	const topic, config = "realtime:room", `{"private":true,"broadcast":{"ack":true,"self":true},"presence":{"enabled":true}}`
	token := func(rights ...string) string {
		set := map[string]any{"role": "authenticated", "sub": "1"}
		for _, right := range rights {
			set[right] = true
		}
		return a.token(t, set)
	}
	renew := func(c *conn, token string) { c.send(topic, "access_token", `{"access_token":"`+token+`"}`) }
	echo := func(c *conn) {
		t.Helper()
		ref := c.send(topic, "broadcast", "{}")
		c.expect(message{"", "", topic, "broadcast", "{}", false})
		c.expectReply(topic, ref, "ok", "{}")
	}
	join := func(rights ...string) *conn {
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		c.joinAs(topic, config, token(rights...))
		return c
	}

	t.Run("rights are gained at once", func(t *testing.T) {
		c := join("see")
		c.expect(message{"", "", topic, "presence_state", "{}", false})
		c.expectReply(topic, c.send(topic, "broadcast", "{}"), "error", `{"reason":"Unauthorized: You do not have permissions to write to this Channel topic: room"}`)
		renew(c, token("see", "hear", "send"))
		echo(c)
	})
	t.Run("a right that is gone ends the channel", func(t *testing.T) {
		c := join("hear", "see")
		c.expect(message{"", "", topic, "presence_state", "{}", false})
		renew(c, token("hear"))
		c.expect(system(topic, "system", "error", "You no longer have permission to read from this Channel topic: room"))
		c.expect(closed(topic, "1"))
	})
	t.Run("nothing may be read", func(t *testing.T) {
		c := join("hear")
		renew(c, token("send"))
		c.expect(system(topic, "system", "error", "You do not have permissions to read from this Channel topic: room"))
		c.expect(closed(topic, "1"))
	})
	t.Run("the right to send is gone", func(t *testing.T) {
		c := join("hear", "send")
		echo(c)
		renew(c, token("hear"))
		c.expectReply(topic, c.send(topic, "broadcast", "{}"), "error", `{"reason":"Unauthorized: You do not have permissions to write to this Channel topic: room"}`)
	})
	t.Run("ignored", func(t *testing.T) {
		c := join("hear", "send")
		for _, payload := range []string{`{"access_token":null}`, `{}`, `7`, `{"access_token":"` + token("hear", "send") + `"}`, `{"access_token":"` + a.auth.Keys.Publishable + `"}`} {
			c.send(topic, "access_token", payload)
			echo(c)
		}
	})
	for name, c := range map[string]struct{ token, want string }{
		"bad":             {"bad", "The token provided is not a valid JWT"},
		"without claims":  {a.token(t, map[string]any{"sub": "1"}), "Fields `role` and `exp` are required in JWT"},
		"already expired": {a.token(t, map[string]any{"role": "authenticated", "exp": startTime.Add(-7 * time.Second).Unix()}), "Token has expired 7 seconds ago"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := join("hear")
			renew(conn, c.token)
			conn.expect(system(topic, "system", "error", c.want))
			conn.expect(closed(topic, "1"))
		})
	}
	t.Run("public channels ask nothing", func(t *testing.T) {
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		c.joinAs("realtime:public", plain, token())
		c.send("realtime:public", "access_token", `{"access_token":"`+token("x")+`"}`)
		c.expectNothing()
	})
}

// RT-16: a token that expires.
func TestExpiry(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	const topic = "realtime:room"
	short := func() string {
		return a.token(t, map[string]any{"role": "authenticated", "exp": a.clock.Now().Add(2 * time.Second).Unix()})
	}
	first := short()
	left, saved, sender := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	left.joinAs(topic, `{"broadcast":{"ack":true},"presence":{"enabled":false}}`, first)
	saved.joinAs(topic, plain, first)
	sender.join(topic, `{"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	send := func() {
		t.Helper()
		sender.expectReply(topic, sender.send(topic, "broadcast", "{}"), "ok", "{}")
	}
	broadcast := message{"", "", topic, "broadcast", "{}", false}
	a.clock.Advance(2*time.Second - time.Millisecond)
	send()
	left.expect(broadcast)
	saved.expect(broadcast)
	a.clock.Advance(time.Millisecond)
	a.server.Sweep()
	send()
	left.expectReply(topic, left.send(topic, "broadcast", "{}"), "error", `{"reason":"InvalidJWTToken: Token has expired 0 seconds ago"}`)
	left.expectNothing()
	saved.expectNothing()
	saved.send(topic, "access_token", `{"access_token":"`+a.user(t, "1")+`"}`)
	saved.expectNothing() // the token was accepted
	send()
	saved.expect(broadcast)
	a.clock.Advance(10 * time.Second)
	a.server.Sweep()
	left.expect(system(topic, "system", "error", "Token has expired 10 seconds ago"))
	left.expect(closed(topic, "1"))
	send()
	saved.expect(broadcast)
	left.expectNothing()
}

// The channels of a session that has ended are closed.
func TestEndedSession(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	ended := claims.NewRefusedTokens()
	a.auth.Verifier.Refuse(ended)
	const topic, session = "realtime:room", "7c1ab7e4-0a4b-4f24-9f0a-000000000001"
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	token := a.token(t, map[string]any{"role": "authenticated", "sub": "1", "session_id": session})
	c.joinAs(topic, plain, token)
	a.server.Sweep()
	c.expectNothing()
	later := a.clock.Now().Add(time.Hour).Unix()
	ended.Add("1,s," + session + "," + itoa(later) + "," + itoa(later))
	a.server.Sweep()
	c.expect(system(topic, "system", "error", "The session of the token has ended"))
	c.expect(closed(topic, "1"))
	c.expectRefusedJoin(topic, `{"access_token":"`+token+`"}`, "InvalidJWTToken: The session of the token has ended")
}
