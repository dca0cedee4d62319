package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"plaza/server/claims"
	"plaza/server/ops"
	restsettings "plaza/server/rest/settings"
	"plaza/server/secret"
)

// Standalone holds the settings of `plaza rest`, with PostgREST's names and defaults.
type Standalone struct {
	URI         secret.Text `env:"PGRST_DB_URI" envDefault:"postgresql://"`
	Prepared    bool        `env:"PGRST_DB_PREPARED_STATEMENTS" envDefault:"true"`
	Host        string      `env:"PGRST_SERVER_HOST" envDefault:"!4"`
	Port        int         `env:"PGRST_SERVER_PORT" envDefault:"3000"`
	Socket      string      `env:"PGRST_SERVER_UNIX_SOCKET"` // takes precedence over host and port
	SocketMode  string      `env:"PGRST_SERVER_UNIX_SOCKET_MODE" envDefault:"660"`
	ReusePort   bool        `env:"PGRST_SERVER_REUSEPORT"`         // several processes may listen on the port
	AdminSocket string      `env:"PGRST_ADMIN_SERVER_UNIX_SOCKET"` // takes precedence over the admin server's host and port
	JWTSecret   secret.Text `env:"PGRST_JWT_SECRET"`
	IsBase64    bool        `env:"PGRST_JWT_SECRET_IS_BASE64"`
	JWTAudience string      `env:"PGRST_JWT_AUD"`
	JWTCache    int         `env:"PGRST_JWT_CACHE_MAX_ENTRIES" envDefault:"1000"`
	LogLevel    string      `env:"PGRST_LOG_LEVEL" envDefault:"error"`

	AdminSocketMode string `env:"PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE" envDefault:"660"`

	RoleClaim restsettings.ClaimPath `env:"PGRST_JWT_ROLE_CLAIM_KEY" envDefault:"$.role"`

	// SchemaSleep delays the loading of the schema, in milliseconds.
	// Source: a setting of PostgREST's own tests.
	SchemaSleep int `env:"PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP"`

	Rest     restsettings.Config `envPrefix:"PGRST_"`
	Replicas Replicas            `envPrefix:"DATABASE_REPLICA_"`
	NetHTTP  bool                `env:"PLAZA_NET_HTTP"` // as Config.NetHTTP
	Tracing  ops.Tracing         `envPrefix:"OTEL_"`

	AppSettings map[string]string `env:"-"` // app.settings.*, which SQL can read
	Keys        *claims.KeySet    `env:"-"` // verification keys of tokens; nil without a secret
	Ignored     []string          `env:"-"` // errors of invalid variables, for which the defaults apply
}

// standaloneDefaults lists PostgREST's defaults that differ from the platform's.
var standaloneDefaults = map[string]string{
	"PGRST_DB_EXTRA_SEARCH_PATH": "public",
	// PostgREST has no limit; this is PostgreSQL's limit for a single value.
	"PGRST_MAX_BODY_BYTES": "1073741823",
}

// Sources holds the sources of settings. Later fields take precedence over earlier ones.
type Sources struct {
	File     string            // a configuration file; may be empty
	Environ  []string          // "NAME=value"
	Database map[string]string // settings in the database, by names such as db_schemas
	URI      secret.Text       // the database URL in use, which a reload does not change
}

// LoadStandalone reads and checks the settings. Its error lists all invalid settings.
func LoadStandalone(from Sources) (Standalone, error) {
	values, err := from.values()
	if err != nil {
		return Standalone{}, err
	}
	var ignored []string
	for name, wrong := range parseErrors[Standalone](values) {
		// As in upstream, invalid numbers and booleans count as not set.
		if errors.Is(wrong, strconv.ErrSyntax) || errors.Is(wrong, strconv.ErrRange) {
			ignored = append(ignored, wrong.Error()+"; its default holds")
			delete(values, name)
		}
	}
	slices.Sort(ignored)
	cfg, err := parse[Standalone](values)
	if err != nil {
		return Standalone{}, err
	}
	cfg.Ignored = ignored
	cfg.Rest.AnonRole = values["PGRST_DB_ANON_ROLE"]
	cfg.Rest.LogTargets = true // as the access log does
	cfg.Rest.SchemaSleep = time.Duration(cfg.SchemaSleep) * time.Millisecond
	if given, set := values["PGRST_DB_EXTRA_SEARCH_PATH"]; set && given == "" {
		cfg.Rest.ExtraSearchPath = nil // set to an empty value
	}
	if cfg.Rest.AdminHost == "" {
		cfg.Rest.AdminHost = cfg.Host
	}
	cfg.AppSettings = make(map[string]string)
	for name, value := range values {
		if short, ok := strings.CutPrefix(name, appSettingsPrefix); ok {
			cfg.AppSettings["app.settings."+short] = value
		}
	}
	if from.URI != "" {
		cfg.URI = from.URI
	}
	return cfg, errors.Join(cfg.readFiles(), cfg.check())
}

const appSettingsPrefix = "PGRST_APP_SETTINGS_"

// aliases maps variables to their older names, which are used if they are not set.
var aliases = map[string]string{
	"PGRST_DB_MAX_ROWS":          "PGRST_MAX_ROWS",
	"PGRST_DB_PRE_REQUEST":       "PGRST_PRE_REQUEST",
	"PGRST_DB_ROOT_SPEC":         "PGRST_ROOT_SPEC",
	"PGRST_DB_SCHEMAS":           "PGRST_DB_SCHEMA",
	"PGRST_DB_POOL_MAX_IDLETIME": "PGRST_DB_POOL_TIMEOUT",
	"PGRST_JWT_ROLE_CLAIM_KEY":   "PGRST_ROLE_CLAIM_KEY",
	"PGRST_JWT_SECRET_IS_BASE64": "PGRST_SECRET_IS_BASE64",
}

