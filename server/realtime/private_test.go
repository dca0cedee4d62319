package realtime_test

import (
	"net/http"
	"testing"

	"plaza/server/realtime"
)

// RT-11: policies decide for each extension.
func TestPrivateByExtension(t *testing.T) {
	t.Parallel()
	a := start(t, `create policy send on realtime.messages for insert to public with check (true);
		create policy broadcasts on realtime.messages for select to authenticated using (extension = 'broadcast' and topic = 'room' and auth.uid()::text like '%1');
		create policy presences on realtime.messages for select to authenticated using (extension = 'presence' and realtime.topic() = 'room' and (select auth.uid())::text like '%2');`, nil)
	const topic, config = "realtime:room", `{"private":true,"presence":{"key":"k"}}`
	hears, sees, sender := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Service)
	hears.joinAs(topic, config, a.user(t, "00000000-0000-0000-0000-000000000001"))
	hears.expectNothing() // no presence_state
	sees.joinAs(topic, config, a.user(t, "00000000-0000-0000-0000-000000000002"))
	sees.expect(message{"", "", topic, "presence_state", "{}", false})
	sender.join(topic, `{"private":true,"broadcast":{"ack":true},"presence":{"enabled":false,"key":"s"}}`)
	sender.expectReply(topic, sender.send(topic, "broadcast", `{"event":"e"}`), "ok", "{}")
	ref := sender.send(topic, "presence", `{"event":"TRACK","payload":{"a":1}}`)
	if m := sender.next(); m.event != "presence_diff" { // to track, the right to receive presences is also checked
		t.Errorf("got %+v", m)
	}
	sender.expectReply(topic, ref, "ok", "{}")
	hears.expect(message{"", "", topic, "broadcast", `{"event":"e"}`, false})
	hears.expectNothing()
	if m := sees.next(); m.event != "presence_diff" {
		t.Errorf("got %+v", m)
	}
	sees.expectNothing()
	other := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	other.expectRefusedJoin(topic, `{"config":`+config+`,"access_token":"`+a.user(t, "00000000-0000-0000-0000-000000000003")+`"}`,
		"Unauthorized: You do not have permissions to read from this Channel topic: room")
}

