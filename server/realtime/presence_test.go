package realtime_test

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"plaza/server/realtime"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

var reference = regexp.MustCompile(`"phx_ref(_prev)?":"([^"]+)"`)

// refs numbers the references of presences in the order in which a test sees them.
type refs map[string]string

// expect checks that the next message is about presences. want has numbers for references.
func (seen refs) expect(c *conn, topic, event, want string) {
	c.t.Helper()
	m := c.next()
	got := reference.ReplaceAllStringFunc(m.payload, func(text string) string {
		parts := reference.FindStringSubmatch(text)
		if seen[parts[2]] == "" {
			seen[parts[2]] = strconv.Itoa(len(seen) + 1)
		}
		return `"phx_ref` + parts[1] + `":"` + seen[parts[2]] + `"`
	})
	if m.topic != topic || m.event != event || got != want || !json.Valid([]byte(m.payload)) {
		c.t.Errorf("got  %s %s %s\nwant %s %s %s", m.topic, m.event, got, topic, event, want)
	}
}

// RT-17: the life of a presence.
func TestPresence(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *realtime.Config) { c.MaxTracks = 0 })
	const topic = "realtime:room"
	seen := make(refs)
	ana, tab, bob := a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "2.0.0", a.auth.Keys.Anon), a.dial(t, "1.0.0", a.auth.Keys.Anon)
	bob.join(topic, `{}`)
	seen.expect(bob, topic, "presence_state", `{}`)
	ana.join(topic, `{"presence":{"key":"ana"}}`)
	seen.expect(ana, topic, "presence_state", `{}`)
	track := func(c *conn, payload, diff string, others ...*conn) {
		t.Helper()
		ref := c.send(topic, "presence", `{"type":"presence","event":"track","payload":`+payload+`}`)
		if diff != "" {
			seen.expect(c, topic, "presence_diff", diff)
		}
		c.expectReply(topic, ref, "ok", "{}")
		for _, other := range others {
			if diff != "" {
				seen.expect(other, topic, "presence_diff", diff)
			}
		}
	}
	track(ana, `{"at":1}`, `{"joins":{"ana":{"metas":[{"at":1,"phx_ref":"1"}]}},"leaves":{}}`, bob)
	track(ana, `{"at":1}`, "")
	track(ana, `{"at":2}`, `{"joins":{"ana":{"metas":[{"at":2,"phx_ref":"2","phx_ref_prev":"1"}]}},"leaves":{"ana":{"metas":[{"at":1,"phx_ref":"1"}]}}}`, bob)
	bob.expectNothing()

	tab.join(topic, `{"presence":{"key":"ana"}}`)
	seen.expect(tab, topic, "presence_state", `{"ana":{"metas":[{"at":2,"phx_ref":"2","phx_ref_prev":"1"}]}}`)
	track(tab, `{}`, `{"joins":{"ana":{"metas":[{"phx_ref":"3"}]}},"leaves":{}}`, bob, ana)

	late := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	late.join(topic, `{"presence":{"key":"__proto__"}}`)
	seen.expect(late, topic, "presence_state", `{"ana":{"metas":[{"at":2,"phx_ref":"2","phx_ref_prev":"1"},{"phx_ref":"3"}]}}`)
	track(late, `{"x":1}`, `{"joins":{"__proto__":{"metas":[{"phx_ref":"4","x":1}]}},"leaves":{}}`, bob, ana, tab)

	ref := ana.send(topic, "presence", `{"event":"untrack"}`)
	left := `{"joins":{},"leaves":{"ana":{"metas":[{"at":2,"phx_ref":"2","phx_ref_prev":"1"}]}}}`
	seen.expect(ana, topic, "presence_diff", left)
	ana.expectReply(topic, ref, "ok", "{}")
	seen.expect(bob, topic, "presence_diff", left)
	track(ana, `{}`, `{"joins":{"ana":{"metas":[{"phx_ref":"5"}]}},"leaves":{}}`, bob)

	// The connection is lost.
	_ = tab.net.Close()
	seen.expect(ana, topic, "presence_diff", `{"joins":{},"leaves":{"ana":{"metas":[{"phx_ref":"3"}]}}}`)
	// The channel is left.
	late.send(topic, "phx_leave", "{}")
	seen.expect(ana, topic, "presence_diff", `{"joins":{},"leaves":{"__proto__":{"metas":[{"phx_ref":"4","x":1}]}}}`)
	// The topic is joined again.
	ana.send(topic, "phx_join", `{}`)
	seen.expect(bob, topic, "presence_diff", `{"joins":{},"leaves":{"ana":{"metas":[{"phx_ref":"3"}]}}}`)
	seen.expect(bob, topic, "presence_diff", `{"joins":{},"leaves":{"__proto__":{"metas":[{"phx_ref":"4","x":1}]}}}`)
	seen.expect(bob, topic, "presence_diff", `{"joins":{},"leaves":{"ana":{"metas":[{"phx_ref":"5"}]}}}`)
}