// values merges all sources into variables.
func (from Sources) values() (map[string]string, error) {
	values := make(map[string]string)
	if from.File != "" {
		text, err := os.ReadFile(from.File)
		if err != nil {
			return nil, fmt.Errorf("read the configuration: %w", err)
		}
		if err := readSettings(string(text), values); err != nil {
			return nil, fmt.Errorf("%s: %w", from.File, err)
		}
	}
	maps.Copy(values, env.ToMap(from.Environ))
	for name, value := range from.Database {
		values["PGRST_"+strings.ToUpper(name)] = value
	}
	for name, alias := range aliases {
		if given, ok := values[alias]; ok && values[name] == "" {
			values[name] = given
		}
	}
	for name, value := range standaloneDefaults {
		if _, set := values[name]; !set {
			values[name] = value
		}
	}
	return values, nil
}

// readFiles replaces values of the form "@file" by the file's content, and parses the
// keys in the secret.
func (c *Standalone) readFiles() error {
	if name, ok := strings.CutPrefix(c.URI.Reveal(), "@"); ok {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read db-uri (PGRST_DB_URI): %w", err)
		}
		c.URI = secret.Text(strings.TrimSpace(string(text)))
	}
	if name, ok := strings.CutPrefix(c.JWTSecret.Reveal(), "@"); ok {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read jwt-secret (PGRST_JWT_SECRET): %w", err)
		}
		c.JWTSecret = secret.Text(strings.TrimSuffix(string(text), "\n"))
	}
	if c.IsBase64 {
		// As upstream, accept both alphabets, with or without padding.
		given := strings.NewReplacer("-", "+", "_", "/", ".", "=").Replace(strings.TrimSpace(c.JWTSecret.Reveal()))
		decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(given, "="))
		if err != nil {
			return errors.New("PGRST_JWT_SECRET is not base64, as PGRST_JWT_SECRET_IS_BASE64 says")
		}
		c.JWTSecret = secret.Text(decoded)
	}
	if c.JWTSecret == "" {
		return nil
	}
	var err error
	if c.Keys, err = claims.ParseKeySet([]byte(c.JWTSecret)); err != nil {
		return fmt.Errorf("PGRST_JWT_SECRET: %w", err)
	}
	return nil
}

// check returns an error that lists all invalid settings. Some messages are upstream's.
func (c *Standalone) check() error {
	wrong := []error{c.Tracing.Check()}
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if c.Port < 0 || c.Port > 65535 {
		fail("PGRST_SERVER_PORT is %d: use 0 to 65535", c.Port)
	}
	if c.Rest.AdminPort != 0 && c.Rest.AdminPort == c.Port {
		fail("admin-server-port cannot be the same as server-port (PGRST_ADMIN_SERVER_PORT, PGRST_SERVER_PORT)")
	}
	if _, err := socketMode("server-unix-socket-mode", c.SocketMode); err != nil {
		wrong = append(wrong, err)
	}
	if _, err := socketMode("admin-server-unix-socket-mode", c.AdminSocketMode); err != nil {
		wrong = append(wrong, err)
	}
	if strings.Contains(c.JWTAudience, ":") {
		if audience, err := url.Parse(c.JWTAudience); err != nil || audience.Scheme == "" {
			fail("jwt-aud should be a string or a valid URI (PGRST_JWT_AUD)")
		}
	}
	if !slices.Contains(logLevels, c.LogLevel) {
		fail("Invalid logging level. Check your configuration. PGRST_LOG_LEVEL is %q: use %s", c.LogLevel, strings.Join(logLevels, ", "))
	}
	return errors.Join(append(wrong, c.Replicas.check(), c.Rest.Check())...)
}

// Address returns the API's URL for its OpenAPI document.
func (c *Standalone) Address() string {
	host := c.Host
	if IsWildcard(host) {
		host = "0.0.0.0"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(c.Port)) + "/"
}

// logLevels lists PostgREST's log levels.
var logLevels = []string{"crit", "error", "warn", "info", "debug"}

// LevelCrit is above the levels of all messages about requests.
const LevelCrit = slog.LevelError + 4

// Level returns the log level.
func (c *Standalone) Level() slog.Level {
	return map[string]slog.Level{
		"crit": LevelCrit, "error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug,
	}[c.LogLevel]
}

// readSettings parses lines of the form db-uri = "postgres://…" into variables.
func readSettings(text string, into map[string]string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if ok && strings.HasPrefix(value, `"`) {
			end := strings.LastIndexByte(value, '"')
			unquoted, err := strconv.Unquote(value[:end+1])
			ok, value = err == nil, strings.ReplaceAll(unquoted, "$$", "$")
		} else if cut := strings.IndexByte(value, '#'); cut >= 0 {
			value = strings.TrimSpace(value[:cut])
		}
		if !ok {
			return fmt.Errorf("line %d is not of the form name = value", number)
		}
		if short, ok := strings.CutPrefix(name, "app.settings."); ok {
			into[appSettingsPrefix+short] = value
			continue
		}
		into["PGRST_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = value
	}
	return nil
}
