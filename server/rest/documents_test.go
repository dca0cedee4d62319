package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"plaza/tests/testkit/restkit"
)

// Callers with the same privileges share a cached document. It is rebuilt when the
// privileges or the schema change.
func TestDescriptionIsCachedUntilItChanges(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture+rooted, nil)
	root := restkit.Case{Path: "/"}
	_, first := api.Do(t, root)
	if _, again := api.Do(t, root); again != first {
		t.Error("the same request gets another document")
	}
	if _, ana := api.Do(t, restkit.Case{Path: "/", As: api.Token(t, ana)}); ana == first {
		t.Error("anon and a user see the same")
	}
	if strings.Contains(first, `"/drafts"`) {
		t.Fatal("anon sees drafts")
	}
	api.Exec(t, "grant select on drafts to anon")
	if _, now := api.Do(t, root); !strings.Contains(now, `"/drafts"`) {
		t.Error("a new right does not show")
	}
	api.Exec(t, "comment on schema public is 'Another title'")
	if _, now := api.Do(t, root); !strings.Contains(now, "Another title") {
		t.Error("another comment on the schema does not show")
	}
	api.Exec(t, "create table novelties (id int); grant select on novelties to anon")
	if err := api.Server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, now := api.Do(t, root); !strings.Contains(now, `"/novelties"`) {
		t.Error("a new table does not show")
	}
}

func BenchmarkDescription(b *testing.B) {
	api := restkit.New(b, fixture, nil)
	var tables strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&tables, "create table many_%d (id int primary key, name text, made timestamptz); grant select on many_%d to anon;", i, i)
	}
	api.Exec(b, tables.String())
	if err := api.Server.Reload(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		api.Do(b, restkit.Case{Path: "/"})
	}
}
