package gentypes

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
	"plaza/tests/testkit/restkit"
)

// library connects to a database with the tables of testdata/library.sql.
func library(t *testing.T) *pgx.Conn {
	t.Helper()
	statements, err := os.ReadFile("testdata/library.sql")
	if err != nil {
		t.Fatal(err)
	}
	return database(t, string(statements))
}

func database(t *testing.T, statements string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), testkit.EmptyURL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	if _, err := conn.Exec(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
	return conn
}

func generate(t *testing.T, conn *pgx.Conn, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Generate(t.Context(), conn, &out, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// tests/conformance/types compiles programs against these files.
func TestLibraryMatchesGoldenFiles(t *testing.T) {
	t.Parallel()
	conn := library(t)
	schemas := []string{"public", "archive", "public", "missing"}
	testkit.Golden(t, "library.ts", []byte(generate(t, conn, Options{Schemas: schemas})))
	testkit.Golden(t, "library_exact.ts", []byte(generate(t, conn, Options{Schemas: schemas, Exact: true})))
}

func TestOptions(t *testing.T) {
	t.Parallel()
	conn := database(t, `
		create schema one; create schema two; create schema three;
		create table one.parents (id integer primary key);
		create table one.children (id integer primary key references one.parents);`)
	for _, test := range []struct {
		name            string
		options         Options
		contains, lacks []string
	}{
		{"all schemas", Options{}, []string{"\n  one: {\n", "\n  public: {\n", "\n  three: {\n", "\n  two: {\n"}, []string{"pg_catalog", "information_schema"}},
		{"some schemas", Options{Schemas: []string{"two", "one"}}, []string{"\n  one: {\n", "\n  two: {\n"}, []string{"\n  public: {\n"}},
		{"without a schema", Options{Excluded: []string{"two", "public"}}, []string{"\n  one: {\n", "\n  three: {\n"}, []string{"\n  two: {\n", "\n  public: {\n"}},
		{"one-to-one", Options{}, []string{"isOneToOne: true"}, []string{"InternalSupabase: {"}},
		{"without one-to-one", Options{WithoutOneToOne: true}, []string{"foreignKeyName"}, []string{"isOneToOne"}},
		{"version", Options{PostgrestVersion: "13.0"}, []string{"export type Database = {\n  __InternalSupabase: {\n    PostgrestVersion: \"13.0\"\n  }\n  one: {"}, nil},
	} {
		got := generate(t, conn, test.options)
		for _, text := range test.contains {
			if !strings.Contains(got, text) {
				t.Errorf("%s: no %q in\n%s", test.name, text, got)
			}
		}
		for _, text := range test.lacks {
			if strings.Contains(got, text) {
				t.Errorf("%s: %q in\n%s", test.name, text, got)
			}
		}
	}
}

// Names that make PostgreSQL choose unusual names of array types.
func TestArrayNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 15) + "lon"
	conn := database(t, `
		create type _color as enum ('red');
		create type color as enum ('blue');
		create type `+long+` as enum ('x');
		create table paint (one color, two color[], three _color, four _color[], five `+long+`[]);`)
	got := generate(t, conn, Options{Schemas: []string{"public"}})
	for _, want := range []string{
		`one: Database["public"]["Enums"]["color"] | null`,
		`two: Database["public"]["Enums"]["color"][] | null`,
		`three: Database["public"]["Enums"]["_color"] | null`,
		`four: Database["public"]["Enums"]["_color"][] | null`,
		`| Database["public"]["Enums"]["` + long + `"][]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestNamesOfPostgreSQLsTypes(t *testing.T) {
	t.Parallel()
	conn := database(t, `create type date as enum ('today'); create table days (day public.date);`)
	for exact, want := range map[bool]string{false: `day: string | null`, true: `day: Database["public"]["Enums"]["date"] | null`} {
		if got := generate(t, conn, Options{Exact: exact}); !strings.Contains(got, want) {
			t.Errorf("exact %t: no %s in\n%s", exact, want, got)
		}
	}
}

// Types with the same name twice do not compile.
func TestSeveralUnnamedArguments(t *testing.T) {
	t.Parallel()
	conn := database(t, `create function two(text default '', json default '{}') returns integer language sql as 'select 1'`)
	if got := generate(t, conn, Options{}); strings.Contains(got, "two") {
		t.Error(got)
	}
}

// TestExactResults compares the exact types with the data API's responses.
func TestExactResults(t *testing.T) {
	t.Parallel()
	statements, err := os.ReadFile("testdata/library.sql")
	if err != nil {
		t.Fatal(err)
	}
	api := restkit.New(t, string(statements)+"; grant usage on schema hidden to anon", nil)
	conn, err := api.DB.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	types := strings.Join(strings.Fields(generate(t, conn.Conn(), Options{Schemas: []string{"public"}, Exact: true})), " ")
	for _, test := range []struct{ call, answer, returns string }{
		{"one_out?a=1", `{"total":1}`, "one_out: { Args: { a: number } Returns: { total: number } }"},
		{"set_of_out", `[{"total":1}]`, "set_of_out: { Args: Record<PropertyKey, never> Returns: { total: number }[] }"},
		{"many_out?a=1", `{"total":1,"name":""}`, "many_out: { Args: { a: number } Returns: { name: string total: number } }"},
		{"in_and_out?total=2", `{"total":1}`, "in_and_out: { Args: { total: number } Returns: { total: number } }"},
		{"out_first?a=2", `{"total":1}`, "out_first: { Args: { a: number; b?: number } Returns: { total: number } }"},
		{"unnamed_out", `{"column1":1,"column2":""}`, "unnamed_out: { Args: Record<PropertyKey, never> Returns: { column1: number column2: string } }"},
		{"returns_domain?code=1", `"1"`, "returns_domain: { Args: { code: string }; Returns: string }"},
		{"returns_hidden_enums", `["open"]`, `returns_hidden_enums: { Args: Record<PropertyKey, never> Returns: ("open" | "sealed")[] }`},
		{"out_row?select=address,author_id", `{"address":null,"author_id":null}`, "out_row: { Args: Record<PropertyKey, never> Returns: { address: string | null author_id: number "},
		{"returns_table_of_one", `[{"count":1}]`, "returns_table_of_one: { Args: Record<PropertyKey, never> Returns: { count: number }[] }"},
	} {
		api.Run(t, restkit.Case{Name: test.call, Path: "/rpc/" + test.call, Status: 200, Want: test.answer})
		if !strings.Contains(types, test.returns) {
			t.Errorf("no %s", test.returns)
		}
	}
}
