package settings

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// inDatabase lists the settings that the database may override.
//
// Source: PostgREST's in-database configuration.
var inDatabase = []string{
	"pgrst.client_error_verbosity", "pgrst.db_aggregates_enabled", "pgrst.db_anon_role", "pgrst.db_extra_search_path", "pgrst.db_hoisted_tx_settings",
	"pgrst.db_max_rows", "pgrst.db_plan_enabled", "pgrst.db_pre_config", "pgrst.db_pre_request", "pgrst.db_prepared_statements",
	"pgrst.db_root_spec", "pgrst.db_schemas", "pgrst.db_tx_end", "pgrst.jwt_aud", "pgrst.jwt_cache_max_entries", "pgrst.jwt_role_claim_key",
	"pgrst.jwt_secret", "pgrst.jwt_secret_is_base64", "pgrst.openapi_mode", "pgrst.openapi_security_active",
	"pgrst.openapi_server_proxy_uri", "pgrst.server_cors_allowed_origins", "pgrst.server_timing_enabled", "pgrst.server_trace_header",
	"pgrst.url_use_legacy_target_names",
}

// inDatabaseSQL reads the settings of the current role. Settings by ALTER ROLE … SET
// for this database come first, then those for all databases, then those that the
// function of db-pre-config has set ($2 reports whether there is one). $1 is the list
// of names. A setting made by an earlier transaction of the connection is empty.
const inDatabaseSQL = `
	select distinct on (1) substr(found.name, length('pgrst.') + 1), found.value
	from (
		select split_part(s.setting, '=', 1) as name, substr(s.setting, strpos(s.setting, '=') + 1) as value, d.setdatabase as place
		from pg_catalog.pg_db_role_setting d
		join pg_catalog.pg_roles r on r.oid = d.setrole and r.rolname = current_user
		cross join unnest(d.setconfig) s (setting)
		where d.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
		union all
		select name, nullif(current_setting(name, true), ''), null
		from unnest($1::text[]) name
		where $2
	) found
	where found.name = any ($1) and found.value is not null
	order by 1, found.place desc nulls last`

// FromDatabase returns the settings that the database holds for a role, by names such
// as db_schemas. preConfig is a function to call first. role and preConfig may be empty.
func FromDatabase(ctx context.Context, db schema.Beginner, role, preConfig string) (map[string]string, error) {
	found := make(map[string]string)
	err := pgx.BeginTxFunc(ctx, db, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if role != "" {
			if _, err := tx.Exec(ctx, "select pg_catalog.set_config('role', $1, true)", role); err != nil {
				return err
			}
		}
		if preConfig != "" {
			if _, err := tx.Exec(ctx, "select "+sqlgen.QualifiedIdent(preConfig)+"()"); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, inDatabaseSQL, inDatabase, preConfig != "")
		if err != nil {
			return err
		}
		var name, value string
		_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
			found[name] = value
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the settings that the database holds: %w", err)
	}
	return found, nil
}
