package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const shopFixture = `
	create table orders (id int generated always as identity primary key, owner uuid not null default auth.uid(), title text not null unique);
	create table items (id int generated always as identity primary key, order_id int not null references orders, name text not null, amount int check (amount > 0));
	create table stock (name text primary key, left_over int not null check (left_over >= 0));
	insert into stock values ('nut', 10), ('a"b, c', 3);
	alter table orders enable row level security; alter table items enable row level security; alter table stock enable row level security;
	create policy own on orders to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
	create policy own on items to authenticated using (exists (select from orders where orders.id = order_id)) with check (exists (select from orders where orders.id = order_id));
	create policy everyone on stock to authenticated using (true) with check (true);
	create function take(item text, amount int) returns int language sql as
		$$ update stock set left_over = left_over - amount where name = item returning left_over $$;
	create function level() returns text language sql stable as $$ select current_setting('transaction_isolation') $$;
	create function caller() returns text language sql stable as
		$$ select current_user || ' ' || current_setting('request.method') || ' ' || current_setting('request.path') || ' ' || current_setting('transaction_read_only') $$;
	create function teapot() returns text language plpgsql as
		$$ begin perform set_config('response.status', '418', true); return 'short and stout'; end $$;`

// together sends requests as a batch.
func together(name, as string, status int, want, requests string) restkit.Case {
	return restkit.Case{
		Name: name, Method: http.MethodPost, Path: "/", As: as, Status: status, Want: want, Body: requests,
		Header: map[string]string{"Content-Type": "application/vnd.plaza.transaction+json"},
	}
}

// bodies returns the bodies of a batch's responses.
func bodies(t *testing.T, text string) []string {
	t.Helper()
	var answers []struct{ Body json.RawMessage }
	if err := json.Unmarshal([]byte(text), &answers); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	list := make([]string, len(answers))
	for i, answer := range answers {
		list[i] = string(answer.Body)
	}
	return list
}

