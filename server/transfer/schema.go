package transfer

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/dump"
	"plaza/server/pg/migrate"
)

// Catalogue is a Schema that is read from the catalogue of the source.
type Catalogue struct{}

// Read returns the schema as plaza db dump writes it.
func (Catalogue) Read(ctx context.Context, source *pgx.Conn) (string, []string, error) {
	var text strings.Builder
	var warnings []string
	err := dump.Write(ctx, source, &text, dump.Options{}, func(warning string) { warnings = append(warnings, warning) })
	return text.String(), warnings, err
}

// SchemaFile is a Schema that was written by supabase db dump, or by pg_dump --schema-only. It lacks the policies and
// triggers that the project has on tables of the platform, which are read from the source.
type SchemaFile string

// Read returns the content of the file, and what it lacks.
func (f SchemaFile) Read(ctx context.Context, source *pgx.Conn) (string, []string, error) {
	text, err := os.ReadFile(string(f))
	if err != nil {
		return "", nil, fmt.Errorf("read the schema: %w", err)
	}
	policies, err := statements(ctx, source, listPolicies)
	if err != nil {
		return "", nil, fmt.Errorf("read the policies of the source: %w", err)
	}
	triggers, err := statements(ctx, source, listTriggers, managed)
	if err != nil {
		return "", nil, fmt.Errorf("read the triggers of the source: %w", err)
	}
	return restorable(string(text)) + "\n" + policies + triggers, nil, nil
}

// moveSchema loads roles and the schema.
func (m *mover) moveSchema(ctx context.Context) error {
	m.o.Progress("Reading the schema of the source")
	roles, err := dump.Roles(ctx, m.source)
	if err != nil {
		return fmt.Errorf("read the source: %w", err)
	}
	schema, warnings, err := m.o.Schema.Read(ctx, m.source)
	if err != nil {
		return err
	}
	m.o.Progress("Loading the schema")
	report, err := migrate.Load(ctx, m.to.URL, m.to.Project, []migrate.Script{{Name: "roles", Text: roles}, {Name: "schema", Text: schema}}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, noteSchema)
		return err
	}, m.o.Progress)
	m.report.Warnings = slices.Concat(m.report.Warnings, warnings, report.Warnings)
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

// compareSchema reports definitions that only the source or only the target has.
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

// definitions returns descriptions of all objects of the project's schemas, sorted bytewise.
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
	pattern string // of package regexp
	by      string
}

// replacements make the output of pg_dump restorable into a project, which has some of it already. A line that
// begins with two dashes is a comment.
// Source: what supabase db dump changes in the output of pg_dump.
var replacements = []replacement{
	{`(?m)^\\(un)?restrict .*$`, "-- $0"},
	{`(?m)^CREATE SCHEMA "`, `CREATE SCHEMA IF NOT EXISTS "`},
	{`(?m)^CREATE TABLE "`, `CREATE TABLE IF NOT EXISTS "`},
	{`(?m)^CREATE SEQUENCE "`, `CREATE SEQUENCE IF NOT EXISTS "`},
	{`(?m)^CREATE VIEW "`, `CREATE OR REPLACE VIEW "`},
	{`(?m)^CREATE FUNCTION "`, `CREATE OR REPLACE FUNCTION "`},
	{`(?m)^CREATE TRIGGER "`, `CREATE OR REPLACE TRIGGER "`},
	{`(?m)^(CREATE PUBLICATION "supabase_realtime|CREATE EVENT TRIGGER |         WHEN TAG IN |   EXECUTE FUNCTION |ALTER EVENT TRIGGER |ALTER PUBLICATION "supabase_realtime_` +
		`|ALTER FOREIGN DATA WRAPPER .+ OWNER TO |ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin"|GRANT ALL ON FOREIGN DATA WRAPPER .+ TO "postgres" WITH GRANT OPTION` +
		`|COMMENT ON EXTENSION |CREATE POLICY "cron_job_|ALTER TABLE "cron"|SET transaction_timeout = 0;)`, "-- $0"},
	{`(?m)^(GRANT|REVOKE) .+ ON .+ "(` + strings.Join(managed, "|") + `)"`, "-- $0"},
	{`(?m)^(CREATE EXTENSION IF NOT EXISTS "(pg_tle|pgsodium|pgmq)").+`, "$1;"},
}

// restorable applies the replacements to a dump of a schema.
func restorable(dump string) string {
	for _, r := range replacements {
		dump = regexp.MustCompile(r.pattern).ReplaceAllString(dump, r.by)
	}
	return dump
}
