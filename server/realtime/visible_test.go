package realtime_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func userID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// RT-21: each of many users receives the changes of the rows that they see, with any form of policy.
func TestEachCallerSeesTheOwnRows(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create table members (team int, member uuid);
		create function teams() returns setof int language sql security definer stable set search_path = '' as $$ select team from public.members where member = (select auth.uid()) $$;
		create table plain (id int primary key, owner uuid); create policy p on plain for select to authenticated using (owner = auth.uid());
		create table chosen (id int primary key, owner uuid); create policy p on chosen for select to authenticated using (owner = (select auth.uid()));
		create table joined (id int primary key, team int); create policy p on joined for select to authenticated using (exists (select from members m where m.team = joined.team and m.member = (select auth.uid())));
		create table definer (id int primary key, team int); create policy p on definer for select to authenticated using (team in (select teams()));
		create table claimed (id int, tag text, primary key (id, tag)); create policy p on claimed for select to authenticated using (tag = auth.jwt() ->> 'tag');
		create table shared (id int primary key, public boolean); create policy p on shared for select to authenticated using (public);
		grant select on all tables in schema public to authenticated;
		alter table plain enable row level security; alter table chosen enable row level security; alter table joined enable row level security;
		alter table definer enable row level security; alter table claimed enable row level security; alter table shared enable row level security;
		alter publication supabase_realtime add table plain, chosen, joined, definer, claimed, shared;
		insert into members select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 50) n;`)
	const users = 50
	conns := make([]*conn, users+1)
	for n := 1; n <= users; n++ {
		conns[n] = a.dial(t, "2.0.0", a.auth.Keys.Anon)
		token := a.token(t, map[string]any{"role": "authenticated", "sub": userID(n), "tag": fmt.Sprintf("tag %d", n)})
		conns[n].subscribe("realtime:mine", token, `{"event":"*","schema":"public","table":"*"}`)
	}
	a.exec(t, `
		insert into plain select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 50) n;
		insert into chosen select * from plain;
		insert into joined select n, n from generate_series(1, 50) n;
		insert into definer select * from joined;
		insert into claimed select n, 'tag ' || n from generate_series(1, 50) n;
		insert into shared values (1, true), (2, false);
		insert into marks default values`)
	for n := 1; n <= users; n++ {
		for _, want := range []string{
			fmt.Sprintf(`INSERT plain {"id":%d,"owner":"%s"}`, n, userID(n)), fmt.Sprintf(`INSERT chosen {"id":%d,"owner":"%s"}`, n, userID(n)),
			fmt.Sprintf(`INSERT joined {"id":%d,"team":%d}`, n, n), fmt.Sprintf(`INSERT definer {"id":%d,"team":%d}`, n, n), fmt.Sprintf(`INSERT claimed {"id":%d,"tag":"tag %d"}`, n, n),
			`INSERT shared {"id":1,"public":true}`, `INSERT marks {"id":1}`,
		} {
			conns[n].expectChange(want)
		}
	}
}

// PostgreSQL writes a commit to the WAL before others see the row. If visibility was checked at once, rows
// would be missing.
func TestRowsAreSeenOnceCommitted(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create table mine (id int generated always as identity primary key, owner uuid); alter table mine enable row level security;
		create policy p on mine for select to authenticated using (owner = (select auth.uid()));
		grant select on mine to authenticated; alter publication supabase_realtime add table mine;`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:mine", a.user(t, userID(1)), `{"event":"*","schema":"public","table":"mine"}`, markEntry)
	// One after the other, so that each is checked as soon as it is in the WAL. The tests' cluster has
	// synchronous_commit = off by default.
	for n := 1; n <= 2000; n++ {
		a.exec(t, "begin; set local synchronous_commit = on; insert into mine (owner) values ('"+userID(1)+"'); commit")
		c.expectChange(fmt.Sprintf(`INSERT mine {"id":%d,"owner":"%s"}`, n, userID(1)))
		if t.Failed() {
			return
		}
	}
}

