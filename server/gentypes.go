package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"plaza/server/app"
	"plaza/server/gentypes"
)

// typeFlags are the flags of `supabase gen types`, and some of Plaza's own.
type typeFlags struct {
	folder, language, address string
	local                     bool
	timeout                   time.Duration
	options                   gentypes.Options
}

func generateTypes(ctx context.Context, args []string) error {
	f, err := parseTypeFlags(args)
	if err != nil {
		return err
	}
	if f.address == "" {
		return withDatabase(ctx, f.folder, func(d app.Database) error { return d.Types(ctx, os.Stdout, f.options) })
	}
	_, cfg, _, err := load(f.folder)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	return app.Types(ctx, cfg, f.address, os.Stdout, f.options)
}

func parseTypeFlags(args []string) (f typeFlags, err error) {
	set := flags("gentypes [flags] [typescript]", "Writes TypeScript types of the database to standard output, as `supabase gen types` does.")
	set.StringVar(&f.folder, "project", "", "a Supabase project folder instead of the one built in")
	addSchemas := func(list string) error {
		for name := range strings.SplitSeq(list, ",") {
			f.options.Schemas = append(f.options.Schemas, strings.TrimSpace(name))
		}
		return nil
	}
	set.Func("schema", "the schemas, separated by commas; otherwise public and those of the data API", addSchemas)
	set.Func("s", "as --schema", addSchemas)
	set.StringVar(&f.language, "lang", "typescript", "the language: typescript")
	set.BoolVar(&f.local, "local", false, "of the project's own database, as without this flag")
	set.StringVar(&f.address, "db-url", "", "of the database at this URL, as it is: nothing is migrated")
	set.DurationVar(&f.timeout, "query-timeout", 15*time.Second, "with --db-url, how long it may take")
	set.BoolVar(&f.options.Exact, "exact", false, "describe what the data API answers where Supabase's generator differs: OUT arguments, domains, types it calls unknown")
	set.BoolVar(&f.options.WithoutOneToOne, "postgrest-v9-compat", false, "leave out isOneToOne")
	set.StringVar(&f.options.PostgrestVersion, "postgrest-version", "", "tell supabase-js this version of PostgREST")
	if err := parse(set, args, 1); err != nil {
		return f, err
	}
	if set.NArg() == 1 {
		f.language = set.Arg(0)
	}
	return f, f.check()
}

func (f typeFlags) check() error {
	switch {
	case f.language != "typescript":
		return fmt.Errorf("there are no types in %q: only typescript", f.language)
	case f.local && f.address != "":
		return errors.New("use either --local or --db-url")
	case slices.Contains(f.options.Schemas, ""):
		return errors.New("--schema has an empty name")
	}
	return nil
}
