package schema_test

import (
	"testing"

	"plaza/server/rest/schema"
	"plaza/tests/testkit"
)

// PostgREST's authenticator role does not need the usage privilege on the exposed schemas.
func TestLoadWithoutUsage(t *testing.T) {
	t.Parallel()
	conn, err := testkit.PlatformDB(t).Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `create schema "the hall"; create table "the hall".seats ("no" int generated always as identity); set role anon`); err != nil {
		t.Fatal(err)
	}
	snapshot, err := schema.Load(t.Context(), conn, []string{"the hall"})
	if err != nil {
		t.Fatal(err)
	}
	table, _ := snapshot.Table(schema.Name{Schema: "the hall", Name: "seats"})
	column, _ := table.Column("no")
	if want := `nextval('"the hall".seats_no_seq')`; column.Default != want {
		t.Errorf("the identity's default is %s, want %s", column.Default, want)
	}
}