// RT-22: all clients with the same key share one visibility check.
func TestCallersAreShared(t *testing.T) {
	t.Parallel()
	a := startChanges(t, `create table posts (id int primary key, author uuid); alter table posts enable row level security; grant select on posts to anon;
		create policy p on posts for select to anon using (author is null or author = (select auth.uid())); alter publication supabase_realtime add table posts;`)
	const clients = 300
	conns := make([]*conn, clients)
	for i := range conns {
		conns[i] = a.dial(t, "2.0.0", a.auth.Keys.Anon)
		conns[i].subscribe("realtime:posts", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"posts"}`)
	}
	before := a.server.Stats().Changes
	a.exec(t, "insert into posts values (1, null)")
	for _, c := range conns {
		c.expectChange(`INSERT posts {"author":null,"id":1}`)
	}
	after := a.server.Stats().Changes
	if checks, deliveries := after.Checks-before.Checks, after.Delivered-before.Delivered; checks != 1 || deliveries != clients || after.Callers != 1 {
		t.Errorf("%d policy checks and %d deliveries for %d callers", checks, deliveries, after.Callers)
	}
}

// RT-23: if the policy raises an error for a caller, only that caller does not receive the change.
func TestFailingPolicyOfOneCaller(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`create table posts (id int primary key); alter table posts enable row level security; grant select on posts to authenticated;
		create policy p on posts for select to authenticated using (1 / (auth.jwt() ->> 'n')::int = 1 or id > 0); alter publication supabase_realtime add table posts;`)
	conns := make([]*conn, 5)
	for n := range conns {
		conns[n] = a.dial(t, "2.0.0", a.auth.Keys.Anon)
		conns[n].subscribe("realtime:posts", a.token(t, map[string]any{"role": "authenticated", "sub": "1", "n": n}), `{"event":"*","schema":"public","table":"posts"}`, markEntry)
	}
	a.exec(t, "insert into posts values (1)")
	for n, c := range conns {
		if n != 0 {
			c.expectChange(`INSERT posts {"id":1}`)
		}
	}
	a.settle(t, conns...)
}

// RT-24: what callers receive of updates and deletes.
func TestUpdatesAndDeletes(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create table own (id int primary key, owner uuid, text text); alter table own enable row level security; grant select on own to authenticated;
		create policy p on own for select to authenticated using (owner = (select auth.uid()));
		create table whole (id int primary key, owner uuid, text text); alter table whole enable row level security; alter table whole replica identity full; grant select on whole to authenticated, service_role;
		create policy p on whole for select to authenticated using (owner = (select auth.uid()));
		create table open (id int primary key, text text); alter table open replica identity full; grant select on open to authenticated;
		alter publication supabase_realtime add table own, whole, open;`)
	me, other := userID(1), userID(2)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:own", a.user(t, me), `{"event":"*","schema":"public","table":"own"}`, `{"event":"*","schema":"public","table":"whole"}`, `{"event":"*","schema":"public","table":"open"}`, markEntry)
	filtered := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	filtered.subscribe("realtime:filtered", a.user(t, me), `{"event":"DELETE","schema":"public","table":"own","filter":"text=eq.b"}`, `{"event":"DELETE","schema":"public","table":"own","filter":"id=eq.3"}`, `{"event":"DELETE","schema":"public","table":"whole","filter":"text=eq.b"}`, markEntry)
	do := func(format string, args ...any) { t.Helper(); a.exec(t, fmt.Sprintf(format, args...)) }
	do(`insert into own values (1, '%s', 'a'), (2, '%s', 'a')`, me, other)
	c.expectChange(`INSERT own {"id":1,"owner":"` + me + `","text":"a"}`)
	do(`update own set owner = '%s' where id = 1`, other) // it becomes invisible
	a.settle(t, c, filtered)
	do(`update own set owner = '%s' where id = 2`, me) // it becomes visible
	c.expectChange(`UPDATE own {"id":2,"owner":"` + me + `","text":"a"} old {"id":2}`)
	do(`update own set id = 3, text = 'b' where id = 2`)
	c.expectChange(`UPDATE own {"id":3,"owner":"` + me + `","text":"b"} old {"id":2}`)
	do(`delete from own`) // visibility is not checked
	c.expectChange(`DELETE own old {"id":1}`)
	c.expectChange(`DELETE own old {"id":3}`)
	filtered.expectChange(`DELETE own old {"id":3}`)
	do(`insert into whole values (1, '%s', 'a'); update whole set text = 'b'; delete from whole`, me)
	// The row is deleted when its changes are checked: only its deletion is delivered, with its key.
	c.expectChange(`DELETE whole old {"id":1}`)
	filtered.expectChange(`DELETE whole old {"id":1}`)
	do(`insert into whole values (2, '%s', 'a')`, me)
	c.expectChange(`INSERT whole {"id":2,"owner":"` + me + `","text":"a"}`)
	do(`update whole set text = 'c'`)
	c.expectChange(`UPDATE whole {"id":2,"owner":"` + me + `","text":"c"} old {"id":2,"owner":"` + me + `","text":"a"}`)
	do(`insert into open values (1, 'a')`)
	c.expectChange(`INSERT open {"id":1,"text":"a"}`)
	do(`delete from open`)
	c.expectChange(`DELETE open old {"id":1,"text":"a"}`)
	// A role that bypasses row-level security receives the whole deleted row, others only its key.
	bypass := a.dial(t, "2.0.0", a.auth.Keys.Service)
	bypass.subscribe("realtime:whole", a.auth.Keys.Service, `{"event":"DELETE","schema":"public","table":"whole"}`)
	do(`delete from whole`)
	c.expectChange(`DELETE whole old {"id":2}`)
	bypass.expectChange(`DELETE whole old {"id":2,"owner":"` + me + `","text":"c"}`)
	for n := 10; n < 20; n++ {
		do(`insert into whole values (%d, '%s', 'secret')`, n, other)
		do(`delete from whole`)
		c.expectChange(fmt.Sprintf(`DELETE whole old {"id":%d}`, n))
		bypass.expectChange(fmt.Sprintf(`DELETE whole old {"id":%d,"owner":"%s","text":"secret"}`, n, other))
	}
	do(`insert into own values (5, '%s', 'x'); truncate own`, other)
	a.settle(t, c, filtered)
}

