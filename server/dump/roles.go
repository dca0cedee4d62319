package dump

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// listRoles returns the statements that create the roles of a project, without passwords, and their settings and
// memberships. A role that exists keeps its attributes: roles belong to a cluster, and not to one database.
// Roles of the platform only have the settings that a project can change, and authenticator its memberships in roles of
// the project, which it can switch to.
// Source: supabase/cli, the reserved roles and the settings that may be dumped.
const listRoles = `
	with roles as (
		select r.*, quote_ident(rolname) as name,
			rolname ~ '^(supabase_.*|cli_login_.*|anon|authenticated|authenticator|dashboard_user|pgbouncer|postgres|service_role|pgsodium_keyholder|pgsodium_keyiduser|pgsodium_keymaker|pgtle_admin)$' as reserved,
			rolname in ('anon', 'authenticated', 'authenticator', 'postgres', 'service_role') as configurable
		from pg_catalog.pg_roles r where rolname !~ '^(pg_|plaza_)' -- servers make these themselves
	)
	select statement from (
		select 1 as part, name, format('do %L', format('begin create role %s with %s %s %s %s %s%s%s; exception when duplicate_object then null; end', name,
			case when rolinherit then 'inherit' else 'noinherit' end, case when rolcreaterole then 'createrole' else 'nocreaterole' end, case when rolcreatedb then 'createdb' else 'nocreatedb' end,
			case when rolcanlogin then 'login' else 'nologin' end, case when rolbypassrls then 'bypassrls' else 'nobypassrls' end,
			case when rolconnlimit >= 0 then ' connection limit ' || rolconnlimit end, ' valid until ' || quote_literal(rolvaliduntil))) as statement
		from roles where not reserved
		union all
		select 2, name, format('alter role %s set %s to %s', name, quote_ident(split_part(setting, '=', 1)),
			case when split_part(setting, '=', 1) in ('search_path', 'session_preload_libraries', 'temp_tablespaces') then substr(setting, strpos(setting, '=') + 1)
				else quote_literal(substr(setting, strpos(setting, '=') + 1)) end)
		from roles join pg_catalog.pg_db_role_setting s on s.setrole = roles.oid and s.setdatabase = 0, unnest(s.setconfig) setting
		where not reserved or configurable and split_part(setting, '=', 1) ~ '^(pgaudit\..*|pgrst\..*|session_replication_role|statement_timeout|track_io_timing)$'
		union all
		select 3, member.name, format('grant %I to %s', granted.rolname, member.name) || case when m.admin_option then ' with admin option' else '' end
		from pg_catalog.pg_auth_members m join roles member on member.oid = m.member join pg_catalog.pg_roles granted on granted.oid = m.roleid
		where granted.rolname !~ '^(supabase_|plaza_)' and (not member.reserved or member.rolname = 'authenticator' and exists (select from roles where not reserved and roles.oid = granted.oid))
	) statements group by part, name, statement order by part, name, statement`

// Roles returns the SQL that creates the roles of a project. Every statement ends with a semicolon and a line break.
func Roles(ctx context.Context, conn *pgx.Conn) (string, error) {
	rows, err := conn.Query(ctx, listRoles)
	if err != nil {
		return "", fmt.Errorf("list the roles: %w", err)
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", fmt.Errorf("list the roles: %w", err)
	}
	return strings.Join(append(statements, ""), ";\n"), nil
}
