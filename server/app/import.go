package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/importer"
	"plaza/server/pg/migrate"
	"plaza/server/transfer"
	"plaza/server/transfer/s3"
	"plaza/sql"
	"plaza/storage"
)

// ImportOptions configures an import.
type ImportOptions struct {
	From       string    // the URL of its database
	Objects    s3.Config // its objects; without an endpoint, their content is left out
	SchemaFile string    // its schema; empty: it is read from the database
}

// Import moves a whole project into the database, which must have none yet, and prints what was compared.
//
// Errors: those of transfer.Import.
func (d Database) Import(ctx context.Context, out io.Writer, o ImportOptions) error {
	if !d.project.Source.IsSupabase() {
		return errors.New("a project is imported into a folder of the Supabase CLI's layout: create one with plaza init, and name it with --project")
	}
	var schema transfer.Schema = transfer.Catalogue{}
	if o.SchemaFile != "" {
		schema = transfer.SchemaFile(o.SchemaFile)
	}
	from := transfer.Source{URL: o.From}
	if o.Objects.Endpoint != "" {
		objects, err := s3.New(o.Objects)
		if err != nil {
			return err
		}
		from.Objects = objects
	}
	// The project's migrations have run in the source, and are recorded there.
	if _, err := migrate.Up(ctx, d.admin, migrate.Stack(migrate.Platform(sql.FS), d.project.Source.WithoutMigrations()), d.progress); err != nil {
		return err
	}
	blobs, closer, err := storage.OpenBlobs(ctx, d.cfg.Storage, d.cfg.DataDir)
	if err != nil {
		return err
	}
	if closer != nil {
		defer func() { _ = closer.Close() }()
	}
	report, err := transfer.Import(ctx, from, transfer.Target{URL: d.admin, Project: d.project.Source, Blobs: blobs}, transfer.Options{Schema: schema, Progress: d.progress})
	if err != nil && !errors.Is(err, transfer.ErrDiffers) {
		return fmt.Errorf("%w; run the command again to go on", err)
	}
	return errors.Join(err, report.Print(out))
}

// Export writes the project to a new folder, as package transfer does, and prints what was written.
//
// Errors: those of transfer.Export.
func (d Database) Export(ctx context.Context, out io.Writer, dir string) error {
	blobs, closer, err := storage.OpenBlobs(ctx, d.cfg.Storage, d.cfg.DataDir)
	if err != nil {
		return err
	}
	if closer != nil {
		defer func() { _ = closer.Close() }()
	}
	report, err := transfer.Export(ctx, d.admin, blobs, dir, d.progress)
	if err != nil && !errors.Is(err, transfer.ErrDiffers) {
		return err
	}
	return errors.Join(err, report.Print(out))
}

// ImportUsers imports accounts from a file and prints their number.
func (d Database) ImportUsers(ctx context.Context, out io.Writer, path, hashConfig string, dry bool) error {
	options := importer.Options{Dry: dry, Now: time.Now()}
	if hashConfig != "" {
		text, err := os.ReadFile(hashConfig)
		if err != nil {
			return err
		}
		options.HashConfig = string(text)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if _, err := d.up(ctx); err != nil {
		return err
	}
	return d.connected(ctx, func(conn *pgx.Conn) error {
		report, err := importer.Import(ctx, conn, file, options)
		if err != nil {
			return fmt.Errorf("nothing was imported from %s:\n%w", path, err)
		}
		done := "imported"
		if dry {
			done = "would import"
		}
		_, err = fmt.Fprintf(out, "%s %d users, %d identities, %d sessions, %d refresh tokens\n", done, report.Users, report.Identities, report.Sessions, report.RefreshTokens)
		return err
	})
}
