package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The roles of a data folder, as in Supabase's images: ownerRole owns the database and is no superuser, so
// that a statement injected into one of its functions cannot reach files or programs of the machine.
const (
	ownerRole = "postgres"
	adminRole = "supabase_admin"
)

// superuserFile is in the data folder, and so in base backups, and names the superuser. Folders of
// earlier versions have none: there ownerRole is the superuser.
const superuserFile = "plaza_superuser"

// recordSuperuser writes superuserFile of a new data folder.
func recordSuperuser(dataDir string, id identity) error {
	path := filepath.Join(dataDir, superuserFile)
	err := os.WriteFile(path, []byte(adminRole+"\n"), 0o600)
	if err == nil {
		err = id.own(path)
	}
	if err != nil {
		return notWritable(path, err)
	}
	return nil
}

// HasAdmin reports whether the superuser of a data folder is supabase_admin. Otherwise it is postgres.
func HasAdmin(dataDir string) bool {
	_, err := os.Stat(filepath.Join(dataDir, superuserFile))
	return err == nil
}

// IsOld reports whether a data folder is of an earlier version, whose superuser is postgres.
func IsOld(dataDir string) bool {
	major, err := dataMajor(dataDir)
	return err == nil && major > 0 && !HasAdmin(dataDir)
}

// asSuperuser returns a connection string with the superuser's name and password.
func (s *Server) asSuperuser(address string) string {
	u, err := url.Parse(address)
	if err != nil || !HasAdmin(s.cfg.DataDir) {
		return address
	}
	u.User = url.UserPassword(adminRole, s.cfg.AdminPassword)
	return u.String()
}

// createOwner creates the role postgres with the attributes that Supabase's has.
const (
	findOwner   = `select from pg_catalog.pg_roles where rolname = '` + ownerRole + `'`
	createOwner = `create role ` + ownerRole + ` login createdb createrole replication bypassrls; alter database postgres owner to ` + ownerRole
)

// prepareRoles makes sure that both connection strings work: the data folder may be new, or have been made
// with other passwords.
func (s *Server) prepareRoles(ctx context.Context) error {
	conn, err := s.connectSuperuser(ctx)
	if err == nil && HasAdmin(s.cfg.DataDir) {
		err = s.prepareOwner(ctx, conn)
	}
	if conn != nil {
		err = errors.Join(err, conn.Close(ctx))
	}
	if isInvalidPassword(err) {
		return fmt.Errorf("%w: restore the keys that belong to %s, or choose another data folder", ErrPassword, s.cfg.DataDir)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStart, err)
	}
	return nil
}

// connectSuperuser connects as the superuser. If that still has the former password, it gets the configured one.
func (s *Server) connectSuperuser(ctx context.Context) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig(s.AdminURL())
	if err != nil {
		return nil, err
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if !isInvalidPassword(err) || s.cfg.FormerPassword == "" {
		return conn, err
	}
	wanted := config.Password
	config.Password = s.cfg.FormerPassword
	if conn, err = pgconn.ConnectConfig(ctx, config); err != nil {
		return nil, err
	}
	return conn, setPassword(ctx, conn, config.User, wanted)
}

// prepareOwner creates the owner of the database, or gives it the configured password if it has another.
func (s *Server) prepareOwner(ctx context.Context, superuser *pgconn.PgConn) error {
	found, err := superuser.Exec(ctx, findOwner).ReadAll()
	if err != nil {
		return err
	}
	if len(found[0].Rows) == 0 {
		if _, err := superuser.Exec(ctx, createOwner).ReadAll(); err != nil {
			return err
		}
		return setPassword(ctx, superuser, ownerRole, s.cfg.Password)
	}
	conn, err := pgconn.Connect(ctx, s.URL())
	if isInvalidPassword(err) && superuser.ParameterStatus("in_hot_standby") != "on" {
		return setPassword(ctx, superuser, ownerRole, s.cfg.Password)
	}
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

func setPassword(ctx context.Context, superuser *pgconn.PgConn, role, password string) error {
	quoted := strings.ReplaceAll(password, "'", "''")
	_, err := superuser.Exec(ctx, "alter role "+role+" password '"+quoted+"'").ReadAll()
	return err
}

// invalidPassword is SQLSTATE invalid_password.
const invalidPassword = "28P01"

func isInvalidPassword(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == invalidPassword
}
