package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plaza/server/app"
	"plaza/server/ddl"
	"plaza/server/doctor"
	"plaza/server/dump"
	"plaza/server/secret"
)

// databaseCommands are the commands of plaza db, with the names and flags of supabase db.
func databaseCommands() []command {
	return []command{
		{"diff", "write what the database has and the migrations lack", diffDatabase},
		{"dump", "write the schema, the rows or the roles as SQL", dumpDatabase},
		{"lint", "check functions and tables, as plaza doctor does", lintDatabase},
		{"reset", "drop the database, and apply migrations and seeds again", resetDatabase},
	}
}

func databaseCommand(ctx context.Context, args []string) error {
	known := databaseCommands()
	if len(args) > 0 {
		for _, c := range known {
			if c.name == args[0] {
				return c.run(ctx, args[1:])
			}
		}
	}
	about := "Works on the project's database, with the commands of supabase db:\n"
	for _, c := range known {
		about += fmt.Sprintf("\n  %-12s %s", c.name, c.summary)
	}
	set := flags("db COMMAND", about)
	if err := parse(set, args, 0); err != nil {
		return err
	}
	set.Usage()
	return nil
}

// target is the database on which a command of plaza db works.
type target struct {
	folder, address string
	local           bool
}

// targetFlags adds the flags that choose a database, and those of the Supabase CLI for hosted projects,
// which are refused.
func targetFlags(set *flag.FlagSet) *target {
	t := new(target)
	set.StringVar(&t.folder, "project", ".", "the project folder; empty: the project built in")
	set.StringVar(&t.address, "db-url", "", "use the database at this URL instead of the project's own")
	set.BoolVar(&t.local, "local", false, "the project's own database, as without this flag")
	refuse(set, "there are no hosted projects here; use --db-url", "linked", "remote")
	return t
}

// withDatabase runs fn on the chosen database.
func (t *target) withDatabase(ctx context.Context, fn func(app.Database) error) error {
	if t.local && t.address != "" {
		return errors.New("use either --local or --db-url")
	}
	chosen, cfg, log, err := load(t.folder)
	if err != nil {
		return err
	}
	if t.address != "" {
		cfg.DatabaseURL = secret.Text(t.address)
	}
	return app.WithDatabase(ctx, cfg, chosen, log, progress, fn)
}

func resetDatabase(ctx context.Context, args []string) error {
	set := flags("db reset", "Drops the project's database, creates it again, and applies migrations and seeds. All data is lost; a running server\n"+
		"goes on with the new database. Only in development. Files of storage stay until the server finds them unused.")
	t := targetFlags(set)
	var o app.ResetOptions
	set.StringVar(&o.Version, "version", "", "apply migrations up to this version")
	set.IntVar(&o.Last, "last", 0, "leave out the last N migrations")
	set.BoolVar(&o.NoSeed, "no-seed", false, "do not load seeds")
	yes := set.Bool("yes", false, "reset a database of DATABASE_URL or --db-url without a question")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	if o.Version != "" && o.Last != 0 || o.Last < 0 {
		return errors.New("use either --version, or --last with a positive number")
	}
	return t.withDatabase(ctx, func(d app.Database) error {
		if !d.IsEmbedded() && !*yes {
			if err := confirm("Delete all data of the database that DATABASE_URL or --db-url names?"); err != nil {
				return err
			}
		}
		return d.Reset(ctx, os.Stdout, o)
	})
}

// lintLevels are the levels of --level and --fail-on, in their order.
var lintLevels = []string{"none", doctor.LevelWarning, doctor.LevelError}

