package rest_test

import (
	"strings"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const visitsFixture = `
	create table places (id int primary key, name text);
	create table visits (id int primary key, place int references places, kind text, hours int);
	insert into places values (1, 'Lake'), (2, 'Hill');
	insert into visits values (1, 1, 'holiday', 3), (2, 1, 'work', 8), (3, 1, 'work', 6), (4, 2, 'holiday', 1);
	alter table places enable row level security; create policy everyone on places using (true) with check (true);
	alter table visits enable row level security; create policy everyone on visits using (true) with check (true);
	create function all_places() returns setof places language sql stable as 'select * from places';`

func warning(changes string) string {
	return `299 PostgRESTv` + settings.Version + ` "Embedded resource was referenced by relation name even though it has an alias. ` +
		`This is deprecated and will stop working in a future release. Update ` + changes + ` in query string filters, orders or limits."`
}

// TestEmbedsAreNamedByTheirAlias tests url-use-legacy-target-names=false.
func TestEmbedsAreNamedByTheirAlias(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, visitsFixture, func(c *settings.Config) { c.LegacyNames = false })
	alias := `{"code":"PGRST108","message":"'visits' is not an embedded resource in this request",
		"details":"Target names are not allowed in filters if they have an alias","hint":"Change 'visits' to 'trips' in filters, orders or limits."}`
	const lake = "/places?id=eq.1&select=name,trips:visits(id)"
	for _, c := range []restkit.Case{
		{Name: "a table twice, each with filters of its own", Path: "/places?id=eq.1&select=visits(id),work:visits(id)&visits.kind=neq.work&work.kind=eq.work&visits.hours=gt.0&work.hours=gt.7",
			Status: 200, Want: `[{"visits":[{"id":1}],"work":[{"id":2}]}]`, WantHeader: map[string]string{"Warning": ""}},
		{Name: "the alias comes first", Path: "/places?id=eq.1&select=work:visits(id),visits(id)&visits.kind=neq.work&work.kind=eq.work&work.limit=1&work.order=id.desc",
			Status: 200, Want: `[{"work":[{"id":3}],"visits":[{"id":1}]}]`},
		{Name: "a filter by the table", Path: lake + "&visits.kind=eq.work", Status: 400, Want: alias},
		{Name: "an order by the table", Path: lake + "&visits.order=id", Status: 400, Want: alias},
		{Name: "a limit by the table", Path: lake + "&visits.limit=1", Status: 400, Want: alias},
		{Name: "a logic tree by the table", Path: lake + "&visits.or=(id.eq.1,id.eq.2)", Status: 400, Want: alias},
		{Name: "a write", Method: "DELETE", Path: "/places?id=eq.9&select=name,trips:visits(id)&visits.kind=eq.work", Status: 400, Want: alias},
		{Name: "a function", Path: "/rpc/all_places?select=name,trips:visits(id)&visits.kind=eq.work", Status: 400, Want: alias},
		{Name: "what is not embedded at all", Path: lake + "&shops.id=eq.1", Status: 400,
			Want: `{"code":"PGRST108","message":"'shops' is not an embedded resource in this request","details":null,"hint":"Verify that 'shops' is included in the 'select' query parameter."}`},
	} {
		t.Run(c.Name, func(t *testing.T) { t.Parallel(); api.Run(t, c) })
	}
}

// TestLegacyTargetNames tests the default: the table's name is accepted, too, with a
// warning. If several embeds match, it is the one found last, otherwise the first.
func TestLegacyTargetNames(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, visitsFixture, nil)
	none := map[string]string{"Warning": ""}
	trips := map[string]string{"Warning": warning("`visits` to `trips`")}
	for _, c := range []restkit.Case{
		{Name: "a filter by the table", Path: "/places?id=eq.1&select=trips:visits(id)&visits.kind=eq.holiday", Status: 200, Want: `[{"trips":[{"id":1}]}]`, WantHeader: trips},
		{Name: "the same statement again", Path: "/places?id=eq.1&select=trips:visits(id)&visits.kind=eq.work", Status: 200, Want: `[{"trips":[{"id":2},{"id":3}]}]`, WantHeader: trips},
		{Name: "by the alias", Path: "/places?id=eq.1&select=trips:visits(id)&trips.kind=eq.holiday", Status: 200, Want: `[{"trips":[{"id":1}]}]`, WantHeader: none},
		{Name: "without an alias", Path: "/places?id=eq.1&select=visits(id)&visits.kind=eq.holiday", Status: 200, Want: `[{"visits":[{"id":1}]}]`, WantHeader: none},
		{Name: "an order and a limit", Path: "/places?id=eq.1&select=trips:visits(id)&visits.order=id.desc&visits.limit=1", Status: 200, Want: `[{"trips":[{"id":3}]}]`, WantHeader: trips},
		{Name: "of a table twice, the first", Path: "/places?id=eq.1&select=work:visits(id),visits(id)&visits.kind=eq.work", Status: 200,
			Want: `[{"work":[{"id":2},{"id":3}],"visits":[{"id":1},{"id":2},{"id":3}]}]`, WantHeader: map[string]string{"Warning": warning("`visits` to `work`")}},
		{Name: "of a table twice, the one found before", Path: "/places?id=eq.1&select=a:visits(id),b:visits(id)&b.limit=1&visits.or=(kind.eq.holiday)", Status: 200,
			Want: `[{"a":[{"id":1},{"id":2},{"id":3}],"b":[{"id":1}]}]`, WantHeader: map[string]string{"Warning": warning("`visits` to `b`")}},
		{Name: "a write with a minimal answer", Method: "DELETE", Path: "/places?id=eq.9&select=trips:visits(id)&visits.kind=eq.x", Status: 204, WantHeader: trips},
		{Name: "a function", Path: "/rpc/all_places?id=eq.1&select=trips:visits(id)&visits.kind=eq.holiday", Status: 200, Want: `[{"trips":[{"id":1}]}]`, WantHeader: trips},
		{Name: "a name that was not written is unknown", Path: "/visits?id=eq.1&select=id,place(name)&places.name=eq.x", Status: 400},
		{Name: "an order by an embed takes its key", Path: "/visits?select=id,at:places(name)&order=places(name)", Status: 400},
	} {
		t.Run(c.Name, func(t *testing.T) { t.Parallel(); api.Run(t, c) })
	}
}

func TestErrorsOfMinimalVerbosity(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, visitsFixture, func(c *settings.Config) { c.ErrorVerbosity = "minimal" })
	for _, c := range []restkit.Case{
		{Name: "of the request", Path: "/places?shops.id=eq.1", Status: 400, Text: `{"code":"PGRST108","message":"'shops' is not an embedded resource in this request"}`},
		{Name: "of the schema", Path: "/place", Status: 404, Text: `{"code":"PGRST205","message":"Could not find the table 'public.place' in the schema cache"}`},
		{Name: "of the database", Method: "POST", Path: "/places", Body: `{"id":1}`, Status: 409,
			Text: `{"code":"23505","message":"duplicate key value violates unique constraint \"places_pkey\""}`},
		{Name: "of a token", Path: "/places", As: "a.b.c", Status: 401},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
			if _, body := api.Do(t, c); strings.Contains(body, `"hint"`) || strings.Contains(body, `"details"`) {
				t.Errorf("%s", body)
			}
		})
	}
}
