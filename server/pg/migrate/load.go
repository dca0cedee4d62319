package migrate

import (
	"context"
	"errors"
	"path"

	"github.com/jackc/pgx/v5"
)

// Script is SQL that was made for Supabase's database, such as the dump of a schema.
type Script struct{ Name, Text string }

// Load runs scripts in one transaction, with stand-ins for extensions that PostgreSQL lacks. It also records the
// seed files of project as run, since the scripts' database has its own data. record runs in the same transaction.
//
// Errors: *FileError for a script that fails.
func Load(ctx context.Context, url string, project Source, scripts []Script, record func(pgx.Tx) error, progress func(string)) (Report, error) {
	return locked(ctx, url, progress, func(r *runner) (err error) {
		seeds, err := project.seedFiles()
		if err != nil {
			return err
		}
		s, err := r.open(ctx, project)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.db.Close()) }()
		return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
			if err := asSuperuser(ctx, s.conn, func() error { return lockRoles(ctx, tx) }); err != nil {
				return err
			}
			for _, script := range scripts {
				f, err := r.withStandIns(ctx, s.conn, project, file{path: script.Name, text: script.Text})
				if err == nil {
					err = runFile(ctx, s.conn, f)
				}
				if err != nil {
					return err
				}
				if _, err := tx.Exec(ctx, resetSession+"; "+s.resetRole()); err != nil {
					return err
				}
				r.report.Applied = append(r.report.Applied, Applied{Source: project.Name, Path: script.Name})
			}
			for _, f := range seeds {
				if _, err := tx.Exec(ctx, recordSeedFile, path.Join(supabaseDir, f.path), f.checksum); err != nil {
					return err
				}
			}
			return asSuperuser(ctx, s.conn, func() error { return record(tx) })
		})
	})
}

// lockRoles makes changes of roles in other databases of the server wait for the end of the transaction: all databases
// share the roles, and PostgreSQL fails a concurrent change (XX000, tuple concurrently updated). It does nothing if the
// user is no superuser.
func lockRoles(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `do $$ begin
		lock table pg_catalog.pg_db_role_setting, pg_catalog.pg_auth_members in share row exclusive mode;
	exception when insufficient_privilege then null; end $$`)
	return err
}