func lintDatabase(ctx context.Context, args []string) error {
	set := flags("db lint", "Checks the bodies of functions, as far as their languages can without running them, and what plaza doctor checks.\n"+
		"Writes the issues as JSON, in the form of supabase db lint.")
	t := targetFlags(set)
	var schemas []string
	level, failOn := doctor.LevelWarning, "none"
	schemaFlags(set, &schemas, "the schemas, separated by commas; otherwise those of the data API")
	choice := func(into *string, name, usage string, choices []string) {
		set.Func(name, usage+": "+strings.Join(choices, ", "), func(value string) error {
			if *into = value; !slices.Contains(choices, value) {
				return fmt.Errorf("use one of %s", strings.Join(choices, ", "))
			}
			return nil
		})
	}
	choice(&level, "level", "the lowest level to write", lintLevels[1:])
	choice(&failOn, "fail-on", "exit with 1 if there are issues of this level", lintLevels)
	if err := parse(set, args, 0); err != nil {
		return err
	}
	return t.withDatabase(ctx, func(d app.Database) error {
		results, err := d.Lint(ctx, schemas)
		if err != nil {
			return err
		}
		results = atLeast(results, level)
		if len(results) == 0 {
			fmt.Fprintln(os.Stderr, "No schema errors found")
			return nil
		}
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(results); err != nil {
			return err
		}
		if failOn != "none" && len(atLeast(results, failOn)) > 0 {
			return fmt.Errorf("there are issues of the level %s", failOn)
		}
		return nil
	})
}

// atLeast returns the issues of a level and those above.
func atLeast(results []doctor.LintResult, level string) (kept []doctor.LintResult) {
	least := slices.Index(lintLevels, level)
	for _, r := range results {
		issues := slices.DeleteFunc(slices.Clone(r.Issues), func(i doctor.Issue) bool { return slices.Index(lintLevels, i.Level) < least })
		if len(issues) > 0 {
			kept = append(kept, doctor.LintResult{Function: r.Function, Issues: issues})
		}
	}
	return kept
}

func testCommand(ctx context.Context, args []string) error {
	set := flags("test db [PATH …]", "Runs pgTAP files (*.sql, *.pg), each in a session of its own, and reports as pg_prove does.\n"+
		"Without a path those of supabase/tests. Migrations of the project are applied before.")
	if len(args) == 0 || args[0] != "db" {
		if err := parse(set, args, 0); err != nil {
			return err
		}
		set.Usage()
		return errors.New("use: plaza test db")
	}
	t := targetFlags(set)
	if err := parse(set, args[1:], len(args)); err != nil {
		return err
	}
	paths := set.Args()
	if len(paths) == 0 {
		folder, err := projectFolder(t.folder)
		if err != nil {
			return err
		}
		paths = []string{filepath.Join(folder, "tests")}
	}
	return t.withDatabase(ctx, func(d app.Database) error { return d.Test(ctx, paths, os.Stdout, os.Stderr) })
}

// confirm asks a question on the terminal.
//
// Errors: one unless the answer is yes, and one if there is no terminal.
func confirm(question string) error {
	needed := errors.New("this needs a confirmation, and there is no terminal to ask: use --yes")
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return needed
	}
	fmt.Fprint(os.Stderr, question, " [y/N] ")
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if errors.Is(err, io.EOF) {
		return needed
	}
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("not confirmed: nothing was changed")
	}
	return nil
}

// list adds a flag whose values are separated by commas, and that can be given several times.
func list(set *flag.FlagSet, into *[]string, name, usage string) {
	set.Func(name, usage, func(value string) error {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part == "" {
				return errors.New("it has an empty name")
			}
			*into = append(*into, part)
		}
		return nil
	})
}

// schemaFlags adds --schema and -s.
func schemaFlags(set *flag.FlagSet, into *[]string, usage string) {
	list(set, into, "schema", usage)
	list(set, into, "s", "as --schema")
}

// refuse adds flags of the Supabase CLI that fail with a reason, since they have no meaning here.
func refuse(set *flag.FlagSet, reason string, names ...string) {
	for _, name := range names {
		set.BoolFunc(name, "refused: "+reason, func(string) error { return errors.New(reason) })
	}
}

