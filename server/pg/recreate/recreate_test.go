package recreate_test

import (
	"context"
	"fmt"
	neturl "net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/recreate"
	"plaza/tests/testkit"
)

// state is the properties of a database, with its tables and settings.
func state(t *testing.T, conn *pgx.Conn) (properties, content string) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), `
		select pg_encoding_to_char(encoding) || ' ' || datcollate || ' ' || datctype || ' ' || datlocprovider::text || ' ' || datdba::regrole::text || ' ' || datallowconn,
			(select count(*) from pg_class where relnamespace = 'public'::regnamespace) || ' ' || coalesce(current_setting('app.x', true), '')
		from pg_database where datname = current_database()`).Scan(&properties, &content); err != nil {
		t.Fatal(err)
	}
	return properties, content
}

func TestDatabaseIsReplacedByAnEmptyOne(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	used := testkit.Connect(t, url)
	var name string
	if err := used.QueryRow(t.Context(), "select current_database()").Scan(&name); err != nil {
		t.Fatal(err)
	}
	quoted := pgx.Identifier{name}.Sanitize()
	left := pgx.Identifier{name + "_plaza_old"}.Sanitize()
	// A setting, a role of its own, and what an interrupted run leaves behind.
	for _, statement := range []string{"create table t ()", "alter database " + quoted + " set app.x = 'set'", "create role " + left, "create database " + left} {
		if _, err := used.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	properties, _ := state(t, used)
	if warnings, err := recreate.Database(t.Context(), url, recreate.Options{}); err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	if err := used.Ping(t.Context()); err == nil {
		t.Error("the session goes on")
	}
	fresh := testkit.Connect(t, url)
	if now, content := state(t, fresh); now != properties || content != "0 " {
		t.Errorf("it is %s with %q, and was %s", now, content, properties)
	}
	var others string
	if err := fresh.QueryRow(t.Context(), `select coalesce(string_agg(datname, ' '), '') || (select count(*) from pg_roles where rolname = $1 || '_plaza_old')
		from pg_database where datname like $1 || '\_%'`, name).Scan(&others); err != nil || others != "1" {
		t.Errorf("there are %q: %v", others, err)
	}
	if _, err := fresh.Exec(t.Context(), "drop role "+left); err != nil {
		t.Error(err)
	}
}

// A database that cannot be replaced stays open.
func TestFailureLeavesTheDatabase(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	conn := testkit.Connect(t, url)
	var name string
	if err := conn.QueryRow(t.Context(), "select current_database()").Scan(&name); err != nil {
		t.Fatal(err)
	}
	// Its owner may not end the session of a superuser.
	quoted := pgx.Identifier{name}.Sanitize()
	if _, err := conn.Exec(t.Context(), fmt.Sprintf("create role %[1]s login createdb password 'x'; alter database %[1]s owner to %[1]s", quoted)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := testkit.Connect(t, url).Exec(context.Background(), fmt.Sprintf("alter database %[1]s owner to current_user; drop role %[1]s", quoted)); err != nil {
			t.Error(err)
		}
	}()
	owner, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	owner.User = neturl.UserPassword(name, "x")
	if _, err := recreate.Database(t.Context(), owner.String(), recreate.Options{}); err == nil {
		t.Error("it is replaced although it is in use")
	}
	if properties, _ := state(t, testkit.Connect(t, url)); !strings.HasSuffix(properties, "true") {
		t.Errorf("it is %s", properties)
	}
	for path, want := range map[string]string{"/missing": "look at the database", "/" + strings.Repeat("x", 60): "longer than 51 bytes"} {
		owner.Path = path
		if _, err := recreate.Database(t.Context(), owner.String(), recreate.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
