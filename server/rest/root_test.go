package rest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// rooted adds the objects that affect the responses of the root.
const rooted = `
	comment on schema public is 'Films and who made them';
	create table drafts (id int primary key, title text);
	revoke all on drafts from anon, authenticated;
	grant select (title) on drafts to authenticated;
	revoke all on function slow() from public, anon;
	create schema other;
	create table other.things (id int);
	create domain "application/openapi+json" as json;
	create function root() returns "application/openapi+json" language sql as $$ select '{"swagger":"2.0"}'::json::"application/openapi+json" $$;
	create schema closed;
	create table closed.doors (id int);
	grant usage on schema other to anon;
	grant select on other.things to anon;`

// described holds the parts of the document that tests check.
type described struct {
	Info        struct{ Title string }
	Host        string
	BasePath    string
	Schemes     []string
	Paths       map[string]map[string]any
	Definitions map[string]any
	Security    []any
}

func describe(t *testing.T, api *restkit.API, c restkit.Case) described {
	t.Helper()
	response, body := api.Do(t, c)
	if response.StatusCode != 200 {
		t.Fatalf("status %d\n%s", response.StatusCode, body)
	}
	var document described
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func TestRootFollowsPrivileges(t *testing.T) {
	t.Parallel()
	follow := restkit.New(t, fixture+rooted, func(c *settings.Config) { c.Schemas = []string{"public", "other"} })
	ignore := restkit.New(t, fixture+rooted, func(c *settings.Config) { c.OpenAPIMode = "ignore-privileges" })
	asAna, asService := follow.Token(t, ana), follow.Auth.Keys.Service
	for _, c := range []struct {
		name     string
		api      *restkit.API
		as       string
		profile  string
		has, not []string
	}{
		{"anon", follow, "", "", []string{"/films", "/short_films", "/rpc/add", "/"}, []string{"/secrets", "/drafts", "/rpc/slow", "/things"}},
		{"rights on a column", follow, asAna, "", []string{"/films", "/drafts"}, []string{"/secrets"}},
		{"service_role", follow, asService, "", []string{"/secrets", "/drafts"}, []string{"/things"}},
		{"another schema", follow, "", "other", []string{"/things", "/"}, []string{"/films", "/rpc/add"}},
		{"everything", ignore, "", "", []string{"/secrets", "/drafts", "/rpc/slow"}, []string{"/things", "/doors"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			document := describe(t, c.api, restkit.Case{Path: "/", As: c.as, Header: map[string]string{"Accept-Profile": c.profile}})
			for _, path := range slices.Concat(c.has, c.not) {
				_, shown := document.Paths[path]
				_, defined := document.Definitions[strings.TrimPrefix(path, "/")]
				if want := slices.Contains(c.has, path); shown != want || defined != want && path != "/" && !strings.HasPrefix(path, "/rpc/") {
					t.Errorf("%s: shown %v, defined %v, want %v", path, shown, defined, want)
				}
			}
		})
	}
}

func TestRoot(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture+rooted, func(c *settings.Config) {
		c.Schemas, c.OpenAPIAddress, c.OpenAPISecurity = []string{"public", "other"}, "https://films.example/rest/v1/", true
	})
	described := "application/openapi+json; charset=utf-8"
	for _, c := range []restkit.Case{
		{Name: "HEAD", Method: "HEAD", Path: "/", Status: 200, WantHeader: map[string]string{"Content-Type": described, "Content-Length": ""}},
		{Name: "as JSON", Path: "/", Header: accept("application/json"), Status: 200, WantHeader: map[string]string{"Content-Type": described, "Content-Profile": "public"}},
		{Name: "with the key in the URL", Path: "/?apikey=" + api.Auth.Keys.Anon, Header: map[string]string{"apikey": ""}, Status: 200},
		{Name: "PGRST107: as CSV", Path: "/", Header: accept("text/csv"), Status: 406,
			Want: `{"code":"PGRST107","message":"None of these media types are available: text/csv","details":null,"hint":null}`},
		{Name: "PGRST107: a table is no document", Path: "/films", Header: accept("application/openapi+json"), Status: 406},
		{Name: "PGRST106: a schema that is not exposed", Path: "/", Header: map[string]string{"Accept-Profile": "closed"}, Status: 406},
		{Name: "PGRST117: nothing to write", Method: "POST", Path: "/", Body: "{}", Status: 405},
		{Name: "the allowed methods", Method: "OPTIONS", Path: "/", Status: 200, WantHeader: map[string]string{"Allow": "OPTIONS,GET,HEAD"}},
		{Name: "no key", Path: "/", Header: map[string]string{"apikey": ""}, Status: 401},
		{Name: "PGRST125: below functions", Path: "/rpc/", Status: 404},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
	document := describe(t, api, restkit.Case{Path: "/"})
	if document.Info.Title != "Films and who made them" || document.Host != "films.example:443" || document.BasePath != "/rest/v1/" || len(document.Security) != 1 {
		t.Errorf("%+v, host %q, base %q, security %v", document.Info, document.Host, document.BasePath, document.Security)
	}
}

func TestCustomRootFunction(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture+rooted, func(c *settings.Config) { c.RootSpec = "public.root" })
	for _, c := range []restkit.Case{
		{Name: "by default", Path: "/", Status: 200, Want: `{"swagger":"2.0"}`, WantHeader: map[string]string{"Content-Type": "application/openapi+json; charset=utf-8"}},
		{Name: "as JSON", Path: "/", Header: accept("application/json"), Status: 200, Want: `{"swagger":"2.0"}`,
			WantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"}},
		{Name: "not as CSV", Path: "/", Header: accept("text/csv"), Status: 406},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestRootDisabled(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture+rooted, func(c *settings.Config) { c.OpenAPIMode, c.RootSpec = "disabled", "root" })
	api.Run(t, restkit.Case{Path: "/", Status: 404, Want: `{"code":"PGRST126","message":"Root endpoint metadata is disabled","details":null,"hint":null}`})
}

func TestConfigOfTheRoot(t *testing.T) {
	t.Parallel()
	good := settings.Config{Schemas: []string{"public"}, TxEnd: "commit", OpenAPIMode: "disabled", OpenAPIAddress: "https://example.com/rest/v1/"}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	if got := good.At("http://127.0.0.1:3000/").OpenAPIAddress; got != "https://example.com/rest/v1/" {
		t.Errorf("the configured address is replaced by %s", got)
	}
	bad := good
	bad.OpenAPIMode, bad.OpenAPIAddress = "enabled", "example.com"
	err := bad.Check()
	for _, name := range []string{"PGRST_OPENAPI_MODE", "PGRST_OPENAPI_SERVER_PROXY_URI"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
	for address, want := range map[string]string{"http://0.0.0.0:3000/": "http://0.0.0.0:3000/", "http://0.0.0.0:0/": "", "http://:3000/": ""} {
		if got := (settings.Config{}).At(address).OpenAPIAddress; got != want {
			t.Errorf("at %s: %q", address, got)
		}
	}
}