func dumpDatabase(ctx context.Context, args []string) error {
	set := flags("db dump", "Writes the schema of the database, its rows or its roles as SQL, for psql --single-transaction -v ON_ERROR_STOP=1.\n"+
		"Nothing is migrated before. PostgreSQL's pg_dump is not needed.")
	t := targetFlags(set)
	var o dump.Options
	var file string
	set.BoolVar(&o.DataOnly, "data-only", false, "the rows, also those of auth and storage")
	set.BoolVar(&o.RoleOnly, "role-only", false, "the roles, without their passwords")
	set.BoolVar(&o.UseCopy, "use-copy", false, "with --data-only: COPY in place of INSERT")
	list(set, &o.Exclude, "exclude", "with --data-only: tables to leave out, as schema.table, separated by commas")
	list(set, &o.Exclude, "x", "as --exclude")
	schemaFlags(set, &o.Schemas, "the schemas, separated by commas; otherwise all that are not the platform's")
	set.StringVar(&file, "file", "", "write to this file")
	set.StringVar(&file, "f", "", "as --file")
	refuse(set, "the dump is not made by pg_dump", "dry-run", "keep-comments")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	switch {
	case o.DataOnly && o.RoleOnly:
		return errors.New("use either --data-only or --role-only")
	case !o.DataOnly && (o.UseCopy || len(o.Exclude) > 0):
		return errors.New("--use-copy and --exclude need --data-only")
	case o.RoleOnly && len(o.Schemas) > 0:
		return errors.New("use either --schema or --role-only")
	}
	return t.withDatabase(ctx, func(d app.Database) (err error) {
		if file == "" {
			return d.Dump(ctx, os.Stdout, o)
		}
		out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		return errors.Join(d.Dump(ctx, out, o), out.Close())
	})
}

func diffDatabase(ctx context.Context, args []string) error {
	set := flags("db diff", "Writes the statements that turn the schema of the migrations into that of the database. The migrations are applied to a shadow database.\n"+
		"With --file they become a migration, which is recorded as applied, as the database has it.")
	t := targetFlags(set)
	var schemas []string
	var name string
	schemaFlags(set, &schemas, "the schemas, separated by commas; otherwise all that are not the platform's")
	set.StringVar(&name, "file", "", "create a migration of this name")
	set.StringVar(&name, "f", "", "as --file")
	refuse(set, "there is one way to compare schemas here", "use-migra", "use-pgadmin", "use-pg-schema", "use-pg-delta")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	if name != "" && !migrationName().MatchString(name) {
		return fmt.Errorf(wrongMigrationName, name)
	}
	return t.withDatabase(ctx, func(d app.Database) error {
		found, err := d.Diff(ctx, schemas)
		if err != nil {
			return err
		}
		for _, left := range found.Unwritten {
			fmt.Fprintln(os.Stderr, "not in the statements:", left)
		}
		if len(found.Drops) > 0 {
			fmt.Fprintln(os.Stderr, "these statements drop something:\n  "+strings.Join(found.Drops, "\n  "))
		}
		text := diffText(found)
		switch {
		case len(found.Statements) == 0:
			fmt.Fprintln(os.Stderr, "No schema changes found")
		case name == "":
			fmt.Print(text)
		default:
			return t.saveMigration(ctx, d, name, text)
		}
		return nil
	})
}

// diffText returns a difference as the text of a migration.
func diffText(found ddl.Difference) string {
	var b strings.Builder
	for _, left := range found.Unwritten {
		b.WriteString("-- Not written: " + strings.Join(strings.Fields(left), " ") + "\n")
	}
	b.WriteString("set check_function_bodies = off;\n\n")
	for _, statement := range found.Statements {
		b.WriteString(statement + ";\n\n")
	}
	return b.String()
}

// saveMigration writes a migration. In the project's own database it is recorded as applied, so that a
// running server does not apply it again.
func (t *target) saveMigration(ctx context.Context, d app.Database, name, text string) error {
	path, err := migrationPath(t.folder, name)
	if err != nil {
		return err
	}
	if err := writeNew(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, strings.NewReader(text)); err != nil {
		return err
	}
	if t.address == "" {
		if err := d.Record(ctx, filepath.Base(path), text); err != nil {
			return err
		}
	}
	fmt.Println("Created", path)
	return nil
}
