package rest_test

import (
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// TestVaryHeader compares Vary with upstream: it is set on all responses except errors,
// unless SQL has set another value.
func TestVaryHeader(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, visitsFixture+`
		create function vary() returns void language plpgsql as $$ begin
			if current_setting('request.headers')::json->>'x-vary' is not null then
				perform set_config('response.headers', '[{"Vary": "X-Other"}]', true);
			end if;
		end $$;`, func(c *settings.Config) { c.PreRequest = "public.vary"; c.PlanEnabled = true })
	usual := map[string]string{"Vary": "Accept, Prefer, Range"}
	for _, c := range []restkit.Case{
		{Name: "a read", Path: "/places?id=eq.1", Status: 200, WantHeader: usual},
		{Name: "HEAD", Method: "HEAD", Path: "/places?id=eq.1", Status: 200, WantHeader: usual},
		{Name: "a write", Method: "DELETE", Path: "/places?id=eq.9", Status: 204, WantHeader: usual},
		{Name: "a call", Path: "/rpc/all_places", Status: 200, WantHeader: usual},
		{Name: "the root", Path: "/", Status: 200, WantHeader: usual},
		{Name: "a plan", Path: "/places", Header: accept("application/vnd.pgrst.plan+json"), Status: 200, WantHeader: usual},
		{Name: "OPTIONS of a table", Method: "OPTIONS", Path: "/places", Status: 200, WantHeader: usual},
		{Name: "OPTIONS of a function", Method: "OPTIONS", Path: "/rpc/all_places", Status: 200, WantHeader: usual},
		{Name: "OPTIONS of the root", Method: "OPTIONS", Path: "/", Status: 200, WantHeader: usual},
		{Name: "an error", Path: "/place", Status: 404, WantHeader: map[string]string{"Vary": ""}},
		{Name: "set by SQL", Path: "/places?id=eq.1", Header: map[string]string{"X-Vary": "1"}, Status: 200, WantHeader: map[string]string{"Vary": "X-Other"}},
	} {
		t.Run(c.Name, func(t *testing.T) { t.Parallel(); api.Run(t, c) })
	}
}

// TestCountsOfWritesAndCalls: writes and calls have no planned count, and their estimated
// count is exact.
func TestCountsOfWritesAndCalls(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, visitsFixture, nil)
	for count, want := range map[string][2]string{"exact": {"*/0", "0-1/2"}, "estimated": {"*/0", "0-1/2"}, "planned": {"*/*", "0-1/*"}} {
		prefer := map[string]string{"Prefer": "count=" + count}
		api.Run(t, restkit.Case{Method: "DELETE", Path: "/places?id=eq.9", Header: prefer, Status: 204, WantHeader: map[string]string{"Content-Range": want[0], "Preference-Applied": "count=" + count}})
		api.Run(t, restkit.Case{Path: "/rpc/all_places", Header: prefer, Status: 200, WantHeader: map[string]string{"Content-Range": want[1], "Content-Location": ""}})
	}
}
