package rest_test

import (
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// Views have the relationships of the tables whose keys they contain.
func TestEmbedsThroughViews(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	for _, c := range []restkit.Case{
		{Name: "from a view, with renamed columns", Path: "/film_list?select=name,directors(name)&film=eq.1", Status: 200,
			Want: `[{"name":"El espíritu de la colmena","directors":{"name":"Víctor Erice"}}]`},
		{Name: "to a view", Path: "/directors?select=name,film_list(name)&id=eq.2", Status: 200,
			Want: `[{"name":"Pilar Miró","film_list":[{"name":"El perro del hortelano"}]}]`},
		{Name: "from a view on a view, with a column renamed later", Path: "/film_list_again?select=the%20film,technical_specs(runtime)&the%20film=eq.1", Status: 200,
			Want: `[{"the film":1,"technical_specs":{"runtime":"01:37:00"}}]`},
		{Name: "on a table that is not exposed", Path: "/awards?select=name,films(title)", Status: 200,
			Want: `[{"name":"Goya","films":{"title":"El sur"}}]`},
		{Name: "between views", Path: "/film_list?select=name,awards(name)&film=eq.2", Status: 200, Want: `[{"name":"El sur","awards":[{"name":"Goya"}]}]`},
		{Name: "through a junction", Path: "/film_list?select=name,actors(name)&film=eq.1", Status: 200,
			Want: `[{"name":"El espíritu de la colmena","actors":[{"name":"Ana Torrent"}]}]`},
		{Name: "a computed column has no relationship", Path: "/film_list?select=name,director_name(name)", Status: 400},
		{Name: "a table to itself, the many", Path: "/people?select=name,people(name)&id=eq.1", Status: 200,
			Want: `[{"name":"Rosa","people":[{"name":"Joan"},{"name":"Marta"}]}]`},
		{Name: "a table to itself, the one", Path: "/people?select=name,boss_id(name)&id=eq.2", Status: 200, Want: `[{"name":"Joan","boss_id":{"name":"Rosa"}}]`},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestAggregates(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, func(c *settings.Config) { c.Aggregates = true })
	for _, c := range []restkit.Case{
		{Name: "count of all rows", Path: "/films?select=count()", Status: 200, Want: `[{"count":4}]`},
		{Name: "of the rows a filter leaves", Path: "/films?select=n:count(),newest:year.max()::text&year=lt.1990", Status: 200, Want: `[{"n":3,"newest":"1983"}]`},
		{Name: "grouped by the other columns", Path: "/films?select=director_id,count()&order=director_id", Status: 200,
			Want: `[{"director_id":1,"count":2},{"director_id":2,"count":1},{"director_id":null,"count":1}]`},
		{Name: "grouped by an embed", Path: "/films?select=directors(name),year.min()&director_id=eq.1", Status: 200, Want: `[{"directors":{"name":"Víctor Erice"},"min":1973}]`},
		{Name: "inside an embed", Path: "/directors?select=name,films(year.max())&id=lt.3&order=id", Status: 200,
			Want: `[{"name":"Víctor Erice","films":[{"max":1983}]},{"name":"Pilar Miró","films":[{"max":1996}]}]`},
		{Name: "of a spread, over the parent's rows", Path: "/films?select=...directors(name,count(),id.sum())&director_id=not.is.null&order=directors(name)", Status: 200,
			Want: `[{"name":"Pilar Miró","count":1,"sum":2},{"name":"Víctor Erice","count":2,"sum":2}]`},
		{Name: "PGRST127: not of a spread list", Path: "/directors?select=name,...films(year.max())", Status: 400},
		{Name: "of a function's rows", Path: "/rpc/films_of?director=1&select=year.sum()", Status: 200, Want: `[{"sum":3956}]`},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestAggregatesAreOffByDefault(t *testing.T) {
	t.Parallel()
	restkit.New(t, fixture, nil).Run(t, restkit.Case{Path: "/films?select=count()", Status: 400,
		Want: `{"code":"PGRST123","message":"Use of aggregate functions is not allowed","details":null,"hint":null}`})
}
