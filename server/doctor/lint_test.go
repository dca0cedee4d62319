package doctor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"plaza/server/doctor"
	"plaza/tests/testkit"
)

func TestLintChecksFunctionsAndTables(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), testkit.PlatformURL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), `
		set check_function_bodies = off;
		create schema other; create table other.t (a integer); create table public.open (id integer);
		create function public.right() returns integer language sql as 'select 1';
		create function public.wrong() returns integer language sql as 'select nothing from public.open';
		create function public.syntax() returns integer language plpgsql as 'begin retrun 1; end';
		create function public.elsewhere() returns bigint language sql set search_path = other as 'select count(*) from t';
		create function public.nowhere() returns bigint language sql set search_path = '' as 'select count(*) from t';
		create function public.definer() returns integer language sql security definer as 'select nothing';`); err != nil {
		t.Fatal(err)
	}
	results, err := doctor.Lint(t.Context(), conn, []string{"public"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, r := range results {
		for _, issue := range r.Issues {
			got[r.Function] = append(got[r.Function], issue.Level+" "+issue.Detail+issue.SQLState)
		}
	}
	want := map[string][]string{
		"public.wrong()": {"error 42703"}, "public.syntax()": {"error 42601"}, "public.nowhere()": {"error 42P01"},
		"public.definer()": {"error 42703", "warning function_search_path_mutable"}, "public.open": {"error rls_disabled_in_public"},
	}
	for name := range got {
		if !strings.HasPrefix(name, "public.") { // of the cluster that tests share, such as its wal_level
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
