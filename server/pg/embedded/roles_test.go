package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const attributes = `select concat_ws(' ', current_user, case when rolsuper then 'super' end, case when rolcreaterole and rolcreatedb and rolreplication and rolbypassrls
	and (select pg_get_userbyid(datdba) = current_user from pg_database where datname = current_database()) then 'owner' end) from pg_roles where rolname = current_user`

func TestOwnerIsNoSuperuser(t *testing.T) {
	t.Parallel()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	cfg.AdminPassword = "another"
	server := mustStart(t, cfg)
	if got := query(t, server.URL(), attributes); got != "postgres owner" {
		t.Errorf("URL's role is %q", got)
	}
	for _, address := range []string{server.AdminURL(), server.LocalAdminURL()} {
		if got := query(t, address, attributes); got != "supabase_admin super" {
			t.Errorf("AdminURL's role is %q", got)
		}
	}
	config, err := pgx.ParseConfig(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	config.Password = testPassword
	if _, err := pgx.ConnectConfig(t.Context(), config); !isInvalidPassword(err) {
		t.Errorf("the superuser has the owner's password: %v", err)
	}
	mustStop(t, server)

	cfg.Password, cfg.AdminPassword, cfg.FormerPassword = "new", "newer", "another"
	server = mustStart(t, cfg)
	if got := query(t, server.URL(), "select 1") + query(t, server.AdminURL(), "select 2"); got != "12" {
		t.Errorf("after new passwords: %s", got)
	}
}

// A folder of an earlier version, whose superuser is postgres, is used as it is.
func TestFolderWithoutAdmin(t *testing.T) {
	t.Parallel()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	server := mustStart(t, cfg)
	query(t, server.AdminURL(), "create role other superuser login password 'other'")
	config, err := pgx.ParseConfig(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	config.User, config.Password = "other", "other"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err == nil {
		_, err = conn.Exec(t.Context(), "alter role postgres rename to former; alter role supabase_admin rename to postgres; alter role postgres password '"+"x"+"'")
		err = errors.Join(err, conn.Close(t.Context()))
	}
	if err == nil {
		err = os.Remove(filepath.Join(cfg.DataDir, superuserFile))
	}
	if err != nil {
		t.Fatal(err)
	}
	mustStop(t, server)
	cfg.FormerPassword = "x"
	server = mustStart(t, cfg)
	if server.URL() != server.AdminURL() || query(t, server.URL(), attributes) != "postgres super" {
		t.Errorf("%s, %s", server.URL(), server.AdminURL())
	}
}

// The owner of the database may create what Supabase's may, and no more.
func TestTrustedExtensions(t *testing.T) {
	t.Parallel()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	cfg.Extensions = map[string]string{
		"ours.control": "default_version = '1'\ntrusted = true\n", "ours--1.sql": "create function ours() returns int language sql as 'select 1';",
		"hstore.control": "default_version = 'wrong'\n", "hstore--wrong.sql": "",
	}
	cfg.Trusted = []string{"pg_stat_statements", "dblink", "hstore", "not_there"}
	server := mustStart(t, cfg)
	got := query(t, server.URL(), `create extension pg_stat_statements; create extension dblink; create extension hstore; create extension ours;
		select ours() || ' ' || (select extversion <> 'wrong' from pg_extension where extname = 'hstore') || (select count(*) >= 0 from pg_stat_statements)`)
	if got != "1 truetrue" {
		t.Errorf("%q", got)
	}
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var refused *pgconn.PgError
	if _, err := conn.Exec(t.Context(), "create extension file_fdw"); !errors.As(err, &refused) || refused.Code != "42501" {
		t.Errorf("file_fdw: %v", err)
	}
}
