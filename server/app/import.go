package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/importer"
)

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
