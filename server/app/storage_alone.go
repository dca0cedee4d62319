package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/storage"
)

// ServeStorage serves the storage service alone, at /, in the place of a storage-api
// container, until ctx ends or it cannot go on.
func ServeStorage(ctx context.Context, environ []string) error {
	cfg, err := config.LoadStorageAlone(environ)
	if err != nil {
		return fmt.Errorf("cannot start:\n%w", err)
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.Level()}))
	listener, err := net.Listen("tcp", net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port)))
	if err != nil {
		return fmt.Errorf("cannot listen: %w; stop what uses the port or set SERVER_PORT", err)
	}
	db, err := openAlone(ctx, migrate.StorageAlone(sql.FS), pg.Config{
		ServiceURL: cfg.DatabaseURL.Reveal(), MaxCallers: cfg.MaxPool, MaxService: schemaPool, Name: "plaza storage", Log: log,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer db.Close()
	secret := []byte(cfg.JWTSecret.Reveal())
	objects, err := storage.New(ctx, cfg.Storage, storage.Deps{
		DB: db, Auth: &claims.Authenticator{Verifier: claims.NewVerifier(secret, time.Now)}, Secret: secret, Version: ops.Version, Alone: true, Log: log, Now: time.Now,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { objects.Run(background) })
	err = serveAlone(ctx, "storage", listener, objects.Routes(""), log)
	stop()
	running.Wait()
	return errors.Join(err, objects.Close())
}
