package extensions

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
)

// offered are the extensions that a project of Supabase may create.
// Source: Supabase's list of extensions.
const offered = `address_standardizer address_standardizer_data_us amcheck autoinc bloom btree_gin btree_gist citext cube dblink dict_int dict_xsyn earthdistance
	fuzzystrmatch hstore http hypopg index_advisor insert_username intarray isn lo ltree moddatetime pageinspect pg_buffercache pg_cron pg_freespacemap
	pg_graphql pg_hashids pg_jsonschema pg_net pg_partman pg_prewarm pg_repack pg_stat_monitor pg_stat_statements pg_surgery pg_tle pg_trgm pg_visibility
	pg_walinspect pgaudit pgcrypto pgjwt pgmq pgroonga pgrouting pgrowlocks pgsodium pgstattuple pgtap plpgsql plpgsql_check postgis postgis_raster
	postgis_sfcgal postgis_tiger_geocoder postgis_topology postgres_fdw refint rum seg sslinfo supabase_vault tablefunc tcn timescaledb tsm_system_rows
	tsm_system_time unaccent uuid-ossp vector wrappers xml2`

// packages are the packages of Debian, or of PostgreSQL's own repository for it, that have an
// extension, without their prefix postgresql-<version>-.
var packages = map[string]string{
	"address_standardizer": "postgis-3", "address_standardizer_data_us": "postgis-3", "http": "http", "hypopg": "hypopg", "pg_cron": "cron", "pg_partman": "partman",
	"pg_repack": "repack", "pgaudit": "pgaudit", "pgrouting": "pgrouting", "pgtap": "pgtap", "plpgsql_check": "plpgsql-check", "postgis": "postgis-3",
	"postgis_raster": "postgis-3", "postgis_sfcgal": "postgis-3", "postgis_tiger_geocoder": "postgis-3", "postgis_topology": "postgis-3", "rum": "rum", "vector": "pgvector",
}

// State describes in what form a database has an extension.
type State string

// The states.
const (
	Created   State = "created"   // the extension itself
	Available State = "available" // can be created
	StandIn   State = "stand-in"  // Plaza's own, in place of it
	LeftOut   State = "left out"  // migrations that create it run without it
	Missing   State = "missing"
)

// Extension is an extension and its state in a database.
type Extension struct {
	Name, Version string // Version is empty without the extension itself
	State         State
	Limits        string // of the stand-in
	Package       string // that has the extension, if Debian has one
}

// listSQL returns the extensions that PostgreSQL has, with the version that is created or can be. It leaves out the
// stand-ins that Plaza offers to PostgreSQL as extensions, whose version is 'stand-in'.
const listSQL = `select a.name, coalesce(a.installed_version, a.default_version, ''), a.installed_version is not null from pg_catalog.pg_available_extensions a
	where coalesce(a.installed_version, a.default_version) is distinct from 'stand-in'`

// List returns the extensions that a project of Supabase may create, and all others that are created.
func List(ctx context.Context, conn *pgx.Conn) ([]Extension, error) {
	all := make(map[string]Extension)
	for name := range strings.FieldsSeq(offered) {
		all[name] = Extension{Name: name, State: Missing, Package: packages[name]}
	}
	rows, err := conn.Query(ctx, listSQL)
	if err != nil {
		return nil, fmt.Errorf("list the extensions: %w", err)
	}
	var name, version string
	var created bool
	_, err = pgx.ForEachRow(rows, []any{&name, &version, &created}, func() error {
		known, isOffered := all[name]
		switch {
		case created:
			known.State = Created
		case isOffered:
			known.State = Available
		default:
			return nil
		}
		known.Name, known.Version = name, version
		all[name] = known
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the extensions: %w", err)
	}
	for name, limits := range migrate.StandIns() {
		e := all[name]
		usable := e.State == Created
		if e.State == Available {
			if usable, err = migrate.Usable(ctx, conn, name); err != nil {
				return nil, err
			}
		}
		state := StandIn
		if limits == "" {
			state = LeftOut
		}
		if !usable {
			all[name] = Extension{Name: name, State: state, Limits: limits, Package: packages[name]}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Extension) int { return strings.Compare(a.Name, b.Name) }), nil
}

// Print writes a list as a table.
func Print(out io.Writer, list []Extension) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, e := range list {
		remark := e.Version
		if e.State == StandIn {
			remark = e.Limits
		}
		if e.Package != "" && e.State != Created && e.State != Available {
			remark = strings.TrimPrefix(remark+"; Debian's package is postgresql-<version>-"+e.Package, "; ")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", e.Name, e.State, remark)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\nTo get an extension that is missing or has a stand-in, use a PostgreSQL that has it: install its package and set PLAZA_POSTGRES_BIN,\n"+
		"such as /usr/lib/postgresql/17/bin, for a new data folder; or set DATABASE_URL. See docs/extensions.md.")
	return err
}