// RT-12: without the right to send, nobody receives the message, and the sender gets an error.
func TestDeniedWrites(t *testing.T) {
	t.Parallel()
	a := start(t, `create policy listen on realtime.messages for select to public using (true);`, nil)
	const topic = "realtime:room"
	const why = `{"reason":"Unauthorized: You do not have permissions to write to this Channel topic: room"}`
	other, sender, quiet := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	other.join(topic, private)
	quiet.join(topic, private)
	sender.join(topic, `{"private":true,"broadcast":{"ack":true,"self":true},"presence":{"enabled":false}}`)
	for range 2 { // checked, and cached
		sender.expectReply(topic, sender.send(topic, "broadcast", `{}`), "error", why)
		sender.expectReply(topic, sender.send(topic, "presence", `{"event":"track","payload":{}}`), "error", why)
	}
	quiet.send(topic, "broadcast", `{}`)
	quiet.expectNothing()
	for path, want := range map[string]int{"/api/broadcast/room/events/e?private=true": http.StatusForbidden, "/api/broadcast/room/events/e": http.StatusAccepted} {
		if status, _ := a.post(t, path, "", "", "{}"); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	other.expectNothing()
}

// RT-13: a policy that raises an error denies access to its topic only.
func TestFailingPolicy(t *testing.T) {
	t.Parallel()
	a := start(t, `create policy listen on realtime.messages for select to public using (1 / (case realtime.topic() when 'bad' then 0 else 1 end) = 1);
		create policy send on realtime.messages for insert to public with check (1 / (case topic when 'worse' then 0 else 1 end) = 1);`, nil)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.expectRefusedJoin("realtime:bad", `{"config":`+private+`}`, "Unauthorized: You do not have permissions to read from this Channel topic: bad")
	c.join("realtime:good", `{"private":true,"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	c.expectReply("realtime:good", c.send("realtime:good", "broadcast", "{}"), "ok", "{}")
	c.join("realtime:worse", `{"private":true,"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	c.expectReply("realtime:worse", c.send("realtime:worse", "broadcast", "{}"), "error", `{"reason":"Unauthorized: You do not have permissions to write to this Channel topic: worse"}`)
}

// A policy that hangs blocks only its channel, and ends with the role's timeout.
func TestHangingPolicy(t *testing.T) {
	t.Parallel()
	a := start(t, `alter role anon set statement_timeout = '3s';
		create function hang() returns boolean language sql volatile as $$ select pg_sleep(600) is not null $$;
		create policy listen on realtime.messages for select to anon using (realtime.topic() <> 'slow' or hang());`, func(c *realtime.Config) { c.Pool = 2 })
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	ref := c.send("realtime:slow", "phx_join", `{"config":`+private+`}`)
	c.join("realtime:fast", private)
	c.expectNothing()
	c.expectReply("realtime:slow", ref, "error", `{"reason":"QueryCanceled: The database took too long to answer"}`)
}

// RT-14: a private and a public channel of the same name are distinct.
func TestPrivateAndPublic(t *testing.T) {
	t.Parallel()
	a := start(t, everybody, nil)
	const topic = "realtime:room"
	inside, outside := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon)
	state := message{"", "", topic, "presence_state", "{}", false}
	inside.join(topic, `{"private":true,"broadcast":{"ack":true}}`)
	inside.expect(state)
	outside.join(topic, `{"broadcast":{"ack":true}}`)
	outside.expect(state)
	for _, c := range []*conn{inside, outside} {
		c.expectReply(topic, c.send(topic, "broadcast", "{}"), "ok", "{}")
		ref := c.send(topic, "presence", `{"event":"track","payload":{}}`)
		if m := c.next(); m.event != "presence_diff" {
			t.Errorf("got %+v", m)
		}
		c.expectReply(topic, ref, "ok", "{}")
	}
	for path, c := range map[string]*conn{"/api/broadcast/room/events/e?private=true": inside, "/api/broadcast/room/events/e": outside} {
		if status, _ := a.post(t, path, "", "", "{}"); status != http.StatusAccepted {
			t.Errorf("%s: %d", path, status)
		}
		c.expect(message{topic: topic, event: "e  1", payload: "{}", binary: true})
	}
	inside.expectNothing()
	outside.expectNothing()
}

// Policies can read the headers of the handshake and all claims.
func TestPoliciesSeeTheRequest(t *testing.T) {
	t.Parallel()
	a := start(t, `create policy listen on realtime.messages for select to authenticated using (
		current_setting('request.headers')::json ->> 'upgrade' = 'websocket' and auth.jwt() ->> 'team' = 'red'
		and current_setting('request.jwt.claim.sub') = 'any text' and current_setting('request.jwt.claim.role') = 'authenticated');`, nil)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.joinAs("realtime:room", private, a.token(t, map[string]any{"role": "authenticated", "sub": "any text", "team": "red"}))
}

// Policy checks leave no rows behind.
func TestPolicyChecksLeaveNoRows(t *testing.T) {
	t.Parallel()
	a := start(t, everybody, nil)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.join("realtime:room", `{"private":true,"broadcast":{"ack":true},"presence":{"enabled":false}}`)
	c.expectReply("realtime:room", c.send("realtime:room", "broadcast", "{}"), "ok", "{}")
	var rows int
	if err := a.db.QueryRow(t.Context(), "select count(*) from realtime.messages").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// Clients cannot call the functions that insert rows for policy checks and renew partitions.
func TestClientsCannotCallPolicyCheckFunctions(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	for _, role := range []string{"anon", "authenticated", "service_role"} {
		var may bool
		if err := a.db.QueryRow(t.Context(), `select has_function_privilege($1, 'realtime.begin_policy_check(text, text, text, uuid[], text[])', 'execute')
			or has_function_privilege($1, 'realtime.renew_message_partitions()', 'execute')`, role).Scan(&may); err != nil || may {
			t.Errorf("%s: %t, %v", role, may, err)
		}
	}
}
