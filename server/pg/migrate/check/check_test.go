package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"plaza/server/pg/migrate"
	"plaza/server/pg/migrate/check"
	"plaza/tests/testkit"
)

// shop is what a database has before the pending migrations.
const shop = `
	create table customers (id bigint primary key, name text not null constraint named check (name <> ''), email text);
	create table orders (id bigint primary key, customer bigint, total integer, state varchar(20) default 'new', note text);
	create index orders_customer on orders (customer);
	create table logs (at date not null, text text) partition by range (at);
	create table logs_1 partition of logs for values from ('2026-01-01') to ('2026-02-01');
	create table logs_2 (at date not null, text text);
	create materialized view totals as select customer, count(*) from orders group by 1;
	create unique index totals_customer on totals (customer);
	create view names as select id, name from customers;
	create domain percent as integer;
	create table rates (rate percent);
	create function vat(amount integer) returns integer language sql immutable as 'select amount / 5';`

// source returns a project whose first migration is shop, and the others the given ones.
func source(files ...string) migrate.Source {
	fsys := fstest.MapFS{"migrations/0001_shop.sql": {Data: []byte(shop)}}
	for i, text := range files {
		fsys[fmt.Sprintf("migrations/%04d_change.sql", i+2)] = &fstest.MapFile{Data: []byte(text)}
	}
	return migrate.Project(fsys)
}

// run checks the migrations of a project after a version.
func run(t *testing.T, url string, o check.Options, sources ...migrate.Source) check.Report {
	t.Helper()
	conn := testkit.Connect(t, url)
	backlogs, err := check.Find(t.Context(), conn, sources, o)
	if err != nil {
		t.Fatal(err)
	}
	report, err := check.Run(t.Context(), conn, testkit.EmptyURL(t), backlogs, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// found returns findings as lines: file, line, kind, table and what is locked.
func found(report check.Report) []string {
	lines := []string{}
	for _, f := range report.Findings {
		var holds []string
		for _, h := range f.Holds {
			holds = append(holds, h.Blocks+" of "+h.Table)
		}
		file := strings.TrimSuffix(strings.TrimPrefix(f.File, "migrations/000"), "_change.sql")
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s:%d %s %s %s", file, f.Line, f.Kind, f.Table, strings.Join(holds, ", "))))
	}
	return lines
}

func TestFindings(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t) // of a database that lacks all migrations
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			report := run(t, url, check.Options{Since: 1}, source(tt.files...))
			if diff := cmp.Diff(tt.want, found(report)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s\n%+v", diff, report)
			}
			if len(report.Findings) == 0 {
				return
			}
			safe := report.Findings[0].Safe
			if diff := cmp.Diff(tt.safe, strings.Join(safe, "\n--\n")); diff != "" {
				t.Errorf("safe form (-want +got):\n%s", diff)
			}
			if len(safe) == 0 {
				if report.Findings[0].Note == "" {
					t.Error("there is neither a safe form nor a note")
				}
				return
			}
			if again := run(t, url, check.Options{Since: 1}, source(safe...)); len(again.Findings) > 0 {
				t.Errorf("the safe form is not safe: %q\n%+v", found(again), again.Findings)
			}
		})
	}
}

// A folder of the Supabase CLI whose last migrations are pending, in a database with rows.
func TestSizesAndLocksOfARealDatabase(t *testing.T) {
	t.Parallel()
	before := map[string]string{"migrations/20240101000000_shop.sql": shop}
	after := map[string]string{
		"migrations/20240101000000_shop.sql":   shop,
		"migrations/20240102000000_total.sql":  "begin;\nalter table orders add column a integer;\ncommit;\nalter table orders alter column total set not null;",
		"migrations/20240103000000_index.sql":  "create index on customers (email);\ncreate index concurrently on orders (total);",
		"migrations/20240104000000_limits.sql": "set lock_timeout = '5s';\nalter table orders add column b integer;\ncreate extension if not exists pg_net;",
	}
	url := testkit.EmptyURL(t)
	if _, err := migrate.Up(t.Context(), url, []migrate.Source{folder(before)}, nil); err != nil {
		t.Fatal(err)
	}
	conn := testkit.Connect(t, url)
	if _, err := conn.Exec(t.Context(), "insert into orders (id, total) select n, 0 from generate_series(1, 120000) n; analyze orders; insert into customers values (1, 'a')"); err != nil {
		t.Fatal(err)
	}
	report := run(t, url, check.Options{}, folder(after))
	if diff := cmp.Diff([]string{
		"migrations/20240102000000_total.sql:4 scan public.orders reads and writes of public.orders",
		"migrations/20240103000000_index.sql:1 index public.customers writes of public.customers",
	}, found(report)); diff != "" {
		t.Fatalf("findings (-want +got):\n%s\n%+v", diff, report)
	}
	if size := report.Findings[0].Size; size == nil || size.Rows != 120000 || size.Bytes < 4<<20 {
		t.Errorf("the size of orders is %+v", size)
	}
	if size := report.Findings[1].Size; size == nil || size.Rows != -1 || size.Bytes == 0 {
		t.Errorf("the size of customers is %+v", size)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "20240102000000_total.sql:2 locks public.orders (about 120,000 rows, ") {
		t.Errorf("warnings: %q", report.Warnings)
	}
	var count int
	if err := conn.QueryRow(t.Context(), "select count(*) from supabase_migrations.schema_migrations").Scan(&count); err != nil || count != 1 {
		t.Errorf("the database has %d migrations, %v; want the one it had", count, err)
	}
	if report = run(t, url, check.Options{MinBytes: 1 << 20}, folder(after)); len(report.Findings) != 1 {
		t.Errorf("of tables with a megabyte: %q", found(report))
	}
	// A database whose sessions have a limit.
	if _, err := conn.Exec(t.Context(), "do $$ begin execute format('alter database %I set lock_timeout = ''3s''', current_database()); end $$"); err != nil {
		t.Fatal(err)
	}
	if report = run(t, url, check.Options{}, folder(after)); len(report.Warnings) != 0 {
		t.Errorf("warnings: %q", report.Warnings)
	}
}

