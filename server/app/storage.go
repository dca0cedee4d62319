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

// storagePrefix is the path prefix of the storage API.
const storagePrefix = "/storage/v1"

// objects creates the storage service and starts its background work.
func (a *App) objects(ctx context.Context, keys *claims.Authenticator, log *slog.Logger) (http.Handler, error) {
	server, err := storage.New(ctx, a.cfg.Storage, storage.Deps{
		DB: a.db, Auth: keys, Secret: []byte(a.secrets.JWTSecret), DataDir: a.cfg.DataDir, PublicURL: a.cfg.PublicURL, Version: ops.Version, Log: log, Now: time.Now,
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
