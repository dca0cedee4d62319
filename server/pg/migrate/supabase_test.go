package migrate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

func TestSupabaseProjectIsRecordedLikeCLI(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder(
		"config.toml", "",
		"migrations/20240102030405_shops.sql", "create table shops (name text);\ncreate index on shops (name);",
		"migrations/20240203040506_dump.sql", "select pg_catalog.set_config('search_path', '', false);\ncreate table public.dumped ();",
		"migrations/20240304050607_after.sql", "insert into shops values ('a');",
		"migrations/notes.sql", "no migration",
	)
	report := up(t, url, migrate.Supabase(fsys))
	wantApplied(t, report, "migrations/20240102030405_shops.sql", "migrations/20240203040506_dump.sql", "migrations/20240304050607_after.sql")
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "notes.sql") {
		t.Errorf("warnings %q, want one that names notes.sql", report.Warnings)
	}
	wantValue(t, url, "select name from supabase_migrations.schema_migrations where version = '20240102030405'", "shops")
	wantValue(t, url, "select to_regnamespace('plaza')", "null")
	if again := up(t, url, migrate.Supabase(fsys)); len(again.Applied) != 0 {
		t.Errorf("a second run applied %v", again.Applied)
	}
}

func TestSupabaseContinuesFromCLI(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	// The state that the CLI leaves, with separate statements.
	up(t, url, migrate.Project(folder("migrations/0001_cli.sql", `create schema supabase_migrations;
		create table supabase_migrations.schema_migrations (version text not null primary key, statements text[], name text);
		insert into supabase_migrations.schema_migrations values ('20240102030405', '{create table a (),create table b ()}', 'ab'),
			('20240102030406', array['-- One.' || chr(10) || 'create table c ()'], 'c'), ('20240102030407', null, 'old'), ('20240102030408', '{create table d (),create table e ()}', 'edited');`)))
	fsys := folder(
		"migrations/20240102030405_ab.sql", "create table a ();\ncreate table b ();",
		"migrations/20240102030406_c.sql", "\n-- One.\ncreate table c ();\n",
		"migrations/20240102030407_old.sql", "create table old ();",
		"migrations/20240102030408_edited.sql", "create table d ();\ncreate table e (n int);",
		"migrations/20240101000000_merged_late.sql", "create table late ();",
	)
	report := up(t, url, migrate.Supabase(fsys))
	wantApplied(t, report, "migrations/20240101000000_merged_late.sql")
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "20240102030408_edited.sql was changed") {
		t.Errorf("warnings %q, want one that names the edited file", report.Warnings)
	}
}

// The CLI sorts by file name, so a version that is a date without a time sorts between versions
// with a time.
func TestSupabaseMigrationsRunInNameOrder(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder(
		"migrations/20240102030405_first.sql", "create table first ();",
		"migrations/20240203_second.sql", "alter table first rename to second;",
		"migrations/20240304050607_third.sql", "alter table second rename to third;",
	)
	wantApplied(t, up(t, url, migrate.Supabase(fsys)), "migrations/20240102030405_first.sql", "migrations/20240203_second.sql", "migrations/20240304050607_third.sql")
	fsys["migrations/20240301_late.sql"] = &fstest.MapFile{Data: []byte("alter table third rename to late;")}
	wantApplied(t, up(t, url, migrate.Supabase(fsys)), "migrations/20240301_late.sql")
	delete(fsys, "migrations/20240203_second.sql")
	report := up(t, url, migrate.Supabase(fsys))
	wantApplied(t, report)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "20240203") {
		t.Errorf("warnings %q, want one that names the version without a file", report.Warnings)
	}
}

func TestWarnsAboutEditedSupabaseMigration(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder("migrations/20240102030405_a.sql", "create table a ();")
	up(t, url, migrate.Supabase(fsys))
	fsys["migrations/20240102030405_a.sql"].Data = []byte("create table a (n int);")
	report := up(t, url, migrate.Supabase(fsys))
	wantApplied(t, report)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "20240102030405_a.sql") {
		t.Errorf("warnings %q, want one that names the file", report.Warnings)
	}
}

func TestSupabaseMigrationWithItsOwnTransaction(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder("migrations/20240102030405_a.sql", "begin;\ncreate table a ();\ncommit;\ncreate table b ();")
	wantApplied(t, up(t, url, migrate.Supabase(fsys)), "migrations/20240102030405_a.sql")
	wantValue(t, url, "select count(*) from supabase_migrations.schema_migrations", "1")
	wantValue(t, url, "select to_regclass('a') is not null and to_regclass('b') is not null", "true")
}