func folder(files map[string]string) migrate.Source {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return migrate.Supabase(fsys)
}

// Functions, views and policies are applied in one transaction after the migrations.
func TestRepeatableFiles(t *testing.T) {
	t.Parallel()
	files := func(view string) fstest.MapFS {
		return fstest.MapFS{
			"migrations/0001_shop.sql": {Data: []byte(shop)},
			"functions/double.sql":     {Data: []byte("create or replace function double(n integer) returns integer language sql as 'select n * 2';")},
			"views/open.sql":           {Data: []byte(view)},
			"policies/orders.sql":      {Data: []byte("alter table orders enable row level security; drop policy if exists own on orders; create policy own on orders using (true);")},
		}
	}
	url := testkit.EmptyURL(t)
	before := migrate.Project(files("create or replace view open as select id, total from orders;"))
	if _, err := migrate.Up(t.Context(), url, []migrate.Source{before}, nil); err != nil {
		t.Fatal(err)
	}
	if b, err := check.Find(t.Context(), testkit.Connect(t, url), []migrate.Source{before}, check.Options{}); err != nil || check.IsNeeded(b) {
		t.Errorf("%+v, %v; want nothing to check", b, err)
	}
	report := run(t, url, check.Options{}, migrate.Project(files("create or replace view open as select id, total, note from orders;")))
	if len(report.Findings) != 0 || report.Files != 2 {
		t.Errorf("a view and policies: %d files, %+v", report.Files, report)
	}
	report = run(t, url, check.Options{}, migrate.Project(files("create or replace view open as select id, total from orders;\nalter table orders alter column total set not null;\ndrop function double;")))
	if diff := cmp.Diff([]string{"views/open.sql:2 scan public.orders reads and writes of public.orders", "views/open.sql:3 former"}, found(report)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// A project's first migrations block nobody. Applied migrations without a file are in the warnings.
func TestNewProjectAndUnknownMigrations(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	backlogs, err := check.Find(t.Context(), testkit.Connect(t, url), []migrate.Source{source("alter table orders drop column note")}, check.Options{})
	if err != nil || check.IsNeeded(backlogs) {
		t.Errorf("%+v, %v; want nothing to check", backlogs, err)
	}
	if _, err := migrate.Up(t.Context(), url, []migrate.Source{source("create table more (n integer)", "create table most (n integer)")}, nil); err != nil {
		t.Fatal(err)
	}
	changed := source("create table more (n bigint)", "create table most (n integer)")
	var edited *migrate.ChangedError
	if _, err := check.Find(t.Context(), testkit.Connect(t, url), []migrate.Source{changed}, check.Options{}); !errors.As(err, &edited) {
		t.Errorf("an edited migration: %v", err)
	}
	pending := fstest.MapFS{"migrations/0001_shop.sql": {Data: []byte(shop)}, "migrations/0004_x.sql": {Data: []byte("drop table rates")}}
	report := run(t, url, check.Options{}, migrate.Project(pending))
	if len(report.Findings) != 1 || len(report.Warnings) != 2 {
		t.Errorf("%+v", report)
	}
}

func TestTextReport(t *testing.T) {
	t.Parallel()
	report := check.NewReport()
	report.Files, report.Allowed = 2, 1
	report.Findings = append(report.Findings, check.Finding{
		Source: "project", File: "migrations/0002.sql", Line: 3, Statement: "alter …", Kind: check.Scan, Table: "public.t",
		Problem: "all rows are read", Safe: []string{"a;\nb;", "c;"}, Note: "Note.",
	})
	report.Warnings = append(report.Warnings, "be careful")
	var out strings.Builder
	if err := report.Write(&out, false); err != nil {
		t.Fatal(err)
	}
	want := `project migrations/0002.sql:3: alter …
  scan: all rows are read.
  Instead:
    -- migration 1
    a;
    b;
    -- migration 2
    c;
  Note.

warning: be careful
1 findings in 2 pending files; comments allow 1 more
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
