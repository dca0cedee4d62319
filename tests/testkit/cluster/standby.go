package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Standby creates a streaming replica of the cluster and starts it; its lifetime is like that of
// Start's result.
//
// npm's PostgreSQL has no pg_basebackup, so the files are copied between pg_backup_start and
// pg_backup_stop, see "Making a Base Backup Using the Low Level API" in PostgreSQL's manual.
func (c *Cluster) Standby(ctx context.Context) (*Cluster, error) {
	return start(ctx, c.programs, c.settings, func(dir string) (err error) {
		conn, err := pgx.Connect(ctx, c.URL())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, conn.Close(ctx)) }()
		if _, err := conn.Exec(ctx, "select pg_backup_start('standby', true)"); err != nil {
			return err
		}
		if err := copyFiles(c.dir, dir); err != nil {
			return fmt.Errorf("copy the files: %w", err)
		}
		var label string
		if err := conn.QueryRow(ctx, "select labelfile from pg_backup_stop(false)").Scan(&label); err != nil {
			return err
		}
		follows, err := c.connectionInfo()
		if err != nil {
			return err
		}
		for name, text := range map[string]string{
			"backup_label": label, "standby.signal": "",
			"postgresql.auto.conf": "primary_conninfo = '" + follows + "'\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *Cluster) connectionInfo() (string, error) {
	u, err := url.Parse(c.URL())
	if err != nil {
		return "", err
	}
	password, _ := u.User.Password()
	return fmt.Sprintf("host=%s port=%s user=%s password=%s", u.Hostname(), u.Port(), u.User.Username(), password), nil
}

// own lists files and folders whose content must not be copied: those of the running server, and
// the WAL, which the standby fetches.
var own = []string{"postmaster.pid", "postmaster.opts", "pg_wal/", "pg_replslot/", "pg_stat_tmp/", ".s.PGSQL."}

func copyFiles(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile; the WAL contains the removal
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Mkdir(filepath.Join(to, name), 0o700)
		}
		for _, prefix := range own {
			if strings.HasPrefix(filepath.ToSlash(name), prefix) {
				return nil
			}
		}
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), content, 0o600)
	})
}
