package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"plaza/functions/market"
	"plaza/server/app"
	"plaza/server/app/projectdir"
	"plaza/server/config"
	"plaza/server/pg/migrate/check"
	"plaza/server/project"
)

// load returns the project of a folder, its settings and a logger. "" is the built-in project.
func load(folder string) (project.Project, config.Config, *slog.Logger, error) {
	chosen, cfg, err := projectdir.Choose(folder, market.Project(), os.Environ())
	if err != nil {
		return chosen, cfg, nil, fmt.Errorf("cannot start:\n%w", err)
	}
	options := &slog.HandlerOptions{Level: cfg.LogLevel}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if cfg.LogFormat == "json" {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	return chosen, cfg, slog.New(handler), nil
}

func progress(step string) { fmt.Fprintln(os.Stderr, "  ·", step) }

// serveCommand returns a command that serves a project folder; "" is the built-in project.
func serveCommand(name, description, folder string) func(ctx context.Context, args []string) error {
	return func(ctx context.Context, args []string) error {
		set := flags(name, description)
		chosen := set.String("project", folder, "serve this Supabase project folder")
		if err := parse(set, args, 0); err != nil {
			return err
		}
		return serveFolder(ctx, *chosen)
	}
}

// serveFolder serves a project folder, or the built-in project.
func serveFolder(ctx context.Context, folder string) error {
	began := time.Now()
	chosen, cfg, log, err := load(folder)
	if err != nil {
		return err
	}
	running, err := app.Start(ctx, cfg, chosen, log, progress)
	if err != nil {
		return err
	}
	fmt.Print(running.Banner(time.Since(began)))
	var failed error
	select {
	case <-ctx.Done():
		fmt.Fprintln(os.Stderr, "\nStopping…")
		running.Drain()
	case failed = <-running.Failed():
	}
	return errors.Join(failed, running.Stop(context.WithoutCancel(ctx)))
}

func restAlone(ctx context.Context, args []string) error {
	set := flags("rest [flags] [file]", "Serves the data API of any PostgreSQL at /, configured by PostgREST's variables (PGRST_DB_URI, PGRST_SERVER_PORT …) or its configuration file.")
	dumpConfig := set.Bool("dump-config", false, "write the settings in use, as a configuration file")
	dumpSchema := set.Bool("dump-schema", false, "write the schema cache as JSON, whose form may change")
	ready := set.Bool("ready", false, "ask the admin server of a running plaza rest whether it is ready")
	example := set.Bool("example", false, "write a configuration file to begin with")
	set.BoolVar(example, "e", false, "as --example")
	showVersion := set.Bool("version", false, "print the version")
	set.BoolVar(showVersion, "v", false, "as --version")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	from := config.Sources{File: set.Arg(0), Environ: os.Environ()}
	switch {
	case *showVersion:
		return version(ctx, nil)
	case *example:
		fmt.Print(config.Example)
		return nil
	case *dumpConfig:
		cfg, err := app.DumpConfig(ctx, from)
		if err != nil {
			return err
		}
		return cfg.Dump(os.Stdout)
	case *dumpSchema:
		schema, err := app.DumpSchema(ctx, from)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(schema)
	case *ready:
		address, err := app.CheckReady(ctx, from)
		if err != nil {
			return fmt.Errorf("ERROR: %w", err)
		}
		fmt.Println("OK:", address)
		return nil
	}
	return app.ServeRest(ctx, from)
}

func authAlone(ctx context.Context, args []string) error {
	set := flags("auth", "Serves the auth server alone at /, in the place of a gotrue container and configured by its variables\n"+
		"(DATABASE_URL, API_EXTERNAL_URL, GOTRUE_API_PORT, GOTRUE_SITE_URL, GOTRUE_JWT_SECRET …).")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	return app.ServeAuth(ctx, os.Environ())
}

func storageAlone(ctx context.Context, args []string) error {
	set := flags("storage", "Serves the storage service alone at /, in the place of a storage-api container and configured by its variables\n"+
		"(DATABASE_URL, PGRST_JWT_SECRET, STORAGE_BACKEND, FILE_STORAGE_BACKEND_PATH, GLOBAL_S3_BUCKET, TENANT_ID, PORT …).")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	return app.ServeStorage(ctx, os.Environ())
}

func migrateOnly(ctx context.Context, args []string) error {
	set := flags("migrate", "Applies the platform's and the project's migrations, functions, views and policies.\n"+
		"With --check it applies nothing, but names statements of pending migrations that would block the queries of running servers, or\n"+
		"break the previous version of the server, and exits with 1 when it finds one. They run on a shadow database.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	only := set.Bool("check", false, "check the pending migrations, and apply none")
	var o check.Options
	set.Int64Var(&o.Since, "since", 0, "with --check: check the project's migrations after this version, whatever the database has")
	minimum := set.Int64("min-mb", 0, "with --check: leave out what is about tables with less than these megabytes")
	format := set.String("output", "pretty", "with --check: pretty or json")
	set.StringVar(format, "o", "pretty", "as --output")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	switch {
	case !*only && (o.Since != 0 || *minimum != 0 || *format != "pretty"):
		return errors.New("--since, --min-mb and --output need --check")
	case *format != "pretty" && *format != "json":
		return fmt.Errorf("no format %q: use pretty or json", *format)
	case o.Since < 0 || *minimum < 0:
		return errors.New("--since and --min-mb are positive numbers")
	}
	o.MinBytes = *minimum << 20
	return withDatabase(ctx, *folder, func(d app.Database) error {
		if *only {
			return d.CheckMigrations(ctx, os.Stdout, o, *format == "json")
		}
		return d.Migrate(ctx, os.Stdout)
	})
}

func seed(ctx context.Context, args []string) error {
	set := flags("seed", "Loads sample data into the project's database. Never use it on data you care for.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	volume := set.Int("volume", 0, "make rows of the project's main table until there are this many, for search and load work; run again, it goes on where it ended")
	intensity := set.String("intensity", "", "make the test data of the admin panel instead: minimal, standard or extensive; run again, it puts back what is missing")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	if *intensity != "" && *volume > 0 {
		return errors.New("use either --intensity or --volume")
	}
	return withDatabase(ctx, *folder, func(d app.Database) error {
		if *intensity != "" {
			return d.SeedTest(ctx, *intensity, os.Stdout)
		}
		return d.Seed(ctx, *volume, os.Stdout)
	})
}

func demo(ctx context.Context, args []string) error {
	set := flags("demo [flags] remove", "Removes demo and test accounts, what they wrote and the demo content, in one transaction, and prints what it removed.\n"+
		"Rows of other accounts stay, and with them the businesses that they are about.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	if set.NArg() != 1 || set.Arg(0) != "remove" {
		return errors.New("use: plaza demo remove")
	}
	return withDatabase(ctx, *folder, func(d app.Database) error { return d.RemoveDemo(ctx, os.Stdout) })
}

func keys(ctx context.Context, args []string) error {
	set := flags("keys [flags] show|rotate|randomize|signing", "Shows the project's API keys, or replaces them. Access tokens stay valid until they end.\n"+
		"randomize replaces the well-known secrets of development, so that the data folder can be used in production; stop the server first. Everybody signs in again.\n"+
		"signing list|rotate|revoke ID manages the keys that access tokens are signed with.")
	algorithm := set.String("algorithm", "ES256", "of a new signing key: ES256, RS256 or EdDSA")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	if err := parse(set, args, 3); err != nil {
		return err
	}
	if set.Arg(0) == "signing" {
		return withDatabase(ctx, *folder, func(d app.Database) error {
			return d.SigningKeys(ctx, os.Stdout, set.Arg(1), set.Arg(2), *algorithm)
		})
	}
	_, cfg, _, err := load(*folder)
	if err != nil {
		return err
	}
	var secrets app.Secrets
	switch set.Arg(0) {
	case "", "show":
		secrets, err = app.LoadSecrets(cfg, time.Now())
	case "rotate":
		secrets, err = app.RotateKeys(cfg, time.Now())
	case "randomize":
		secrets, err = app.RandomizeSecrets(cfg, time.Now())
	default:
		return fmt.Errorf("keys has no %q: use show, rotate, randomize or signing", set.Arg(0))
	}
	if err == nil {
		access, key := app.S3Keys(cfg, secrets)
		fmt.Printf("anon          %s\nservice_role  %s\npublishable   %s\nsecret        %s\ns3_access_key %s\ns3_secret_key %s\n",
			secrets.Keys.Anon, secrets.Keys.Service, secrets.Keys.Publishable, secrets.Keys.Secret, access, key)
	}
	return err
}

func importUsers(ctx context.Context, args []string) error {
	set := flags("import-users [flags] FILE", "Imports accounts, all or none: a plain Supabase dump, a list in CSV or JSON, or Firebase's export.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	hashConfig := set.String("hash-config", "", "a file with Firebase's hash_config, for its passwords")
	dry := set.Bool("dry-run", false, "only say what would be imported")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	if set.NArg() != 1 {
		return errors.New("import-users needs one file")
	}
	return withDatabase(ctx, *folder, func(d app.Database) error {
		return d.ImportUsers(ctx, os.Stdout, set.Arg(0), *hashConfig, *dry)
	})
}

func makeBackup(ctx context.Context, args []string) error {
	set := flags("backup [flags] DIR", "Copies the database and the objects, as they are at one moment, to a new folder and reads it back.\n"+
		"The server may be running. The copy holds the project's keys.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	var o app.BackupOptions
	set.StringVar(&o.LinkDest, "link-dest", "", "an earlier backup on the same disk: objects that it has are linked and not copied")
	set.StringVar(&o.Command, "database-command", "", "copies the database of DATABASE_URL to the folder $PLAZA_BACKUP_DIR; run by /bin/sh")
	verify := set.Bool("verify", false, "make no backup, but compare the one in DIR with its checksums")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	if set.NArg() != 1 {
		return errors.New("backup needs one folder")
	}
	if *verify {
		return app.VerifyBackup(ctx, os.Stdout, set.Arg(0))
	}
	_, cfg, log, err := load(*folder)
	if err != nil {
		return err
	}
	return app.Backup(ctx, cfg, log, progress, os.Stdout, set.Arg(0), o)
}

func restore(ctx context.Context, args []string) error {
	set := flags("restore [flags] DIR", "Makes the data folder (PLAZA_DATA_DIR), which must be empty or missing, of the backup in DIR.\n"+
		"With DATABASE_URL: the objects and keys, once that database was restored.\n"+
		"With --at: the project at that time, from the archive of PLAZA_ARCHIVE and the newest backup before it, which is DIR or in DIR.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	var o app.RestoreOptions
	set.BoolVar(&o.ReuseObjects, "reuse-objects", false, "the blob store (STORAGE_…) belongs to this project and is not empty: keep the objects that are the same")
	set.StringVar(&o.At, "at", "", "restore to this time, such as 2026-11-22T14:30:00Z, or latest")
	set.StringVar(&o.Objects, "objects", "", "with --at: where the objects were, a folder or s3://bucket/prefix, for those that are newer than the backup")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	_, cfg, log, err := load(*folder)
	if err != nil {
		return err
	}
	switch {
	case set.NArg() != 1 && (o.At == "" || cfg.DatabaseURL.Reveal() == ""):
		return errors.New("restore needs the folder of a backup")
	case o.At == "" && o.Objects != "":
		return errors.New("--objects needs --at")
	}
	return app.Restore(ctx, cfg, log, progress, os.Stdout, set.Arg(0), o)
}

func doctorCommand(ctx context.Context, args []string) error {
	set := flags("doctor", "Names tables without row-level security and other unsafe or slow rules, and how to fix them. Exits with 1 when it finds one.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	var o app.DoctorOptions
	set.BoolVar(&o.JSON, "json", false, `write {"findings": [{"code", "subject", "problem", "remedy"}]}`)
	set.BoolVar(&o.Production, "production", false, "also check what PLAZA_ENV=production requires")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	return withDatabase(ctx, *folder, func(d app.Database) error { return d.Doctor(ctx, os.Stdout, o) })
}

// withDatabase runs fn on the project's database. It uses the database of a running
// server, or starts one for the duration of fn.
func withDatabase(ctx context.Context, folder string, fn func(app.Database) error) error {
	chosen, cfg, log, err := load(folder)
	if err != nil {
		return err
	}
	return app.WithDatabase(ctx, cfg, chosen, log, progress, fn)
}
