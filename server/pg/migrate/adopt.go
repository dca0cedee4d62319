package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/lazyregexp"
)

// AuthAlone is the auth server's part of the platform's schema, for a database
// that is somebody else's: PostgreSQL with nothing of Supabase, or one that
// supabase/gotrue has set up. What exists is kept, and what it lacks is added.
func AuthAlone(fsys fs.FS) Source {
	return Source{
		Name: "auth", fsys: fsys, dir: "bootstrap", only: regexp.MustCompile(`_(claims|auth)`), history: authHistory(), adopts: true,
	}
}

// prepareAuth makes the roles and the schema where they are missing. A user that signs
// in as the role of gotrue cannot make roles, but needs none. If gotrue signed in as
// another role, mostly postgres, that owns its tables and types: their owner is changed.
const prepareAuth = `
do $$
declare
  wanted text;
  owner oid;
  theirs text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role', 'supabase_auth_admin'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit', wanted);
        if wanted = 'supabase_auth_admin' then
          execute format('grant %I to current_user', wanted);
        end if;
      exception when duplicate_object or unique_violation then
        null; -- another server was faster
      end;
    end if;
  end loop;
  if not exists (select from pg_catalog.pg_namespace where nspname = 'auth') then
    create schema auth authorization supabase_auth_admin;
    grant usage on schema auth to anon, authenticated, service_role;
  end if;
  if not has_schema_privilege('supabase_auth_admin', 'auth', 'create') then
    grant usage, create on schema auth to supabase_auth_admin;
  end if;
  select relowner into owner from pg_catalog.pg_class where oid = to_regclass('auth.users');
  if owner <> 'supabase_auth_admin'::regrole and pg_has_role(owner, 'usage') then
    for theirs in
      select 'table ' || oid::regclass from pg_catalog.pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' and relowner = owner
      union all select 'type ' || oid::regtype from pg_catalog.pg_type where typnamespace = 'auth'::regnamespace and typtype = 'e' and typowner = owner
    loop
      execute 'alter ' || theirs || ' owner to supabase_auth_admin';
    end loop;
  end if;
end
$$;`

// StorageAlone is the storage service's part of the platform's schema, for a
// database that is somebody else's: PostgreSQL with nothing of Supabase, or one
// that supabase/storage has set up. What exists is kept, and what it lacks is added.
func StorageAlone(fsys fs.FS) Source {
	return Source{
		Name: "storage", fsys: fsys, dir: "bootstrap", only: regexp.MustCompile(`_storage`), history: storageHistory(), adopts: true,
	}
}

// prepareStorage makes the roles and the schema where they are missing.
const prepareStorage = `
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'), ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'), ('supabase_storage_admin', 'nologin noinherit')
    ) as role (name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      begin
        execute format('create role %I %s', wanted.name, wanted.attributes);
        execute format('grant %I to current_user', wanted.name);
      exception when duplicate_object or unique_violation then
        null; -- another server was faster
      end;
    end if;
  end loop;
  if not exists (select from pg_catalog.pg_namespace where nspname = 'storage') then
    create schema storage authorization supabase_storage_admin;
  end if;
  grant usage on schema storage to anon, authenticated, service_role;
end
$$;`

// storageHistory is in the schema of the storage service, since its role may not
// create another.
func storageHistory() history {
	h := plazaHistory("x")
	const table = "storage.plaza_migrations"
	h.create = prepareStorage + strings.ReplaceAll(strings.TrimPrefix(h.create, createPlaza), h.table, table)
	h.list, h.insert = strings.ReplaceAll(h.list, h.table, table), strings.ReplaceAll(h.insert, h.table, table)
	h.table = table
	return h
}

// authHistory is in the schema of the auth server, since its role may not create
// another.
func authHistory() history {
	h := plazaHistory("x")
	const table = "auth.plaza_migrations"
	h.create = prepareAuth + strings.ReplaceAll(strings.TrimPrefix(h.create, createPlaza), h.table, table)
	h.list, h.insert = strings.ReplaceAll(h.list, h.table, table), strings.ReplaceAll(h.insert, h.table, table)
	h.table = table
	return h
}

