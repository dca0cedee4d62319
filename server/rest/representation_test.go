package rest_test

import (
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// representations has a domain with the representation #rrggbb, and media types that the
// database produces.
const representations = `
	create domain color as int check (value between 0 and 16777215);
	create function color(json) returns color language sql immutable as $$ select color($1 #>> '{}') $$;
	create function color(text) returns color language sql immutable as
		$$ select (('x' || lpad(trim(leading '#' from $1), 8, '0'))::bit(32)::int)::color $$;
	create function "json"(color) returns json language sql immutable as $$ select to_json('#' || lpad(to_hex($1), 6, '0')) $$;
	create cast (json as color) with function color(json) as implicit;
	create cast (text as color) with function color(text) as implicit;
	create cast (color as json) with function "json"(color) as implicit;
	create table paints (id int primary key, name text, shade color);
	insert into paints values (1, 'red', 16711680), (2, 'blue', 255), (3, null, null);
	alter table paints enable row level security;
	create policy all_rows on paints using (true) with check (true);

	create domain "text/tab-separated-values" as text;
	create function tsv_line("text/tab-separated-values", anyelement) returns "text/tab-separated-values" language sql immutable as
		$$ select ($1 || replace(trim(both '()' from $2::text), ',', E'\t') || E'\n')::"text/tab-separated-values" $$;
	create aggregate tsv(anyelement) (sfunc = tsv_line, stype = "text/tab-separated-values", initcond = '');
	create domain "image/gif" as bytea;
	create function pixel() returns "image/gif" language sql immutable as $$ select '\x474946'::bytea::"image/gif" $$;
	create function joined(variadic words text[]) returns text language sql immutable as $$ select array_to_string(words, '-') $$;
	create function shout(text) returns text language sql immutable as $$ select upper($1) $$;
	create function size(bytea) returns int language sql immutable as $$ select length($1) $$;
	create function refuse() returns void language plpgsql as
		$$ begin raise sqlstate 'PGRST' using message = '{"code":"mine","message":"no"}', detail = '{"status":402,"headers":{"X-Price":"5"}}'; end $$;
	create function refuse_badly() returns void language plpgsql as $$ begin raise sqlstate 'PGRST' using message = '{"code":1}', detail = '{}'; end $$;
`

func accept(mediaType string) map[string]string { return map[string]string{"Accept": mediaType} }

// The cases of TestRepresentations run in order, because the last ones write.
func TestRepresentations(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, representations, func(c *settings.Config) { c.PlanEnabled = true })
	written := map[string]string{"Prefer": "return=representation", "Content-Type": "text/csv", "Accept": "text/csv"}
	for _, c := range []restkit.Case{
		{Name: "a domain is shown by its cast", Path: "/paints?select=id,shade&id=eq.1", Status: 200, Want: `[{"id":1,"shade":"#ff0000"}]`},
		{Name: "also in a star", Path: "/paints?id=eq.2", Status: 200, Want: `[{"id":2,"name":"blue","shade":"#0000ff"}]`},
		{Name: "a cast is of what is shown", Path: "/paints?select=shade::text&id=eq.2", Status: 200, Want: `[{"shade":"\"#0000ff\""}]`},
		{Name: "filters read it", Path: "/paints?select=id&shade=eq.0000ff", Status: 200, Want: `[{"id":2}]`},
		{Name: "lists too", Path: "/paints?select=id&shade=in.(0000ff,ff0000)&order=id", Status: 200, Want: `[{"id":1},{"id":2}]`},
		{Name: "writes read it", Method: "POST", Path: "/paints", Header: representation, Body: `{"id":4,"name":"green","shade":"#00ff00"}`, Status: 201,
			Want: `[{"id":4,"name":"green","shade":"#00ff00"}]`},
		{Name: "updates too", Method: "PATCH", Path: "/paints?id=eq.4&select=shade", Header: representation, Body: `{"shade":"#00ff01"}`, Status: 200, Want: `[{"shade":"#00ff01"}]`},

		{Name: "CSV", Path: "/paints?select=id,name&order=id&id=lt.3", Header: accept("text/csv"), Status: 200, Text: "id,name\n1,red\n2,blue",
			WantHeader: map[string]string{"Content-Type": "text/csv; charset=utf-8"}},
		{Name: "without nulls", Path: "/paints?id=eq.3", Header: accept("application/vnd.pgrst.array+json;nulls=stripped"), Status: 200, Want: `[{"id":3}]`,
			WantHeader: map[string]string{"Content-Type": "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8"}},
		{Name: "one object without nulls", Path: "/paints?id=eq.3", Header: accept("application/vnd.pgrst.object+json;nulls=stripped"), Status: 200, Want: `{"id":3}`},
		{Name: "by an aggregate of the database", Path: "/paints?select=id,name&id=eq.1", Header: accept("text/tab-separated-values"), Status: 200, Text: "1\tred\n",
			WantHeader: map[string]string{"Content-Type": "text/tab-separated-values"}},
		{Name: "a function's own media type, as bytes", Path: "/rpc/pixel", Header: accept("image/gif"), Status: 200, Text: "GIF", WantHeader: map[string]string{"Content-Type": "image/gif"}},
		{Name: "and no other", Path: "/rpc/pixel", Header: accept("text/csv"), Status: 406},
		{Name: "the first that is available", Path: "/paints?select=id&id=eq.1", Header: accept("image/png, text/csv;q=0.5, application/json;q=0.9"), Status: 200, Want: `[{"id":1}]`},
		{Name: "PGRST107: none is available", Path: "/paints", Header: accept("image/png"), Status: 406,
			Want: `{"code":"PGRST107","message":"None of these media types are available: image/png","details":null,"hint":null}`},

		{Name: "variadic arguments repeat", Path: "/rpc/joined?words=a&words=b", Status: 200, Want: `"a-b"`},
		{Name: "as a list", Method: "POST", Path: "/rpc/joined", Body: `{"words":["c","d"]}`, Status: 200, Want: `"c-d"`},
		{Name: "a text body", Method: "POST", Path: "/rpc/shout", Header: map[string]string{"Content-Type": "text/plain"}, Body: "hey", Status: 200, Want: `"HEY"`},
		{Name: "a body of bytes", Method: "POST", Path: "/rpc/size", Header: map[string]string{"Content-Type": "application/octet-stream"}, Body: "\x00\xff", Status: 200, Want: `2`},
		{Name: "its plan", Method: "POST", Path: "/rpc/size", Header: map[string]string{"Content-Type": "application/octet-stream", "Accept": "application/vnd.pgrst.plan"}, Body: "\x00\xff", Status: 200,
			WantHeader: map[string]string{"Content-Type": `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`}},
		{Name: "PGRST202: no function for a body of bytes", Method: "POST", Path: "/rpc/shout", Header: map[string]string{"Content-Type": "application/octet-stream"}, Body: "x", Status: 404},
		{Name: "raised headers", Path: "/rpc/refuse", Status: 402, Want: `{"code":"mine","message":"no","details":null,"hint":null}`,
			WantHeader: map[string]string{"X-Price": "5", "Proxy-Status": "PostgREST; error=mine"}},
		{Name: "PGRST121: an invalid raised error", Path: "/rpc/refuse_badly", Status: 500},

		{Name: "CSV in and out", Method: "POST", Path: "/paints?select=id,name", Header: written, Body: "id,name\n10,grey\n11,NULL", Status: 201, Text: "id,name\n10,grey\n11,"},
		{Name: "CSV with a field too few", Method: "POST", Path: "/paints", Header: written, Body: "id,name\n12", Status: 400},
	} {
		if !t.Run(c.Name, func(t *testing.T) { api.Run(t, c) }) {
			return
		}
	}
}

func TestJSONPathsIntoOtherTypes(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	for _, c := range []restkit.Case{
		{Name: "an array's element", Path: "/films?select=tags->0&id=eq.1", Status: 200, Want: `[{"tags":"classic"}]`},
		{Name: "in a filter", Path: "/films?select=id&tags->>1=eq.village", Status: 200, Want: `[{"id":1}]`},
		{Name: "in an order", Path: "/films?select=id&order=tags->>0.desc.nullslast,id&limit=2", Status: 200, Want: `[{"id":1},{"id":2}]`},
		{Name: "spaces in a logic tree", Path: "/films?select=id&" + encode("and=( id.in.( 1, 2 ) , not.or ( id.eq.2, id.eq.3 ) )"), Status: 200, Want: `[{"id":1}]`},
		{Name: "a percent sign of its own", Path: "/films?select=id&title=like.El%s%", Status: 200, Want: `[{"id":1},{"id":2}]`},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}
