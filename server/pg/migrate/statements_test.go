package migrate_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/tests/testkit"
)

var statementTexts = []struct{ name, text string }{
	{"plain", "select 1; select 2;\n;; select 3"},
	{"strings", `select 'a;b''c;'; select E'it\'s; one'; select "a;" from (select 1 as "a;") x;`},
	{"dollar quotes", "do $$ begin perform 1; end $$; do $a_1$ begin perform '$$;'; end $a_1$; select $$;$$ || $x$;$x$;"},
	{"comments", "-- one; two\nselect 1 /* ; /* ; */ ; */ + 2; -- end;\n/* ; */ select 2;"},
	{"blocks in a function", `create or replace function pg_temp.f(n int) returns int language sql
		begin atomic; select case when n > 0 then 1 else 2 end; select 3; end;
		select 1; begin; commit; select case 1 when 1 then 2 end;`},
	{"parentheses", "create table t (n int); create rule r as on insert to t do also (select 1; select 2); drop table t;"},
	{"numbers and operators", "select 1e5, 2; select (array[1,2])[1]; select 1 <> 2, 5 % 2;"},
	{"names outside ASCII", "select 1 as año; select 2 as ñ$x;"},
	{"nothing", "  -- only a comment\n ; /* */ ;"},
}

func TestStatementsMatchPostgreSQL(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), testkit.EmptyURL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	for _, tt := range statementTexts {
		results, err := conn.PgConn().Exec(t.Context(), tt.text).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		theirs := 0
		for _, result := range results {
			if result.CommandTag.String() != "" { // it is empty for an empty query
				theirs++
			}
		}
		ours := 0
		for migrate.StatementStart(tt.text, ours) >= 0 {
			ours++
		}
		if ours != theirs {
			t.Errorf("%s: %d statements, PostgreSQL finds %d", tt.name, ours, theirs)
		}
	}
}

func TestErrorWithoutPositionHasStatementLine(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	tests := []struct {
		name, text string
		line       int
	}{
		{"an existing table", "create table a ();\n\n-- again\ncreate table\n a ();\nselect 1;", 4},
		{"a row that violates a constraint", "create table b (n int check (n > 0));\ninsert into b values (1);\ninsert into b values (0);", 3},
		{"a raise in a block", "select 1;\ndo $$\nbegin\n  raise exception 'no';\nend $$;", 2},
		{"an error while rows are sent", "select 1;\nselect 1 / (2 - n) from generate_series(1, 3) n;", 2},
	}
	for _, tt := range tests {
		_, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Project(folder("migrations/0001_x.sql", tt.text))}, nil)
		var failed *migrate.FileError
		if !errors.As(err, &failed) || failed.Line != tt.line {
			t.Errorf("%s: %v, want line %d", tt.name, err, tt.line)
		}
	}
}

func FuzzStatementStart(f *testing.F) {
	for _, tt := range statementTexts {
		f.Add(tt.text)
	}
	f.Add("$")
	f.Add("'\\")
	f.Add("e'\\")
	f.Add("/*/")
	f.Add("$a$b")
	f.Fuzz(func(t *testing.T, text string) {
		last := -1
		for i := range strings.Count(text, ";") + 2 {
			start := migrate.StatementStart(text, i)
			if start < 0 {
				return
			}
			if start <= last || start >= len(text) {
				t.Fatalf("statement %d starts at %d of %d, the one before at %d", i, start, len(text), last)
			}
			last = start
		}
		t.Fatalf("more statements than semicolons")
	})
}
