package transfer

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
)

// SchemaFile is a Schema that was written by supabase db dump, or by pg_dump --schema-only.
type SchemaFile string

// Read returns the content of the file.
func (f SchemaFile) Read(context.Context, *pgx.Conn, string) (string, error) {
	text, err := os.ReadFile(string(f))
	if err != nil {
		return "", fmt.Errorf("read the schema: %w", err)
	}
	return restorable(string(text)), nil
}

// moveSchema loads roles, the schema, and the policies and triggers that the project has on tables of the platform.
func (m *mover) moveSchema(ctx context.Context) error {
	m.o.Progress("Reading the schema of the source")
	roles, err := statements(ctx, m.source, listRoles)
	if err != nil {
		return fmt.Errorf("read the roles of the source: %w", err)
	}
	var snapshot string
	if err := m.source.QueryRow(ctx, "select pg_catalog.pg_export_snapshot()").Scan(&snapshot); err != nil {
		return fmt.Errorf("read the source: %w", err)
	}
	schema, err := m.o.Schema.Read(ctx, m.source, snapshot)
	if err != nil {
		return err
	}
	policies, err := m.missing(ctx, listPolicies, policyExists)
	if err != nil {
		return fmt.Errorf("read the policies of the source: %w", err)
	}
	triggers, err := m.missing(ctx, listTriggers, triggerExists, managed)
	if err != nil {
		return fmt.Errorf("read the triggers of the source: %w", err)
	}
	m.o.Progress("Loading the schema")
	scripts := []migrate.Script{{Name: "roles", Text: roles}, {Name: "schema", Text: schema}, {Name: "policies and triggers", Text: policies + triggers}}
	report, err := migrate.Load(ctx, m.to.URL, m.to.Project, scripts, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, noteSchema)
		return err
	}, m.o.Progress)
	m.report.Warnings = append(m.report.Warnings, report.Warnings...)
	return err
}

// statements joins the statements that a query returns.
func statements(ctx context.Context, conn *pgx.Conn, sql string, args ...any) (string, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return "", err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(append(found, ""), "\n"), err
}

// missing joins the statements that a query of the source returns with names, except those whose names the
// target has, according to exists.
func (m *mover) missing(ctx context.Context, sql, exists string, args ...any) (string, error) {
	rows, err := m.source.Query(ctx, sql, args...)
	if err != nil {
		return "", err
	}
	type named struct{ name, statement string }
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (n named, err error) {
		return n, row.Scan(&n.name, &n.statement)
	})
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, one := range found {
		var there bool
		if err := m.target.QueryRow(ctx, exists, one.name).Scan(&there); err != nil {
			return "", err
		}
		if !there {
			all.WriteString(one.statement + "\n")
		}
	}
	return all.String(), nil
}

// compareSchema reports what only one side has.
func (m *mover) compareSchema(ctx context.Context) error {
	m.o.Progress("Comparing the schemas")
	there, err := definitions(ctx, m.source)
	if err != nil {
		return fmt.Errorf("read the schema of the source: %w", err)
	}
	here, err := definitions(ctx, m.target)
	if err != nil {
		return fmt.Errorf("read the schema of the target: %w", err)
	}
	for _, definition := range there {
		if _, found := slices.BinarySearch(here, definition); !found {
			m.report.differ("only the source has the %s", definition)
		}
	}
	for _, definition := range here {
		if _, found := slices.BinarySearch(there, definition); !found {
			m.report.differ("only the target has the %s", definition)
		}
	}
	return nil
}

// definitions lists what a schema consists of, in the order of bytes.
func definitions(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	rows, err := conn.Query(ctx, listDefinitions, managed)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	slices.Sort(found)
	return found, err
}

// replacement changes lines that match.
type replacement struct {
	pattern *regexp.Regexp
	by      string
}

// replacements make the output of pg_dump restorable into a project, which has some of it already. A line that
// begins with two dashes is a comment.
// Source: what supabase db dump changes in the output of pg_dump.
var replacements = []replacement{
	{regexp.MustCompile(`(?m)^\\(un)?restrict .*$`), "-- $0"},
	{regexp.MustCompile(`(?m)^CREATE SCHEMA "`), `CREATE SCHEMA IF NOT EXISTS "`},
	{regexp.MustCompile(`(?m)^CREATE TABLE "`), `CREATE TABLE IF NOT EXISTS "`},
	{regexp.MustCompile(`(?m)^CREATE SEQUENCE "`), `CREATE SEQUENCE IF NOT EXISTS "`},
	{regexp.MustCompile(`(?m)^CREATE VIEW "`), `CREATE OR REPLACE VIEW "`},
	{regexp.MustCompile(`(?m)^CREATE FUNCTION "`), `CREATE OR REPLACE FUNCTION "`},
	{regexp.MustCompile(`(?m)^CREATE TRIGGER "`), `CREATE OR REPLACE TRIGGER "`},
	{regexp.MustCompile(`(?m)^(CREATE PUBLICATION "supabase_realtime|CREATE EVENT TRIGGER |         WHEN TAG IN |   EXECUTE FUNCTION |ALTER EVENT TRIGGER |ALTER PUBLICATION "supabase_realtime_` +
		`|ALTER FOREIGN DATA WRAPPER .+ OWNER TO |ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin"|GRANT ALL ON FOREIGN DATA WRAPPER .+ TO "postgres" WITH GRANT OPTION` +
		`|COMMENT ON EXTENSION |CREATE POLICY "cron_job_|ALTER TABLE "cron"|SET transaction_timeout = 0;)`), "-- $0"},
	{regexp.MustCompile(`(?m)^(GRANT|REVOKE) .+ ON .+ "(` + strings.Join(managed, "|") + `)"`), "-- $0"},
	{regexp.MustCompile(`(?m)^(CREATE EXTENSION IF NOT EXISTS "(pg_tle|pgsodium|pgmq)").+`), "$1;"},
}

// restorable returns a dump of a schema with its lines replaced.
func restorable(dump string) string {
	for _, r := range replacements {
		dump = r.pattern.ReplaceAllString(dump, r.by)
	}
	return dump
}
