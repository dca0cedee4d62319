package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"plaza/tests/testkit/restkit"
)

// TestPlainValuesMatchJSONConversion: the values of an object are passed as parameters, those
// of a list as arrays, and those of an upsert as JSON. PostgreSQL must convert all to the
// same values.
func TestPlainValuesMatchJSONConversion(t *testing.T) {
	t.Parallel()
	types := []string{
		"int", "smallint", "bigint", "numeric", "numeric(5,2)", "real", "float8", "boolean", "text", "varchar(3)", "char(3)", `"char"`, "name", "bytea",
		"date", "time", "timestamp(0)", "timestamptz", "interval", "uuid", "inet", "json", "jsonb", "int[]", "text[]", "varchar(2)[]", "jsonb[]",
		"int4range", "point", "bit(3)", "varbit", "mood", "short", "pair", "tsvector", "xml", "oid", "money",
	}
	values := []string{
		`null`, `1`, `-0`, `1.505`, `1e3`, `12345678901234567890`, `true`, `false`, `""`, `"1"`, `" 2 "`, `"abc"`, `"abcd"`, `"true"`, `"null"`, `"NULL"`,
		`"a\nb"`, `"a\\b\"c\/"`, `"\u0041"`, `"\u0000"`, `"\ud800"`, `"é"`, `"\\x41"`, `"101"`, `"2026-11-23"`, `"2026-11-23T10:00:00.6+01:00"`, `"10:00"`, `"1 day"`,
		`"00000000-0000-4000-8000-00000000000a"`, `"10.0.0.1"`, `"{1,2}"`, `"{a,b}"`, `"{abc}"`, `[1,2]`, `["a","b"]`, `["abc"]`, `{"a":1}`, `{"x":1,"y":"z"}`, `"(1,z)"`, `"[1,3)"`, `"(1,2)"`,
		`"happy"`, `"sad"`, `"{\"a\":1}"`, `"<a/>"`, `[]`, `{}`, `[{"a":1}]`,
	}
	fixture := []string{
		"create type mood as enum ('happy', 'sad'); create domain short as varchar(3) check (value <> 'abc'); create type pair as (x int, y text);",
		"create table kinds (id int primary key",
	}
	for i, name := range types {
		fixture[1] += fmt.Sprintf(", c%d %s", i, name)
	}
	fixture[1] += "); alter table kinds enable row level security; create policy everybody on kinds using (true) with check (true);"
	api := restkit.New(t, strings.Join(fixture, "\n"), nil)
	for i, name := range types {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, value := range values {
				want := insertKind(t, api, i, value, "%s", "resolution=ignore-duplicates")
				for _, form := range []string{"%s", "[%s]"} {
					if got := insertKind(t, api, i, value, form, "return=minimal"); got != want {
						t.Errorf("%s of %s, as %s: %s, want %s", value, name, form, got, want)
					}
				}
			}
		})
	}
}

// insertKind inserts a row, and returns the error code or the value that PostgreSQL has
// stored.
func insertKind(t *testing.T, api *restkit.API, column int, value, form, prefer string) string {
	t.Helper()
	body := fmt.Sprintf(form, fmt.Sprintf(`{"id":%d,"c%d":%s}`, column, column, value))
	response, text := api.Do(t, restkit.Case{Method: "POST", Path: "/kinds", Header: map[string]string{"Prefer": prefer}, Body: body})
	if response.StatusCode != 201 {
		_, code, _ := strings.Cut(text, `"code":"`)
		code, _, _ = strings.Cut(code, `"`)
		return fmt.Sprint(response.StatusCode, " ", code)
	}
	var stored string
	question := fmt.Sprintf("with gone as (delete from kinds where id = %d returning c%d) select coalesce(c::text, 'NULL') from gone g (c)", column, column)
	if err := api.DB.QueryRow(t.Context(), question).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	return "stored " + stored
}

// TestListsOfPlainValues: the rows of a list keep their order, missing keys are null, and
// the last value of a duplicate key counts.
func TestListsOfPlainValues(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, `create table items (id int generated always as identity, a int, b text default 'd');
		alter table items enable row level security; create policy everybody on items using (true) with check (true);`, nil)
	for _, c := range []restkit.Case{
		{Name: "in order", Path: "/items?select=id,a,b", Body: `[{"a":3,"b":"x"},{"b":"{\"y\\\\,}","a":null},{"a":1,"b":"NULL"}]`,
			Want: `[{"id":1,"a":3,"b":"x"},{"id":2,"a":null,"b":"{\"y\\\\,}"},{"id":3,"a":1,"b":"NULL"}]`},
		{Name: "keys that are missing", Path: "/items?columns=a,b&select=a,b", Body: `[{"a":1},{"c":2},{"b":"x"},{}]`,
			Want: `[{"a":1,"b":null},{"a":null,"b":null},{"a":null,"b":"x"},{"a":null,"b":null}]`},
		{Name: "a key twice", Path: "/items?select=a,b", Body: `[{"a":1,"b":"x","a":2},{"a":3,"b":"y"}]`, Want: `[{"a":2,"b":"x"},{"a":3,"b":"y"}]`},
		{Name: "one that is not plain", Path: "/items?select=a,b", Body: `[{"a":1,"b":"\u0041"},{"a":2,"b":{"c":1}}]`, Want: `[{"a":1,"b":"A"},{"a":2,"b":"{\"c\":1}"}]`},
	} {
		c.Method, c.Header, c.Status = "POST", representation, 201
		if !t.Run(c.Name, func(t *testing.T) { api.Run(t, c) }) {
			return
		}
	}
}
