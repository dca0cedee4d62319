package migrate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// standInVersion is the version of the extensions of OfferedExtensions.
const standInVersion = "stand-in"

// OfferedExtensions returns the files of empty extensions, by their names, that let clients such as psql create
// an extension which PostgreSQL lacks and that we have a stand-in for. An event trigger makes the stand-in then.
func OfferedExtensions() map[string]string {
	files := make(map[string]string, 2*len(standIns))
	for name, instead := range standIns {
		control := "default_version = '" + standInVersion + "'\ntrusted = true\n"
		if schema, ok := fixedSchemas[name]; ok {
			control += "schema = '" + schema + "'\n"
		}
		files[name+".control"] = control
		files[name+"--"+standInVersion+".sql"] = strings.NewReplacer("NAME", name, "LIMITS", strings.ReplaceAll(instead.limits, "'", "''")).Replace(offeredScript)
	}
	return files
}

// TrustedExtensions are those that Supabase lets its postgres create.
// Source: supautils.privileged_extensions, without those that are not part of PostgreSQL.
var TrustedExtensions = []string{
	"autoinc", "bloom", "btree_gin", "btree_gist", "citext", "cube", "dblink", "dict_int", "dict_xsyn", "earthdistance", "fuzzystrmatch", "hstore",
	"insert_username", "intarray", "isn", "ltree", "moddatetime", "pg_buffercache", "pg_prewarm", "pg_stat_statements", "pg_trgm", "pg_walinspect",
	"pgcrypto", "pgrowlocks", "pgstattuple", "postgres_fdw", "refint", "seg", "sslinfo", "tablefunc", "tcn", "tsm_system_rows", "tsm_system_time",
	"unaccent", "uuid-ossp", "xml2",
}

// fixedSchemas has the schemas of extensions that can be created in one schema only.
// Source: their control files, and Supabase's database for pg_net.
var fixedSchemas = map[string]string{
	"pg_cron": "pg_catalog", "pg_graphql": "graphql", "pg_net": "extensions", "pg_tle": "pgtle", "pgmq": "pgmq", "pgsodium": "pgsodium", "supabase_vault": "vault",
}

// offeredScript is the script of an offered extension. Databases without plaza.stand_ins, such as those of other projects,
// have no stand-in.
const offeredScript = `do $$
begin
  if to_regclass('plaza.stand_ins') is null then
    raise exception using errcode = '0A000', message = 'extension "NAME" is not available';
  end if;
  raise warning 'this PostgreSQL does not provide the extension "NAME": %', 'LIMITS';
end
$$;
`

// registerStandIn creates the empty extension of OfferedExtensions if PostgreSQL can create it, so that a dump of the
// schema creates the extension.
func registerStandIn(ctx context.Context, conn *pgx.Conn, extension string) error {
	var offered bool
	if err := conn.QueryRow(ctx, extensionOffered, extension).Scan(&offered); err != nil || !offered {
		return err
	}
	schema, err := standInSchema(ctx, conn, extension)
	if err != nil {
		return err
	}
	statement := "create extension if not exists " + pgx.Identifier{extension}.Sanitize()
	if _, fixed := fixedSchemas[extension]; !fixed {
		statement += " with schema " + pgx.Identifier{cmp.Or(schema, "extensions")}.Sanitize()
	}
	// The script's warning and the event trigger are for other clients.
	if _, err := conn.Exec(ctx, "set log_min_messages = error; set plaza.stand_in_is_there = 'on'; "+statement+"; reset plaza.stand_in_is_there; reset log_min_messages"); err != nil {
		return fmt.Errorf("register the stand-in of %s: %w", extension, err)
	}
	return nil
}