// Statements that cannot run in a transaction run by themselves, with what stands beside them.
func TestSupabaseMigrationWithoutTransaction(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder(
		"migrations/20240102030405_a.sql", "create table a (n int);\n-- Not in a transaction.\ncreate unique index concurrently on a (n);\nreindex table concurrently a;\nvacuum a;\nselect 'vacuum';",
		"migrations/20240102030406_b.sql", "create table b ();",
	)
	wantApplied(t, up(t, url, migrate.Supabase(fsys)), "migrations/20240102030405_a.sql", "migrations/20240102030406_b.sql")
	wantValue(t, url, "select count(*) from pg_index where indrelid = 'a'::regclass and indisunique", "1")
	wantApplied(t, up(t, url, migrate.Supabase(fsys)))

	for text, line := range map[string]int{"create table if not exists c ();\ndrop index concurrently nothing;": 2, "create table if not exists c ();\n\nvacuum\n  nothing nothing;": 4} {
		fsys["migrations/20240102030407_c.sql"] = &fstest.MapFile{Data: []byte(text)}
		_, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Supabase(fsys)}, nil)
		var failed *migrate.FileError
		if !errors.As(err, &failed) || failed.Line != line {
			t.Errorf("%v, want an error in line %d", err, line)
		}
	}
	wantValue(t, url, "select count(*) from supabase_migrations.schema_migrations", "2")
}

// Words that only look like such statements.
func TestSupabaseMigrationInTransaction(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder("migrations/20240102030405_a.sql", "create table vacuum (n int);\ncreate index concurrently_named on vacuum (n);\n-- vacuum;\ncreate function f() returns int language sql as 'select 1; vacuum';\nselect 1 / 0;")
	if _, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Supabase(fsys)}, nil); err == nil {
		t.Error("a division by zero")
	}
	wantValue(t, url, "select to_regclass('public.vacuum')", "null") // rolled back
}

func TestSupabaseMigrationVersionZero(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	source := migrate.Supabase(folder("migrations/00000000_a.sql", "create table a ();", "migrations/00000001_b.sql", "create table b ();"))
	wantApplied(t, up(t, url, source), "migrations/00000000_a.sql", "migrations/00000001_b.sql")
	wantApplied(t, up(t, url, source))
	wantValue(t, url, "select string_agg(version, ' ' order by version) from supabase_migrations.schema_migrations", "00000000 00000001")
}

// db.migrations.enabled = false: what ran before stays, nothing else runs.
func TestSupabaseWithoutMigrations(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	up(t, url, migrate.Supabase(folder("migrations/20240102030405_a.sql", "create table a ();")))
	both := folder("migrations/20240102030405_a.sql", "create table a ();", "migrations/20240102030406_b.sql", "create table b ();")
	report := up(t, url, migrate.Supabase(both).WithoutMigrations())
	if len(report.Applied) != 0 || len(report.Warnings) != 0 {
		t.Errorf("%+v", report)
	}
	wantValue(t, url, "select to_regclass('public.b')", "null")
}

// api.auto_expose_new_tables = false: new tables, sequences and functions need grants.
func TestSupabaseWithHiddenTables(t *testing.T) {
	t.Parallel()
	const rights = `select concat_ws(' ', has_table_privilege('anon', 'public.a', 'select'), has_sequence_privilege('anon', 'public.s', 'usage'),
		exists (select from pg_proc, aclexplode(proacl) r where proname = 'f' and r.grantee = 'anon'::regrole))`
	files := folder("migrations/20240102030405_a.sql", "create table public.a (); create sequence public.s; create function public.f() returns int language sql as 'select 1';")
	for want, source := range map[string]migrate.Source{"t t t": migrate.Supabase(files), "f f f": migrate.Supabase(files).WithHiddenTables()} {
		url := testkit.EmptyURL(t)
		up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...)
		wantValue(t, url, rights, want)
	}
}

// db.vault: secrets are there before the migrations, and are only written if they have changed.
func TestSupabaseWithVault(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	const read = "select string_agg(concat_ws(' ', name, decrypted_secret, updated_at > created_at), ', ' order by name) from vault.decrypted_secrets"
	source := migrate.Supabase(folder("migrations/20240102030405_a.sql", "create table a as "+read))
	put := func(secrets map[string]string) {
		t.Helper()
		up(t, url, migrate.Stack(migrate.Platform(sql.FS), source.WithVault(secrets))...)
	}
	put(map[string]string{"one": "x", "two": "it's"})
	wantValue(t, url, "select * from a", "one x f, two it's f")
	put(map[string]string{"one": "x", "two": "y"})
	wantValue(t, url, read, "one x f, two y t")
}

