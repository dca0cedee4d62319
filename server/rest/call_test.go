package rest_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

func TestCall(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	asAna := api.Token(t, ana)
	for _, c := range []restkit.Case{
		{Name: "scalar by POST", Method: "POST", Path: "/rpc/add", Body: `{"a":1,"b":2}`, Status: 200, Want: `3`},
		{Name: "default argument by GET", Path: "/rpc/add?a=1", Status: 200, Want: `11`},
		{Name: "rows are filtered and embedded", Path: "/rpc/films_of?director=1&select=title,directors(name)&year=gt.1980", Status: 200,
			Want: `[{"title":"El sur","directors":{"name":"Víctor Erice"}}]`},
		{Name: "rows are counted and cut", Path: "/rpc/films_of?director=1&select=id&order=id&limit=1", Header: map[string]string{"Prefer": "count=exact"}, Status: 206,
			Want: `[{"id":1}]`, WantHeader: map[string]string{"Content-Range": "0-0/2"}},
		{Name: "one composite", Path: "/rpc/stats", Status: 200, Want: `{"films":4,"newest":1996}`},
		{Name: "set of scalars", Path: "/rpc/titles", Status: 200, Want: `["El espíritu de la colmena","El sur","El perro del hortelano","Lost"]`},
		{Name: "void is 204", Method: "POST", Path: "/rpc/nothing", Body: `{}`, Status: 204},
		{Name: "a JSON argument keeps its type", Method: "POST", Path: "/rpc/echo", Body: `{"value":"text"}`, Status: 200, Want: `"text"`},
		{Name: "an array argument", Method: "POST", Path: "/rpc/longest", Body: `{"words":["a","bbb","cc"]}`, Status: 200, Want: `"bbb"`},
		{Name: "the whole body", Method: "POST", Path: "/rpc/take_json", Body: `{"x":[1,2]}`, Status: 200, Want: `{"x":[1,2]}`},
		{Name: "a writing function", Method: "POST", Path: "/rpc/note_of?select=body", As: asAna, Body: `{"text_of":"from a function"}`, Status: 200, Want: `{"body":"from a function"}`},
		{Name: "a writing function may not be read", Path: "/rpc/note_of?text_of=x", As: asAna, Status: 405},
		{Name: "PT raises its status", Method: "POST", Path: "/rpc/teapot", Body: `{}`, Status: 418, Want: `{"code":"PT418","message":"short and stout","details":"spout","hint":"tip me"}`},
		{Name: "PGRST raises a whole answer", Method: "POST", Path: "/rpc/custom", Body: `{}`, Status: 409, Want: `{"code":"mine","message":"hello","details":"d","hint":"h"}`},
		{Name: "headers and status from SQL", Method: "POST", Path: "/rpc/with_headers", Body: `{}`, Status: 202, Want: `"ok"`, WantHeader: map[string]string{"X-Film": "yes"}},
		{Name: "the caller and the request reach SQL", Path: "/rpc/whoami", As: asAna, Header: map[string]string{"X-Test": "a \"quoted\" ñ"}, Status: 200,
			Want: `{"role":"authenticated","sub":"` + ana + `","method":"GET","agent":"a \"quoted\" ñ"}`},
		{Name: "PGRST202: no such function", Path: "/rpc/nope", Status: 404,
			Want: `{"code":"PGRST202","message":"Could not find the function public.nope without parameters in the schema cache","details":"Searched for the function public.nope without parameters, but no matches were found in the schema cache.","hint":null}`},
		{Name: "PGRST202: wrong arguments", Path: "/rpc/add?c=1", Status: 404},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	expired := api.TokenOf(t, map[string]any{"role": "authenticated", "exp": time.Now().Add(-time.Hour).Unix()})
	for _, c := range []restkit.Case{
		{Name: "no key", Path: "/films", Header: map[string]string{"apikey": ""}, Status: 401,
			Want: `{"code":"no_api_key","message":"No API key found in request","details":null,"hint":"No ` + "`apikey`" + ` request header or url param was found."}`},
		{Name: "wrong key", Path: "/films", Header: map[string]string{"apikey": "wrong"}, Status: 401},
		{Name: "broken token", Path: "/films", As: "a.b.c", Status: 401, Want: `{"code":"PGRST301","message":"Provided JWT couldn't be decoded or it is invalid","details":null,"hint":null}`},
		{Name: "expired token", Path: "/films", As: expired, Status: 401, Want: `{"code":"PGRST303","message":"JWT expired","details":null,"hint":null}`},
		{Name: "unknown role", Path: "/films", As: api.TokenOf(t, map[string]any{"role": "nobody_knows"}), Status: 401},
		{Name: "unknown table", Path: "/filmz", Status: 404,
			Want: `{"code":"PGRST205","message":"Could not find the table 'public.filmz' in the schema cache","details":null,"hint":"Perhaps you meant the table 'public.films'"}`},
		{Name: "unknown column", Path: "/films?select=nope", Status: 400},
		{Name: "no privilege is 401 for anon", Path: "/secrets", Status: 401},
		{Name: "no privilege is 403 for a user", Path: "/secrets", As: api.Token(t, ana), Status: 403},
		{Name: "malformed filter", Path: "/films?id=1", Status: 400},
		{Name: "malformed select", Path: "/films?select=id,", Status: 400,
			Want: `{"code":"PGRST100","message":"\"failed to parse select parameter (id,)\" (line 1, column 4)","details":"unexpected end of input expecting field name (* or [a..z0..9_$])","hint":null}`},
		{Name: "a cast is a type name and nothing else", Path: "/films?select=id::int);drop%20table%20films", Status: 400},
		{Name: "wrong value", Path: "/films?id=eq.abc", Status: 400},
		{Name: "wrong schema", Path: "/films", Header: map[string]string{"Accept-Profile": "auth"}, Status: 406,
			Want: `{"code":"PGRST106","message":"Invalid schema: auth","details":null,"hint":"Only the following schemas are exposed: public"}`},
		{Name: "unknown media type", Path: "/films", Header: map[string]string{"Accept": "image/png"}, Status: 406},
		{Name: "strict preferences", Path: "/films", Header: map[string]string{"Prefer": "handling=strict, bogus=1"}, Status: 400},
		{Name: "negative limit", Path: "/films?limit=-1", Status: 416},
		{Name: "unknown method", Method: "PROPFIND", Path: "/films", Status: 405},
		{Name: "deep path", Path: "/films/1", Status: 404},
		{Name: "quotes stay names", Path: `/films?%22id%22%22%20or%20true--%22=eq.1`, Status: 400},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestQueryEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, func(c *settings.Config) { c.Pool = 1 })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, api.URL()+"/rpc/slow", nil)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("apikey", api.Auth.Keys.Service)
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
		}
	}()
	api.WaitFor(t, "select exists (select from pg_stat_activity where datname = current_database() and query like '%slow%' and state = 'active' and pid <> pg_backend_pid())")
	cancel()
	<-done
	// The only connection is available immediately, so the query was cancelled.
	api.Run(t, restkit.Case{Path: "/actors?select=id&id=eq.1", Status: 200, Want: `[{"id":1}]`})
}

func TestSchemaReload(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	path := restkit.Case{Path: "/actors?id=eq.1", Status: 200, Want: `[{"id":1,"name":"Ana Torrent"}]`}
	api.Run(t, path)
	api.Exec(t, "alter table actors add column age int; create table fresh (id int); alter table fresh enable row level security")
	// A prepared "select *" still works after a column is added, without a reload.
	path.Want = `[{"id":1,"name":"Ana Torrent","age":null}]`
	api.Run(t, path)
	api.Run(t, restkit.Case{Path: "/fresh", Status: 404})
	if err := api.Server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	api.Run(t, restkit.Case{Path: "/fresh", Status: 200, Want: `[]`})
}
