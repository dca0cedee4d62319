package realtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"plaza/server/realtime"
)

// run reads changes until the test ends.
func (a *api) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); a.server.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
}

// startChanges starts a server that reads changes.
func startChanges(t *testing.T, schema string) *api {
	t.Helper()
	a := start(t, schema, func(c *realtime.Config) { c.Pool = 2 })
	a.run(t)
	return a
}

const subscribedText = "Subscribed to PostgreSQL"

// subscribe joins a topic with entries of postgres_changes, and returns their ids.
func (c *conn) subscribe(topic, token string, entries ...string) (ids []int) {
	c.t.Helper()
	c.requestChanges(topic, token, &ids, entries)
	c.expect(system(topic, "postgres_changes", "ok", subscribedText))
	return ids
}

func (c *conn) requestChanges(topic, token string, ids *[]int, entries []string) {
	c.t.Helper()
	ref := c.send(topic, "phx_join", fmt.Sprintf(`{"config":{"presence":{"enabled":false},"postgres_changes":[%s]},"access_token":%q}`, strings.Join(entries, ","), token))
	m := c.next()
	var answer struct {
		Status   string
		Response struct {
			Changes []struct{ ID int } `json:"postgres_changes"`
		}
	}
	if err := json.Unmarshal([]byte(m.payload), &answer); err != nil || m.ref != ref || answer.Status != "ok" || len(answer.Response.Changes) != len(entries) {
		c.t.Fatalf("join: %+v, %v", m, err)
	}
	for _, entry := range answer.Response.Changes {
		*ids = append(*ids, entry.ID)
	}
}

// change is a message of postgres_changes without what differs from run to run.
func (c *conn) change() string {
	c.t.Helper()
	m := c.next()
	if m.event != "postgres_changes" {
		c.t.Fatalf("got %+v, want a change", m)
	}
	var payload struct {
		IDs  []int
		Data struct {
			Type, Table     string
			Record          json.RawMessage
			Old             json.RawMessage `json:"old_record"`
			Errors          []string
			Columns         []struct{ Name, Type string }
			CommitTimestamp *string `json:"commit_timestamp"`
		}
	}
	if err := json.Unmarshal([]byte(m.payload), &payload); err != nil {
		c.t.Fatal(err)
	}
	d := payload.Data
	text := d.Type + " " + d.Table
	if d.Record != nil {
		text += " " + string(d.Record)
	}
	if d.Old != nil {
		text += " old " + string(d.Old)
	}
	if d.Errors != nil {
		text += " " + strings.Join(d.Errors, ",")
	}
	return text
}

func (c *conn) expectChange(want string) {
	c.t.Helper()
	if got := c.change(); got != want {
		c.t.Errorf("got  %s\nwant %s", got, want)
	}
}

// settle waits until all committed changes are processed: it inserts a row into a table that everybody
// sees, and waits for that change.
func (a *api) settle(t *testing.T, conns ...*conn) {
	t.Helper()
	a.exec(t, `insert into marks default values`)
	for _, c := range conns {
		if got := c.change(); !strings.HasPrefix(got, "INSERT marks") {
			t.Errorf("got %s, want nothing before the mark", got)
		}
	}
}

const marks = `create table marks (id int generated always as identity primary key);
	grant select on marks to anon, authenticated; alter publication supabase_realtime add table marks;`

const markEntry = `{"event":"INSERT","schema":"public","table":"marks"}`

// RT-19: events and bindings.
func TestEventsAndBindings(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create table plants (id int primary key, name text);
		create schema garden; create table garden.beds (id int primary key);
		grant usage on schema garden to anon; grant select on garden.beds to anon;
		alter publication supabase_realtime add table plants, garden.beds;`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	all := c.subscribe("realtime:all", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"plants"}`, markEntry)
	inserts := a.dial(t, "1.0.0", a.auth.Keys.Anon)
	several := inserts.subscribe("realtime:several", a.auth.Keys.Anon,
		`{"event":"INSERT","schema":"public","table":"plants"}`, `{"event":"DELETE","table":"plants","filter":null}`, `{"schema":"garden"}`, `{"event":"INSERT","schema":"public","table":"plants"}`, markEntry)
	if several[0] != several[3] || several[0] == several[1] || all[0] == several[0] {
		t.Errorf("ids %v and %v", all, several)
	}
	a.exec(t, `insert into plants values (1, 'Rosa')`)
	a.exec(t, `update plants set name = 'Rosal'`)
	a.exec(t, `insert into garden.beds values (7)`)
	a.exec(t, `delete from plants`)
	c.expectChange(`INSERT plants {"id":1,"name":"Rosa"}`)
	c.expectChange(`UPDATE plants {"id":1,"name":"Rosal"} old {"id":1}`)
	c.expectChange(`DELETE plants old {"id":1}`)
	m := inserts.next()
	var first struct {
		IDs  []int
		Data map[string]any
	}
	if err := json.Unmarshal([]byte(m.payload), &first); err != nil || len(first.IDs) != 1 || first.IDs[0] != several[0] {
		t.Errorf("ids of %s, want %d", m.payload, several[0])
	}
	delete(first.Data, "commit_timestamp")
	if text, _ := json.Marshal(first.Data); string(text) != `{"columns":[{"name":"id","type":"int4"},{"name":"name","type":"text"}],"errors":null,"record":{"id":1,"name":"Rosa"},"schema":"public","table":"plants","type":"INSERT"}` {
		t.Errorf("data %s", text)
	}
	inserts.expectChange(`INSERT beds {"id":7}`)
	inserts.expectChange(`DELETE plants old {"id":1}`)
	a.settle(t, c, inserts)
}