// RT-25: columns, also while subscribed.
func TestColumns(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create table t (id int primary key, a text, secret text, twice int generated always as (id * 2) stored);
		revoke all on t from anon; grant select (id, a, twice) on t to anon; create table later (id int primary key); grant select on later to anon;
		alter publication supabase_realtime add table t;`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:t", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"*"}`)
	chosen := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	chosen.subscribe("realtime:t", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"t","select":["a"]}`, markEntry)
	a.exec(t, `insert into t (id, a, secret) values (1, 'x', 'y')`)
	c.expectChange(`INSERT t {"a":"x","id":1,"twice":2}`)
	chosen.expectChange(`INSERT t {"a":"x","id":1}`)
	a.exec(t, `alter table t add column more int default 7; grant select (more) on t to anon; alter table t drop column twice`)
	a.exec(t, `insert into t (id, a) values (2, 'x')`)
	c.expectChange(`INSERT t {"a":"x","id":2,"more":7}`)
	chosen.expectChange(`INSERT t {"a":"x","id":2}`)
	a.exec(t, `alter publication supabase_realtime add table later`)
	new := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	new.subscribe("realtime:later", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"later"}`, markEntry)
	a.exec(t, `insert into later values (1)`)
	c.expectChange(`INSERT later {"id":1}`)
	new.expectChange(`INSERT later {"id":1}`)
	a.exec(t, `alter table t rename to renamed; insert into renamed (id) values (3)`)
	c.expectChange(`INSERT renamed {"a":null,"id":3,"more":7}`)
	a.exec(t, `revoke select on renamed from anon; revoke select (id, a, more) on renamed from anon`)
	a.exec(t, `insert into renamed (id) values (4)`)
	c.expectChange(`INSERT renamed {} Error 401: Unauthorized`)
	a.exec(t, `drop table renamed`)
	a.settle(t, c, chosen, new)
}

// RT-25: after a change of a column's type, a filter compares values of the new type.
func TestFilterAfterTypeChange(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`create table t (id int primary key, v text); grant select on t to anon; alter publication supabase_realtime add table t;`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:t", a.auth.Keys.Anon, `{"event":"INSERT","schema":"public","table":"t","filter":"v=eq.05"}`, markEntry)
	for range 2 {
		a.exec(t, `insert into t values (1, '5'), (2, '05')`)
		c.expectChange(`INSERT t {"id":2,"v":"05"}`)
		a.exec(t, `delete from t`)
	}
	a.exec(t, `alter table t alter v type int using v::int`)
	a.exec(t, `insert into t values (1, 5), (2, 50)`)
	c.expectChange(`INSERT t {"id":1,"v":5}`)
	a.settle(t, c)
}

