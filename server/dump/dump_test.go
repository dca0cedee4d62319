package dump_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/ddl"
	"plaza/server/dump"
	"plaza/tests/testkit"
)

const project = `
	create type mood as enum ('good', 'it''s');
	create table people (id bigint generated always as identity primary key, name text not null, mood mood, boss bigint references people, doubled bigint generated always as (boss * 2) stored,
		"Odd ""name" text[], raw bytea, price numeric, ratio float8, made timestamptz, took interval, doc jsonb, flag boolean);
	create table empty (id serial primary key); create table parts (id integer) partition by list (id); create table part_one partition of parts for values in (1);
	create materialized view b as select count(*) from people; create materialized view a as select * from b;
	insert into people (name, boss, mood, "Odd ""name", raw, price, ratio, made, took, doc, flag) values
		('Ana', 2, 'it''s', array['a,b', null, '"'], '\x00ff5c', 1.50, 0.1::float8 + 0.2, '2026-03-01 12:00:00.123456+02', '1 year 2 days 03:04:05', '{"a": "\\ ''x''"}', true),
		(E'new\nline\ttab \\ back''quote', 1, null, '{}', '', 'NaN', 'Infinity', 'infinity', '-1 day', 'null', null);
	insert into parts values (1); create function noted() returns trigger language plpgsql as 'begin new.name := ''changed''; return new; end';
	create trigger noted before insert on people for each row execute function noted();
	insert into auth.users (id, email, encrypted_password) values ('11111111-1111-4111-8111-111111111111', 'ana@shop.cat', 'x');
	insert into storage.buckets (id, name) values ('photos', 'photos');
	create table many (id integer, filler text); insert into many select n, repeat('x', 2000) from generate_series(1, 2500) n;`

func write(t *testing.T, conn *pgx.Conn, o dump.Options) string {
	t.Helper()
	var out strings.Builder
	if err := dump.Write(t.Context(), conn, &out, o, func(warning string) { t.Error(warning) }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func run(t *testing.T, conn *pgx.Conn, script string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), "begin; "+script+" commit"); err != nil {
		t.Fatalf("%v\n%s", err, script)
	}
}

const state = `select string_agg(r, ' ') from (
	select p::text as r from people p union all select p::text from parts p union all select u.id || u.email || u.encrypted_password from auth.users u union all select id from storage.buckets
	union all select 'many ' || count(*) || ' ' || sum(id) from many union all select 'views ' || a.count from a union all select 'sequence ' || last_value || is_called from people_id_seq union all select 'other ' || last_value || is_called from empty_id_seq
	order by 1) s`

// The three dumps restore a project. Its triggers do not change the restored rows.
func TestDumpsRestoreAProject(t *testing.T) {
	t.Parallel()
	source, copied := testkit.Connect(t, testkit.PlatformURL(t)), testkit.Connect(t, testkit.PlatformURL(t))
	run(t, source, project)
	run(t, copied, write(t, source, dump.Options{}))
	rows := write(t, source, dump.Options{DataOnly: true})
	run(t, copied, rows)
	var want, got string
	for conn, into := range map[*pgx.Conn]*string{source: &want, copied: &got} {
		if _, err := conn.Exec(t.Context(), "refresh materialized view b; refresh materialized view a"); conn == source && err != nil {
			t.Fatal(err)
		}
		if err := conn.QueryRow(t.Context(), state).Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	if want != got || !strings.Contains(got, "0.30000000000000004") {
		t.Errorf("rows differ:\n%s\n%s", want, got)
	}
	// A statement has 1,000 rows or about 1 MB.
	if inserts := strings.Count(rows, `insert into "public"."many"`); inserts != 5 {
		t.Errorf("there are %d statements for 2,500 rows of 2 kB", inserts)
	}
	if strings.Contains(rows, "token_lifetime") || strings.Index(rows, "view public.b") > strings.Index(rows, "view public.a") {
		t.Errorf("the rows are\n%s", rows)
	}
	is, err := ddl.Read(t.Context(), copied, ddl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := ddl.Read(t.Context(), source, ddl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := ddl.Diff(is, wanted); len(d.Statements) > 0 {
		t.Errorf("the schema differs: %q", d.Statements)
	}
}

func TestDumpsOfParts(t *testing.T) {
	t.Parallel()
	conn := testkit.Connect(t, testkit.PlatformURL(t))
	run(t, conn, project+"create schema other; create table other.t (a integer); insert into other.t values (7);")
	run(t, conn, `do $$ begin create role "Re porter" login; create role plaza_cron_1; exception when duplicate_object then null; end $$; grant anon to "Re porter"; grant "Re porter" to authenticator; alter role "Re porter" set search_path = other, public;`)
	tests := []struct {
		name        string
		o           dump.Options
		has, hasNot []string
	}{
		{"schemas", dump.Options{Schemas: []string{"other"}}, []string{"create table other.t"}, []string{"people", "extension"}},
		{"rows of schemas", dump.Options{DataOnly: true, Schemas: []string{"other"}}, []string{"insert into \"other\".\"t\" (a) values\n  ('7');"}, []string{"people", "auth"}},
		{"rows without a table", dump.Options{DataOnly: true, Exclude: []string{"public.people"}}, []string{"\"other\".\"t\""}, []string{"\"people\" ("}},
		{"rows as COPY", dump.Options{DataOnly: true, UseCopy: true, Schemas: []string{"other"}}, []string{"copy \"other\".\"t\" (a) from stdin;\n7\n\\.\n"}, []string{"insert"}},
		{"roles", dump.Options{RoleOnly: true}, []string{`begin create role "Re porter" with inherit`, " login ", `grant anon to "Re porter"`, `grant "Re porter" to authenticator`, `set search_path to other, public`, "alter role anon set statement_timeout to '3s'"}, []string{"create role anon", "password", "plaza_cron_"}},
	}
	for _, tt := range tests {
		text := write(t, conn, tt.o)
		for _, part := range tt.has {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is missing:\n%s", tt.name, part, text)
			}
		}
		for _, part := range tt.hasNot {
			if strings.Contains(text, part) {
				t.Errorf("%s: %q is there:\n%s", tt.name, part, text)
			}
		}
	}
}

// A cluster can have the roles of a dump already. They keep their attributes.
func TestDumpsCreateMissingRolesOnly(t *testing.T) {
	t.Parallel()
	conn := testkit.Connect(t, testkit.PlatformURL(t))
	run(t, conn, `create role "dumped 'reader'" with login connection limit 3 valid until '2040-01-01 00:00:00+00';`)
	var own []string
	for line := range strings.Lines(write(t, conn, dump.Options{RoleOnly: true})) {
		if strings.Contains(line, "dumped ") {
			own = append(own, line)
		}
	}
	const attributes = `select concat_ws(' ', rolcanlogin, rolconnlimit, rolvaliduntil at time zone 'UTC') from pg_roles where rolname = 'dumped ''reader'''`
	for _, tt := range []struct{ before, want string }{
		{`drop role "dumped 'reader'";`, "t 3 2040-01-01 00:00:00"},
		{`alter role "dumped 'reader'" with nologin;`, "f 3 2040-01-01 00:00:00"},
	} {
		run(t, conn, tt.before+strings.Join(own, ""))
		var got string
		if err := conn.QueryRow(t.Context(), attributes).Scan(&got); err != nil || got != tt.want {
			t.Errorf("after %q and %q the role is %q, %v; want %q", tt.before, own, got, err, tt.want)
		}
	}
	run(t, conn, `drop role "dumped 'reader'";`)
}
