package main

import (
	"context"
	"os"

	"plaza/server/app"
)

func listExtensions(ctx context.Context, args []string) error {
	set := flags("extensions [flags]", "Lists the extensions that projects of Supabase use: which this PostgreSQL has, which Plaza stands in for and with what limits,\n"+
		"and how to get those that are missing.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	return withDatabase(ctx, *folder, func(d app.Database) error { return d.Extensions(ctx, os.Stdout) })
}
