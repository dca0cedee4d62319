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

// ServeAuth serves the auth server alone, at /, in the place of a gotrue
// container, until ctx ends or it cannot go on.
func ServeAuth(ctx context.Context, environ []string) error {
	cfg, err := config.LoadAuthAlone(environ)
	if err != nil {
		return fmt.Errorf("cannot start:\n%w", err)
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.Level()}))
	if len(cfg.Ignored) > 0 {
		log.WarnContext(ctx, "variables are not known here and ignored", "variables", strings.Join(cfg.Ignored, " "))
	}
	tracer, err := ops.NewTracer(ctx, cfg.Tracing, log)
	if err != nil {
		return err
	}
	log = tracer.Log(log)
	service, err := listenAlone("auth", net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port)), cfg.Admin, "GOTRUE_API_PORT", tracer)
	if err != nil {
		return err
	}
	service.netHTTP = cfg.NetHTTP
	if err := service.open(ctx, migrate.AuthAlone(sql.FS), pg.Config{
		ServiceURL: cfg.DatabaseURL.Reveal(), MaxCallers: 1, MaxService: cfg.MaxPool, Log: log,
	}); err != nil {
		return errors.Join(err, service.close())
	}
	defer service.db.Close()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	handler, err := authAlone(background, cfg, service, log, &running)
	if err != nil {
		return errors.Join(err, service.close())
	}
	return serveAlone(ctx, service, handler, log)
}

func authAlone(ctx context.Context, cfg config.AuthAlone, service alone, log *slog.Logger, running *sync.WaitGroup) (http.Handler, error) {
	secret := []byte(cfg.JWTSecret.Reveal())
	post, err := newPost(cfg.Auth)
	if err != nil {
		return nil, err
	}
	accounts, err := auth.New(cfg.Auth, auth.Deps{
		DB: service.db, Auth: &claims.Authenticator{Verifier: claims.NewVerifier(secret, time.Now)}, Mail: post.mail, SMS: post.texts, Secret: secret,
		SiteURL: cfg.SiteURL, ExternalURL: cfg.ExternalURL(), TrustedProxies: cfg.TrustedProxies, Version: ops.Version, Log: log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	if err := accounts.LoadKeys(ctx); err != nil {
		return nil, err
	}
	if err := accounts.LoadEnded(ctx); err != nil {
		return nil, err
	}
	accounts.LoadTemplates(ctx)
	for _, keep := range []func(context.Context){accounts.SendMails, accounts.KeepKeys, accounts.KeepTemplates, accounts.Clean, accounts.FollowEnded} {
		running.Go(func() { keep(ctx) })
	}
	if cfg.Auth.SMTP.Host == "" {
		log.WarnContext(ctx, "GOTRUE_SMTP_HOST is not set: mails go nowhere")
	}
	service.meters.add(authNumbers(accounts))
	routes := service.meters.requests.Of("auth", accounts.Routes(""))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Keys are checked by the gateway before, if there is one.
		r.Header.Del("Apikey")
		routes.ServeHTTP(w, r)
	}), nil
}
