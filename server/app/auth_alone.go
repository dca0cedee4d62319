package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"plaza/server/auth"
	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/sql"
)

// ServeAuth serves only the auth server, at /, in place of a gotrue container, until
// ctx ends or the server fails.
func ServeAuth(ctx context.Context, environ []string) error {
	cfg, err := config.LoadAuthAlone(environ)
	if err != nil {
		return fmt.Errorf("cannot start:\n%w", err)
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.Level()}))
	if len(cfg.Ignored) > 0 {
		log.WarnContext(ctx, "unknown variables ignored", "variables", strings.Join(cfg.Ignored, " "))
	}
	tracer, err := ops.NewTracer(ctx, cfg.Tracing, log)
	if err != nil {
		return err
	}
	log = tracer.Log(log)
	s, err := listenService("auth", net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port)), cfg.Admin, "GOTRUE_API_PORT", tracer)
	if err != nil {
		return err
	}
	s.netHTTP = cfg.NetHTTP
	if err := s.open(ctx, migrate.AuthAlone(sql.FS), pg.Config{
		ServiceURL: cfg.DatabaseURL.Reveal(), MaxCallers: 1, MaxService: cfg.MaxPool, Log: log,
	}); err != nil {
		return errors.Join(err, s.close())
	}
	defer s.db.Close()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	handler, err := authHandler(background, cfg, s, log, &running)
	if err != nil {
		return errors.Join(err, s.close())
	}
	return s.serve(ctx, handler, log)
}

// authHandler creates the auth server and starts its background work.
func authHandler(ctx context.Context, cfg config.AuthAlone, s service, log *slog.Logger, running *sync.WaitGroup) (http.Handler, error) {
	secret := []byte(cfg.JWTSecret.Reveal())
	out, err := newSenders(cfg.Auth)
	if err != nil {
		return nil, err
	}
	if cfg.Auth.SMS.Provider == "" {
		out.sms = refuseTexts // nobody can read an inbox here
	}
	accounts, err := auth.New(cfg.Auth, auth.Deps{
		DB: s.db, Auth: &claims.Authenticator{Verifier: claims.NewVerifier(secret, time.Now)}, Mail: out.mail, SMS: out.sms, Secret: secret,
		SiteURL: cfg.SiteURL, ExternalURL: cfg.ExternalURL(), TrustedProxies: cfg.TrustedProxies, Version: ops.Version, Log: log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	if err := accounts.LoadKeys(ctx); err != nil {
		return nil, err
	}
	if err := accounts.LoadEndedSessions(ctx); err != nil {
		return nil, err
	}
	accounts.LoadTemplates(ctx)
	for _, work := range []func(context.Context){accounts.ReloadKeys, accounts.ReloadTemplates, accounts.FollowEndedSessions, s.runJobs(log, accounts.Jobs())} {
		running.Go(func() { work(ctx) })
	}
	if cfg.Auth.SMTP.Host == "" {
		log.WarnContext(ctx, "GOTRUE_SMTP_HOST is not set: mails are not sent")
	}
	s.meters.add(authMetrics(accounts))
	routes := s.meters.requests.Instrument("auth", accounts.Routes(""))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// API keys are checked by a gateway, if there is one.
		r.Header.Del("Apikey")
		routes.ServeHTTP(w, r)
	}), nil
}
