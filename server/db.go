package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"plaza/server/app"
	"plaza/server/secret"
)

// databaseCommands are the commands of plaza db, with the names and flags of supabase db.
func databaseCommands() []command {
	return []command{
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
	fmt.Println("Usage: plaza db COMMAND [flags]\n\nCommands:")
	for _, c := range known {
		fmt.Printf("  %-12s %s\n", c.name, c.summary)
	}
	if len(args) == 0 || slices.Contains([]string{"--help", "-h", "help"}, args[0]) {
		return nil
	}
	return fmt.Errorf("db has no %q", args[0])
}

// target is the database that a command of plaza db is about.
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
	for _, name := range []string{"linked", "remote"} {
		set.BoolFunc(name, "refused: there are no hosted projects here; use --db-url", func(string) error {
			return errors.New("there are no hosted projects here: give the database's address with --db-url")
		})
	}
	return t
}

// open runs fn on the chosen database.
func (t *target) open(ctx context.Context, fn func(app.Database) error) error {
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
	return t.open(ctx, func(d app.Database) error {
		if !d.IsEmbedded() && !*yes {
			if err := confirm("Delete all data of the database that DATABASE_URL or --db-url names?"); err != nil {
				return err
			}
		}
		return d.Reset(ctx, os.Stdout, o)
	})
}

// confirm asks a question on the terminal.
//
// Errors: one unless the answer is yes, and one if there is no terminal.
func confirm(question string) error {
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return errors.New("this needs a confirmation, and there is no terminal to ask: use --yes")
	}
	fmt.Fprint(os.Stderr, question, " [y/N] ")
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("not confirmed: nothing was changed")
	}
	return nil
}
