// Command plaza serves a Supabase-compatible backend on PostgreSQL, together with the
// built-in project or a project folder.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"plaza/server/ops"
)

// command is one subcommand of the binary.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"serve", "start everything and serve until interrupted", serveCommand(
			"serve", "Starts PostgreSQL (or uses DATABASE_URL), brings the schema up to date and serves on one port.", "",
		)},
		{"rest", "serve the data API alone, as a postgrest binary does", restAlone},
		{"auth", "serve the auth server alone, as a gotrue container does", authAlone},
		{"storage", "serve the storage service alone, as a storage-api container does", storageAlone},
		{"init", "create a Supabase project in this folder", initProject},
		{"new", "create a migration in this folder's project", newMigration},
		{"start", "serve the Supabase project of this folder", serveCommand(
			"start", "Serves the Supabase project of this folder until it is interrupted.", ".",
		)},
		{"migrate", "bring the database's schema up to date and stop; --check names statements that would block queries", migrateOnly},
		{"seed", "load the demo data; --intensity NAME: test data instead, --volume N: rows for load tests", seed},
		{"demo", "demo remove: take demo accounts and demo content out of the database", demo},
		{"db", "work on the project's database as supabase db does: diff, dump, lint, reset", databaseCommand},
		{"test", "test db: run the project's pgTAP files", testCommand},
		{"keys", "show the project's API keys: show, rotate, randomize, signing", keys},
		{"import", "move a whole project here from hosted Supabase, or another database of its layout", importProject},
		{"export", "write a project to a folder, in the form that hosted Supabase takes", exportProject},
		{"import-users", "import accounts from a Supabase dump, CSV, JSON or Firebase", importUsers},
		{"backup", "copy database and objects to a folder, or --verify such a copy", makeBackup},
		{"restore", "create a data folder from a backup", restore},
		{"doctor", "check the database for unsafe or slow policies, and other mistakes", doctorCommand},
		{"extensions", "list the extensions of PostgreSQL, and what stands in for those that are missing", listExtensions},
		{"gentypes", "write TypeScript types of the database, as supabase gen types does", generateTypes},
		{"status", "print the addresses, keys and background jobs of a running server; -o env or json", status},
		{"ready", "ask a running server whether it is ready; for health checks", ready},
		{"upgrade", "upgrade --check: compare the version with the newest release", upgrade},
		{"version", "print the version", version},
	}
}

func main() {
	// stop restores the default handling of signals, so that a second interrupt ends the
	// process immediately.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
	}()
	err := run(ctx, os.Args[1:])
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "plaza:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 2 && args[0] == "help" {
		args = []string{args[1], "--help"}
	}
	if len(args) == 0 || args[0] == "--help" || args[0] == "-h" || args[0] == "help" {
		usage()
		return nil
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:])
		}
	}
	usage()
	return fmt.Errorf("unknown command %q", args[0])
}

func usage() {
	fmt.Println("Plaza: a Supabase-compatible backend on PostgreSQL, in one process.\n\nUsage: plaza COMMAND [flags]\n\nCommands:")
	for _, c := range commands() {
		fmt.Printf("  %-12s %s\n", c.name, c.summary)
	}
	fmt.Println("\nplaza COMMAND --help explains a command. Settings come from the environment; .env.example lists them.")
}

// flags returns a command's flag set with its own help text.
func flags(name, about string) *flag.FlagSet {
	set := flag.NewFlagSet("plaza "+name, flag.ContinueOnError)
	set.Usage = func() {
		fmt.Fprintf(set.Output(), "Usage: plaza %s [flags]\n\n%s\n", name, about)
		first := true
		set.VisitAll(func(f *flag.Flag) {
			if first {
				fmt.Fprintln(set.Output(), "\nFlags:")
				first = false
			}
			fmt.Fprintf(set.Output(), "  --%-10s %s\n", f.Name, f.Usage)
		})
	}
	return set
}

// parse parses a command's flags, which may precede and follow its arguments. There may be
// maxArgs arguments.
func parse(set *flag.FlagSet, args []string, maxArgs int) error {
	var arguments []string
	for {
		if err := set.Parse(args); err != nil {
			return err
		}
		rest := set.Args()
		if read := len(args) - len(rest); len(rest) == 0 || read > 0 && args[read-1] == "--" {
			arguments = append(arguments, rest...)
			break
		}
		arguments, args = append(arguments, rest[0]), rest[1:]
	}
	if len(arguments) > maxArgs {
		return fmt.Errorf("%s does not take %q: see --help", set.Name(), arguments[maxArgs])
	}
	return set.Parse(append([]string{"--"}, arguments...))
}

func version(_ context.Context, args []string) error {
	if err := parse(flags("version", "Prints the version."), args, 0); err != nil {
		return err
	}
	fmt.Println("plaza", ops.Version)
	return nil
}
