package doctor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/doctor"
	"plaza/tests/testkit"
)

// table creates a table without findings.
const table = `create table public.notes (id int primary key, owner uuid references auth.users (id), body text);
	create index on public.notes (owner); alter table public.notes enable row level security;
	grant select, insert, update, delete on public.notes to anon, authenticated;`

func TestFindings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, sql string
		want      []string // codes and subjects of the findings
		mended    bool     // the remedy is SQL that fixes the finding
	}{
		{"a table as it should be", table + `create policy own on public.notes for select to authenticated using (owner = (select auth.uid()))`, nil, false},
		{"no row-level security", table + `alter table public.notes disable row level security`, []string{"rls_disabled_in_public public.notes"}, true},
		{"no row-level security, and rights on a column only", table + `alter table public.notes disable row level security; revoke all on public.notes from anon, authenticated; grant select (body) on public.notes to anon`,
			[]string{"rls_disabled_in_public public.notes"}, true},
		{"no row-level security, and nobody may", table + `alter table public.notes disable row level security; revoke all on public.notes from anon, authenticated`, nil, false},
		{"policies without row-level security", table + `create policy p on public.notes for select using (body = 'x'); alter table public.notes disable row level security; revoke all on public.notes from anon, authenticated`,
			[]string{"policy_exists_rls_disabled public.notes"}, true},
		{"a view with its owner's rights", table + `create view public.seen as select id from public.notes; grant select on public.seen to anon`, []string{"security_definer_view public.seen"}, true},
		{"a view with the caller's rights", table + `create view public.seen with (security_invoker) as select id from public.notes; grant select on public.seen to anon`, nil, false},
		{"a view of auth.users", `create view public.people as select email from auth.users; revoke all on public.people from anon; grant select on public.people to authenticated`,
			[]string{"auth_users_exposed public.people"}, true},
		{"a materialized view", table + `create materialized view public.seen as select id from public.notes; grant select on public.seen to authenticated`, []string{"materialized_view_in_api public.seen"}, true},
		{"a foreign table", `create foreign data wrapper nothing; create server away foreign data wrapper nothing; create foreign table public.far (id int) server away; grant select on public.far to anon`,
			[]string{"foreign_table_in_api public.far"}, true},
		{"a definer function without a path", `create function public.f(n int) returns int language sql security definer as 'select 1'`, []string{"function_search_path_mutable public.f(n integer)"}, true},
		{"a definer function with a path", `create function public.f() returns int language sql security definer set search_path = '' as 'select 1'`, nil, false},
		{"a foreign key without an index", table + `create table public.tags (id int primary key, note int references public.notes (id)); alter table public.tags enable row level security`,
			[]string{"unindexed_foreign_keys public.tags (tags_note_fkey)"}, true},
		{"a foreign key with a partial index", table + `create table public.tags (id int primary key, note int references public.notes (id)); alter table public.tags enable row level security;
			create index on public.tags (note) where id > 5`, []string{"unindexed_foreign_keys public.tags (tags_note_fkey)"}, true},
		{"an extension in an exposed schema", `create extension hstore schema public`, []string{"extension_in_public hstore"}, true},
		{"a table of both publications", table + `create policy own on public.notes for select to authenticated using (owner = (select auth.uid()));
			alter publication supabase_realtime add table public.notes (id); alter publication supabase_realtime_messages_publication add table public.notes`,
			[]string{"realtime_publications_differ public.notes"}, true},
		{"calls for each row", table + `create policy "their own" on public.notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid() and auth.jwt() ->> 'aal' = 'aal2')`,
			[]string{`auth_rls_initplan public.notes: "their own"`}, true},
		{"calls in a subselect of a table", table + `create policy p on public.notes for select to authenticated using (id in (select n.id from public.notes n where n.owner = auth.uid()))`,
			[]string{`auth_rls_initplan public.notes: "p"`}, true},
		{"calls of a function of one's own", table + `create function public.is_admin() returns boolean language sql stable as 'select true';
			create policy p on public.notes for select to authenticated using (public.is_admin() or owner = (select auth.uid()))`, []string{`auth_rls_initplan public.notes: "p"`}, true},
		{"a function of a column", table + `create function public.mine(n uuid) returns boolean language sql stable as 'select n = auth.uid()';
			create policy p on public.notes for select to authenticated using (public.mine(owner))`, nil, false},
		{"wrapped calls", table + `create policy p on public.notes for select to authenticated using (owner = (select auth.uid()) and (select (auth.jwt() ->> 'a')) = body and (select coalesce(auth.role(), 'x')) = 'y')`, nil, false},
		{"a text that looks like a call", table + `create policy p on public.notes for select to authenticated using (body = 'auth.uid() (''')`, nil, false},
		{"a compared column without an index", `create table public.logs (id int primary key, who uuid); alter table public.logs enable row level security; grant select on public.logs to authenticated;
			create policy p on public.logs for select to authenticated using (who = (select auth.uid()))`, []string{`unindexed_policy_column public.logs: "p"`}, true},
		{"a compared column on the right without an index", `create table public.logs (id int primary key, who uuid); alter table public.logs enable row level security; grant select on public.logs to authenticated;
			create policy p on public.logs for select to authenticated using ((select auth.uid()) = who)`, []string{`unindexed_policy_column public.logs: "p"`}, true},
		{"user_metadata", table + `create policy p on public.notes for select to authenticated using ((select auth.jwt() -> 'user_metadata' ->> 'role') = 'admin')`,
			[]string{`rls_references_user_metadata public.notes: "p"`}, true},
		{"writing for everybody", table + `create policy p on public.notes for update to authenticated using (true)`, []string{`rls_policy_always_true public.notes: "p"`}, true},
		{"adding for everybody", table + `create policy p on public.notes for insert with check (true)`, []string{`rls_policy_always_true public.notes: "p"`}, true},
		{"reading for everybody", table + `create policy p on public.notes for select using (true)`, nil, false},
		{"a role that bypasses the policies", `alter role anon bypassrls`, []string{"role_bypasses_rls anon"}, true},
		{"secrets in clear", `create schema vault; create table vault.secrets (id int, nonce bytea); insert into vault.secrets values (1, null), (2, 'n')`, []string{"vault_in_clear vault.secrets"}, false},
	}
	db := testkit.PlatformDB(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tx := begin(t, db)
			exec(t, tx, tt.sql)
			findings := examine(t, tx)
			var got []string
			for _, f := range findings {
				got = append(got, f.Code+" "+f.Subject)
				if f.Problem == "" || f.Remedy == "" {
					t.Errorf("the finding lacks a problem or a remedy: %+v", f)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			for _, f := range findings {
				if tt.mended {
					exec(t, tx, f.Remedy)
				}
			}
			if left := examine(t, tx); tt.mended && len(left) > 0 {
				t.Errorf("%s does not fix the finding: %+v", findings[0].Remedy, left)
			}
		})
	}
}

