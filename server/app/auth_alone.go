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
	listener, err := net.Listen("tcp", net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port)))
	if err != nil {
		return fmt.Errorf("cannot listen: %w; stop what uses the port or set GOTRUE_API_PORT", err)
	}
	db, err := openAlone(ctx, migrate.AuthAlone(sql.FS), pg.Config{
		ServiceURL: cfg.DatabaseURL.Reveal(), MaxCallers: 1, MaxService: cfg.MaxPool, Name: "plaza auth", Log: log,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer db.Close()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	handler, err := authAlone(background, cfg, db, log, &running)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return serveAlone(ctx, "auth", listener, handler, log)
}

func authAlone(ctx context.Context, cfg config.AuthAlone, db *pg.DB, log *slog.Logger, running *sync.WaitGroup) (http.Handler, error) {
	secret := []byte(cfg.JWTSecret.Reveal())
	post, err := newPost(cfg.Auth)
	if err != nil {
		return nil, err
	}
	accounts, err := auth.New(cfg.Auth, auth.Deps{
		DB: db, Auth: &claims.Authenticator{Verifier: claims.NewVerifier(secret, time.Now)}, Mail: post.mail, SMS: post.texts, Secret: secret,
		SiteURL: cfg.SiteURL, ExternalURL: cfg.ExternalURL(), TrustedProxies: cfg.TrustedProxies, Version: ops.Version, Log: log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	if err := accounts.LoadKeys(ctx); err != nil {
		return nil, err
	}
	accounts.LoadTemplates(ctx)
	for _, keep := range []func(context.Context){accounts.SendMails, accounts.KeepKeys, accounts.KeepTemplates, accounts.Clean} {
		running.Go(func() { keep(ctx) })
	}
	if cfg.Auth.SMTP.Host == "" {
		log.WarnContext(ctx, "GOTRUE_SMTP_HOST is not set: mails go nowhere")
	}
	routes := accounts.Routes("")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Keys are checked by the gateway before, if there is one.
		r.Header.Del("Apikey")
		routes.ServeHTTP(w, r)
	}), nil
}
