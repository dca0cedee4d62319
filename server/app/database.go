package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/backup"
	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/doctor"
	"plaza/server/ops"
	"plaza/server/peers"
	"plaza/server/pg/embedded"
	"plaza/server/pg/fetch"
	"plaza/server/pg/migrate"
	"plaza/server/pg/replica"
	"plaza/server/project"
	"plaza/server/transfer"
	"plaza/sql"
)

// postgresFolder is the folder of the embedded PostgreSQL in the data folder.
const postgresFolder = "postgres"

// database is the PostgreSQL server in use: an embedded one or that of DATABASE_URL.
type database struct {
	url      string
	admin    string           // of the superuser; with DATABASE_URL the same as url
	embedded *embedded.Server // nil with DATABASE_URL
	release  func()           // stops maintaining the ballast file
	peer     *peers.Peer      // nil without DATABASE_URL: no other server uses the database
}

// now returns the time for all that several servers must agree on, such as the expiry of tokens. It is the
// database's time if other servers may use the database.
func (d *database) now() time.Time {
	if d.peer != nil {
		return d.peer.Now()
	}
	return time.Now()
}

// openDatabase starts the embedded PostgreSQL, or checks the server of DATABASE_URL.
// The secrets are valid even if PostgreSQL could not be started.
func openDatabase(ctx context.Context, cfg config.Config, log *slog.Logger, progress func(string)) (*database, Secrets, error) {
	if backup.Unfinished(cfg.DataDir) {
		return nil, Secrets{}, fmt.Errorf("a restore to %s is running or was interrupted: run it again, or choose another data folder", cfg.DataDir)
	}
	if err := makeDataDir(cfg); err != nil {
		return nil, Secrets{}, err
	}
	secrets, err := LoadSecrets(cfg, time.Now())
	if err != nil {
		return nil, Secrets{}, err
	}
	if given := cfg.DatabaseURL.Reveal(); given != "" {
		if len(cfg.PostgresSettings) > 0 {
			log.WarnContext(ctx, "PLAZA_POSTGRES_SETTINGS, or db.settings of config.toml, has no effect: DATABASE_URL names a server that Plaza does not configure")
		}
		peer := peers.New(ops.Version, []string{secrets.JWTSecret, secrets.sealSecret()}, log, time.Now)
		return &database{url: given, admin: given, peer: peer}, secrets, checkServer(ctx, given)
	}
	dir, err := filepath.Abs(filepath.Join(cfg.DataDir, postgresFolder))
	if err != nil {
		return nil, Secrets{}, err
	}
	if secrets.AdminPassword == "" && !embedded.HasAdmin(dir) {
		secrets.AdminPassword = claims.NewSecret()
		if err := addSecret(cfg, func(s *Secrets) { s.AdminPassword = secrets.AdminPassword }); err != nil {
			return nil, secrets, err
		}
	}
	if embedded.IsOld(dir) && cfg.Env == config.Production {
		log.WarnContext(ctx, "the role postgres is a superuser in this data folder, which an earlier version created: docs/production.md says how to change that")
	}
	held := ballast(cfg, log)
	if err := held.Keep(ctx); err != nil { // PostgreSQL may need its space to start
		log.WarnContext(ctx, "cannot maintain the ballast file", "error", err)
	}
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir: dir, BinDir: cfg.PostgresBin, Fetch: download(cfg, progress), Port: cfg.PostgresPort, Settings: postgresSettings(cfg),
		Password: secrets.PostgresPassword, AdminPassword: secrets.AdminPassword, FormerPassword: localSecrets.PostgresPassword,
		Extensions: migrate.OfferedExtensions(), Trusted: migrate.TrustedExtensions,
		Restart: true, Log: log, Progress: progress,
	})
	if err != nil {
		return nil, secrets, err
	}
	opened := &database{url: server.LocalURL(), admin: server.LocalAdminURL(), embedded: server, release: keepBallast(ctx, held)}
	if err := provideVaultKey(cfg, &secrets, server); err != nil {
		return nil, secrets, errors.Join(err, opened.close(context.WithoutCancel(ctx)))
	}
	return opened, secrets, nil
}

// makeDataDir creates the data folder. PostgreSQL's own user must be able to enter it.
func makeDataDir(cfg config.Config) error {
	if err := os.MkdirAll(cfg.DataDir, 0o755); err != nil {
		return fmt.Errorf("cannot create the data folder: %w; set PLAZA_DATA_DIR to a folder that you may write to", err)
	}
	return nil
}

// download returns the function that downloads PostgreSQL, or nil if the settings do not allow it.
func download(cfg config.Config, progress func(string)) func(context.Context) (string, error) {
	if !cfg.PostgresDownload {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		return fetch.Postgres(ctx, fetch.Config{Folder: fetch.DefaultFolder(cfg.DataDir), Progress: progress})
	}
}