func TestRequestsInOneTransaction(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, shopFixture, nil)
	asAna, asBen := api.Token(t, ana), api.Token(t, ben)
	representation := `"headers": {"Prefer": "return=representation"}`
	one := `"headers": {"Prefer": "return=representation", "Accept": "application/vnd.pgrst.object+json"}`

	response, body := api.Do(t, together("", asAna, 0, "", `[
		{"id": "order", "method": "POST", "path": "/orders?select=id,title", `+one+`, "body": {"title": "first"}},
		{"method": "POST", "path": "/items?select=name,amount", `+representation+`, "body": [
			{"order_id": {"$result": "/order/body/id"}, "name": "nut", "amount": 2},
			{"order_id": {"$result": "/0/body/id"}, "name": {"$result": "/order/body/title"}, "amount": 1}]},
		{"path": "/items?select=name&order=name&order_id=eq.{/order/body/id}"},
		{"method": "POST", "path": "/rpc/take", "body": {"item": {"$result": "/1/body/0/name"}, "amount": 2}},
		{"method": "PATCH", "path": "/orders?id=eq.%7B%2Forder%2Fbody%2Fid%7D&select=title", `+representation+`, "body": {"title": "second"}},
		{"path": "/rpc/caller"},
		{"method": "HEAD", "path": "/items", "headers": {"Prefer": "count=exact"}},
		{"method": "DELETE", "path": "/items?name=eq.first"},
		{"path": "/stock?order=name", "headers": {"Accept": "text/csv"}}
	]`))
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Fatalf("status %d: %s", response.StatusCode, body)
	}
	got := bodies(t, body)
	for i, want := range []string{
		"", `[{"name":"nut","amount":2},{"name":"first","amount":1}]`, `[{"name":"first"},{"name":"nut"}]`, `8`, `[{"title":"second"}]`,
		`"authenticated GET /rpc/caller on"`, "", "", `"name,left_over\n\"a\"\"b, c\",3\nnut,8"`,
	} {
		if want != "" && strings.ReplaceAll(got[i], ", \n ", ",") != want {
			t.Errorf("request %d: %s, want %s", i, got[i], want)
		}
	}
	if !strings.Contains(body, `{"status":200,"headers":{"content-location":"/rest/v1/items","content-range":"0-1/2"`) {
		t.Errorf("the count is missing: %s", body)
	}

	for _, c := range []restkit.Case{
		{Name: "all rows exist", Path: "/orders?select=title,items(name,amount)", As: asAna, Status: 200, Want: `[{"title":"second","items":[{"name":"nut","amount":2}]}]`},
		together("the first that fails undoes all", asAna, 409,
			`{"code":"23505","message":"duplicate key value violates unique constraint \"orders_title_key\"","details":null,"hint":null,"request":1}`,
			`[{"method":"POST","path":"/orders","body":{"title":"third"}},{"method":"POST","path":"/orders","body":{"title":"second"}},{"method":"POST","path":"/orders","body":{"title":"fourth"}}]`),
		together("policies apply to each request", asBen, 403, "",
			`[{"method":"POST","path":"/rpc/take","body":{"item":"nut","amount":1}},{"method":"POST","path":"/orders","body":{"title":"x","owner":"`+ana+`"}}]`),
		together("a check that fails undoes all", asBen, 400, "",
			`[{"method":"POST","path":"/rpc/take","body":{"item":"nut","amount":1}},{"method":"POST","path":"/rpc/take","body":{"item":"nut","amount":100}}]`),
		together("a GET cannot write", asBen, 405, "", `[{"path":"/rpc/take?item=nut&amount=1"}]`),
		together("a write after a GET", asBen, 200, "", `[{"path":"/stock"},{"method":"PATCH","path":"/stock?name=eq.nut","body":{"left_over":7}},{"path":"/stock"}]`),
		{Name: "the row is updated", Path: "/stock?select=left_over&name=eq.nut", As: asBen, Status: 200, Text: `[{"left_over":7}]`},
		together("too many rows for one object", asBen, 406, "",
			`[{"method":"PATCH","path":"/stock?name=neq.x","headers":{"Prefer":"return=representation","Accept":"application/vnd.pgrst.object+json"},"body":{"left_over":1}}]`),
		together("more rows than expected", asBen, 400, "",
			`[{"method":"PATCH","path":"/stock?name=neq.x","headers":{"Prefer":"handling=strict,max-affected=1"},"body":{"left_over":1}}]`),
		together("a status of SQL that is an error", asBen, 418, `"short and stout"`, `[{"method":"PATCH","path":"/stock?name=eq.nut","body":{"left_over":0}},{"method":"POST","path":"/rpc/teapot"}]`),
		{Name: "none of these had an effect", Path: "/stock?select=left_over&order=name", As: asBen, Status: 200, Text: "[{\"left_over\":3}, \n {\"left_over\":7}]"},
		together("a reference to nothing", asAna, 400, `{"code":"PLZ005","message":"A reference leads nowhere","details":"/0/body/0/id","hint":null}`,
			`[{"path":"/orders?id=eq.0"},{"path":"/items?order_id=eq.{/0/body/0/id}"}]`),
		together("a reference to a later one", asAna, 400, "", `[{"path":"/items?order_id=eq.{/1/body/0/id}"},{"path":"/orders"}]`),
		together("a text with quotes and commas", asBen, 200, "", `[{"path":"/stock?select=name&name=like.a*","headers":{"Accept":"application/vnd.pgrst.object+json"}},{"path":"/stock?name=eq.{/0/body/name}","headers":{"Accept":"application/vnd.pgrst.object+json"}}]`),
		together("a text with quotes and commas in lists and trees", asBen, 200, "", `[{"id":"odd","path":"/stock?select=name&name=like.a*","headers":{"Accept":"application/vnd.pgrst.object+json"}},
			{"path":"/stock?name=in.(nut,{/odd/body/name})&left_over=eq.3","headers":{"Accept":"application/vnd.pgrst.object+json"}},
			{"path":"/stock?or=(name.eq.{/odd/body/name},and(left_over.gt.100,name.neq.x))","headers":{"Accept":"application/vnd.pgrst.object+json"}},
			{"path":"/stock?name=in.(\"{/odd/body/name}\")","headers":{"Accept":"application/vnd.pgrst.object+json"}}]`),
		together("a text is no condition", asBen, 406, "", `[{"method":"POST","path":"/orders","body":{"title":"x,left_over.gt.0"}},{"path":"/orders?select=title"},
			{"path":"/stock?or=(name.eq.{/1/body/0/title})","headers":{"Accept":"application/vnd.pgrst.object+json"}}]`),
		together("an unknown table", asAna, 404, "", `[{"path":"/nothing"}]`),
		together("an unknown path", asAna, 404, "", `[{"path":"/orders/1"}]`),
		together("no plain path", asAna, 400, "", `[{"path":"//orders"}]`),
		together("not below the root", asAna, 400, "", `[{"path":"https://elsewhere/orders"}]`),
		together("one in another", asAna, 400, "", `[{"method":"POST","path":"/","headers":{"Content-Type":"application/vnd.plaza.transaction+json"},"body":[{"path":"/orders"}]}]`),
		together("none", asAna, 400, `{"code":"PLZ004","message":"The body is no list of requests","details":"it is empty","hint":null}`, `[]`),
		together("no list", asAna, 400, "", `{"path":"/orders"}`),
		together("a key that means nothing", asAna, 400, `{"code":"PLZ004","message":"The body is no list of requests","details":"unknown field \"url\"","hint":null}`, `[{"url":"/orders"}]`),
		together("a method that means nothing", asAna, 405, "", `[{"method":"BREW","path":"/orders"}]`),
		together("too many", asAna, 400, "", "["+strings.Repeat(`{"path":"/orders"},`, 100)+`{"path":"/orders"}]`),
		{Name: "without a key", Method: "POST", Path: "/", Header: map[string]string{"apikey": "", "Content-Type": "application/vnd.plaza.transaction+json"}, Body: `[{"path":"/orders"}]`, Status: 401},
	} {
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
}