// RT-18: invalid presences, and too many.
func TestPresenceLimits(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	join := func(topic string) *conn {
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		c.join(topic, `{}`)
		c.expect(message{"", "", topic, "presence_state", "{}", false})
		return c
	}
	c := join("realtime:bad")
	for payload, want := range map[string]string{
		`{"event":"track","payload":[1]}`: "Presence track payload must be a map",
		`{"event":"track","payload":"x"}`: "Presence track payload must be a map",
		`{"event":"dance","payload":{}}`:  "Unknown presence event: dance",
		`[]`:                              "Presence payload must be a map",
	} {
		c.expectReply("realtime:bad", c.send("realtime:bad", "presence", payload), "error", `{"reason":"`+want+`"}`)
	}
	big := join("realtime:big")
	big.send("realtime:big", "presence", `{"event":"track","payload":{"a":"`+strings.Repeat("x", 3_001_000)+`"}}`)
	big.expect(system("realtime:big", "system", "error", "Track message size exceeded"))
	big.expect(closed("realtime:big", "1"))

	many := join("realtime:many")
	for n := range 6 {
		many.send("realtime:many", "presence", `{"event":"track","payload":{"n":`+strconv.Itoa(n%5)+`}}`)
	}
	for range 5 {
		many.next() // the diff
		many.next() // the reply
	}
	many.expect(system("realtime:many", "system", "error", "Client presence rate limit exceeded"))
	many.expect(closed("realtime:many", "1"))

	slow := join("realtime:slow")
	for n := range 20 {
		ref := slow.send("realtime:slow", "presence", `{"event":"track","payload":{"n":`+strconv.Itoa(n)+`}}`)
		slow.next()
		slow.expectReply("realtime:slow", ref, "ok", "{}")
		a.clock.Advance(6 * time.Second)
	}
}

// Partitions are created for the next days, and dropped when their messages are old.
func TestMessagePartitions(t *testing.T) {
	t.Parallel()
	a := start(t, `create table realtime.messages_2020_01_01 partition of realtime.messages for values from ('2020-01-01') to ('2020-01-02');
		alter table realtime.messages_2020_01_01 owner to supabase_realtime_admin;
		do $$ declare day text; begin
			for day in select relname from pg_class c join pg_inherits i on inhrelid = c.oid where inhparent = 'realtime.messages'::regclass and relname > 'messages_2021' loop
				execute 'drop table realtime.' || day;
			end loop;
		end $$;`, nil)
	var before string
	if err := a.db.QueryRow(t.Context(), `select realtime.send('{}', 'e', 't'), (select count(*)::text from realtime.messages)`).Scan(nil, &before); err != nil || before != "0" {
		t.Fatalf("without a partition: %s rows, %v", before, err) // a warning, no error
	}
	for _, job := range a.server.Jobs() {
		if err := job.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	const question = `select coalesce(string_agg((to_date(right(relname, 10), 'YYYY_MM_DD') - timezone('utc', now())::date)::text, ' ' order by relname), '')
		from pg_class c join pg_inherits i on inhrelid = c.oid where inhparent = 'realtime.messages'::regclass`
	var days string
	if err := a.db.QueryRow(t.Context(), question).Scan(&days); err != nil || days != "-1 0 1 2 3" {
		t.Errorf("partitions of the days %s, %v", days, err)
	}
}
