package migrate_test

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// shapes lists the objects of the schema auth, as "kind name type".
const shapes = `
	select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
	from pg_attribute a join pg_class c on c.oid = a.attrelid
	where c.relnamespace = 'auth'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped and c.relname !~ 'plaza'
	union all select 'function ' || p.oid::regprocedure from pg_proc p where p.pronamespace = 'auth'::regnamespace
	union all select 'value ' || t.typname || ' ' || e.enumlabel from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typnamespace = 'auth'::regnamespace
	order by 1`

func shapesOf(t *testing.T, db *pgxpool.Pool) []string {
	t.Helper()
	rows, err := db.Query(t.Context(), shapes)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// upstream creates a database as supabase/gotrue leaves it, with one user. The returned URL
// connects with the privileges of the role that gotrue has signed in as.
func upstream(t *testing.T, role, change string) (address string, db *pgxpool.Pool) {
	t.Helper()
	_ = testkit.PlatformURL(t) // the roles belong to the cluster
	address = testkit.EmptyURL(t)
	db = testkit.Open(t, address)
	schema, err := os.ReadFile("../../../tests/testkit/testdata/upstream_auth.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"create schema auth authorization " + role + "; set role " + role, string(schema),
		"insert into auth.users (id, email) values ('00000000-0000-0000-0000-000000000001', 'ana@plaza.test')",
		"reset role; create function auth.uid() returns uuid language sql as 'select null::uuid'", change,
	} {
		if _, err := db.Exec(t.Context(), text, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := parsed.Query()
	query.Set("role", role)
	parsed.RawQuery = query.Encode()
	return parsed.String(), db
}

func TestAuthAlone(t *testing.T) {
	t.Parallel()
	want := shapesOf(t, testkit.Open(t, testkit.PlatformURL(t)))
	for name, tt := range map[string]struct{ role, change string }{
		"of the newest gotrue":        {"supabase_auth_admin", ""},
		"of a gotrue of another role": {"supabase_admin", ""},
		"of an older gotrue": {"supabase_auth_admin", `drop table auth.oauth_authorizations, auth.oauth_consents, auth.webauthn_credentials, auth.custom_oauth_providers;
			alter table auth.users drop column is_anonymous; alter table auth.sessions drop column scopes, drop column tag;
			alter table auth.flow_state drop column email_optional`},
	} {
		t.Run("database "+name, func(t *testing.T) {
			t.Parallel()
			address, db := upstream(t, tt.role, tt.change)
			for range 2 { // the second run changes nothing
				report, err := migrate.Up(t.Context(), address, []migrate.Source{migrate.AuthAlone(sql.FS)}, nil)
				if err != nil {
					t.Fatal(err)
				}
				t.Log(report.Warnings)
			}
			got := shapesOf(t, db)
			for _, shape := range want {
				if !slices.Contains(got, shape) {
					t.Errorf("%s is missing", shape)
				}
			}
			var mails, owner string
			if err := db.QueryRow(t.Context(), "select string_agg(email, ',') from auth.users").Scan(&mails); err != nil || mails != "ana@plaza.test" {
				t.Errorf("accounts %q, %v", mails, err)
			}
			if err := db.QueryRow(t.Context(), "select pg_get_userbyid(proowner) from pg_proc where oid = 'auth.uid()'::regprocedure").Scan(&owner); err != nil || owner == "supabase_auth_admin" {
				t.Errorf("a function of another owner was replaced: %s, %v", owner, err)
			}
			if _, err := db.Exec(t.Context(), "begin; set local role supabase_auth_admin; update auth.users set banned_until = now(); commit", pgx.QueryExecModeSimpleProtocol); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("database of the whole platform", func(t *testing.T) {
		t.Parallel()
		report, err := migrate.Up(t.Context(), testkit.PlatformURL(t), []migrate.Source{migrate.AuthAlone(sql.FS)}, nil)
		if err != nil || len(report.Warnings) > 0 {
			t.Fatal(err, report.Warnings)
		}
	})
	t.Run("empty database", func(t *testing.T) {
		t.Parallel()
		address := testkit.EmptyURL(t)
		report, err := migrate.Up(t.Context(), address, []migrate.Source{migrate.AuthAlone(sql.FS)}, nil)
		if err != nil || len(report.Warnings) > 0 {
			t.Fatal(err, report.Warnings)
		}
		if diff := cmp.Diff(want, shapesOf(t, testkit.Open(t, address))); diff != "" {
			t.Errorf("(-platform +alone):\n%s", diff)
		}
		var others string
		err = testkit.Open(t, address).QueryRow(t.Context(), "select coalesce(string_agg(nspname, ','), '') from pg_namespace where nspname in ('storage', 'realtime', 'plaza')").Scan(&others)
		if err != nil || strings.TrimSpace(others) != "" {
			t.Errorf("also created %s, %v", others, err)
		}
	})
}
