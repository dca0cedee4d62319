package migrate_test

import (
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// Roles belong to all databases of a server: a load waits for a change of them in another database, which PostgreSQL
// would refuse to change at the same time.
func TestLoadWaitsForOtherChangesOfRoles(t *testing.T) {
	t.Parallel()
	here := testkit.EmptyURL(t)
	project := migrate.Supabase(fstest.MapFS{})
	up(t, here, migrate.Stack(migrate.Platform(sql.FS), project)...)
	role := pgx.Identifier{testkit.Open(t, here).Config().ConnConfig.Database + "_role"}.Sanitize()
	elsewhere := testkit.Open(t, testkit.EmptyURL(t))
	_, err := elsewhere.Exec(t.Context(), "create role "+role+"; alter role "+role+" set work_mem = '1MB'")
	must(t, err)
	other, err := elsewhere.Begin(t.Context())
	must(t, err)
	_, err = other.Exec(t.Context(), "alter role "+role+" set work_mem = '2MB'")
	must(t, err)

	loaded := make(chan error)
	go func() {
		_, err := migrate.Load(t.Context(), here, project, []migrate.Script{{Name: "roles", Text: "alter role " + role + " set work_mem = '3MB';"}}, func(pgx.Tx) error { return nil }, nil)
		loaded <- err
	}()
	for waits := false; !waits; {
		must(t, testkit.Open(t, here).QueryRow(t.Context(), "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')").Scan(&waits))
	}
	must(t, other.Commit(t.Context()))
	must(t, <-loaded)
	wantValue(t, here, "select setconfig::text from pg_db_role_setting where setrole = '"+role+"'::regrole", "{work_mem=3MB}")
	run(t, here, "drop role "+role)
}
