package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
	"plaza/tests/testkit"
)

// TestStatements compares the generated SQL of requests with testdata/statements.golden,
// which -update rewrites, so that changes are visible in review.
func TestStatements(t *testing.T) {
	t.Parallel()
	snapshot := fixtureSchema(t)
	var out strings.Builder
	for _, request := range []string{
		"films?select=*",
		"films?select=name:title,year::text,details->awards->>goya&id=eq.1&year=gt.1970",
		"films?select=id&order=year.desc.nullslast&limit=2&offset=1",
		"films?title=ilike.*sur*&id=in.(1,2)&tags=cs.{a}&rating=not.is.null&title=wfts(spanish).perro",
		"films?or=(id.eq.1,not.and(year.gt.1960,year.lt.1970))",
		"films?select=title,directors(name)",
		"directors?select=name,films!inner(title,technical_specs(runtime))&films.year=gt.1980&films.order=year&films.limit=1",
		"films?select=title,actors(name)",
		"films?select=title,...directors(director:name)",
		"directors?select=id,films()&films=is.null",
		"films?select=id,directors()&order=directors(name).desc",
		"letters?select=from:people!sender(name)",
	} {
		table, raw, _ := strings.Cut(request, "?")
		q := parsed(t, raw)
		read, err := plan.ForTable(snapshot, schema.Name{Schema: "public", Name: table}, q, plan.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		show(&out, "GET /"+request, sqlgen.Read(read, sqlgen.Options{Body: sqlgen.Rows, Count: strings.Contains(raw, "limit=2")}))
	}
	for _, change := range []struct {
		request, payload string
		change           plan.Change
	}{
		{"notes?select=id,body", `[{"body":"x"}]`, plan.Change{Kind: plan.Insert, Keys: []string{"body"}, Return: true}},
		{"notes", `[{}]`, plan.Change{Kind: plan.Insert}},
		{"notes", `{}`, plan.Change{Kind: plan.Insert}},
		{"notes", `{"body":"x"}`, plan.Change{Kind: plan.Insert, Keys: []string{"body"}}},
		{"notes?columns=body,kind", `{"body":"x"}`, plan.Change{Kind: plan.Insert, Defaults: true}},
		{"notes?on_conflict=owner,body", `[{"body":"x"}]`, plan.Change{Kind: plan.Insert, Keys: []string{"body"}, Resolution: plan.MergeDuplicates}},
		{"notes?columns=body,kind", `[{"body":"x"}]`, plan.Change{Kind: plan.Insert, Defaults: true}},
		{"actors", `[{"id":1,"name":"x"}]`, plan.Change{Kind: plan.Insert, Keys: []string{"id", "name"}, KeyOnly: true}},
		{"films?id=eq.1&select=title,directors(name)", `{"title":"x"}`, plan.Change{Kind: plan.Update, Keys: []string{"title"}, Return: true}},
		{"films?id=eq.1", "", plan.Change{Kind: plan.Delete}},
	} {
		table, raw, _ := strings.Cut(change.request, "?")
		mutation, err := plan.ForMutation(snapshot, schema.Name{Schema: "public", Name: table}, parsed(t, raw), change.change, plan.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", change.request, err)
		}
		show(&out, string(change.change.Kind)+" /"+change.request, sqlgen.Mutation(mutation, sqlgen.Payload{JSON: []byte(change.payload), List: strings.HasPrefix(change.payload, "[")}, sqlgen.Options{}))
	}
	for _, call := range []struct {
		function, raw string
		given         []string
		values        []sqlgen.Value
		body          sqlgen.Body
	}{
		{"add", "", []string{"a"}, []sqlgen.Value{{Text: []byte("1")}}, sqlgen.Scalar},
		{"films_of", "select=title&year=gt.1980&limit=1", []string{"director"}, []sqlgen.Value{{Text: []byte("1")}}, sqlgen.Rows},
		{"note_of", "", []string{"text_of"}, []sqlgen.Value{{Text: []byte("x")}}, sqlgen.RowsJSON},
		{"longest", "", []string{"words"}, []sqlgen.Value{{Text: []byte(`["a"]`), JSON: true}}, sqlgen.Scalar},
	} {
		planned, err := plan.ForCall(snapshot, schema.Name{Schema: "public", Name: call.function}, call.given, "", parsed(t, call.raw), plan.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", call.function, err)
		}
		show(&out, "call "+call.function+"?"+call.raw, sqlgen.Call(planned, call.values, sqlgen.Options{Body: call.body}))
	}
	testkit.Golden(t, "statements.golden", []byte(out.String()))
}

func fixtureSchema(t *testing.T) *schema.Snapshot {
	t.Helper()
	db := testkit.PlatformDB(t)
	ctx := context.Background()
	conn, err := db.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, fixture); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "set search_path = ''"); err != nil {
		t.Fatal(err)
	}
	snapshot, err := schema.Load(ctx, conn, []string{"public"})
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func parsed(t *testing.T, raw string) *query.Query {
	t.Helper()
	q, err := query.Parse(encode(raw), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func show(out *strings.Builder, request string, statement sqlgen.Statement) {
	fmt.Fprintf(out, "── %s\n%s\n", request, statement.SQL)
	for i, arg := range statement.Args {
		fmt.Fprintf(out, "   $%d = %s\n", i+1, arg)
	}
	out.WriteByte('\n')
}
