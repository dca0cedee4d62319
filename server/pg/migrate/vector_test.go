package migrate_test

import (
	"bufio"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/gentypes"
	"plaza/server/pg/migrate"
	"plaza/server/rest/schema"
	"plaza/sql"
	"plaza/tests/testkit"
)

// The stand-in's values and refusals are those of pgvector: each line of the file is an expression and its text, or a SQLSTATE.
func TestVector(t *testing.T) {
	t.Parallel()
	conn := standIn(t, `create extension vector;
		create table items (id int, e vector(3));
		insert into items values (1, '[1,1,1]'), (2, '[2, 2, 2]'), (3, '[3,3,3.5]'), (4, '[1,1,1]');`)
	f, err := os.Open("testdata/vector.txt")
	must(t, err)
	defer f.Close()
	cases := bufio.NewScanner(f)
	for cases.Scan() {
		expression, want, found := strings.Cut(cases.Text(), "\t")
		if !found {
			t.Fatalf("a line without a tab: %s", cases.Text())
		}
		var got *string
		err := conn.QueryRow(t.Context(), "select ("+expression+")::text").Scan(&got)
		var refused *pgconn.PgError
		switch {
		case errors.As(err, &refused):
			if refused.Code != want {
				t.Errorf("%s: %v, want %s", expression, err, want)
			}
		case err != nil:
			t.Errorf("%s: %v", expression, err)
		case got == nil:
			if want != "null" {
				t.Errorf("%s is null, want %s", expression, want)
			}
		case !near(*got, want):
			t.Errorf("%s is %s, want %s", expression, *got, want)
		}
	}
	must(t, cases.Err())
}

// near reports whether two texts are equal, or numbers that are equal in single precision.
func near(got, want string) bool {
	a, errA := strconv.ParseFloat(got, 64)
	b, errB := strconv.ParseFloat(want, 64)
	return got == want || errA == nil && errB == nil && math.Abs(a-b) <= 1e-6*math.Abs(b)
}

// Types are in the schema that the statement names. Indexes are made without their options, which a warning reports.
func TestVectorInMigrations(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	source := migrate.Supabase(folder("migrations/20240102030405_a.sql", `create extension if not exists "vector" with schema "extensions";
		create table docs (id int, e extensions.vector(3), h extensions.halfvec(3), b bit(3), v extensions.vector);
		create index on docs using hnsw (e extensions.vector_cosine_ops)
			with (m = 16, ef_construction = 64);
		CREATE INDEX named ON docs USING ivfflat (e vector_ip_ops) WITH (lists = 100) where id > 0;
		create index on docs using hnsw ((v::extensions.vector(3)) vector_l2_ops);
		create index on docs using hnsw (h halfvec_l2_ops);
		create index on docs using hnsw (b bit_hamming_ops);
		insert into docs values (1, '[1,2,3]', '[1,2,3]', '101', '[1,2,3]'), (2, array[3,2,1], null, null, null);
		set hnsw.ef_search = 100;
		create function match_docs(query extensions.vector(3), n int) returns setof docs language plpgsql stable as
			$$ begin return query select * from docs order by docs.e <=> query limit n; end $$;`))
	report := up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...)
	if len(report.Warnings) != 3 || !strings.Contains(report.Warnings[1], "_a.sql:4:") || !strings.Contains(report.Warnings[2], "the index has no options") {
		t.Errorf("warnings %q, want 3: of the extension and of two indexes", report.Warnings)
	}
	wantValue(t, url, "select id from match_docs('[3,2,2]', 1)", "2")
	wantValue(t, url, "select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'docs'::regclass and attname = 'e'", "vector(3)")
	wantValue(t, url, "select string_agg(indexname, ' ' order by indexname) from pg_indexes where tablename = 'docs'", "docs_b_idx docs_e_idx docs_h_idx docs_v_idx named")
	if again := up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...); len(again.Applied) != 0 {
		t.Errorf("a second run applied %v", again.Applied)
	}
	_, err := testkit.Open(t, url).Exec(t.Context(), "update plaza.repeatables set checksum = 'old' where path like '%/vector/%'")
	must(t, err)
	report = up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...)
	if diff := cmp.Diff(3, len(report.Applied)); diff != "" {
		t.Errorf("an update applied %v", paths(report))
	}
	wantValue(t, url, "select id from match_docs('[3,2,2]', 1)", "2")
}

// As with pgvector, none of the functions is in generated types or in the data API: the arguments have no names. A database
// that has functions with names from an earlier version gets the others.
func TestVectorAddsNoFunctionsToTheAPI(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	files := folder("migrations/20240102030405_a.sql", "create extension vector;")
	sources := migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(files))
	up(t, url, sources...)
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	_, err = conn.Exec(t.Context(), `drop function _norm(real[]); create function _norm(a real[]) returns double precision language sql as 'select 1';
		update plaza.repeatables set checksum = 'of an earlier version' where path like '%extensions/vector/%'`)
	must(t, err)
	up(t, url, sources...)
	var types strings.Builder
	must(t, gentypes.Generate(t.Context(), conn, &types, gentypes.Options{Schemas: []string{"public"}, Exact: true}))
	if !strings.Contains(types.String(), "Functions: {\n      [_ in never]: never\n") {
		t.Errorf("the types are\n%s", types.String())
	}
	snapshot, err := schema.Load(t.Context(), conn, []string{"public"})
	must(t, err)
	for _, function := range snapshot.AllFunctions("public") {
		t.Errorf("the data API has %v", function.Name)
	}
	var norm float64
	must(t, conn.QueryRow(t.Context(), "select vector_norm('[3,4]')").Scan(&norm))
	if norm != 5 {
		t.Errorf("the norm is %v", norm)
	}
}
