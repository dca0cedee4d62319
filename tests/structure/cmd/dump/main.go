// Command dump prints the marketplace's schema as PostgreSQL stores it, in a fixed order, so that a
// review shows what a migration changed. The output is checked in as sql/schema.sql; `make verify`
// compares.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit/cluster"
)

//go:embed dump.sql
var dump string

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	c, err := cluster.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop(ctx)) }()
	if _, err := migrate.Up(ctx, c.URL(), []migrate.Source{migrate.Platform(sql.FS), migrate.Project(sql.FS)}, nil); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set search_path = ''"); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, dump)
	if err != nil {
		return err
	}
	fmt.Println("-- Written by tests/structure/cmd/dump. Do not edit.")
	var line string
	_, err = pgx.ForEachRow(rows, []any{&line}, func() error {
		_, err := fmt.Println(line)
		return err
	})
	return err
}