func TestMarketplaceHasNoFindings(t *testing.T) {
	t.Parallel()
	if found := examine(t, testkit.Tx(t)); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// begin starts a transaction that is rolled back after the test.
func begin(t *testing.T, db *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return tx
}

func exec(t *testing.T, tx pgx.Tx, sql string) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func examine(t *testing.T, db doctor.Querier) []doctor.Finding {
	t.Helper()
	findings, err := doctor.Examine(t.Context(), db, []string{"public"})
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func TestUnusedSlotIsFound(t *testing.T) {
	t.Parallel()
	db := testkit.PlatformDB(t)
	if _, err := db.Exec(t.Context(), `select pg_create_logical_replication_slot('forgotten_' || current_database(), 'pgoutput')`); err != nil {
		t.Fatal(err)
	}
	found := examine(t, db)
	if len(found) != 1 || found[0].Code != "replication_slot_lags" || !strings.HasPrefix(found[0].Subject, "forgotten_") {
		t.Fatalf("%+v", found)
	}
	if _, err := db.Exec(t.Context(), found[0].Remedy); err != nil {
		t.Fatal(err)
	}
	if left := examine(t, db); len(left) > 0 {
		t.Errorf("%+v", left)
	}
}

func TestRemedyIsCompleteSQL(t *testing.T) {
	t.Parallel()
	tx := begin(t, testkit.PlatformDB(t))
	exec(t, tx, table+`create policy "a ""name" on public.notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid())`)
	want := `alter policy "a ""name" on public.notes using ((owner = (select auth.uid()))) with check ((owner = (select auth.uid())));`
	if found := examine(t, tx); len(found) != 1 || strings.TrimSpace(found[0].Remedy) != want {
		t.Errorf("%+v", found)
	}
}
