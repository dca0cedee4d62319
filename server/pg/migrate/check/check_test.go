package check_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/server/pg/migrate/check"
	"plaza/tests/testkit"
)

// shop is what a database has before the pending migrations.
const shop = `
	create table customers (id bigint primary key, name text not null, email text);
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

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// run checks the migrations of a project after a version.
func run(t *testing.T, url string, o check.Options, sources ...migrate.Source) check.Report {
	t.Helper()
	conn := connect(t, url)
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
