package rest_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

func TestExecutionPlans(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, func(c *settings.Config) { c.PlanEnabled = true })
	for _, test := range []struct {
		name, accept, contentType string
		method, path, body        string
		prefer                    string
		want                      string // in the plan
	}{
		{"text is the default", "application/vnd.pgrst.plan", `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`, "GET", "/films?id=eq.1", "", "", "Index Cond: (id = 1)"},
		{"JSON", "application/vnd.pgrst.plan+json", `application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8`, "GET", "/films", "", "", `"Node Type": "Aggregate"`},
		{"options", `application/vnd.pgrst.plan+json; options=buffers|analyze|nonsense`, `application/vnd.pgrst.plan+json; for="application/json"; options=analyze|buffers; charset=utf-8`, "GET", "/films", "", "", `"Actual Rows": `},
		{"of one object", `application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object"; options=verbose`, `application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=verbose; charset=utf-8`, "GET", "/films?id=eq.1", "", "", `-> 0)`},
		{"of CSV", `application/vnd.pgrst.plan; for="text/csv"; options=verbose`, `application/vnd.pgrst.plan+text; for="text/csv"; options=verbose; charset=utf-8`, "GET", "/films", "", "", "string_agg"},
		{"a count", "application/vnd.pgrst.plan", `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`, "GET", "/films?limit=1", "", "count=exact", "InitPlan"},
		{"a function", "application/vnd.pgrst.plan", `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`, "GET", "/rpc/films_of?director=1", "", "", "films"},
		{"an insert", "application/vnd.pgrst.plan", `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`, "POST", "/notes", `{"body":"planned"}`, "", "Insert on notes"},
		{"an update", "application/vnd.pgrst.plan", `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`, "PATCH", "/films?id=eq.1", `{"title":"planned"}`, "", "Update on films"},
		{"a delete", "application/vnd.pgrst.plan", `application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8`, "DELETE", "/films?id=eq.1", "", "", "Delete on films"},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, body := api.Do(t, restkit.Case{
				Method: test.method, Path: test.path, Body: test.body, As: api.Token(t, "00000000-0000-4000-8000-000000000001"),
				Header: map[string]string{"Accept": test.accept, "Prefer": test.prefer},
			})
			if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != test.contentType {
				t.Errorf("status %d, %s; want 200, %s", response.StatusCode, got, test.contentType)
			}
			if !strings.Contains(body, test.want) {
				t.Errorf("the plan lacks %q:\n%s", test.want, body)
			}
		})
	}
	// Nothing was changed.
	api.Run(t, restkit.Case{Path: "/films?title=eq.planned", Status: 200, Text: "[]"})
	api.Run(t, restkit.Case{Path: "/films?select=id&id=eq.1", Status: 200, Text: `[{"id":1}]`})
}

func TestExecutionPlansAreOffByDefault(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	for _, c := range []restkit.Case{
		{Path: "/films"},
		{Path: "/rpc/films_of?director=1"},
		{Method: http.MethodDelete, Path: "/films?id=eq.1"},
	} {
		c.Status = http.StatusNotAcceptable
		c.Header = map[string]string{"Accept": "application/vnd.pgrst.plan"}
		c.Want = `{"code":"PGRST107","message":"None of these media types are available: application/vnd.pgrst.plan","details":null,"hint":null}`
		api.Run(t, c)
	}
	// The next accepted media type is used instead.
	api.Run(t, restkit.Case{Path: "/films?select=id&id=eq.1", Status: 200, Text: `[{"id":1}]`,
		Header: map[string]string{"Accept": "application/vnd.pgrst.plan, application/json;q=0.5"}})
}

func TestServerTiming(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, func(c *settings.Config) { c.ServerTiming = true })
	want := regexp.MustCompile(`^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$`)
	for _, c := range []restkit.Case{
		{Path: "/films", Header: map[string]string{"Prefer": "count=planned"}},
		{Method: http.MethodHead, Path: "/films"},
		{Method: http.MethodPatch, Path: "/films?id=eq.0", Body: `{"title":"x"}`},
		{Method: http.MethodPost, Path: "/rpc/add", Body: `{"a":1,"b":2}`},
		{Method: http.MethodHead, Path: "/"},
	} {
		response, body := api.Do(t, c)
		if got := response.Header.Get("Server-Timing"); !want.MatchString(got) {
			t.Errorf("%s %s: status %d, Server-Timing %q\n%s", c.Method, c.Path, response.StatusCode, got, body)
		}
	}
}
