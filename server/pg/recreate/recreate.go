// Package recreate replaces a database with an empty one.
package recreate

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Options configures Database.
type Options struct {
	// Roles drops the roles of the cluster, too, except those of PostgreSQL itself, the one that is
	// signed in and the owner of the database. Use it only on a cluster without databases of others.
	Roles bool
}

// maxName is the length in bytes of the longest name that PostgreSQL does not truncate.
const maxName = 63

// Database replaces the database of url, ending its sessions, by an empty one with the same owner,
// encoding and locale. Its settings (ALTER DATABASE … SET) are gone, too. The warnings name the roles
// that could not be dropped.
//
// At every moment there is either the old database or the new one under the name.
func Database(ctx context.Context, url string, o Options) (warnings []string, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	name := config.Database
	config.Database = "postgres"
	if name == "postgres" {
		config.Database = "template1"
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database %s, to replace %s from there: %w", config.Database, name, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	r := replacement{conn: conn, name: name, old: name + "_plaza_old", empty: name + "_plaza_empty"}
	if len(r.empty) > maxName {
		return nil, fmt.Errorf("the name of the database %s is longer than %d bytes", name, maxName-len(r.empty)+len(name))
	}
	if err := r.create(ctx); err != nil {
		return nil, err
	}
	if err := r.swap(ctx); err != nil {
		return nil, errors.Join(err, r.drop(context.WithoutCancel(ctx), r.empty))
	}
	if err := r.drop(ctx, r.old); err != nil {
		return nil, err
	}
	if o.Roles {
		return dropRoles(ctx, conn, name)
	}
	return nil, nil
}

// replacement is a database that is being replaced.
type replacement struct {
	conn             *pgx.Conn
	name, old, empty string // the database's name, and those of both databases before and after the swap
}

// createLike returns the statement that creates a database ($2) with the properties of another ($1). The
// columns of its locale differ between versions of PostgreSQL, hence the JSON.
const createLike = `
	select format('create database %I owner %I template template0 encoding %L lc_collate %L lc_ctype %L', $2::text,
			pg_catalog.pg_get_userbyid(d.datdba), pg_catalog.pg_encoding_to_char(d.encoding), d.datcollate, d.datctype)
		|| case d.datlocprovider
			when 'i' then format(' locale_provider icu icu_locale %L', coalesce(j ->> 'datlocale', j ->> 'daticulocale'))
				|| coalesce(' icu_rules ' || quote_literal(j ->> 'daticurules'), '')
			when 'b' then format(' locale_provider builtin builtin_locale %L', j ->> 'datlocale')
			else ' locale_provider libc' end
	from pg_catalog.pg_database d, to_jsonb(d) j where d.datname = $1`

// create makes the empty database. What an interrupted run has left behind is dropped before.
func (r replacement) create(ctx context.Context) error {
	var create string
	if err := r.conn.QueryRow(ctx, createLike, r.name, r.empty).Scan(&create); err != nil {
		return fmt.Errorf("look at the database %s: %w", r.name, err)
	}
	for _, left := range []string{r.old, r.empty} {
		if err := r.drop(ctx, left); err != nil {
			return err
		}
	}
	if _, err := r.conn.Exec(ctx, create); err != nil {
		return fmt.Errorf("create an empty database: %w", err)
	}
	return nil
}

// swap ends the sessions of the database and puts the empty one in its place. Connections are refused
// meanwhile: a running server would open new ones again and again.
func (r replacement) swap(ctx context.Context) (err error) {
	if err := r.allow(ctx, r.name, false); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.allow(context.WithoutCancel(ctx), r.name, true))
		}
	}()
	if err := r.endSessions(ctx, r.name); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "alter database "+quote(r.name)+" rename to "+quote(r.old)); err != nil {
			return fmt.Errorf("rename the database: %w", err)
		}
		if _, err := tx.Exec(ctx, "alter database "+quote(r.empty)+" rename to "+quote(r.name)); err != nil {
			return fmt.Errorf("rename the empty database: %w", err)
		}
		return nil
	})
}

// drop drops a database if it exists.
func (r replacement) drop(ctx context.Context, name string) error {
	if _, err := r.conn.Exec(ctx, "drop database if exists "+quote(name)+" with (force)"); err != nil {
		return fmt.Errorf("drop the database %s: %w", name, err)
	}
	return nil
}

func (r replacement) allow(ctx context.Context, name string, connections bool) error {
	if _, err := r.conn.Exec(ctx, fmt.Sprintf("alter database %s with allow_connections %t", quote(name), connections)); err != nil {
		return fmt.Errorf("allow or refuse connections to the database %s: %w", name, err)
	}
	return nil
}

// endSessions ends the sessions of a database. It does not wait until they are gone:
// renaming the database does, for up to 5 seconds.
func (r replacement) endSessions(ctx context.Context, name string) error {
	if _, err := r.conn.Exec(ctx, "select pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where datname = $1", name); err != nil {
		return fmt.Errorf("end the sessions of the database %s: %w", name, err)
	}
	return nil
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// dependentObjects is the SQLSTATE of a role that is still needed.
const dependentObjects = "2BP01"

// listRoles lists the roles that were created after the cluster: 16384 is the first object identifier
// that PostgreSQL's own objects do not have.
const listRoles = `
	select rolname::text from pg_catalog.pg_roles
	where oid >= 16384 and rolname not like 'pg\_%' and rolname not in (current_user, session_user)
		and oid <> (select datdba from pg_catalog.pg_database where datname = $1) order by 1`

// dropRoles drops the roles that were created in the cluster, except the owner of the database. Those that
// own something in another database stay.
func dropRoles(ctx context.Context, conn *pgx.Conn, database string) (warnings []string, err error) {
	rows, err := conn.Query(ctx, listRoles, database)
	if err != nil {
		return nil, fmt.Errorf("list the roles: %w", err)
	}
	roles, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list the roles: %w", err)
	}
	for _, role := range roles {
		_, err := conn.Exec(ctx, "drop owned by "+quote(role)+"; drop role "+quote(role))
		var fault *pgconn.PgError
		if errors.As(err, &fault) && fault.Code == dependentObjects {
			warnings = append(warnings, fmt.Sprintf("the role %s stays, since it owns something in another database", role))
			continue
		}
		if err != nil {
			return warnings, fmt.Errorf("drop the role %s: %w", role, err)
		}
	}
	return warnings, nil
}
