package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"

	"plaza/server/rest"
	"plaza/server/secret"
)

// Standalone is what `plaza rest` can be told: PostgREST's settings by their
// names and defaults.
type Standalone struct {
	URI             secret.Text `env:"PGRST_DB_URI" envDefault:"postgresql://"`
	Host            string      `env:"PGRST_SERVER_HOST" envDefault:"!4"`
	Port            int         `env:"PGRST_SERVER_PORT" envDefault:"3000"`
	JWTSecret       secret.Text `env:"PGRST_JWT_SECRET"`
	SecretIsBase64  bool        `env:"PGRST_JWT_SECRET_IS_BASE64"`
	JWTAudience     string      `env:"PGRST_JWT_AUD"`
	JWTRoleClaimKey string      `env:"PGRST_JWT_ROLE_CLAIM_KEY" envDefault:".role"`
	LogLevel        string      `env:"PGRST_LOG_LEVEL" envDefault:"error"`

	Rest     rest.Config `envPrefix:"PGRST_"`
	Replicas Replicas    `envPrefix:"DATABASE_REPLICA_"`

	AppSettings map[string]string `env:"-"` // app.settings.*: for SQL to read
}

// LoadStandalone reads the environment over a configuration file; path may be
// empty. All that is wrong comes back in one error.
func LoadStandalone(environ []string, path string) (Standalone, error) {
	// Where PostgREST's defaults are not those of the whole platform.
	values := map[string]string{"PGRST_DB_EXTRA_SEARCH_PATH": "public"}
	if path != "" {
		text, err := os.ReadFile(path) //nolint:gosec // the operator names it
		if err != nil {
			return Standalone{}, fmt.Errorf("read the configuration: %w", err)
		}
		if err := readSettings(string(text), values); err != nil {
			return Standalone{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	for name, value := range env.ToMap(environ) {
		values[name] = value
	}
	cfg, err := env.ParseAsWithOptions[Standalone](env.Options{Environment: values})
	if err != nil {
		return Standalone{}, readable(err)
	}
	cfg.Rest.AnonRole = values["PGRST_DB_ANON_ROLE"]
	if values["PGRST_DB_EXTRA_SEARCH_PATH"] == "" {
		cfg.Rest.ExtraSearchPath = nil // empty is not unset
	}
	cfg.AppSettings = make(map[string]string)
	for name, value := range values {
		if short, ok := strings.CutPrefix(name, "PGRST_APP_SETTINGS_"); ok {
			cfg.AppSettings["app.settings."+strings.ToLower(short)] = value
		}
	}
	return cfg, cfg.check()
}

func (c Standalone) check() error {
	var wrong []error
	if c.Port < 0 || c.Port > 65535 {
		wrong = append(wrong, fmt.Errorf("PGRST_SERVER_PORT is %d: use 0 to 65535", c.Port))
	}
	if given := c.JWTSecret.Reveal(); given != "" && len(given) < minSecret {
		wrong = append(wrong, fmt.Errorf("PGRST_JWT_SECRET has %d characters: use %d or more", len(given), minSecret))
	}
	if _, err := c.Secret(); err != nil {
		wrong = append(wrong, err)
	}
	return errors.Join(append(wrong, c.Replicas.check(), c.Rest.Check())...)
}

// Secret is the key of the tokens' signatures.
func (c Standalone) Secret() ([]byte, error) {
	given := c.JWTSecret.Reveal()
	if !c.SecretIsBase64 {
		return []byte(given), nil
	}
	// Both alphabets, with or without padding, as upstream.
	given = strings.NewReplacer("-", "+", "_", "/", ".", "=").Replace(strings.TrimSpace(given))
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(given, "="))
	if err != nil {
		return nil, errors.New("PGRST_JWT_SECRET is not base64, as PGRST_JWT_SECRET_IS_BASE64 says")
	}
	return decoded, nil
}

// Address is where to listen. Source: PostgREST's "*", "!4" and "!6" for all
// addresses of a kind.
func (c Standalone) Address() string {
	host := c.Host
	switch host {
	case "*", "*6", "*4":
		host = ""
	case "!4":
		host = "0.0.0.0"
	case "!6":
		host = "[::]"
	}
	return host + ":" + strconv.Itoa(c.Port)
}

// Level is the log's level. Source: PostgREST's crit, error, warn, info, debug.
func (c Standalone) Level() slog.Level {
	switch c.LogLevel {
	case "debug":
		return slog.LevelDebug
	case "info":
		return slog.LevelInfo
	case "warn":
		return slog.LevelWarn
	}
	return slog.LevelError
}

// readSettings reads lines of the form db-uri = "postgres://…" as variables.
func readSettings(text string, into map[string]string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		if ok && strings.HasPrefix(value, `"`) {
			end := strings.LastIndexByte(value, '"')
			unquoted, err := strconv.Unquote(value[:end+1])
			ok, value = err == nil, unquoted
		} else if cut := strings.IndexByte(value, '#'); cut >= 0 {
			value = strings.TrimSpace(value[:cut])
		}
		if !ok {
			return fmt.Errorf("line %d is not of the form name = value", number)
		}
		into["PGRST_"+strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(strings.TrimSpace(name)))] = value
	}
	return nil
}
