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

// ServeStorage serves only the storage service, at /, in place of a storage-api
// container, until ctx ends or the server fails.
func ServeStorage(ctx context.Context, environ []string) error {
	cfg, err := config.LoadStorageAlone(environ)
	if err != nil {
		return fmt.Errorf("cannot start:\n%w", err)
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.Level()}))
	tracer, err := ops.NewTracer(ctx, cfg.Tracing, log)
	if err != nil {
		return err
	}
	log = tracer.Log(log)
	s, err := listenService("storage", net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port)), cfg.Admin, "SERVER_PORT", tracer)
	if err != nil {
		return err
	}
	s.netHTTP = cfg.NetHTTP
	if err := s.open(ctx, migrate.StorageAlone(sql.FS), pg.Config{
		ServiceURL: cfg.DatabaseURL.Reveal(), MaxCallers: cfg.MaxPool, MaxService: schemaPool, Log: log,
	}); err != nil {
		return errors.Join(err, s.close())
	}
	defer s.db.Close()
	secret := []byte(cfg.JWTSecret.Reveal())
	verifier := claims.NewVerifier(secret, time.Now)
	verifier.AddKeySet(cfg.Keys)
	objects, err := storage.New(ctx, cfg.Storage, storage.Deps{
		DB: s.db, Auth: &claims.Authenticator{Verifier: verifier}, Secret: secret, Version: ops.Version, Alone: true, Log: log, Now: time.Now,
		Traced: tracer != nil, Observe: s.meters.requests.Instrument,
	})
	if err != nil {
		return errors.Join(err, s.close())
	}
	s.meters.add(storageMetrics(objects), tokenMetrics(verifier.CacheStats))
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { objects.Run(background) })
	work := s.runJobs(log, objects.Jobs())
	running.Go(func() { work(background) })
	err = s.serve(ctx, objects.Routes(""), log)
	stop()
	running.Wait()
	return errors.Join(err, objects.Close())
}
