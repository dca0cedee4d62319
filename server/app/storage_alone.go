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
	db, err := openStorage(ctx, cfg, log)
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
	server := newHTTPServer(objects.Routes(""), log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.InfoContext(ctx, "storage listens", "address", listener.Addr().String(), "version", ops.Version)
	select {
	case err = <-failed:
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		err = server.Shutdown(grace)
	}
	stop()
	running.Wait()
	return errors.Join(err, objects.Close())
}

// openStorage brings the storage service's schema up to date and connects.
func openStorage(ctx context.Context, cfg config.StorageAlone, log *slog.Logger) (*pg.DB, error) {
	address := cfg.DatabaseURL.Reveal()
	if err := checkServer(ctx, address); err != nil {
		return nil, err
	}
	report, err := migrate.Up(ctx, address, []migrate.Source{migrate.StorageAlone(sql.FS)}, nil)
	if err != nil {
		return nil, err
	}
	for _, warning := range report.Warnings {
		log.WarnContext(ctx, warning)
	}
	return pg.Open(ctx, pg.Config{
		CallerURL: address, ServiceURL: address, MaxCallers: cfg.MaxPool, MaxService: schemaPool, AcquireTimeout: 10 * time.Second, Name: "plaza storage", Log: log,
	})
}