func TestPreferencesOfATransaction(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, shopFixture, func(c *settings.Config) { c.TxEnd, c.TxIsolation = "commit-allow-override", true })
	asAna := api.Token(t, ana)
	for level, want := range map[string]string{"": "read committed", "isolation=repeatable-read": "repeatable read", "isolation=serializable": "serializable"} {
		c := together(want, asAna, 200, "", `[{"path":"/rpc/level"}]`)
		c.Header["Prefer"] = level
		response, body := api.Do(t, c)
		if got := bodies(t, body)[0]; got != `"`+want+`"` || response.Header.Get("Preference-Applied") != level {
			t.Errorf("%s: %s, applied %q", level, got, response.Header.Get("Preference-Applied"))
		}
	}
	c := together("a dry run", asAna, 200, "", `[{"method":"POST","path":"/orders","body":{"title":"dry"}},{"path":"/orders?select=title"}]`)
	c.Header["Prefer"] = "tx=rollback"
	c.WantHeader = map[string]string{"Preference-Applied": "tx=rollback"}
	if _, body := api.Do(t, c); bodies(t, body)[1] != `[{"title":"dry"}]` {
		t.Errorf("within, the row is missing: %s", body)
	}
	api.Run(t, restkit.Case{Path: "/orders", As: asAna, Status: 200, Text: "[]"})
}

// A client that chooses its isolation level could pass a trigger that takes a lock and counts rows.
func TestIsolationIsTheServersChoice(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, shopFixture, nil)
	for _, c := range []restkit.Case{
		{Name: "ignored", Header: map[string]string{"Prefer": "isolation=serializable"}, Status: 200, Text: `"read committed"`},
		{Name: "refused", Header: map[string]string{"Prefer": "handling=strict, isolation=repeatable-read"}, Status: 400,
			Want: `{"code":"PGRST122","message":"Invalid preferences given with handling=strict","details":"Invalid preferences: isolation=repeatable-read","hint":null}`},
	} {
		c.Path, c.As = "/rpc/level", api.Token(t, ana)
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
	batch := together("a list", api.Token(t, ana), 200, "", `[{"path":"/rpc/level"}]`)
	batch.Header["Prefer"] = "isolation=serializable"
	if response, body := api.Do(t, batch); bodies(t, body)[0] != `"read committed"` || response.Header.Get("Preference-Applied") != "" {
		t.Errorf("%s, applied %q", body, response.Header.Get("Preference-Applied"))
	}
}

// TestConcurrentTransactions: concurrent batches that decrement the same stock do not
// interfere, and each is applied completely or not at all.
func TestConcurrentTransactions(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, shopFixture, nil)
	asAna := api.Token(t, ana)
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := make(map[int]int)
	for i := range 30 {
		all.Go(func() {
			response, _ := api.Do(t, together("", asAna, 0, "", fmt.Sprintf(`[{"method":"POST","path":"/orders","body":{"title":"order %d"}},{"method":"POST","path":"/rpc/take","body":{"item":"nut","amount":1}}]`, i)))
			mu.Lock()
			defer mu.Unlock()
			statuses[response.StatusCode]++
		})
	}
	all.Wait()
	if statuses[200] != 10 || statuses[400] != 20 {
		t.Errorf("statuses %v, want 10 of 200 and 20 of 400", statuses)
	}
	api.Run(t, restkit.Case{Method: "HEAD", Path: "/orders", As: asAna, Header: map[string]string{"Prefer": "count=exact"}, Status: 200,
		WantHeader: map[string]string{"Content-Range": "0-9/10"}})
	api.Run(t, restkit.Case{Path: "/stock?name=eq.nut&select=left_over", As: asAna, Status: 200, Text: `[{"left_over":0}]`})
}