// RT-20: filters.
func TestFilters(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create extension if not exists citext with schema extensions;
		create type mood as enum ('sad', 'ok', 'happy');
		create table t (id int primary key, i int, s text, u uuid, z timestamptz, n numeric, c extensions.citext, b boolean, m mood);
		grant select on t to anon; alter publication supabase_realtime add table t;`)
	const id = "5f1c1d2e-0000-4000-8000-000000000001"
	filters := map[string]string{ // by filter, the ids of the rows that match
		`i=eq.5`: "1", `i=neq.5`: "2", `i=lt.9`: "1", `i=lte.9`: "1 2", `i=gt.5`: "2", `i=gte.5`: "1 2", `i=in.(5, 7)`: "1", `i=is.null`: "3", `i=isdistinct.5`: "2 3",
		`i=not.eq.5`: "2", `i=not.in.(5,7)`: "2", `i=not.is.null`: "1 2", `i=not.isdistinct.5`: "1", `i=not.lt.9`: "2",
		`s=eq."a,b"`: "1", `s=like.a%`: "1", `s=ilike.A%`: "1", `s=match.^x`: "2", `s=imatch.^X`: "2", `s=not.like.a%`: "2", `s=in.("a,b",other)`: "1", `s=gt.b`: "2",
		`u=eq.` + strings.ToUpper(id): "1", `u=neq.` + id: "2", `z=eq.2026-01-01T01:00:00+01:00`: "1", `z=gt.2026-01-01`: "2", `n=eq.1.50`: "1", `n=lt.2`: "1",
		`c=eq.ABC`: "1", `c=neq.ABC`: "2", `b=is.true`: "1", `b=is.false`: "2", `b=is.unknown`: "3", `b=not.is.true`: "2 3", `b=eq.true`: "1", `m=eq.ok`: "1", `m=gt.ok`: "2", `m=in.(sad,happy)`: "2",
		`i=eq.5,s=like.a%`: "1", `i=eq.5,s=match.^x`: "", ``: "1 2 3",
	}
	conns := make(map[string]*conn)
	for filter := range filters {
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		entry, _ := json.Marshal(map[string]string{"event": "INSERT", "schema": "public", "table": "t", "filter": filter})
		c.subscribe("realtime:f", a.auth.Keys.Anon, string(entry), markEntry)
		conns[filter] = c
	}
	// The first change of a table finds all entries; then they have keys in the index, and the second is found by value.
	for first := 1; first <= 4; first += 3 {
		a.exec(t, fmt.Sprintf(`insert into t values (%d, 5, 'a,b', '`+id+`', '2026-01-01', 1.5, 'abc', true, 'ok'),
			(%d, 9, 'xyz', '5f1c1d2e-0000-4000-8000-000000000002', '2026-02-01', 2.5, 'xyz', false, 'happy'), (%d, null, null, null, null, null, null, null, null)`, first, first+1, first+2))
		a.exec(t, `insert into marks default values`)
		for filter, want := range filters {
			var got []string
			for {
				text := conns[filter].change()
				if strings.HasPrefix(text, "INSERT marks") {
					break
				}
				var row struct{ ID int }
				if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "INSERT t ")), &row); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(row.ID-first+1))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: rows %v, want %s", filter, got, want)
			}
		}
	}
}

// A join with postgres_changes_options.wait is answered only when changes are delivered. No replication
// slot can be created while a transaction is open.
func TestWaitForChanges(t *testing.T) {
	t.Parallel()
	a := startChanges(t, `create table t (id int primary key); create table other (id int primary key);
		grant select on t to anon; alter publication supabase_realtime add table t;`)
	open, err := a.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open.Exec(t.Context(), "select pg_current_xact_id()"); err != nil {
		t.Fatal(err)
	}
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	config := func(table, options string) string {
		return fmt.Sprintf(`{"config":{"postgres_changes":[{"event":"*","schema":"public","table":%q}],"postgres_changes_options":{"wait":true%s}}}`, table, options)
	}
	c.expectRefusedJoin("realtime:slow", config("t", `,"timeout":50`), "PostgresChangesSubscribeTimeout: Changes of tables could not be subscribed to in time")
	c.expectRefusedJoin("realtime:other", config("other", ""), "RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters."+
		" Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: other, filters: [], select: nil]")

	ref := c.send("realtime:t", "phx_join", config("t", ""))
	for a.server.Members("t") == 0 {
		runtime.Gosched()
	}
	sender := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	sender.join("realtime:t", `{"broadcast":{"ack":true}}`)
	sender.expect(message{"", "", "realtime:t", "presence_state", "{}", false})
	sent := sender.send("realtime:t", "broadcast", `{"type":"broadcast","event":"early","payload":{}}`)
	sender.expectReply("realtime:t", sent, "ok", "{}")
	c.expectNothing()
	if err := open.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := c.next(); m.event != "phx_reply" || m.ref != ref || !strings.Contains(m.payload, `"status":"ok"`) {
		t.Errorf("the answer to the join is %+v", m)
	}
	a.exec(t, "insert into t values (1)")
	for _, want := range []string{"system", "presence_state", "broadcast", "postgres_changes"} {
		if m := c.next(); m.event != want {
			t.Errorf("got %+v, want %s", m, want)
		}
	}
	// Now the WAL is already read.
	c.send("realtime:second", "phx_join", config("t", ""))
	for _, want := range []string{"phx_reply", "system", "presence_state"} {
		if m := c.next(); m.event != want {
			t.Errorf("got %+v, want %s", m, want)
		}
	}
}

// RT-20: an invalid subscription is answered with an error, and the channel stays joined.
func TestWrongSubscriptions(t *testing.T) {
	t.Parallel()
	a := startChanges(t, `
		create table t (id int primary key, s text, hidden text); create table other (id int primary key);
		revoke all on t from anon; grant select (id, s) on t to anon; alter publication supabase_realtime add table t;`)
	const params = `[event: *, schema: public, table: t, filters: [%s], select: %s]`
	exception := func(filters, columns, text string) string {
		return "Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: " + fmt.Sprintf(params, filters, columns) + ". Exception: " + text
	}
	for entry, want := range map[string]string{
		`{"schema":"public","table":"other"}`:                                 "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: other, filters: [], select: nil]",
		`{"event":"INSERT"}`:                                                  "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: {\"event\":\"INSERT\"}",
		`{"table":"t","filter":"x=eq.1"}`:                                     exception(`{"x", "eq", "1"}`, "nil", "invalid column for filter x"),
		`{"table":"t","filter":"hidden=eq.1"}`:                                exception(`{"hidden", "eq", "1"}`, "nil", "invalid column for filter hidden"),
		`{"table":"t","select":["hidden"]}`:                                   exception("", `["hidden"]`, "invalid column for select hidden"),
		`{"table":"t","filter":"id=eq.x"}`:                                    exception(`{"id", "eq", "x"}`, "nil", `invalid input syntax for type integer: "x"`),
		`{"table":"t","filter":"id=like.x"}`:                                  exception(`{"id", "like", "x"}`, "nil", "operator like requires a text-compatible column type, got int4"),
		`{"table":"t","filter":"s=match.("}`:                                  exception(`{"s", "match", "("}`, "nil", "invalid regular expression for match filter: invalid regular expression: parentheses () not balanced"),
		`{"table":"t","filter":"s=is.true"}`:                                  exception(`{"s", "is", "true"}`, "nil", "invalid value for is filter: true"),
		`{"table":"t","filter":"id=xx.1"}`:                                    "Error parsing `filter` params: unknown operator \"xx\"",
		`{"table":"t","filter":"id"}`:                                         "Error parsing `filter` params: \"id\" is not of the form column=op.value",
		`{"table":"t","select":""}`:                                           "Error parsing `select` params: ",
		`{"schema":"public","select":["id"]}`:                                 "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.",
		`{"table":"t","filter":"id=in.(` + strings.Repeat("1,", 100) + `1)"}`: exception(`{"id", "in", "{`+strings.Repeat("1,", 100)+`1}"}`, "nil", "too many values for `in` filter. Maximum 100"),
	} {
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		var ids []int
		c.requestChanges("realtime:t", a.auth.Keys.Anon, &ids, []string{entry})
		m := c.next()
		var system struct{ Extension, Status, Message string }
		if err := json.Unmarshal([]byte(m.payload), &system); err != nil || system.Extension != "postgres_changes" || system.Status != "error" || system.Message != want {
			t.Errorf("%s:\ngot  %s\nwant %s", entry, system.Message, want)
		}
		c.expectReply("realtime:t", c.send("realtime:t", "phx_leave", "{}"), "ok", "{}")
	}
}
