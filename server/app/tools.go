package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/ddl"
	"plaza/server/doctor"
	"plaza/server/dump"
	"plaza/server/extensions"
	"plaza/server/gentypes"
	"plaza/server/gentypes/web"
	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/server/pg/migrate/check"
	"plaza/server/pg/recreate"
	"plaza/server/pgtap"
	"plaza/server/project"
	"plaza/sql"
)

// Database is a project's database for use by commands, without a server.
type Database struct {
	url      string
	admin    string // of the superuser, if there is one that the server may use; otherwise url
	secrets  Secrets
	cfg      config.Config
	project  project.Project
	log      *slog.Logger
	progress func(string)
}

// WithDatabase runs fn on the project's database. It uses the database of a server
// that is running with the same data folder, or starts one for the duration of fn.
func WithDatabase(ctx context.Context, cfg config.Config, chosen project.Project, log *slog.Logger, progress func(string), fn func(Database) error) error {
	own := cfg
	own.PostgresPort = 0 // any free port
	opened, secrets, err := openDatabase(ctx, own, log, progress)
	if errors.Is(err, embedded.ErrDataInUse) {
		opened, err = runningDatabase(cfg, secrets), nil
	}
	if err != nil {
		return err
	}
	err = fn(Database{url: opened.url, admin: opened.admin, secrets: secrets, cfg: cfg, project: chosen, log: log, progress: progress})
	return errors.Join(err, opened.close(context.WithoutCancel(ctx)))
}

// runningDatabase returns the database of a server that is running with the data folder.
func runningDatabase(cfg config.Config, secrets Secrets) *database {
	address := url.URL{
		Scheme: "postgres", User: url.UserPassword("postgres", secrets.PostgresPassword),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(cfg.PostgresPort)), Path: "/postgres",
	}
	running := &database{url: address.String(), admin: address.String()}
	if embedded.HasAdmin(filepath.Join(cfg.DataDir, postgresFolder)) {
		address.User = url.UserPassword("supabase_admin", secrets.AdminPassword)
		running.admin = address.String()
	}
	return running
}

// Migrate applies all pending migrations and prints them.
func (d Database) Migrate(ctx context.Context, out io.Writer) error {
	report, err := d.up(ctx)
	for _, applied := range report.Applied {
		fmt.Fprintf(out, "%s %s\n", applied.Source, applied.Path)
	}
	for _, warning := range report.Warnings {
		fmt.Fprintln(out, "warning:", warning)
	}
	if err == nil && len(report.Applied) == 0 {
		fmt.Fprintln(out, "up to date")
	}
	return err
}

func (d Database) up(ctx context.Context) (migrate.Report, error) {
	return migrate.Up(ctx, d.admin, d.stack(), d.progress)
}

// stack returns the sources of the database, in their order.
func (d Database) stack() []migrate.Source {
	return migrate.Stack(migrate.Platform(sql.FS), d.project.Source)
}

var errSampleInProduction = errors.New("refused: PLAZA_ENV is production, and sample data does not belong there")

// Seed loads sample data: the project's demo data or, if volume is positive, volume
// rows for load tests.
func (d Database) Seed(ctx context.Context, volume int, out io.Writer) error {
	if d.cfg.Env == config.Production {
		return errSampleInProduction
	}
	if _, err := d.up(ctx); err != nil {
		return err
	}
	kind := migrate.Demo
	if volume > 0 {
		kind = migrate.Volume
	}
	report, err := migrate.Seed(ctx, d.admin, d.project.Source, kind, volume, d.progress)
	if err != nil {
		return err
	}
	if kind == migrate.Volume {
		fmt.Fprintf(out, "%d rows of volume data are there\n", volume)
		return nil
	}
	for _, applied := range report.Applied {
		fmt.Fprintf(out, "%s in %s\n", applied.Path, applied.Duration.Round(1e6))
	}
	if len(report.Applied) == 0 {
		fmt.Fprintln(out, "nothing to load: the sample data is there already")
	}
	return nil
}

// ResetOptions configures Database.Reset.
type ResetOptions struct {
	Version string // of the last migration to apply; empty: all
	Last    int    // number of the last migrations to leave out
	NoSeed  bool   // leave sample data out
}

// resetChannel is notified after a reset, for a running server.
const resetChannel = "plaza_reset"

