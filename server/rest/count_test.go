package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const countFixture = `
	create table studios (id int primary key, name text);
	create table films (id int primary key, studio int references studios, sequel_of int references films, year int);
	create table actors (id int primary key, name text);
	create table roles (film int references films, actor int references actors, primary key (film, actor));
	create table prizes (id int primary key, film int references films);
	insert into studios select n, 'studio ' || n from generate_series(1, 4) n;
	insert into films select n, nullif(n % 4, 0), nullif(n / 3, 0), 1980 + n from generate_series(1, 20) n;
	insert into actors select n, 'actor ' || n from generate_series(1, 6) n;
	insert into roles select n, n % 5 + 1 from generate_series(1, 20, 2) n;
	insert into prizes select n, n * 3 from generate_series(1, 5) n;
	create function newest(studios) returns setof films rows 1 language sql stable as 'select * from public.films where studio = $1.id and year > 1998 order by year desc limit 1';
	grant all on all tables in schema public to anon;`

// TestCountsWhereEmbedsDecide compares the count, which uses exists conditions for
// embeds, with the number of rows.
func TestCountsWhereEmbedsDecide(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, countFixture, func(c *settings.Config) { c.Aggregates = true })
	for _, path := range []string{
		"/studios?select=id,films!inner(id)",
		"/studios?select=id,films!inner(id)&films.year=gt.1997",
		"/studios?select=id,films!inner(id)&films.limit=0",
		"/studios?select=id,films!inner(id)&films.offset=4",
		"/studios?select=id,films!inner(id)&films.order=year&films.limit=1&films.offset=5",
		"/studios?select=id,films!inner()&films.year=gt.1998",
		"/studios?select=id,...films!inner(year)&films.year=gt.1998",
		"/studios?select=id,films!inner(count())&films.year=gt.3000",
		"/studios?select=id,films(id)&films=is.null",
		"/studios?select=id,films(id)&films=not.is.null",
		"/studios?select=id,films(id)&films.year=gt.1998&or=(films.is.null,id.eq.1)",
		"/studios?select=id,films(id)&films.year=gt.1998&not.and=(films.not.is.null,id.gt.1)",
		"/studios?select=id,films!inner(id,roles!inner(actor))&films.roles.actor=eq.2",
		"/studios?select=id,films(id,roles!inner(actor))&films.roles.actor=eq.2&films=is.null",
		"/studios?select=id,films!inner(id,prizes(id))&films.prizes=is.null&films.year=gt.1996",
		"/studios?select=id,newest(id)&newest=is.null",
		"/studios?select=id,newest!inner(id)",
		"/films?select=id,studios!inner(name)",
		"/films?select=id,studios!inner(name)&studios.name=eq.studio 2",
		"/films?select=id,studios(name)&studios=is.null",
		"/films?select=id,...studios!inner(name)&year=gt.1990",
		"/films?select=id,actors!inner(name)&actors.name=eq.actor 2",
		"/films?select=id,actors(name)&actors=is.null",
		"/films?select=id,films!sequel_of!inner(id)&films.year=lt.1984",
		"/films?select=id,sequels:films!sequel_of(id),prizes(id)&or=(sequels.not.is.null,prizes.not.is.null)",
	} {
		ask := func(method, path, count string) (string, http.Header) {
			response, body := api.Do(t, restkit.Case{Method: method, Path: strings.ReplaceAll(path, " ", "%20"), Header: map[string]string{"Prefer": count}})
			if response.StatusCode >= http.StatusMultipleChoices {
				t.Fatalf("%s: %d %s", path, response.StatusCode, body)
			}
			return string(body), response.Header
		}
		body, _ := ask("GET", path, "")
		var rows []json.RawMessage
		if err := json.Unmarshal([]byte(body), &rows); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		want := fmt.Sprintf("/%d", len(rows))
		for _, cut := range []string{"&limit=1", "&order=id.desc&offset=0&limit=2"} {
			if _, header := ask("GET", path+cut, "count=exact"); !strings.HasSuffix(header.Get("Content-Range"), want) {
				t.Errorf("%s: %s, but %d rows", path+cut, header.Get("Content-Range"), len(rows))
			}
		}
		if _, header := ask("HEAD", path, "count=exact"); !strings.HasSuffix(header.Get("Content-Range"), want) {
			t.Errorf("HEAD %s: %s, but %d rows", path, header.Get("Content-Range"), len(rows))
		}
		if _, header := ask("GET", path, "count=planned"); header.Get("Content-Range") == "" {
			t.Errorf("%s: no planned count", path)
		}
	}
}