// RT-26: values are those of the data API.
func TestValuesMatchDataAPI(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`
		create type mood as enum ('ok'); create type pair as (a int, b text); create domain positive as int check (value > 0);
		create table v (id int primary key, i8 int8, n numeric, f float8, b boolean, t text, d date, ts timestamp, tz timestamptz, u uuid, j json, jb jsonb, by bytea,
			ia int[], ta text[], m mood, ma mood[], p pair, r int4range, dom positive, iv interval, ip inet, pt point, xm xml, bits bit(3), mo money, tv tsvector, z text);
		grant select on v to anon; alter publication supabase_realtime add table v;
		create table nokey (a int); grant select on nokey to anon; alter table nokey replica identity full; alter publication supabase_realtime add table nokey;`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:v", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"v"}`, `{"event":"*","schema":"public","table":"nokey"}`, markEntry)
	a.exec(t, `insert into v values (1, 9007199254740993, 1.50, 'NaN', true, E'é"\\\n\u2028', '2026-01-02', '2026-01-02 03:04:05.6', '2026-01-02 03:04:05+02', '5f1c1d2e-0000-4000-8000-000000000001',
		'{"b": 1,  "a":[2]}', '{"b":1,"a":null}', '\x00ff', '{{1,2},{3,null}}', '{a,"b,\"c\"",null,""}', 'ok', '{ok}', row(1, 'x"y'), '[1,5)', 7, '1 day 2 hours', '10.0.0.1/8', '(1,2)', '<a/>', '101', '1.5', 'a b', null)`)
	m := c.next()
	var payload struct {
		Data struct{ Record map[string]json.RawMessage }
	}
	if err := json.Unmarshal([]byte(m.payload), &payload); err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	rows, err := a.db.Query(t.Context(), `select key, value::text from v, jsonb_each(to_jsonb(v)) order by key`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var name, want string
		if err := rows.Scan(&name, &want); err != nil {
			t.Fatal(err)
		}
		if name == "by" {
			want = `"00ff"`
		}
		got := string(payload.Data.Record[name])
		if compact(t, got) != compact(t, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if len(payload.Data.Record) != 28 {
		t.Errorf("%d values", len(payload.Data.Record))
	}

	a.exec(t, `update v set t = repeat('x', 2000000) where id = 1`)
	if text := c.change(); !strings.Contains(text, "Error 413: Payload Too Large") || !strings.Contains(text, `"i8":9007199254740993`) || len(text) > 10_000 || strings.Contains(text, `"t":`) {
		t.Errorf("a large value: %.500s", text)
	}
	a.exec(t, `insert into nokey values (1); delete from nokey`)
	c.expectChange(`INSERT nokey {} Error 400: Bad Request, no primary key`)
	c.expectChange(`DELETE nokey old {"a":1}`)
}

// RT-26: a large value that an update does not change is not in the WAL. It is read from the table, if
// the row was not changed again since.
func TestLargeValues(t *testing.T) {
	t.Parallel()
	a := startChanges(t, marks+`create table docs (id int, part text, n int, big text, bytes bytea, primary key (id, part));
		alter table docs alter big set storage external, alter bytes set storage external;
		insert into docs values (1, 'a', 0, repeat('x', 10000), decode(repeat('00ff', 3000), 'hex'));
		revoke all on docs from anon, authenticated; grant select (id, part, n, big, bytes) on docs to anon; grant select (id, part, n) on docs to authenticated; alter publication supabase_realtime add table docs;`)
	c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	other := a.dial(t, "2.0.0", a.auth.Keys.Anon)
	c.subscribe("realtime:docs", a.auth.Keys.Anon, `{"event":"*","schema":"public","table":"docs"}`, markEntry)
	other.subscribe("realtime:docs", a.user(t, userID(1)), `{"event":"*","schema":"public","table":"docs"}`, markEntry)
	large := fmt.Sprintf(`"big":"%s","bytes":"%s"`, strings.Repeat("x", 10000), strings.Repeat("00ff", 3000))
	a.exec(t, `update docs set n = 1`)
	c.expectChange(`UPDATE docs {` + large + `,"id":1,"n":1,"part":"a"} old {"id":1,"part":"a"}`)
	other.expectChange(`UPDATE docs {"id":1,"n":1,"part":"a"} old {"id":1,"part":"a"}`)
	// The row's xmin is a subtransaction's id here, so the value is not read.
	a.exec(t, `begin; savepoint s; update docs set n = 2; commit`)
	c.expectChange(`UPDATE docs {"id":1,"n":2,"part":"a"} old {"id":1,"part":"a"}`)
	a.exec(t, `alter table docs replica identity full; update docs set n = 3`)
	c.expectChange(`UPDATE docs {` + large + `,"id":1,"n":3,"part":"a"} old {` + large + `,"id":1,"n":2,"part":"a"}`)
}

// compact returns JSON in one form; numbers keep their digits.
func compact(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := decode([]byte(text), &value); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Error(err)
	}
	return string(out)
}