func TestSupabaseSeedRunsOnce(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	const text = "insert into a values (1);"
	fsys := folder("migrations/1_a.sql", "create table a (n int);", "seed.sql", text)
	source := migrate.Supabase(fsys)
	up(t, url, source)
	for range 2 {
		if _, err := migrate.Seed(t.Context(), url, source, migrate.Demo, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	wantValue(t, url, "select count(*) from a", "1")
	sum := sha256.Sum256([]byte(text))
	wantValue(t, url, "select hash from supabase_migrations.seed_files where path = 'supabase/seed.sql'", hex.EncodeToString(sum[:]))

	fsys["seed.sql"].Data = []byte("insert into a values (2);")
	report, err := migrate.Seed(t.Context(), url, source, migrate.Demo, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Applied) != 0 || len(report.Warnings) != 1 {
		t.Errorf("an edited seed: applied %v, warnings %q; want none and one", report.Applied, report.Warnings)
	}
}

func TestSupabaseSeedPaths(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder(
		"migrations/1_a.sql", "create table a (id serial, name text);",
		"seed.sql", "insert into a (name) values ('not named in the paths');",
		"seeds/2.sql", "insert into a (name) values ('two');",
		"seeds/1.sql", "insert into a (name) values ('one');",
		"last.sql", "insert into a (name) values ('last');",
	)
	source := migrate.Supabase(fsys, "./seeds/*.sql", "last.sql", "seeds/1.sql")
	up(t, url, source)
	if _, err := migrate.Seed(t.Context(), url, source, migrate.Demo, 0, nil); err != nil {
		t.Fatal(err)
	}
	wantValue(t, url, "select string_agg(name, ' ' order by id) from a", "one two last")

	outside := migrate.Supabase(fsys, "../secrets.sql")
	if _, err := migrate.Seed(t.Context(), url, outside, migrate.Demo, 0, nil); err == nil {
		t.Error("a seed path that leaves the folder was accepted")
	}
}

func TestSeedKinds(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder(
		"migrations/0001_a.sql", "create table a (kind text, n int);",
		"seed/reference/a.sql", "delete from a where kind = 'reference'; insert into a values ('reference', 1);",
		"seed/demo/a.sql", "insert into a values ('demo', 1);",
		"seed/volume/a.sql", "insert into a select 'volume', n from generate_series(1, current_setting('plaza.volume')::int) n;",
	)
	source := migrate.Project(fsys)
	up(t, url, source)
	seed := func(kind migrate.SeedKind, n int) migrate.Report {
		t.Helper()
		report, err := migrate.Seed(t.Context(), url, source, kind, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	count := func(kind, want string) {
		t.Helper()
		wantValue(t, url, "select count(*) from a where kind = '"+kind+"'", want)
	}
	count("reference", "1")
	count("demo", "0")
	wantApplied(t, seed(migrate.Reference, 0))

	wantApplied(t, seed(migrate.Demo, 0), "seed/demo/a.sql")
	wantApplied(t, seed(migrate.Demo, 0))
	count("demo", "1")

	seed(migrate.Volume, 30)
	count("volume", "30")
	if _, err := migrate.Seed(t.Context(), url, source, migrate.Volume, 0, nil); err == nil {
		t.Error("a volume of 0 was accepted")
	}

	// Edited reference data is applied by Up. Edited demo data is not applied.
	fsys["seed/reference/a.sql"].Data = []byte("update a set n = 2 where kind = 'reference';")
	fsys["seed/demo/a.sql"].Data = []byte("insert into a values ('demo', 2);")
	wantApplied(t, up(t, url, source), "seed/reference/a.sql")
	wantApplied(t, seed(migrate.Demo, 0))
	wantValue(t, url, "select n from a where kind = 'reference'", "2")
}

func TestSeedErrorNamesFileAndLine(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	source := migrate.Project(fstest.MapFS{
		"migrations/0001_a.sql": {Data: []byte("create table a (n int);")},
		"seed/demo/1.sql":       {Data: []byte("insert into a values (1);")},
		"seed/demo/2.sql":       {Data: []byte("insert into a values (1);\ninsert into b values (2);")},
	})
	up(t, url, source)
	_, err := migrate.Seed(t.Context(), url, source, migrate.Demo, 0, nil)
	if err == nil || !strings.Contains(err.Error(), "seed/demo/2.sql:2: ") {
		t.Errorf("got %v, want an error at seed/demo/2.sql:2", err)
	}
	wantValue(t, url, "select count(*) from a", "0")
}
