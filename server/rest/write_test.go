package rest_test

import (
	"testing"

	"plaza/tests/testkit/restkit"
)

const (
	ana = "00000000-0000-4000-8000-00000000000a"
	ben = "00000000-0000-4000-8000-00000000000b"
)

var representation = map[string]string{"Prefer": "return=representation"}

// The cases of TestWrite run in order: each depends on the rows written by earlier ones.
func TestWrite(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	asAna, asBen := api.Token(t, ana), api.Token(t, ben)
	object := map[string]string{"Prefer": "return=representation", "Accept": "application/vnd.pgrst.object+json"}
	for _, c := range []restkit.Case{
		{Name: "insert answers 201 without a body", Method: "POST", Path: "/notes", As: asAna, Body: `{"body":"one"}`, Status: 201,
			WantHeader: map[string]string{"Content-Range": "*/*", "Content-Length": "0"}},
		{Name: "insert with representation", Method: "POST", Path: "/notes?select=body,kind", As: asAna, Header: representation,
			Body: `{"body":"two"}`, Status: 201, Want: `[{"body":"two","kind":"plain"}]`, WantHeader: map[string]string{"Preference-Applied": "return=representation"}},
		{Name: "insert many", Method: "POST", Path: "/notes?select=body", As: asAna, Header: representation,
			Body: `[{"body":"three","kind":"loud"},{"body":"four","kind":"plain"}]`, Status: 201, Want: `[{"body":"three"},{"body":"four"}]`},
		{Name: "insert one as an object", Method: "POST", Path: "/notes?select=body", As: asBen, Header: object, Body: `{"body":"mine"}`, Status: 201, Want: `{"body":"mine"}`},
		{Name: "an empty list inserts nothing", Method: "POST", Path: "/notes", As: asAna, Header: representation, Body: `[]`, Status: 201, Want: `[]`},
		{Name: "location of the new row", Method: "POST", Path: "/actors", Header: map[string]string{"Prefer": "return=headers-only"},
			Body: `{"id":9,"name":"Nueva"}`, Status: 201, WantHeader: map[string]string{"Location": "/rest/v1/actors?id=eq.9"}},
		{Name: "embed after insert", Method: "POST", Path: "/films?select=title,directors(name)", Header: representation,
			Body: `{"id":50,"title":"Nueva","director_id":2}`, Status: 201, Want: `[{"title":"Nueva","directors":{"name":"Pilar Miró"}}]`},
		{Name: "columns= ignores the other keys", Method: "POST", Path: "/actors?columns=id,name&select=id,name", Header: representation,
			Body: `[{"id":10,"name":"A","extra":1},{"id":11,"name":"B"}]`, Status: 201, Want: `[{"id":10,"name":"A"},{"id":11,"name":"B"}]`},
		{Name: "missing=default", Method: "POST", Path: "/notes?columns=body,kind&select=kind", As: asBen,
			Header: map[string]string{"Prefer": "return=representation, missing=default"}, Body: `[{"body":"d"}]`, Status: 201, Want: `[{"kind":"plain"}]`},
		{Name: "upsert merges", Method: "POST", Path: "/actors?select=name", Header: map[string]string{"Prefer": "return=representation, resolution=merge-duplicates"},
			Body: `{"id":9,"name":"Otra"}`, Status: 200, Want: `[{"name":"Otra"}]`, WantHeader: map[string]string{"Preference-Applied": "resolution=merge-duplicates, return=representation"}},
		{Name: "upsert that inserts one of two is 201", Method: "POST", Path: "/actors?select=id", Header: map[string]string{"Prefer": "return=representation, resolution=merge-duplicates"},
			Body: `[{"id":9,"name":"Otra"},{"id":12,"name":"C"}]`, Status: 201, Want: `[{"id":9},{"id":12}]`},
		{Name: "PUT inserts", Method: "PUT", Path: "/actors?id=eq.20", Body: `{"id":20,"name":"Put"}`, Status: 204, WantHeader: map[string]string{"Content-Range": ""}},
		{Name: "PUT replaces", Method: "PUT", Path: "/actors?id=eq.20", Header: representation, Body: `{"id":20,"name":"Again"}`, Status: 200, Want: `[{"id":20,"name":"Again"}]`},
		{Name: "PUT without representation", Method: "PUT", Path: "/actors?id=eq.20", Body: `{"id":20,"name":"Quiet"}`, Status: 204},
		{Name: "PUT of another row changes nothing", Method: "PUT", Path: "/actors?id=eq.20", Body: `{"id":21,"name":"x"}`, Status: 400,
			Want: `{"code":"PGRST115","message":"Payload values do not match URL in primary key column(s)","details":null,"hint":null}`},
		{Name: "PUT wants the whole key", Method: "PUT", Path: "/roles?film_id=eq.1", Body: `{"film_id":1,"actor_id":1,"part":"x"}`, Status: 405,
			Want: `{"code":"PGRST105","message":"Filters must include all and only primary key columns with 'eq' operators","details":null,"hint":null}`},
		{Name: "PUT takes no limit", Method: "PUT", Path: "/actors?id=eq.20&limit=1", Body: `{"id":20,"name":"x"}`, Status: 400},
		{Name: "update with defaults", Method: "PATCH", Path: "/notes?body=eq.two&columns=kind&select=kind", As: asAna,
			Header: map[string]string{"Prefer": "return=representation, missing=default"}, Body: `{}`, Status: 200, Want: `[{"kind":"plain"}]`},
		{Name: "upsert ignores", Method: "POST", Path: "/notes?on_conflict=owner,body&select=body", As: asAna,
			Header: map[string]string{"Prefer": "return=representation, resolution=ignore-duplicates"}, Body: `{"body":"one"}`, Status: 201, Want: `[]`},
		{Name: "update", Method: "PATCH", Path: "/notes?body=eq.one", As: asAna, Body: `{"kind":"loud"}`, Status: 204, WantHeader: map[string]string{"Content-Range": "0-0/*"}},
		{Name: "update answers rows", Method: "PATCH", Path: "/notes?body=eq.one&select=kind", As: asAna, Header: representation, Body: `{"kind":"plain"}`, Status: 200, Want: `[{"kind":"plain"}]`},
		{Name: "update without keys changes nothing", Method: "PATCH", Path: "/notes?body=eq.one", As: asAna, Header: representation, Body: `{}`, Status: 200, Want: `[]`},
		{Name: "another's row is hidden from update", Method: "PATCH", Path: "/notes?body=eq.one", As: asBen, Header: representation, Body: `{"kind":"loud"}`, Status: 200, Want: `[]`},
		{Name: "another's row is refused on insert", Method: "POST", Path: "/notes", As: asBen, Body: `{"body":"x","owner":"` + ana + `"}`, Status: 403},
		{Name: "anon is refused with 401", Method: "POST", Path: "/notes", Body: `{"body":"x","owner":"` + ana + `"}`, Status: 401},
		{Name: "single object over several rows undoes all", Method: "PATCH", Path: "/notes?kind=eq.plain", As: asAna, Header: object, Body: `{"kind":"loud"}`, Status: 406},
		{Name: "and nothing was changed", Path: "/notes?select=body&kind=eq.plain&order=body", As: asAna, Status: 200, Want: `[{"body":"four"},{"body":"one"},{"body":"two"}]`},
		{Name: "max-affected undoes all", Method: "DELETE", Path: "/notes?kind=eq.plain", As: asAna, Header: map[string]string{"Prefer": "handling=strict, max-affected=1"}, Status: 400},
		{Name: "delete answers rows", Method: "DELETE", Path: "/notes?body=eq.four&select=body", As: asAna, Header: representation, Status: 200, Want: `[{"body":"four"}]`},
		{Name: "delete", Method: "DELETE", Path: "/notes?body=eq.one", As: asAna, Status: 204},
		{Name: "what is left", Path: "/notes?select=body&order=body", As: asAna, Status: 200, Want: `[{"body":"three"},{"body":"two"}]`},
		{Name: "unique violation is 409", Method: "POST", Path: "/actors", Body: `{"id":1,"name":"x"}`, Status: 409},
		{Name: "foreign key violation is 409", Method: "POST", Path: "/films", Body: `{"id":60,"title":"x","director_id":77}`, Status: 409},
		{Name: "check violation is 400", Method: "POST", Path: "/notes", As: asAna, Body: `{"body":"k","kind":"odd"}`, Status: 400},
		{Name: "unknown column", Method: "POST", Path: "/actors", Body: `{"id":1,"nope":"x"}`, Status: 400,
			Want: `{"code":"PGRST204","message":"Could not find the 'nope' column of 'actors' in the schema cache","details":null,"hint":null}`},
		{Name: "not JSON", Method: "POST", Path: "/actors", Body: `{"id":`, Status: 400, Want: `{"code":"PGRST102","message":"Empty or invalid json","details":null,"hint":null}`},
		{Name: "keys differ", Method: "POST", Path: "/actors", Body: `[{"id":70,"name":"a"},{"id":71}]`, Status: 400},
		{Name: "not an object", Method: "POST", Path: "/actors", Body: `[1,2]`, Status: 400},
		{Name: "wrong media type", Method: "POST", Path: "/actors", Header: map[string]string{"Content-Type": "text/plain"}, Body: `x`, Status: 400,
			Want: `{"code":"PGRST102","message":"Content-Type not acceptable: text/plain","details":null,"hint":null}`},
	} {
		if !t.Run(c.Name, func(t *testing.T) { api.Run(t, c) }) {
			return
		}
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	huge := make([]byte, 1<<20+1)
	for i := range huge {
		huge[i] = ' '
	}
	api.Run(t, restkit.Case{Method: "POST", Path: "/actors", Body: string(huge), Status: 413})
}
