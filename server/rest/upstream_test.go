package rest_test

import (
	"testing"

	"plaza/server/rest"
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

// TestWhatUpstreamMakesOfHeaders. Source: PostgREST 14.17, Preferences.hs,
// Response.hs, MediaType.hs, RangeQuery.hs, MainTx.hs.
func TestWhatUpstreamMakesOfHeaders(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, upstreamFixture, func(c *rest.Config) { c.TxEnd = "commit-allow-override" })
	const all = "return=representation, resolution=merge-duplicates, missing=default, handling=strict, max-affected=5"
	one := "[{\"id\":1}]"
	three := "[{\"id\":1}, \n {\"id\":2}, \n {\"id\":3}]"
	for _, c := range []restkit.Case{
		{Name: "a media type in capitals", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Accept": "Application/JSON"}, Status: 200, Text: one},
		{Name: "another", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Accept": "TEXT/csv"}, Status: 200, Text: "id\n1"},
		{Name: "a range", Path: "/films?select=id", Header: map[string]string{"Range": "0-0"}, Status: 200, Text: one},
		{Name: "a range with its unit is none", Path: "/films?select=id", Header: map[string]string{"Range": "items=0-0"}, Status: 200, Text: three},
		{Name: "a range that ends in a word is none", Path: "/films?select=id", Header: map[string]string{"Range": "1-x"}, Status: 200, Text: three},
		{Name: "a zone that Go alone knows", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Prefer": "timezone=Local"}, Status: 200, Text: one, WantHeader: map[string]string{"Preference-Applied": ""}},
		{Name: "a number of rows that is none", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Prefer": "handling=strict, max-affected=x"}, Status: 200, Text: one},
		{Name: "what a read heeds", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "handling=strict"}},
		{Name: "what a call heeds", Path: "/rpc/first", Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "handling=strict, max-affected=5"}},
		{Name: "what a delete heeds", Method: "DELETE", Path: "/films?id=eq.9", Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "return=representation, handling=strict, max-affected=5"}},
		{Name: "what an update heeds", Method: "PATCH", Path: "/films?id=eq.9", Body: `{"title":"x"}`, Header: map[string]string{"Prefer": all}, Status: 200, WantHeader: map[string]string{"Preference-Applied": "missing=default, return=representation, handling=strict, max-affected=5"}},
		{Name: "an insert has no limit", Method: "POST", Path: "/films", Body: `[{"id":4},{"id":5}]`, Header: map[string]string{"Prefer": "missing=default, handling=strict, max-affected=1"}, Status: 201, WantHeader: map[string]string{"Preference-Applied": "missing=default, handling=strict"}},
		{Name: "what a PUT heeds", Method: "PUT", Path: "/films?id=eq.6", Body: `{"id":6}`, Header: map[string]string{"Prefer": all}, Status: 201, WantHeader: map[string]string{"Preference-Applied": "return=representation, handling=strict"}},
		{Name: "two headers in one object", Method: "POST", Path: "/rpc/headers", Body: `{"list":"[{\"A\":\"1\",\"B\":\"2\"}]"}`, Status: 500},
		{Name: "none", Method: "POST", Path: "/rpc/headers", Body: `{"list":"[{}]"}`, Status: 500},
		{Name: "no text", Method: "POST", Path: "/rpc/headers", Body: `{"list":"[{\"A\":null}]"}`, Status: 500},
		{Name: "a dry run finds what the end would", Method: "POST", Path: "/parts", Body: `{"id":1,"film":77}`, Header: map[string]string{"Prefer": "tx=rollback"}, Status: 409},
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
