package rest_test

import (
	"testing"

	"plaza/tests/testkit/restkit"
)

// values has columns of every plain type, with values that are difficult to encode. No
// function of this schema sets headers, so that the server encodes the rows.
const values = `
	create type mood as enum ('glad', 'sad');
	create table samples (
		id int primary key, b boolean, i2 smallint, i8 bigint, f4 real, f8 double precision, n numeric, t text, v varchar(20), c char(5),
		u uuid, d date, tm time, tmz timetz, ts timestamp, tz timestamptz, iv interval, by bytea, j json, jb jsonb, ip inet
	);
	create domain positive as int check (value > 0);
	create table odd (id int primary key, tags text[], m mood, p positive, r int4range);
	insert into samples values
		(1, true, -1, 9223372036854775807, 1.5, 1e300, 12345678901234567890.12345, 'plain', 'vc', 'ab', '00000000-0000-4000-8000-00000000000a',
			'2026-11-21', '12:34:56.789', '12:34:56+02', '2026-11-21 12:34:56.123456', '2026-11-21 12:34:56+00', '1 day 02:03:04', '\xdeadbeef', '{ "a" : [1, 2] }', '{"b": null, "a": 1}', '10.0.0.1/8'),
		(2, false, 0, 0, 'NaN', '-Infinity', 'NaN', E'quote " slash \\ / tab \t nl \n cr \r bs \b ff \f bell \x07 del \x7f', 'ñandú 日本 🎉', '', null,
			'infinity', '00:00', '23:59:59-05:30', '-infinity', 'infinity', '-1 mon', '', 'null', '[]', '::1'),
		(3, null, null, null, null, null, null, null, null, null, null, '0044-03-15 BC', null, null, '0044-03-15 01:02:03 BC', '0044-03-15 01:02:03+00 BC', null, null, null, null, null),
		(4, true, 1, 1, 1e-20, 0.1, 1e-10, '', '', 'x', null, '12026-01-01', '24:00', null, '12026-01-01', '1883-01-01 00:00:00+00', '0', null, '"s"', '"s"', null);
	insert into odd values (1, '{a,"b c"}', 'glad', 7, '[1,5)');
	create function picked(samples) returns text language sql stable as 'select $1.t';
	alter table samples enable row level security; alter table odd enable row level security;
	create policy all_rows on samples using (true); create policy all_rows on odd using (true);`

// TestRowsMatchPostgreSQLsJSON compares the JSON byte for byte.
func TestRowsMatchPostgreSQLsJSON(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, values, nil)
	for _, test := range []struct{ name, path, zone, sql string }{
		{"every plain type", "/samples?order=id", "UTC", "select * from samples order by id"},
		{"in another zone", "/samples?select=tz,ts,tmz&order=id", "Asia/Kolkata", "select tz, ts, tmz from samples order by id"},
		{"where offsets had seconds", "/samples?select=tz&id=eq.4", "Europe/Madrid", "select tz from samples where id = 4"},
		{"one row", "/samples?select=id&id=eq.2", "UTC", "select id from samples where id = 2"},
		{"a name with a quote", `/samples?select=%22a%5C%22b%22:id&id=eq.1`, "UTC", `select id as "a""b" from samples where id = 1`},
		{"a computed column", "/samples?select=picked&id=eq.1", "UTC", "select picked(samples) as picked from samples where id = 1"},
		{"a cast", "/samples?select=n::int,f8::text&id=eq.4", "UTC", "select n::int as n, f8::text as f8 from samples where id = 4"},
		{"a path into JSON", "/samples?select=j->a,jb->>a&id=eq.1", "UTC", "select j->'a' as a, jb->>'a' as a from samples where id = 1"},
		{"a domain", "/odd?select=p", "UTC", "select p from odd"},
		{"an array, which is PostgreSQL's to write", "/odd?select=id,tags", "UTC", "select id, tags from odd"},
		{"an enumeration and a range", "/odd?select=m,r", "UTC", "select m, r from odd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			conn, err := api.DB.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Release()
			var want string
			if _, err := conn.Exec(t.Context(), "set timezone = '"+test.zone+"'"); err != nil {
				t.Fatal(err)
			}
			if err := conn.QueryRow(t.Context(), "select json_agg(whole)::text from ("+test.sql+") whole").Scan(&want); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second request uses what is cached about the statement
				api.Run(t, restkit.Case{Path: test.path, Header: map[string]string{"Prefer": "timezone=" + test.zone}, Status: 200, Text: want})
			}
		})
	}
}

func TestResponsesOfEncodedRows(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, values, nil)
	for _, c := range []restkit.Case{
		{Name: "no row", Path: "/samples?id=eq.9", Status: 200, Text: "[]", WantHeader: map[string]string{"Content-Range": "*/*", "Content-Length": "2"}},
		{Name: "one object", Path: "/samples?select=id,b&id=eq.1", Header: accept("application/vnd.pgrst.object+json"), Status: 200, Text: `{"id":1,"b":true}`},
		{Name: "no object", Path: "/samples?id=eq.9", Header: accept("application/vnd.pgrst.object+json"), Status: 406},
		{Name: "too many for an object", Path: "/samples", Header: accept("application/vnd.pgrst.object+json"), Status: 406,
			Want: `{"code":"PGRST116","message":"Cannot coerce the result to a single JSON object","details":"The result contains 4 rows","hint":null}`},
		{Name: "counted", Path: "/samples?select=id&id=gt.2&order=id", Header: map[string]string{"Prefer": "count=exact"}, Status: 200, Text: "[{\"id\":3}, \n {\"id\":4}]",
			WantHeader: map[string]string{"Content-Range": "0-1/2"}},
		{Name: "counted beyond a limit", Path: "/samples?select=id&order=id&limit=1", Header: map[string]string{"Prefer": "count=exact"}, Status: 206, Text: `[{"id":1}]`,
			WantHeader: map[string]string{"Content-Range": "0-0/4"}},
		{Name: "an error in a row", Path: "/samples?select=t::int", Status: 400},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			api.Run(t, c)
		})
	}
}