// IsEmbedded reports whether the database is the server's own PostgreSQL, and not that of DATABASE_URL.
func (d Database) IsEmbedded() bool { return d.cfg.DatabaseURL.Reveal() == "" }

// Reset drops the database and its roles, creates it again, and applies migrations and sample data as
// the first start does. The roles of a server of DATABASE_URL stay, since other databases may use them.
// A running server reconnects.
//
// Errors: one in production; one for a Version or Last that the project does not have, before anything
// is dropped. If a migration fails, the database has those before it.
func (d Database) Reset(ctx context.Context, out io.Writer, o ResetOptions) error {
	if d.cfg.Env != config.Development {
		return errors.New("refused: a reset deletes all data, and is only for PLAZA_ENV=development")
	}
	served := d.project
	var err error
	if served.Source, err = o.limit(d.project.Source); err != nil {
		return err
	}
	d.progress("Dropping the database")
	warnings, err := recreate.Database(ctx, d.admin, recreate.Options{Roles: d.IsEmbedded()})
	for _, warning := range warnings {
		d.log.WarnContext(ctx, warning)
	}
	if err != nil {
		return fmt.Errorf("reset the database: %w", err)
	}
	again := &database{url: d.url, admin: d.admin}
	if err := again.prepare(ctx, d.cfg, served, d.secrets, d.log, d.progress); err != nil {
		return fmt.Errorf("the database was reset, and then: %w", err)
	}
	if err := d.connected(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "notify "+resetChannel)
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintln(out, "The database was reset.")
	return nil
}

// limit returns the part of a source that the options select.
func (o ResetOptions) limit(source migrate.Source) (migrate.Source, error) {
	if o.NoSeed {
		source = source.WithoutSeeds()
	}
	if o.Version == "" && o.Last == 0 {
		return source, nil
	}
	if !source.IsSupabase() {
		return source, errors.New("only the migrations of a project folder can be applied in part")
	}
	if o.Version != "" {
		version, err := strconv.ParseInt(o.Version, 10, 64)
		if err != nil || version < 0 {
			return source, fmt.Errorf("--version %q is no version of a migration: it is the number that its file begins with", o.Version)
		}
		return source.UpTo(version)
	}
	versions, err := source.Versions()
	if err != nil || o.Last >= len(versions) {
		return source.WithoutMigrations(), err
	}
	return source.UpTo(versions[len(versions)-1-o.Last])
}

// Extensions writes the list of extensions and how the database has each.
func (d Database) Extensions(ctx context.Context, out io.Writer) error {
	return d.connected(ctx, func(conn *pgx.Conn) error {
		list, err := extensions.List(ctx, conn)
		if err != nil {
			return err
		}
		return extensions.Print(out, list)
	})
}

// Dump writes the database as it is. Nothing is migrated.
func (d Database) Dump(ctx context.Context, out io.Writer, o dump.Options) error {
	return d.connected(ctx, func(conn *pgx.Conn) error {
		return dump.Write(ctx, conn, out, o, func(warning string) { d.log.WarnContext(ctx, warning) })
	})
}

// Diff returns the statements that turn the schema of the migrations into that of the database. The
// migrations are applied to a PostgreSQL that is started for this, so that they do not change roles and
// settings that are in use.
func (d Database) Diff(ctx context.Context, schemas []string) (found ddl.Difference, err error) {
	read := func(url string) (schema *ddl.Schema, err error) {
		err = connected(ctx, url, func(conn *pgx.Conn) error {
			schema, err = ddl.Read(ctx, conn, ddl.Options{Schemas: schemas})
			return err
		})
		return schema, err
	}
	current, err := read(d.admin)
	if err != nil {
		return found, err
	}
	err = d.withShadow(ctx, func(url string) error {
		if _, err := migrate.Up(ctx, url, d.stack(), nil); err != nil {
			return fmt.Errorf("apply the migrations to the shadow database: %w", err)
		}
		migrated, err := read(url)
		if err == nil {
			found = ddl.Diff(migrated, current)
		}
		return err
	})
	return found, err
}

