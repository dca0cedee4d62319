package app

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/edge"
	"plaza/server/extensions"
	"plaza/server/ops"
	"plaza/server/pgnet/send"
	"plaza/server/realtime"
	"plaza/server/walarchive"
	"plaza/storage"
	"plaza/storage/blob"
	"plaza/storage/s3"
)

// storagePrefix is the path prefix of the storage API.
const storagePrefix = "/storage/v1"

// objects creates the storage service and starts its background work.
func (a *App) objects(ctx context.Context, keys *claims.Authenticator, log *slog.Logger) (http.Handler, error) {
	server, err := storage.New(ctx, a.cfg.Storage, storage.Deps{
		DB: a.db, Auth: keys, Secret: []byte(a.secrets.JWTSecret), DataDir: a.cfg.DataDir, PublicURL: a.cfg.PublicURL, Version: ops.Version, Log: log, Now: a.database.now,
		Traced: a.meters.tracer != nil, Observe: a.meters.requests.Instrument,
	})
	if err != nil {
		return nil, err
	}
	a.storage = server
	a.meters.add(storageMetrics(server))
	if err := server.Prepare(ctx); err != nil {
		return nil, err
	}
	a.running.Go(func() { server.Run(ctx) })
	a.jobs.Add(server.Jobs()...)
	return server.Routes(storagePrefix), nil
}

// S3Keys returns the access key and the secret key of the S3 protocol.
func S3Keys(cfg config.Config, secrets Secrets) (access, key string) {
	if own := cfg.Storage.Protocol; own.AccessKey != "" {
		return own.AccessKey, own.SecretKey.Reveal()
	}
	access, secretKey := s3.Keys([]byte(secrets.JWTSecret))
	return access, secretKey.Reveal()
}

// realtimePrefix is the path prefix of the realtime API.
const realtimePrefix = "/realtime/v1"

// realtimeServer creates the realtime server and starts its background work.
func (a *App) realtimeServer(ctx context.Context, keys *claims.Authenticator, log *slog.Logger) (http.Handler, error) {
	server, err := realtime.New(a.cfg.Realtime, realtime.Deps{DB: a.db, Auth: keys, Log: log, Now: a.database.now, Secret: []byte(a.secrets.JWTSecret)})
	if err != nil {
		return nil, err
	}
	a.realtime = server
	a.meters.add(realtimeMetrics(a.realtime))
	a.running.Go(func() { a.realtime.Run(ctx) })
	a.jobs.Add(server.Jobs()...)
	return a.realtime.Routes(realtimePrefix), nil
}

// functionsPrefix is the path prefix of functions.
const functionsPrefix = "/functions/v1"

// edgeFunctions creates the runtime of the functions in the project's folder.
func (a *App) edgeFunctions(keys *claims.Authenticator, log *slog.Logger) (*edge.Runtime, error) {
	running, err := edge.New(a.cfg.Functions, a.project.Functions, edge.Deps{
		Env: func() map[string]string { return a.functionsEnvironment(keys) }, DataDir: a.cfg.DataDir, Prefix: functionsPrefix,
		TrustedProxies: a.cfg.TrustedProxies, Development: a.cfg.Env == config.Development, Log: log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	a.stopFunctions = running.Close
	if err := running.CheckDeno(); err != nil {
		log.Warn("the functions of the project cannot run: install deno, or npm's package deno beside the project, or set FUNCTIONS_DENO or FUNCTIONS_UPSTREAM", "error", err)
	}
	return running, nil
}

// functionsEnvironment returns the environment variables that Supabase provides to edge functions.
func (a *App) functionsEnvironment(keys *claims.Authenticator) map[string]string {
	encoded := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			return "{}" // unreachable: strings and public keys can always be encoded
		}
		return string(text)
	}
	database := a.database.url
	if a.database.embedded != nil {
		database = a.database.embedded.URL() // by TCP, which every client supports
	}
	return map[string]string{
		"SUPABASE_URL": a.cfg.PublicURL, "SUPABASE_DB_URL": database,
		"SUPABASE_ANON_KEY": a.secrets.Keys.Anon, "SUPABASE_SERVICE_ROLE_KEY": a.secrets.Keys.Service,
		"SUPABASE_PUBLISHABLE_KEYS": encoded(map[string]string{"default": a.secrets.Keys.Publishable}),
		"SUPABASE_SECRET_KEYS":      encoded(map[string]string{"default": a.secrets.Keys.Secret}),
		"SUPABASE_JWKS":             encoded(keys.Verifier.Ring().JWKS()),
	}
}

// standIns starts the stand-ins for PostgreSQL extensions, if the project is a Supabase project.
func (a *App) standIns(ctx context.Context, log *slog.Logger) error {
	if !a.project.Source.IsSupabase() {
		return nil
	}
	options := send.Options{Development: a.cfg.Env == config.Development}
	if options.Development {
		// The names by which a database in a container of the Supabase CLI reaches its API.
		own := a.listener.Addr().String()
		options.Hosts = map[string]string{"host.docker.internal": "127.0.0.1", "kong:8000": own, "supabase_kong_" + a.project.Name + ":8000": own}
	}
	running, err := extensions.New(ctx, a.cfg.Extensions, extensions.Deps{DB: a.db, Send: options, Log: log, Now: a.database.now})
	if err != nil {
		return err
	}
	a.running.Go(func() { running.Run(ctx) })
	a.jobs.Add(running.Jobs()...)
	return nil
}

// archivedWAL is max_slot_wal_keep_size with an archive: how much WAL PostgreSQL keeps while the
// archive cannot be reached.
const archivedWAL = "4GB"

// postgresSettings returns the settings of the embedded PostgreSQL.
func postgresSettings(cfg config.Config) map[string]string {
	settings := maps.Clone(cfg.PostgresSettings)
	if cfg.Archive.Place == "" || settings["max_slot_wal_keep_size"] != "" {
		return settings
	}
	if settings == nil {
		settings = make(map[string]string)
	}
	settings["max_slot_wal_keep_size"] = archivedWAL
	return settings
}

// archive starts archiving the WAL of the embedded PostgreSQL. If no archive is configured, it drops the
// replication slots of a former one, so that PostgreSQL keeps no WAL for it.
func (a *App) archive(ctx context.Context, log *slog.Logger) error {
	if a.database.embedded == nil {
		return nil
	}
	if a.cfg.Archive.Place == "" {
		return connected(ctx, a.database.admin, func(conn *pgx.Conn) error {
			dropped, err := walarchive.DropSlots(ctx, conn)
			if dropped > 0 {
				log.WarnContext(ctx, "the database is no longer archived, as PLAZA_ARCHIVE is not set: if it is set again, a new backup is needed")
			}
			return err
		})
	}
	archiver, err := walarchive.NewArchiver(walarchive.Config{
		Open: func(ctx context.Context) (blob.Store, io.Closer, error) {
			return storage.OpenArchive(ctx, a.cfg.Storage, a.cfg.Archive.Place)
		},
		DatabaseURL: a.database.admin, Interval: a.cfg.Archive.Interval, Keep: a.cfg.Archive.Keep, Log: log, Now: time.Now,
	})
	if err != nil {
		return err
	}
	a.meters.add(archiveMetrics(archiver))
	a.running.Go(func() { archiver.Run(ctx) })
	return nil
}
