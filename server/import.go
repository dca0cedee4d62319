package main

import (
	"context"
	"errors"
	"os"

	"plaza/server/app"
)

// importProject moves a project of another database here.
func importProject(ctx context.Context, args []string) error {
	set := flags("import --from URL", "Moves a project: schema, roles, rows, users with their passwords, and objects. Run again, it goes on where it ended.\n"+
		"At the end rows are compared by number and checksum. Exits with 1 if something differs. The source is only read.\n"+
		"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are the S3 access keys of the source, from its storage settings.")
	folder := set.String("project", ".", "the project folder, which was never served with this data folder")
	var o app.ImportOptions
	set.StringVar(&o.From, "from", "", "the database of the source, a direct connection or one of a session pooler; its password may be in PGPASSWORD")
	set.StringVar(&o.SchemaFile, "schema-file", "", "its schema, as supabase db dump or pg_dump writes it, instead of the one that is read from the database")
	set.StringVar(&o.Objects.Endpoint, "s3-endpoint", "", "its S3 endpoint, such as https://<project>.supabase.co/storage/v1/s3; without it only the rows of objects are moved")
	set.StringVar(&o.Objects.Region, "s3-region", "us-east-1", "the region of its S3 endpoint, from its storage settings")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	o.Objects.AccessKey, o.Objects.SecretKey = os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	switch {
	case o.From == "":
		return errors.New("import needs --from with the URL of a database")
	case o.Objects.Endpoint != "" && (o.Objects.AccessKey == "" || o.Objects.SecretKey == ""):
		return errors.New("--s3-endpoint needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
	}
	return withDatabase(ctx, *folder, func(d app.Database) error { return d.Import(ctx, os.Stdout, o) })
}

// exportProject writes a project to a folder.
func exportProject(ctx context.Context, args []string) error {
	set := flags("export DIR", "Writes the project to a new folder: roles.sql, schema.sql and data.sql, in the form of supabase db dump, and the objects.\n"+
		"The server may be running. The folder holds all data in clear. Exits with 1 if an object could not be written.")
	folder := set.String("project", ".", "the project folder")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	if set.NArg() != 1 {
		return errors.New("export needs one folder")
	}
	return withDatabase(ctx, *folder, func(d app.Database) error { return d.Export(ctx, os.Stdout, set.Arg(0)) })
}
