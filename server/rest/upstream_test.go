package rest_test

import (
	"strings"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const upstreamFixture = `
	create table films (id int primary key, title text);
	create table parts (id int primary key, film int references films deferrable initially deferred);
	insert into films values (1, 'a'), (2, 'b'), (3, null);
	alter table films enable row level security; create policy everyone on films using (true) with check (true);
	alter table parts enable row level security; create policy everyone on parts using (true) with check (true);
	create function headers(list text) returns int language plpgsql as
		$$ begin perform set_config('response.headers', list, true); return 1; end $$;
	create function first() returns setof films language sql stable as 'select * from films limit 1';`

// TestHeadersMatchUpstream compares the handling of headers with upstream.
// Source: PostgREST 16.1, Preferences.hs, Response.hs, MediaType.hs, RangeQuery.hs,
// MainTx.hs.
func TestHeadersMatchUpstream(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, upstreamFixture, func(c *settings.Config) { c.TxEnd = "commit-allow-override" })
	const all = "return=representation, resolution=merge-duplicates, missing=default, handling=strict, max-affected=5"
	one := "[{\"id\":1}]"
	three := "[{\"id\":1}, \n {\"id\":2}, \n {\"id\":3}]"
	for _, c := range []restkit.Case{
		{Name: "a media type in capitals", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Accept": "Application/JSON"}, Status: 200, Text: one},
		{Name: "another", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Accept": "TEXT/csv"}, Status: 200, Text: "id\n1"},
		{Name: "a range", Path: "/films?select=id", Header: map[string]string{"Range": "0-0"}, Status: 200, Text: one},
		{Name: "a range with a unit is ignored", Path: "/films?select=id", Header: map[string]string{"Range": "items=0-0"}, Status: 200, Text: three},
		{Name: "a range that ends in a word is ignored", Path: "/films?select=id", Header: map[string]string{"Range": "1-x"}, Status: 200, Text: three},
		{Name: "a zone that only Go knows", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Prefer": "timezone=Local"}, Status: 400},
		{Name: "an invalid max-affected", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Prefer": "handling=strict, max-affected=x"}, Status: 200, Text: one},
		{Name: "preferences applied to a read", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "handling=strict"}},
		{Name: "preferences applied to a call", Path: "/rpc/first", Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "handling=strict, max-affected=5"}},
		{Name: "preferences applied to a delete", Method: "DELETE", Path: "/films?id=eq.9", Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "return=representation, handling=strict, max-affected=5"}},
		{Name: "preferences applied to an update", Method: "PATCH", Path: "/films?id=eq.9", Body: `{"title":"x"}`, Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "missing=default, return=representation, handling=strict, max-affected=5"}},
		{Name: "an insert has no limit", Method: "POST", Path: "/films", Body: `[{"id":4},{"id":5}]`, Header: map[string]string{"Prefer": "missing=default, handling=strict, max-affected=1"}, Status: 201, WantHeader: map[string]string{"Preference-Applied": "missing=default, handling=strict"}},
		{Name: "preferences applied to a PUT", Method: "PUT", Path: "/films?id=eq.6", Body: `{"id":6}`, Header: map[string]string{"Prefer": all}, Status: 201, WantHeader: map[string]string{"Preference-Applied": "return=representation, handling=strict"}},
		{Name: "two headers in one object", Method: "POST", Path: "/rpc/headers", Body: `{"list":"[{\"A\":\"1\",\"B\":\"2\"}]"}`, Status: 500},
		{Name: "none", Method: "POST", Path: "/rpc/headers", Body: `{"list":"[{}]"}`, Status: 500},
		{Name: "no text", Method: "POST", Path: "/rpc/headers", Body: `{"list":"[{\"A\":null}]"}`, Status: 500},
		{Name: "a dry run checks deferred constraints", Method: "POST", Path: "/parts", Body: `{"id":1,"film":77}`, Header: map[string]string{"Prefer": "tx=rollback"}, Status: 409},
		{Name: "also of one object", Method: "POST", Path: "/parts", Body: `{"id":1,"film":77}`, Status: 409,
			Header: map[string]string{"Prefer": "tx=rollback, return=representation", "Accept": "application/vnd.pgrst.object+json"}},
		{Name: "a dry run", Method: "POST", Path: "/parts", Body: `{"id":1,"film":1}`, Header: map[string]string{"Prefer": "tx=rollback"}, Status: 201, WantHeader: map[string]string{"Preference-Applied": "tx=rollback"}},
		{Name: "does nothing", Path: "/parts", Status: 200, Text: "[]"},
	} {
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
	dry := together("a dry run of several", "", 409, "", `[{"method":"POST","path":"/parts","body":{"id":1,"film":77}}]`)
	dry.Header["Prefer"] = "tx=rollback"
	api.Run(t, dry)
}

const moreOfUpstream = `
	create table films (id int primary key, title text);
	create table parts (id int primary key, film int references films, cost int, apikey text);
	insert into films select n, 'film ' || n from generate_series(1, 5) n;
	insert into parts values (1, 1, 10, 'a'), (2, 1, 20, 'b'), (3, 2, 30, null);
	create table departments (id int primary key, head int);
	create table agents (id int primary key, department int references departments);
	alter table departments add foreign key (head) references agents;
	grant all on films, parts, departments, agents to anon;
	create function rename_films(until int) returns setof films language sql as
		$$ update films set title = 'renamed' where id <= until returning * $$;
	create function numbers() returns setof int language sql stable rows 10 as $$ select * from generate_series(1, 5) $$;
	create function draws() returns setof int language sql volatile as $$ select * from generate_series(1, 5) $$;
	create function path() returns text language sql stable as $$ select current_setting('request.path') $$;
	create function host() returns text language sql stable as $$ select current_setting('request.headers')::json ->> 'host' $$;`

// TestResponsesMatchUpstream compares responses with upstream.
// Source: PostgREST 14.17, its spec suite, QueryParams.hs, ApiRequest.hs, Plan.hs and
// MainTx.hs.
func TestResponsesMatchUpstream(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, moreOfUpstream, func(c *settings.Config) { c.Aggregates, c.ServerTiming = true, true })
	object := map[string]string{"Accept": "application/vnd.pgrst.object+json"}
	ranged := func(text string) map[string]string { return map[string]string{"Range": text} }
	none := map[string]string{"Content-Range": "*/*"}
	host, _, _ := strings.Cut(strings.TrimPrefix(api.URL(), "http://"), "/")
	for _, c := range []restkit.Case{
		{Name: "a range within a limit", Path: "/films?select=id&limit=1", Header: ranged("0-1"), Status: 200, Want: `[{"id":1}]`},
		{Name: "a range after an offset", Path: "/films?select=id&offset=3", Header: ranged("0-4"), Status: 200, WantHeader: map[string]string{"Content-Range": "3-4/*"}},
		{Name: "a range behind the limit", Path: "/films?limit=3", Header: ranged("5-10"), Status: 416},
		{Name: "the largest limit", Path: "/films?select=id&offset=3&limit=9223372036854775807", Header: ranged("0-9"), Status: 200, Want: `[{"id":4},{"id":5}]`},
		{Name: "the head of one object", Method: "HEAD", Path: "/films", Header: object, Status: 406},
		{Name: "values cut", Path: "/rpc/numbers?limit=2&offset=1", Header: map[string]string{"Prefer": "count=exact"}, Status: 206, Want: `[2,3]`, WantHeader: map[string]string{"Content-Range": "1-2/5"}},
		{Name: "values cut by a range", Path: "/rpc/numbers", Header: ranged("3-9"), Status: 200, Want: `[4,5]`},
		{Name: "values in order and filtered", Path: "/rpc/numbers?pgrst_scalar=gt.2&order=pgrst_scalar.desc", Status: 200, Want: `[5,4,3]`},
		{Name: "values of a volatile function", Method: "POST", Path: "/rpc/draws?limit=2", Header: map[string]string{"Prefer": "count=exact"}, Status: 206, Want: `[1,2]`, WantHeader: map[string]string{"Content-Range": "0-1/5"}},
		{Name: "an offset behind the values", Path: "/rpc/numbers?offset=7", Header: map[string]string{"Prefer": "count=exact"}, Status: 416},
		{Name: "one of several values", Path: "/rpc/numbers", Header: object, Status: 406},
		{Name: "one value", Path: "/rpc/numbers?limit=1", Header: object, Status: 200, Want: `1`},
		{Name: "no value", Path: "/rpc/numbers?limit=0", Status: 200, Want: `[]`, WantHeader: none},
		{Name: "one of several rows changed", Method: "POST", Path: "/rpc/rename_films", Body: `{"until":2}`, Header: object, Status: 406},
		{Name: "changed none", Path: "/films?title=eq.renamed", Status: 200, Want: `[]`},
		{Name: "one row changed", Method: "POST", Path: "/rpc/rename_films", Body: `{"until":1}`, Header: object, Status: 200, Want: `{"id":1,"title":"renamed"}`},
		{Name: "grouped by an embed of a spread", Path: "/parts?select=...films(parts(cost),id.count())&id=lt.3", Status: 200, Want: `[{"parts":[{"cost":10},{"cost":20}],"count":2}]`},
		{Name: "grouped by the values of a spread", Path: "/films?select=id.count(),...parts(cost)&id=gt.2", Status: 200, Want: `[{"count":3,"cost":[]}]`},
		{Name: "an empty logic tree", Path: "/films?or=()", Status: 400,
			Want: `{"code":"PGRST100","message":"\"failed to parse logic tree (())\" (line 1, column 4)","details":"unexpected \")\" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)","hint":null}`},
		{Name: "too much of an order", Path: "/films?order=id.asc.nullslasttt", Status: 400,
			Want: `{"code":"PGRST100","message":"\"failed to parse order (id.asc.nullslasttt)\" (line 1, column 17)","details":"unexpected 't' expecting \",\" or end of input","hint":null}`},
		{Name: "a plain value holds no rows", Method: "POST", Path: "/films", Body: "1", Status: 201, WantHeader: map[string]string{"Content-Range": "*/*"}},
		{Name: "a path with two slashes", Path: "//films", Status: 404, Want: `{"code":"PGRST125","message":"Invalid path specified in request URL","details":null,"hint":null}`},
		{Name: "a path as it came", Path: "/rpc/p%61th", Status: 200, Want: `"/rpc/p%61th"`},
		{Name: "the candidates in their order", Path: "/agents?select=departments(*)", Status: 300,
			Want: `{"code":"PGRST201","message":"Could not embed because more than one relationship was found for 'agents' and 'departments'","details":[` +
				`{"cardinality":"one-to-many","relationship":"departments_head_fkey using agents(id) and departments(head)","embedding":"agents with departments"},` +
				`{"cardinality":"many-to-one","relationship":"agents_department_fkey using agents(department) and departments(id)","embedding":"agents with departments"}],` +
				`"hint":"Try changing 'departments' to one of the following: 'departments!departments_head_fkey', 'departments!agents_department_fkey'. Find the desired relationship in the 'details' key."}`},
		{Name: "a column called apikey", Method: "DELETE", Path: "/parts?apikey=eq.a&select=id", Header: map[string]string{"Prefer": "return=representation"}, Status: 200, Want: `[{"id":1}]`},
		{Name: "and the key, in the same query", Path: "/parts?apikey=not.is.null&select=id&apikey=" + api.Auth.Keys.Anon, Header: map[string]string{"apikey": ""}, Status: 200, Want: `[{"id":2}]`},
		{Name: "a key beside a token", Path: "/parts?select=id&apikey=" + api.Auth.Keys.Anon, As: api.Auth.Keys.Service, Status: 200, Want: `[{"id":2},{"id":3}]`},
		{Name: "the host", Path: "/rpc/host", Status: 200, Want: `"` + host + `"`},
	} {
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
	for _, path := range []string{"/", "/films", "/rpc/host"} {
		if response, _ := api.Do(t, restkit.Case{Method: "OPTIONS", Path: path}); response.Header.Get("Server-Timing") == "" {
			t.Errorf("no Server-Timing for the options of %s", path)
		}
	}
}
