package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/app/restlog"
	"plaza/server/config"
)

// DumpConfig returns the settings, including those in the database if they are enabled
// and the database is reachable.
func DumpConfig(ctx context.Context, from config.Sources) (config.Standalone, error) {
	cfg, err := config.LoadStandalone(from)
	if err != nil || !cfg.Rest.InDatabase {
		return cfg, err
	}
	log := restlog.New(os.Stderr, cfg.Level())
	conn, err := pgx.Connect(ctx, cfg.URI.Reveal())
	if err != nil {
		log.Error("database settings unreadable", "error", err)
		return cfg, nil
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	from.URI = cfg.URI
	return (&standalone{from: from, log: log}).settings(ctx, conn, cfg)
}

// DumpSchema returns the schema snapshot that requests would use.
func DumpSchema(ctx context.Context, from config.Sources) (any, error) {
	cfg, err := config.LoadStandalone(from)
	if err != nil {
		return nil, err
	}
	from.URI = cfg.URI
	s := newStandalone(from, cfg)
	s.log, s.meters = restlog.New(os.Stderr, config.LevelCrit), newMeters(nil)
	api, err := s.tryOpen(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer s.db.Close()
	return api.Snapshot(), nil
}

// CheckReady checks the readiness of a running `plaza rest` at its admin server, and
// returns the address it used.
//
// Error messages are the same as upstream's.
func CheckReady(ctx context.Context, from config.Sources) (address string, err error) {
	cfg, err := config.LoadStandalone(from)
	if err != nil {
		return "", err
	}
	host := cfg.Rest.AdminHost
	switch {
	case cfg.Rest.AdminPort == 0:
		return "", errors.New("Admin server is not running. Please check admin-server-port config.")
	case config.IsWildcard(host):
		return "", fmt.Errorf("The `--ready` flag cannot be used when server-host is configured as %q. Please update your server-host config to \"localhost\".", host)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	address = fmt.Sprintf("http://%s:%d/ready", host, cfg.Rest.AdminPort)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || cfg.Rest.AdminPort < 0 {
		return "", errors.New("invalid url - " + address)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", errors.New("connection refused to " + address)
	}
	_ = response.Body.Close()
	if response.StatusCode >= http.StatusMultipleChoices {
		return "", errors.New(address)
	}
	return address, nil
}
