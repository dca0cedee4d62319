// Package dump writes a database as SQL that psql restores into another project, as supabase db dump does
// with pg_dump: the schema, the rows, or the roles.
package dump

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/ddl"
)

// Options configures what is dumped. Without DataOnly and RoleOnly it is the schema.
type Options struct {
	Schemas  []string // none: those of the project; of rows also those of the platform that hold its data
	DataOnly bool
	RoleOnly bool
	UseCopy  bool     // rows as COPY, and not as INSERT
	Exclude  []string // tables without their rows: "schema.table"
}

// Write writes the dump, and warns of what it cannot contain. Everything in it is of one moment.
func Write(ctx context.Context, conn *pgx.Conn, out io.Writer, o Options, warn func(string)) error {
	switch {
	case o.DataOnly:
		return writeRows(ctx, conn, out, o)
	case o.RoleOnly:
		return writeRoles(ctx, conn, out)
	}
	schema, err := ddl.Read(ctx, conn, ddl.Options{Schemas: o.Schemas})
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, object := range schema.Unwritten {
		warn(object + " is not in the dump: plaza cannot write objects of this kind")
		b.WriteString("-- Not in this dump: " + oneLine(object) + "\n")
	}
	b.WriteString(header)
	for _, statement := range schema.Script() {
		b.WriteString(statement + ";\n\n")
	}
	b.WriteString(footer)
	_, err = io.WriteString(out, b.String())
	return err
}

// header lets functions refer to what comes later, and names mean the same in every session.
const header = `set statement_timeout = 0;
set lock_timeout = 0;
set client_encoding = 'UTF8';
set standard_conforming_strings = on;
set check_function_bodies = off;
set client_min_messages = warning;
select pg_catalog.set_config('search_path', '', false);

`

const footer = "reset all;\n"

// oneLine returns a text that can follow "--".
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// listRoles returns the statements that create the roles of a project.
// Source: supabase/cli, the reserved roles and the settings that may be dumped.
const listRoles = `
	with roles as (
		select r.*, quote_ident(rolname) as name, rolname ~ '^(anon|authenticated|authenticator|cli_login_.*|dashboard_user|pgbouncer|postgres|service_role|supabase_.*|pgsodium_keyholder|pgsodium_keyiduser|pgsodium_keymaker|pgtle_admin)$' as reserved
		from pg_catalog.pg_roles r where rolname !~ '^(pg_|plaza_cron_)' -- a server makes the roles of cron itself
	)
	select statement from (
		select 1 as part, name, format('create role %s', name) as statement from roles where not reserved
		union all
		select 2, name, format('alter role %s with %s %s %s %s %s', name, case when rolinherit then 'inherit' else 'noinherit' end, case when rolcreaterole then 'createrole' else 'nocreaterole' end,
				case when rolcreatedb then 'createdb' else 'nocreatedb' end, case when rolcanlogin then 'login' else 'nologin' end, case when rolbypassrls then 'bypassrls' else 'nobypassrls' end)
			|| case when rolconnlimit >= 0 then ' connection limit ' || rolconnlimit else '' end || coalesce(' valid until ' || quote_literal(rolvaliduntil), '')
		from roles where not reserved
		union all
		select 3, name, format('alter role %s set %s to %s', name, quote_ident(split_part(setting, '=', 1)),
			case when split_part(setting, '=', 1) in ('search_path', 'session_preload_libraries', 'temp_tablespaces') then substr(setting, strpos(setting, '=') + 1)
				else quote_literal(substr(setting, strpos(setting, '=') + 1)) end)
		from roles join pg_catalog.pg_db_role_setting s on s.setrole = roles.oid and s.setdatabase = 0, unnest(s.setconfig) setting
		where not reserved or split_part(setting, '=', 1) ~ '^(pgaudit\..*|pgrst\..*|session_replication_role|statement_timeout|track_io_timing)$'
		union all
		select 4, member.name, format('grant %s to %s', granted.name, member.name) || case when m.admin_option then ' with admin option' else '' end
		from pg_catalog.pg_auth_members m join roles member on member.oid = m.member join roles granted on granted.oid = m.roleid where not member.reserved
	) statements order by part, name, statement`

func writeRoles(ctx context.Context, conn *pgx.Conn, out io.Writer) error {
	rows, err := conn.Query(ctx, listRoles)
	if err != nil {
		return fmt.Errorf("list the roles: %w", err)
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list the roles: %w", err)
	}
	_, err = io.WriteString(out, strings.Join(append(statements, "reset all"), ";\n")+";\n")
	return err
}
