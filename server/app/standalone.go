package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"plaza/server/config"
	"plaza/server/pg"
	"plaza/server/rest"
)

// schemaPool bounds the connections that read the schema and listen.
const schemaPool = 2

// ServeRest serves the data API alone, at /, until ctx ends: in the place of a
// postgrest binary. It answers 503 until the database is there.
func ServeRest(ctx context.Context, cfg config.Standalone, log *slog.Logger, listening func(address string)) error {
	listener, err := net.Listen("tcp", cfg.Address())
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; stop what uses it or set PGRST_SERVER_PORT", cfg.Address(), err)
	}
	var ready atomic.Pointer[http.Handler]
	starting := rest.Starting()
	ready.Store(&starting)
	server := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(*ready.Load()).ServeHTTP(w, r)
	}), log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	listening(listener.Addr().String())

	background, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		api, db := openRest(background, cfg, log)
		if api == nil {
			return
		}
		defer db.Close()
		routes := api.Routes("")
		ready.Store(&routes)
		api.Watch(background)
	}()
	select {
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		err = server.Shutdown(grace)
	case err = <-failed:
	}
	stop()
	<-ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// reconnectWait is how long to wait between tries to reach the database, at most.
const reconnectWait = 32 * time.Second

// openRest reads the schema, trying until it works or ctx ends.
func openRest(ctx context.Context, cfg config.Standalone, log *slog.Logger) (*rest.Server, *pg.DB) {
	for wait := time.Second; ; wait = min(2*wait, reconnectWait) {
		api, db, err := tryRest(ctx, cfg, log)
		if err == nil {
			return api, db
		}
		if ctx.Err() != nil {
			return nil, nil
		}
		log.ErrorContext(ctx, "the database cannot be used yet", "error", err, "retry_in", wait)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, nil
		}
	}
}

func tryRest(ctx context.Context, cfg config.Standalone, log *slog.Logger) (*rest.Server, *pg.DB, error) {
	secret, err := cfg.Secret()
	if err != nil {
		return nil, nil, err
	}
	identify, err := rest.Tokens(rest.TokenConfig{
		Secret: secret, Audience: cfg.JWTAudience, RoleClaimKey: cfg.JWTRoleClaimKey, AnonRole: cfg.Rest.AnonRole,
	}, time.Now)
	if err != nil {
		return nil, nil, err
	}
	db, err := pg.Open(ctx, pg.Config{
		CallerURL: cfg.URI.Reveal(), ServiceURL: cfg.URI.Reveal(), MaxCallers: cfg.Rest.Pool, MaxService: schemaPool,
		ReplicaURLs: cfg.Replicas.Addresses(), MaxReplicaLag: time.Duration(cfg.Replicas.MaxLag),
		AcquireTimeout: time.Duration(cfg.Rest.AcquireTimeout),
		Settings:       cfg.AppSettings, SearchPath: append([]string{cfg.Rest.Schemas[0]}, cfg.Rest.ExtraSearchPath...), Log: log,
	})
	if err != nil {
		return nil, nil, err
	}
	api, err := rest.New(ctx, cfg.Rest.At("http://"+cfg.Address()+"/"), db, identify, log)
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	return api, db, nil
}