// withShadow runs fn on an empty database, in a temporary PostgreSQL that is started for it.
func (d Database) withShadow(ctx context.Context, fn func(url string) error) (err error) {
	folder, err := os.MkdirTemp(d.cfg.DataDir, "shadow-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.Chmod(folder, 0o755); err != nil { // PostgreSQL's own user must be able to enter it
		return err
	}
	settings := maps.Clone(d.cfg.PostgresSettings)
	if settings == nil {
		settings = map[string]string{}
	}
	settings["fsync"] = "off"
	d.progress("Creating a shadow database")
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir: filepath.Join(folder, postgresFolder), BinDir: d.cfg.PostgresBin, Fetch: download(d.cfg, d.progress),
		Settings: settings, Password: d.secrets.PostgresPassword, Log: d.log,
	})
	if err != nil {
		return fmt.Errorf("start a PostgreSQL to apply the migrations to: %w", err)
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	return fn(server.LocalAdminURL())
}

// CheckMigrations reports statements of pending migrations that would block the queries of running servers, or break the
// previous version of a server. The migrations run on a shadow database only.
//
// Errors: check.ErrFindings if there are any.
func (d Database) CheckMigrations(ctx context.Context, out io.Writer, o check.Options, asJSON bool) error {
	report := check.NewReport()
	err := d.connected(ctx, func(conn *pgx.Conn) error {
		backlogs, err := check.Find(ctx, conn, d.stack(), o)
		if err != nil || !check.IsNeeded(backlogs) {
			return err
		}
		return d.withShadow(ctx, func(url string) error {
			report, err = check.Run(ctx, conn, url, backlogs, o)
			return err
		})
	})
	if err == nil {
		err = report.Write(out, asJSON)
	}
	if err == nil && len(report.Findings) > 0 {
		err = fmt.Errorf("%w: %d", check.ErrFindings, len(report.Findings))
	}
	return err
}

// Record records a migration, whose statements the database has, as applied.
func (d Database) Record(ctx context.Context, path, text string) error {
	return migrate.Record(ctx, d.admin, d.project.Source, path, text)
}

// Lint returns the issues of the functions and tables of schemas. No schemas means the exposed ones.
func (d Database) Lint(ctx context.Context, schemas []string) (results []doctor.LintResult, err error) {
	if len(schemas) == 0 {
		schemas = d.cfg.Rest.Schemas
	}
	err = d.connected(ctx, func(conn *pgx.Conn) error {
		results, err = doctor.Lint(ctx, conn, schemas)
		return err
	})
	return results, err
}

// Test runs pgTAP files on the database. It applies pending migrations before, except with DATABASE_URL.
//
// Errors: pgtap.ErrFailed if a test failed.
func (d Database) Test(ctx context.Context, paths []string, out, notes io.Writer) error {
	if d.IsEmbedded() {
		if _, err := d.up(ctx); err != nil {
			return err
		}
	}
	return pgtap.Run(ctx, d.url, paths, out, notes)
}

// Types writes TypeScript types of the database. Without schemas in o, they are those of
// the exposed schemas.
func (d Database) Types(ctx context.Context, out io.Writer, o gentypes.Options) error {
	if _, err := d.up(ctx); err != nil {
		return err
	}
	return Types(ctx, d.cfg, d.url, out, o)
}

// Types is like Database.Types, for the database at url. It applies no migrations.
func Types(ctx context.Context, cfg config.Config, url string, out io.Writer, o gentypes.Options) error {
	if len(o.Schemas) == 0 {
		o.Schemas = append([]string{"public"}, cfg.Rest.Schemas...)
	}
	return connected(ctx, url, func(conn *pgx.Conn) error { return gentypes.Generate(ctx, conn, out, o) })
}

// serveTypes serves TypeScript types of the database at the path of postgres-meta in a self-hosted Supabase.
func (a *App) serveTypes(mux *http.ServeMux, keys *claims.Authenticator, log *slog.Logger) {
	generate := func(ctx context.Context, out io.Writer, o gentypes.Options) error {
		return connected(ctx, a.database.url, func(conn *pgx.Conn) error { return gentypes.Generate(ctx, conn, out, o) })
	}
	mux.Handle("GET /pg/generators/typescript", a.meters.requests.Instrument("pg", web.Handler(keys, generate, log)))
}

func (d Database) connected(ctx context.Context, fn func(*pgx.Conn) error) error {
	return connected(ctx, d.admin, fn)
}

func connected(ctx context.Context, url string, fn func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	return fn(conn)
}
