package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/ops"
	"plaza/storage"
	"plaza/storage/s3"
)

// storagePrefix is where the storage API is served.
const storagePrefix = "/storage/v1"

// objects makes the storage service and what runs beside it.
func (a *App) objects(ctx context.Context, keys *claims.Authenticator, log *slog.Logger) (http.Handler, error) {
	server, err := storage.New(ctx, a.cfg.Storage, storage.Deps{
		DB: a.db, Auth: keys, Secret: []byte(a.secrets.JWTSecret), DataDir: a.cfg.DataDir, PublicURL: a.cfg.PublicURL, Version: ops.Version, Log: log, Now: time.Now,
		Traced: a.meters.tracer != nil, Observe: a.meters.requests.Of,
	})
	if err != nil {
		return nil, err
	}
	a.storage = server
	a.meters.add(objectNumbers(server))
	if err := server.Prepare(ctx); err != nil {
		return nil, err
	}
	a.running.Go(func() { server.Run(ctx) })
	return server.Routes(storagePrefix), nil
}

// S3Keys gives the access key and the secret key of the S3 protocol.
func S3Keys(cfg config.Config, secrets Secrets) (access, key string) {
	if own := cfg.Storage.Protocol; own.AccessKey != "" {
		return own.AccessKey, own.SecretKey.Reveal()
	}
	access, made := s3.Keys([]byte(secrets.JWTSecret))
	return access, made.Reveal()
}