// checkServer connects to a server once and checks its version and its clock.
func checkServer(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("cannot reach the database that DATABASE_URL names: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var version int
	if err := conn.QueryRow(ctx, "select current_setting('server_version_num')::int").Scan(&version); err != nil {
		return fmt.Errorf("read the version of PostgreSQL: %w", err)
	}
	if err := embedded.CheckVersion(version); err != nil {
		return err
	}
	return peers.CheckClock(ctx, conn, time.Now)
}

// prepare migrates the schema and sets the password of the data API's role. A new
// database in development gets the project's sample data.
func (d *database) prepare(ctx context.Context, cfg config.Config, served project.Project, secrets Secrets, log *slog.Logger, progress func(string)) error {
	sources := migrate.Stack(migrate.Platform(sql.FS), served.Source)
	if cfg.ServeNewer {
		sources = migrate.ServeNewer(sources)
	}
	report, err := migrate.Up(ctx, d.admin, sources, progress)
	if err != nil {
		return err
	}
	warn := func(warnings []string) {
		for _, warning := range warnings {
			log.WarnContext(ctx, warning)
		}
	}
	warn(report.Warnings)
	if d.peer != nil { // before the password of the role authenticator is set, which affects other servers
		if err := connected(ctx, d.admin, func(conn *pgx.Conn) error { return d.peer.Register(ctx, conn, progress) }); err != nil {
			return err
		}
	}
	if err := connected(ctx, d.admin, func(conn *pgx.Conn) error { return migrate.EncryptVault(ctx, conn) }); err != nil {
		return err
	}
	if err := d.checkReplicas(ctx, cfg.Replicas); err != nil {
		return err
	}
	if err := d.checkImport(ctx, log); err != nil {
		return err
	}
	if err := d.checkEnvironment(ctx, cfg, served); err != nil {
		return err
	}
	if cfg.Env == config.Development {
		seeded, err := migrate.Seed(ctx, d.admin, served.Source, migrate.Demo, 0, progress)
		if err != nil {
			return err
		}
		warn(seeded.Warnings)
	}
	return d.setAuthenticator(ctx, secrets)
}

// replicaTimeout is how long checkReplicas waits for a server.
const replicaTimeout = 2 * time.Second

// checkReplicas returns an error if a replica belongs to another cluster. One that does not answer now is checked by
// package pg when it does.
func (d *database) checkReplicas(ctx context.Context, replicas config.Replicas) error {
	ask := func(address string) (host, system string, err error) {
		within, cancel := context.WithTimeout(ctx, replicaTimeout)
		defer cancel()
		err = connected(within, address, func(conn *pgx.Conn) error {
			host = conn.Config().Host
			return conn.QueryRow(within, "select "+replica.SystemSQL).Scan(&system)
		})
		return host, system, err
	}
	if len(replicas.URLs) == 0 {
		return nil
	}
	_, own, err := ask(d.admin)
	if err != nil {
		return err
	}
	for _, address := range replicas.Addresses() {
		if host, system, err := ask(address); err == nil && system != own {
			return fmt.Errorf("DATABASE_REPLICA_URLS names %s, which belongs to another cluster than the primary: its rows are not those of DATABASE_URL", host)
		}
	}
	return nil
}

// checkImport logs a warning if an import has not moved everything.
func (d *database) checkImport(ctx context.Context, log *slog.Logger) error {
	return connected(ctx, d.admin, func(conn *pgx.Conn) error {
		source, err := transfer.Unfinished(ctx, conn)
		if err == nil && source != "" {
			log.WarnContext(ctx, "an import is not finished: running plaza import again replaces what is written here meanwhile", "source", source)
		}
		return err
	})
}

// checkEnvironment returns an error if the database is not safe for production, and
// records in the database whether it is used in production.
func (d *database) checkEnvironment(ctx context.Context, cfg config.Config, served project.Project) error {
	conn, err := pgx.Connect(ctx, d.admin)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	production := cfg.Env == config.Production
	if production {
		if err := checkSafe(ctx, conn, cfg, served); err != nil {
			return err
		}
	}
	return markProduction(ctx, conn, production)
}

// checkSafe returns an error that lists what is unsafe in production about the project
// and its database.
func checkSafe(ctx context.Context, conn *pgx.Conn, cfg config.Config, served project.Project) error {
	secrets, err := doctor.SecretsInClear(ctx, conn)
	if err == nil && secrets != "" {
		err = fmt.Errorf("vault.secrets keeps %s in clear, since the PostgreSQL of DATABASE_URL has neither the extension supabase_vault nor a key: production needs one of them, or no secrets there; see docs/extensions.md", secrets)
	}
	return errors.Join(err, checkNoSample(ctx, conn, served), errors.Join(served.CheckProduction(cfg.Operator)...))
}

// setAuthenticator sets the password of the data API's role.
func (d *database) setAuthenticator(ctx context.Context, secrets Secrets) error {
	conn, err := pgx.Connect(ctx, d.admin)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	// Utility statements do not take parameters. The password is hexadecimal, so it
	// needs no escaping.
	if _, err := conn.Exec(ctx, "alter role authenticator with password '"+secrets.authenticatorPassword()+"'"); err != nil {
		return fmt.Errorf("set the password of the role authenticator: %w", err)
	}
	return nil
}

// CallerURL returns the connection URL for client requests, which use the role authenticator.
func CallerURL(given string, secrets Secrets) string {
	address, err := url.Parse(given)
	if err != nil {
		return given
	}
	address.User = url.UserPassword("authenticator", secrets.authenticatorPassword())
	return address.String()
}

func (d *database) close(ctx context.Context) error {
	if d.embedded == nil {
		return nil
	}
	d.release()
	if err := d.embedded.Stop(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	return nil
}

// replicaURLs returns the connection URLs of the replicas, with the same role.
func replicaURLs(given config.Replicas, secrets Secrets) []string {
	addresses := given.Addresses()
	for i, address := range addresses {
		addresses[i] = CallerURL(address, secrets)
	}
	return addresses
}
