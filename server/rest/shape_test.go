package rest_test

import (
	"net/http"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// TestCachedShapeServesOtherValues: a cached shape serves reads with other values, and no other reads.
func TestCachedShapeServesOtherValues(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, func(c *settings.Config) { c.MaxRows = 3 })
	exact := map[string]string{"Prefer": "count=exact"}
	object := map[string]string{"Accept": "application/vnd.pgrst.object+json"}
	for range 2 {
		for _, c := range []restkit.Case{
			{Path: "/films?select=id&id=eq.1", Status: 200, Text: `[{"id":1}]`},
			{Path: "/films?select=id&id=eq.2", Status: 200, Text: `[{"id":2}]`},
			{Path: "/films?select=id&id=eq.2", Header: object, Status: 200, Text: `{"id":2}`},
			{Path: "/films?select=id&id=eq.2", Header: map[string]string{"Accept": "text/csv"}, Status: 200, Text: "id\n2"},
			{Path: "/films?select=id&id=eq.99", Header: object, Status: 406},
			{Path: "/films?select=id&id=eq.x", Status: 400},
			{Path: "/films?select=id&id=eq.1&id=eq.2", Status: 200, Text: "[]"},
			{Path: "/films?select=id&id=gt.1&order=id&limit=1", Header: exact, Status: 206, Text: `[{"id":2}]`, WantHeader: map[string]string{"Content-Range": "0-0/3"}},
			{Path: "/films?select=id&id=gt.2&order=id&limit=1", Header: exact, Status: 206, Text: `[{"id":3}]`, WantHeader: map[string]string{"Content-Range": "0-0/2"}},
			{Path: "/films?select=id&id=gt.0&order=id", Header: exact, Status: 206, WantHeader: map[string]string{"Content-Range": "0-2/4"}},
			{Path: "/films?select=id&id=gt.0&order=id", Header: map[string]string{"Range": "1-1"}, Status: 200, Text: `[{"id":2}]`},
			{Path: "/films?select=id&id=gt.0&order=id", Header: map[string]string{"Prefer": "count=planned"}, Status: 206},
			{Method: http.MethodHead, Path: "/films?select=id&id=gt.3", Header: exact, Status: 200, WantHeader: map[string]string{"Content-Range": "0-0/1"}},
			{Path: "/films?nope=eq.1", Status: 400},
			{Path: "/films?select=nope(id)&id=eq.1", Status: 400},
			{Path: "/films?select=id&details->awards->>goya=eq.0", Status: 200},
			{Path: "/directors?select=name,films(title)&films.year=eq.1973&id=eq.1", Status: 200},
		} {
			api.Run(t, c)
		}
	}
}

// TestReadsAreCachedByShape: reads that differ only in values share a shape, and reads
// that cannot be cached have none.
func TestReadsAreCachedByShape(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	for _, step := range []struct {
		path string
		want int
	}{
		{"/films?select=id&id=eq.1", 1}, {"/films?select=id&id=eq.2", 1}, {"/films?select=id&id=eq.%20x", 1},
		{"/films?select=id&id=gt.2", 2}, {"/films?select=id&id=in.(1,2)", 2}, {"/films?select=id&or=(id.eq.1,id.eq.2)", 2},
	} {
		api.Do(t, restkit.Case{Path: step.path})
		if got := api.Server.Shapes(); got != step.want {
			t.Errorf("after %s: %d shapes, want %d", step.path, got, step.want)
		}
	}
	if err := api.Server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := api.Server.Shapes(); got != 0 {
		t.Errorf("after a reload: %d shapes", got)
	}
}
