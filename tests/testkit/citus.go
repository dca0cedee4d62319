package testkit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit/cluster"
)

// endConnections ends those to a database, and waits until they have ended. Citus's maintenance process is among them, which
// starts again after some seconds.
const endConnections = `do $$
begin
  while (select count(pg_terminate_backend(pid, 1000)) from pg_stat_activity where datname = '%s') > 0 loop
    perform pg_stat_clear_snapshot();
  end loop;
end $$`

// workers returns the superusers' URLs of Citus's workers: none on a usual PostgreSQL.
func workers() []string { return strings.Fields(os.Getenv(cluster.EnvWorkers)) }

// onServersOf runs work on the maintenance database of each server that has a layout's databases.
func onServersOf(ctx context.Context, from layout, work func(*pgx.Conn) error) error {
	err := asAdmin(ctx, work)
	if from.profile != "" {
		for _, worker := range workers() {
			err = errors.Join(err, connected(ctx, worker, work))
		}
	}
	return err
}

const (
	// The coordinator connects to workers as the role that runs a statement.
	listRoles = `select format(
			'do $do$ begin create role %1$I login; exception when duplicate_object then alter role %1$I login; end $do$', rolname)
		from pg_roles where not starts_with(rolname, 'pg_')`
	distributed = `select count(*) from pg_dist_partition`
)

// distribute makes a database the coordinator's of one at each worker, and distributes its tables by the files of a profile.
// Without workers it does nothing.
func distribute(ctx context.Context, database, profile string) error {
	if profile == "" || len(workers()) == 0 {
		return nil
	}
	coordinator, err := addressOf(database)
	if err != nil {
		return err
	}
	return connected(ctx, coordinator, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, listRoles)
		if err != nil {
			return err
		}
		roles, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		if err := execAll(ctx, conn, "create extension citus", nodeSQL("citus_set_coordinator_host", coordinator)); err != nil {
			return err
		}
		for _, worker := range workers() {
			if err := addWorker(ctx, conn, worker, database, roles); err != nil {
				return fmt.Errorf("add a worker: %w", err)
			}
		}
		return applyProfile(ctx, conn, profile)
	})
}

func addWorker(ctx context.Context, coordinator *pgx.Conn, worker, database string, roles []string) error {
	err := connected(ctx, worker, func(conn *pgx.Conn) error {
		if err := execAll(ctx, conn, roles...); err != nil {
			return err
		}
		return execAll(ctx, conn, "drop database if exists "+database+" with (force)", "create database "+database+" template template0")
	})
	if err != nil {
		return err
	}
	u, err := url.Parse(worker)
	if err != nil {
		return err
	}
	u.Path = "/" + database
	if err := connected(ctx, u.String(), func(conn *pgx.Conn) error { return execAll(ctx, conn, "create extension citus") }); err != nil {
		return err
	}
	return execAll(ctx, coordinator, nodeSQL("citus_add_node", worker))
}

// nodeSQL calls one of Citus's functions with the address of a server.
func nodeSQL(function, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // it was parsed before
	}
	return fmt.Sprintf("select %s('%s', %s)", function, u.Hostname(), u.Port())
}

func applyProfile(ctx context.Context, conn *pgx.Conn, profile string) error {
	root, err := cluster.RepoRoot()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(root, profile, "*.sql"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, string(text)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	var n int
	if err := conn.QueryRow(ctx, distributed).Scan(&n); err != nil || n == 0 {
		return errors.Join(err, errors.New("the profile distributes no table"))
	}
	return nil
}

// OnCitus reports whether the tests run on Citus.
func OnCitus() bool { return len(workers()) > 0 }