const costFixture = `
	create table numbers (id int primary key, body text);
	insert into numbers select n, n::text from generate_series(1, 20000) n;
	analyze numbers;
	create table log (id int generated always as identity, body text);
	alter table numbers enable row level security; create policy all_rows on numbers using (true);
	alter table log enable row level security; create policy all_rows on log using (true);
	create function noted() returns void language sql as $$ insert into log (body) values ('ran') $$;
	do $$ begin
		lock table pg_catalog.pg_authid in share row exclusive mode;
		if not exists (select from pg_roles where rolname = 'thrifty') then create role thrifty; end if;
	end $$;
	grant thrifty to authenticator;
	grant usage on schema public to thrifty; grant all on numbers, log to thrifty;`

func TestExpensiveRequestsAreRefused(t *testing.T) {
	t.Parallel()
	// A role's settings for one database do not affect other tests.
	limit := `do $$ begin execute format('alter role thrifty in database %I set plan_filter.statement_cost_limit = 100', current_database()); end $$;`
	api := restkit.New(t, costFixture+limit, func(c *settings.Config) { c.PlanEnabled = true })
	thrifty, asAna := api.TokenOf(t, map[string]any{"role": "thrifty"}), api.Token(t, ana)
	const refused = "PLZ003"
	for _, c := range []struct {
		restkit.Case
		code string
	}{
		{restkit.Case{Name: "cheap", Path: "/numbers?id=eq.1", As: thrifty, Status: 200, Text: `[{"id":1,"body":"1"}]`}, ""},
		{restkit.Case{Name: "dear", Path: "/numbers?body=eq.1", As: thrifty, Status: 400}, refused},
		{restkit.Case{Name: "dear, with a limit it never reaches", Path: "/numbers?body=eq.no&limit=1", As: thrifty, Status: 400}, refused},
		{restkit.Case{Name: "dear by its count", Path: "/numbers?id=gt.0&limit=1", Header: map[string]string{"Prefer": "count=exact"}, As: thrifty, Status: 400}, refused},
		{restkit.Case{Name: "cheap without it", Path: "/numbers?id=gt.0&limit=1", As: thrifty, Status: 200}, ""},
		{restkit.Case{Name: "a dear write", Method: "DELETE", Path: "/numbers?body=eq.1", As: thrifty, Status: 400}, refused},
		{restkit.Case{Name: "a cheap write", Method: "PATCH", Path: "/numbers?id=eq.1", Body: `{"body":"one"}`, As: thrifty, Status: 204}, ""},
		{restkit.Case{Name: "one object", Method: "PATCH", Path: "/numbers?id=eq.2", Body: `{"body":"two"}`, As: thrifty, Status: 200, Text: `{"id":2,"body":"two"}`,
			Header: map[string]string{"Prefer": "return=representation", "Accept": "application/vnd.pgrst.object+json"}}, ""},
		{restkit.Case{Name: "no plan that is run", Path: "/numbers?body=eq.1", As: thrifty, Status: 400, Header: map[string]string{"Accept": "application/vnd.pgrst.plan; options=analyze"}}, refused},
		{together("in a transaction", thrifty, 400, "", `[{"method":"POST","path":"/log","body":{"body":"x"}},{"path":"/numbers?body=eq.1"}]`), refused},
		{restkit.Case{Name: "nothing was written", Path: "/log", As: thrifty, Status: 200, Text: "[]"}, ""},
		{restkit.Case{Name: "a function is run once", Method: "POST", Path: "/rpc/noted", As: thrifty, Status: 204}, ""},
		{restkit.Case{Name: "once", Path: "/log?select=body", As: thrifty, Status: 200, Text: `[{"body":"ran"}]`}, ""},
		{restkit.Case{Name: "a role without a limit", Path: "/numbers?body=eq.3", As: asAna, Status: 200, Text: `[{"id":3,"body":"3"}]`}, ""},
	} {
		t.Run(c.Name, func(t *testing.T) {
			api.Run(t, c.Case)
			if c.code != "" {
				if _, body := api.Do(t, c.Case); !strings.Contains(body, `"code":"`+c.code+`"`) || !strings.Contains(body, "limit of the role thrifty is 100.") {
					t.Errorf("%s", body)
				}
			}
		})
	}
}