// adoptFile runs a file statement by statement. What exists already is kept; missing
// columns are added to tables, and missing values to types.
func (r *runner) adoptFile(ctx context.Context, conn *pgx.Conn, f file) error {
	for number, statement := range statementsOf(f.text) {
		failed := try(ctx, conn, statement)
		if failed == nil {
			continue
		}
		if err := r.adopt(ctx, conn, f, statement, failed); err != nil {
			return statementError(f, number, err)
		}
	}
	return nil
}

func statementsOf(text string) []string {
	var statements []string
	for s := (&scanner{text: text}); !s.skipBlank(); {
		start := s.pos
		s.skipStatement()
		statements = append(statements, text[start:s.pos])
	}
	return statements
}

// try runs a statement, and undoes it if it fails.
func try(ctx context.Context, conn *pgx.Conn, statement string) error {
	if _, err := conn.Exec(ctx, "savepoint adopting"); err != nil {
		return err
	}
	_, failed := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
	end := "release savepoint adopting"
	if failed != nil {
		end = "rollback to savepoint adopting; " + end
	}
	_, err := conn.Exec(ctx, end)
	return errors.Join(failed, err)
}

// SQLSTATEs for what exists already, no longer exists, or belongs to another role.
const (
	duplicateTable    = "42P07" // also of an index
	duplicateObject   = "42710"
	duplicateColumn   = "42701"
	duplicateFunction = "42723"
	duplicateKey      = "23505"
	undefinedObject   = "42704"
	notPermitted      = "42501"
)

// adopt handles a statement that failed because of what exists: it adds what is missing, or
// does nothing, with a warning for what belongs to another role. It returns all other errors.
func (r *runner) adopt(ctx context.Context, conn *pgx.Conn, f file, statement string, failed error) error {
	var fault *pgconn.PgError
	if !errors.As(failed, &fault) {
		return failed
	}
	first := strings.ToLower(statement)
	switch {
	case fault.Code == duplicateTable && strings.HasPrefix(first, "create table"),
		fault.Code == duplicateColumn && strings.HasPrefix(first, "alter table"):
		return addColumns(ctx, conn, statement)
	case fault.Code == duplicateObject && strings.HasPrefix(first, "create type"):
		return addValues(ctx, conn, statement)
	case fault.Code == duplicateTable, fault.Code == duplicateObject, fault.Code == duplicateFunction:
		return nil
	case fault.Code == duplicateKey && strings.HasPrefix(first, "insert"):
		return nil
	case fault.Code == undefinedObject && strings.Contains(first, "drop constraint"):
		return nil
	case fault.Code == notPermitted && (strings.HasPrefix(first, "grant") || strings.HasPrefix(first, "revoke") || strings.HasPrefix(first, "create or replace function")):
		r.warn("%s: left as it is, since it belongs to another role: %s", f.path, strings.Join(strings.Fields(statement)[:3], " "))
		return nil
	}
	return failed
}

var (
	ofTable  = lazyregexp.New(`^(?i)(?:create|alter) table ([a-z0-9_.]+)`)
	ofType   = lazyregexp.New(`^(?i)create type ([a-z0-9_.]+) as enum`)
	ofValue  = lazyregexp.New(`'([^']+)'`)
	ofColumn = lazyregexp.New(`^  (?:add column )?([a-z_]+ .*?)[,;]?$`)
	noColumn = lazyregexp.New(`^(constraint|unique|check|primary|foreign|exclude) `)
)

// addColumns adds the columns of a statement that the table lacks. The statement is
// ours, with each column on a line of its own.
func addColumns(ctx context.Context, conn *pgx.Conn, statement string) error {
	table := ofTable().FindStringSubmatch(statement)
	for line := range strings.Lines(statement) {
		column := ofColumn().FindStringSubmatch(strings.TrimRight(line, "\n"))
		if table == nil || column == nil || noColumn().MatchString(column[1]) {
			continue
		}
		if err := try(ctx, conn, "alter table "+table[1]+" add column if not exists "+column[1]); err != nil {
			return fmt.Errorf("%s: %w", table[1], err)
		}
	}
	return nil
}

func addValues(ctx context.Context, conn *pgx.Conn, statement string) error {
	name := ofType().FindStringSubmatch(statement)
	for _, value := range ofValue().FindAllStringSubmatch(statement, -1) {
		if name == nil {
			break
		}
		if err := try(ctx, conn, "alter type "+name[1]+" add value if not exists '"+value[1]+"'"); err != nil {
			return err
		}
	}
	return nil
}
