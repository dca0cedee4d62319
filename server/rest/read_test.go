package rest_test

import (
	_ "embed"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

//go:embed testdata/fixture.sql
var fixture string

func TestReadTable(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	cases := []restkit.Case{
		{Name: "all columns", Path: "/actors", Status: 200,
			Want:       `[{"id":1,"name":"Ana Torrent"},{"id":2,"name":"Emma Suárez"}]`,
			WantHeader: map[string]string{"Content-Range": "0-1/*", "Content-Type": "application/json; charset=utf-8", "Vary": "Accept, Prefer, Range"}},
		{Name: "columns, rename, cast", Path: "/films?select=name:title,year::text&id=eq.1", Status: 200,
			Want: `[{"name":"El espíritu de la colmena","year":"1973"}]`},
		{Name: "quoted column", Path: "/films?" + encode(`select="odd name"&"odd name"=eq.a,b`), Status: 200, Want: `[{"odd name":"a,b"}]`},
		{Name: "JSON path", Path: "/films?select=details->awards->goya,first:details->cast->>0&details->awards->>goya=eq.0", Status: 200,
			Want: `[{"goya":0,"first":"Ana"}]`},
		{Name: "computed column", Path: "/films?select=title,initials&id=eq.2", Status: 200, Want: `[{"title":"El sur","initials":"El"}]`},
		{Name: "order, limit, offset", Path: "/films?select=id&order=year.desc.nullslast&limit=2&offset=1", Status: 200,
			Want: `[{"id":2},{"id":1}]`, WantHeader: map[string]string{"Content-Range": "1-2/*"}},
		{Name: "nulls first and last", Path: "/directors?select=id&order=born.desc.nullsfirst,id", Status: 200, Want: `[{"id":3},{"id":1},{"id":2}]`},
		{Name: "exact count of a part is 206", Path: "/films?select=id&order=id&limit=1", Header: map[string]string{"Prefer": "count=exact"}, Status: 206,
			Want: `[{"id":1}]`, WantHeader: map[string]string{"Content-Range": "0-0/4", "Preference-Applied": "count=exact"}},
		{Name: "Range header", Path: "/films?select=id&order=id", Header: map[string]string{"Range": "1-2", "Prefer": "count=exact"}, Status: 206,
			Want: `[{"id":2},{"id":3}]`, WantHeader: map[string]string{"Content-Range": "1-2/4"}},
		{Name: "HEAD counts without a body", Method: "HEAD", Path: "/films", Header: map[string]string{"Prefer": "count=exact"}, Status: 200,
			WantHeader: map[string]string{"Content-Range": "0-3/4"}},
		{Name: "past the end is 416", Path: "/films?offset=9", Header: map[string]string{"Prefer": "count=exact"}, Status: 416,
			Want: `{"code":"PGRST103","message":"Requested range not satisfiable","details":"An offset of 9 was requested, but there are only 4 rows.","hint":null}`},
		{Name: "one object", Path: "/films?select=id&id=eq.1", Header: map[string]string{"Accept": "application/vnd.pgrst.object+json"}, Status: 200, Want: `{"id":1}`},
		{Name: "PGRST116: no row is no object", Path: "/films?id=eq.99", Header: map[string]string{"Accept": "application/vnd.pgrst.object+json"}, Status: 406,
			Want: `{"code":"PGRST116","message":"Cannot coerce the result to a single JSON object","details":"The result contains 0 rows","hint":null}`},
		{Name: "a view", Path: "/short_films", Status: 200, Want: `[{"id":4,"title":"Lost"}]`},
		{Name: "hidden rows are no error", Path: "/notes", As: "", Status: 200, Want: `[]`, WantHeader: map[string]string{"Content-Range": "*/*"}},
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	cases := map[string]string{ // filter → ids in order
		"id=eq.1":                                 `[{"id":1}]`,
		"id=neq.1":                                `[{"id":2},{"id":3},{"id":4}]`,
		"year=gt.1983":                            `[{"id":3}]`,
		"year=gte.1983":                           `[{"id":2},{"id":3}]`,
		"year=lt.1973":                            `[{"id":4}]`,
		"year=lte.1973":                           `[{"id":1},{"id":4}]`,
		"year=gt.1960&year=lt.1980":               `[{"id":1}]`,
		"title=like.El*":                          `[{"id":1},{"id":2},{"id":3}]`,
		"title=ilike.*SUR":                        `[{"id":2}]`,
		"title=match.^El%20s":                     `[{"id":2}]`,
		"title=imatch.^el%20S":                    `[{"id":2}]`,
		"title=like(any).{El%20s*,Lo*}":           `[{"id":2},{"id":4}]`,
		"title=like(all).{El*,*sur}":              `[{"id":2}]`,
		"id=eq(any).{1,4}":                        `[{"id":1},{"id":4}]`,
		"id=in.(1,3)":                             `[{"id":1},{"id":3}]`,
		"id=in.()":                                `[]`,
		`"odd name"=in.("a,b","x (y)")`:           `[{"id":1},{"id":3}]`,
		`"odd name"=in.("\"quoted\"")`:            `[{"id":4}]`,
		"id=not.in.(1,3)":                         `[{"id":2},{"id":4}]`,
		"rating=is.null":                          `[{"id":4}]`,
		"rating=not.is.null":                      `[{"id":1},{"id":2},{"id":3}]`,
		"rating=is.not_null":                      `[{"id":1},{"id":2},{"id":3}]`,
		"rating=isdistinct.7.0":                   `[{"id":1},{"id":2},{"id":4}]`,
		"tags=cs.{classic,village}":               `[{"id":1}]`,
		"tags=cd.{classic}":                       `[{"id":2},{"id":3}]`,
		"tags=ov.{village,other}":                 `[{"id":1}]`,
		`details=cs.{"awards":{"goya":2}}`:        `[{"id":2}]`,
		"during=sl.[2020-02-15,2020-02-20)":       `[{"id":1}]`,
		"during=sr.[2020-02-15,2020-02-20)":       `[{"id":2}]`,
		"during=adj.[2020-02-01,2020-02-10)":      `[{"id":1}]`,
		"during=nxr.[2020-01-15,2020-02-01)":      `[{"id":1}]`,
		"during=nxl.[2020-03-01,2020-03-05)":      `[{"id":2}]`,
		"during=ov.[2020-01-31,2020-03-02)":       `[{"id":1},{"id":2}]`,
		"title=fts(spanish).colmenas":             `[{"id":1}]`,
		"title=plfts(spanish).el%20perro":         `[{"id":3}]`,
		"title=phfts(simple).del%20hortelano":     `[{"id":3}]`,
		"title=wfts(simple).sur%20or%20lost":      `[{"id":2},{"id":4}]`,
		"title=not.fts(simple).lost":              `[{"id":1},{"id":2},{"id":3}]`,
		"or=(id.eq.1,id.eq.4)":                    `[{"id":1},{"id":4}]`,
		"and=(year.gt.1960,or(id.eq.1,id.eq.4))":  `[{"id":1}]`,
		"not.or=(id.eq.1,id.eq.4)":                `[{"id":2},{"id":3}]`,
		"or=(not.and(id.gt.1,id.lt.4),id.in.(2))": `[{"id":1},{"id":2},{"id":4}]`,
		`or=("odd name".eq."a,b",id.eq.4)`:        `[{"id":1},{"id":4}]`,
		"or=(tags.cs.{village},rating.is.null)":   `[{"id":1},{"id":4}]`,
		"details->awards->>goya=eq.2":             `[{"id":2}]`,
		"details->awards->goya=gt.1":              `[{"id":2}]`,
	}
	for filter, want := range cases {
		t.Run(filter, func(t *testing.T) {
			t.Parallel()
			api.Run(t, restkit.Case{Path: "/films?select=id&order=id&" + encode(filter), Status: 200, Want: want})
		})
	}
}

func TestEmbeds(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	cases := []restkit.Case{
		{Name: "many-to-one", Path: "/films?select=title,directors(name)&id=in.(2,4)&order=id", Status: 200,
			Want: `[{"title":"El sur","directors":{"name":"Víctor Erice"}},{"title":"Lost","directors":null}]`},
		{Name: "one-to-many with filter, order, limit", Path: "/directors?select=name,films(title)&films.order=year.desc&films.limit=1&order=id&limit=2", Status: 200,
			Want: `[{"name":"Víctor Erice","films":[{"title":"El sur"}]},{"name":"Pilar Miró","films":[{"title":"El perro del hortelano"}]}]`},
		{Name: "nothing embedded is an empty list", Path: "/directors?select=name,films(title)&id=eq.3", Status: 200, Want: `[{"name":"Nobody","films":[]}]`},
		{Name: "one-to-one", Path: "/films?select=id,technical_specs(runtime)&order=id&limit=2", Status: 200,
			Want: `[{"id":1,"technical_specs":{"runtime":"01:37:00"}},{"id":2,"technical_specs":null}]`},
		{Name: "many-to-many", Path: "/films?select=id,actors(name)&id=in.(1,2)&order=id", Status: 200,
			Want: `[{"id":1,"actors":[{"name":"Ana Torrent"}]},{"id":2,"actors":[]}]`},
		{Name: "inner keeps matching rows only, and the count", Path: "/directors?select=id,films!inner(id)&films.year=gt.1990", Header: map[string]string{"Prefer": "count=exact"}, Status: 200,
			Want: `[{"id":2,"films":[{"id":3}]}]`, WantHeader: map[string]string{"Content-Range": "0-0/1"}},
		{Name: "embeds that are not there", Path: "/directors?select=id,films()&films=is.null", Status: 200, Want: `[{"id":3}]`},
		{Name: "embeds that are there", Path: "/films?select=id,directors(id)&directors=not.is.null&order=id", Status: 200,
			Want: `[{"id":1,"directors":{"id":1}},{"id":2,"directors":{"id":1}},{"id":3,"directors":{"id":2}}]`},
		{Name: "alias and nesting", Path: "/actors?select=name,parts:roles(part,film:films(title,directors(name)))&id=eq.2", Status: 200,
			Want: `[{"name":"Emma Suárez","parts":[{"part":"Diana","film":{"title":"El perro del hortelano","directors":{"name":"Pilar Miró"}}}]}]`},
		{Name: "filter by alias", Path: "/directors?select=id,works:films(id)&works.id=eq.2&id=eq.1", Status: 200, Want: `[{"id":1,"works":[{"id":2}]}]`},
		{Name: "hint by column", Path: "/letters?select=from:people!sender(name),to:people!recipient(name)", Status: 200,
			Want: `[{"from":{"name":"Rosa"},"to":{"name":"Joan"}}]`},
		{Name: "by foreign key column", Path: "/letters?select=sender(name)", Status: 200, Want: `[{"sender":{"name":"Rosa"}}]`},
		{Name: "by constraint", Path: "/letters?select=letters_recipient_fkey(name)", Status: 200, Want: `[{"letters_recipient_fkey":{"name":"Joan"}}]`},
		{Name: "spread", Path: "/films?select=title,...directors(director:name)&id=eq.2", Status: 200, Want: `[{"title":"El sur","director":"Víctor Erice"}]`},
		{Name: "spread to-many", Path: "/directors?select=name,...films(titles:title)&id=eq.2", Status: 200, Want: `[{"name":"Pilar Miró","titles":["El perro del hortelano"]}]`},
		{Name: "order by an embedded column", Path: "/films?select=id,directors()&order=directors(name).desc.nullslast,id", Status: 200,
			Want: `[{"id":1},{"id":2},{"id":3},{"id":4}]`},
		{Name: "PGRST201: two ways", Path: "/letters?select=people(name)", Status: 300},
		{Name: "PGRST200: no way", Path: "/films?select=notes(body)", Status: 400,
			Want: `{"code":"PGRST200","message":"Could not find a relationship between 'films' and 'notes' in the schema cache","details":"Searched for a foreign key relationship between 'films' and 'notes' in the schema 'public', but no matches were found.","hint":"Perhaps you meant 'roles' instead of 'notes'."}`},
		{Name: "PGRST108: filter on what is not embedded", Path: "/films?select=id&directors.id=eq.1", Status: 400,
			Want: `{"code":"PGRST108","message":"'directors' is not an embedded resource in this request","details":null,"hint":"Verify that 'directors' is included in the 'select' query parameter."}`},
		{Name: "PGRST118: order by a list", Path: "/directors?select=id,films()&order=films(title)", Status: 400},
		{Name: "PGRST120: compare an embed", Path: "/films?select=id,directors()&directors=eq.1", Status: 400},
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}

func TestMaxRows(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, func(c *settings.Config) { c.MaxRows = 2 })
	api.Run(t, restkit.Case{Path: "/films?select=id&order=id&limit=50", Status: 200, Want: `[{"id":1},{"id":2}]`})
	api.Run(t, restkit.Case{Path: "/directors?select=films(id)&id=eq.1", Status: 200, Want: `[{"films":[{"id":1},{"id":2}]}]`})
}
