package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

	"plaza/server/auth/redirect"
	"plaza/server/auth/settings"
	"plaza/server/ops"
	"plaza/server/secret"
)

// AuthAlone holds the settings of `plaza auth`, with GoTrue's names.
type AuthAlone struct {
	DatabaseURL    secret.Text `env:"GOTRUE_DB_DATABASE_URL"` // or DATABASE_URL
	MaxPool        int32       `env:"GOTRUE_DB_MAX_POOL_SIZE" envDefault:"10"`
	Host           string      `env:"GOTRUE_API_HOST"`                     // empty means all addresses
	Port           int         `env:"GOTRUE_API_PORT" envDefault:"8081"`   // or PORT
	PublicURL      string      `env:"GOTRUE_API_EXTERNAL_URL"`             // or API_EXTERNAL_URL
	VerifyPath     string      `env:"GOTRUE_MAILER_URLPATHS_CONFIRMATION"` // path of mailed links, if a gateway serves this API under another path
	SiteURL        string      `env:"GOTRUE_SITE_URL"`                     // or SITE_URL
	JWTSecret      secret.Text `env:"GOTRUE_JWT_SECRET"`
	LogLevel       string      `env:"GOTRUE_LOG_LEVEL" envDefault:"info"`
	TrustedProxies Networks    `env:"PLAZA_TRUSTED_PROXIES"`
	Admin          string      `env:"PLAZA_ADMIN_ADDR"` // address of the admin server; empty disables it
	NetHTTP        bool        `env:"PLAZA_NET_HTTP"`   // as Config.NetHTTP
	Tracing        ops.Tracing `envPrefix:"OTEL_"`

	Auth settings.Config `envPrefix:"GOTRUE_"`

	Ignored []string `env:"-"` // unsupported variables of GoTrue
}

// authAliases maps variables to the names that are used if they are not set.
var authAliases = map[string]string{
	"GOTRUE_DB_DATABASE_URL": "DATABASE_URL", "GOTRUE_API_PORT": "PORT", "GOTRUE_API_EXTERNAL_URL": "API_EXTERNAL_URL", "GOTRUE_SITE_URL": "SITE_URL",
}

// impliedByAlone lists GoTrue settings that have no effect here. They are not reported
// as ignored.
var impliedByAlone = []string{
	"GOTRUE_DB_DRIVER", "GOTRUE_JWT_VALIDMETHODS", "GOTRUE_JWT_VALID_METHODS", "GOTRUE_MAILER_TEMPLATE_RELOADING_ENABLED",
	"GOTRUE_MAILER_URLPATHS_INVITE", "GOTRUE_MAILER_URLPATHS_RECOVERY", "GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE",
}

// upstreamValues reads the environment as upstream's servers do: aliases are used for
// variables that are not set, and an empty value counts as not set.
func upstreamValues(environ []string, aliases map[string]string) map[string]string {
	values := env.ToMap(environ)
	for name, alias := range aliases {
		if values[name] == "" {
			values[name] = values[alias]
		}
	}
	maps.DeleteFunc(values, func(_, value string) bool { return value == "" })
	return values
}

// LoadAuthAlone reads and checks the environment, given as "NAME=value" entries. Its
// error lists all invalid variables.
func LoadAuthAlone(environ []string) (AuthAlone, error) {
	values := upstreamValues(environ, authAliases)
	cfg, err := parse[AuthAlone](values)
	if err != nil {
		return AuthAlone{}, err
	}
	known := slices.Concat(variables(reflect.TypeFor[AuthAlone](), ""), impliedByAlone)
	for name := range values {
		if strings.HasPrefix(name, "GOTRUE_") && !slices.Contains(known, name) {
			cfg.Ignored = append(cfg.Ignored, name)
		}
	}
	slices.Sort(cfg.Ignored)
	cfg.Auth.SMS = cfg.Auth.SMS.Configured()
	cfg.PublicURL = strings.TrimSuffix(cfg.PublicURL, "/")
	cfg.Auth.JWT.Issuer = cmp.Or(cfg.Auth.JWT.Issuer, cfg.PublicURL)
	return cfg, cfg.check()
}

func (c AuthAlone) check() error {
	var wrong []error
	for name, given := range map[string]string{"GOTRUE_DB_DATABASE_URL (or DATABASE_URL)": c.DatabaseURL.Reveal(), "GOTRUE_JWT_SECRET": c.JWTSecret.Reveal()} {
		if given == "" {
			wrong = append(wrong, fmt.Errorf("%s is not set", name))
		}
	}
	if _, err := redirect.New(c.SiteURL, nil); err != nil {
		wrong = append(wrong, fmt.Errorf("GOTRUE_SITE_URL is %q: use an address such as https://example.com, or with the scheme of an app", c.SiteURL))
	}
	if address, err := url.Parse(c.PublicURL); err != nil || address.Host == "" {
		wrong = append(wrong, fmt.Errorf("API_EXTERNAL_URL is %q: use an address such as https://example.com", c.PublicURL))
	}
	if c.Port < 1 || c.Port > 65535 {
		wrong = append(wrong, fmt.Errorf("GOTRUE_API_PORT is %d: use 1 to 65535", c.Port))
	}
	if _, ok := authLevels[strings.ToLower(c.LogLevel)]; !ok {
		wrong = append(wrong, fmt.Errorf("GOTRUE_LOG_LEVEL is %q: use trace, debug, info, warn, error, fatal or panic", c.LogLevel))
	}
	return errors.Join(append(wrong, c.Auth.Check(), c.Tracing.Check())...)
}

// authLevels maps GoTrue's log levels.
var authLevels = map[string]slog.Level{
	"trace": slog.LevelDebug, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "warning": slog.LevelWarn,
	"error": slog.LevelError, "fatal": LevelCrit, "panic": LevelCrit,
}

// Level returns the log level.
func (c AuthAlone) Level() slog.Level { return authLevels[strings.ToLower(c.LogLevel)] }

// ExternalURL returns the URL of this API for mailed links and providers:
// API_EXTERNAL_URL, or the URL that results from the path of mailed links.
func (c AuthAlone) ExternalURL() string {
	base, found := strings.CutSuffix(c.VerifyPath, "/verify")
	if !found {
		return c.PublicURL
	}
	public, err := url.Parse(c.PublicURL + "/")
	if err != nil {
		return c.PublicURL
	}
	at, err := public.Parse(base)
	if err != nil || base == "" {
		return c.PublicURL
	}
	return strings.TrimSuffix(at.String(), "/")
}
