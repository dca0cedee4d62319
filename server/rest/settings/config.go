// Package settings holds PostgREST's settings, as environment and database give them.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"time"

	"plaza/server/freespace"
	"plaza/server/rest/openapi"
)

// Version is PostgREST's, whose API this is.
const Version = openapi.Version

// Config carries PostgREST's settings by their names and defaults.
type Config struct {
	Schemas         []string `env:"DB_SCHEMAS" envDefault:"public"`                                                                                       // exposed schemas; the first is the default
	ExtraSearchPath []string `env:"DB_EXTRA_SEARCH_PATH" envDefault:"public,extensions"`                                                                  // looked up after the request's schema
	MaxRows         int64    `env:"DB_MAX_ROWS" envDefault:"0"`                                                                                           // most rows of one answer; 0 means no limit
	TxEnd           string   `env:"DB_TX_END" envDefault:"commit"`                                                                                        // commit, commit-allow-override, rollback, rollback-allow-override
	Pool            int32    `env:"DB_POOL" envDefault:"10"`                                                                                              // connections for requests
	AcquireTimeout  Seconds  `env:"DB_POOL_ACQUISITION_TIMEOUT" envDefault:"10"`                                                                          // how long a request waits for a connection
	Aggregates      bool     `env:"DB_AGGREGATES_ENABLED"`                                                                                                // whether select may aggregate
	AnonRole        string   `env:"DB_ANON_ROLE" envDefault:"anon"`                                                                                       // role of requests without a token
	PlanEnabled     bool     `env:"DB_PLAN_ENABLED"`                                                                                                      // whether a client may ask for execution plans
	ServerTiming    bool     `env:"SERVER_TIMING_ENABLED"`                                                                                                // whether answers say how long their parts took
	PreRequest      string   `env:"DB_PRE_REQUEST"`                                                                                                       // function called first in each transaction
	Hoisted         []string `env:"DB_HOISTED_TX_SETTINGS" envDefault:"statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"` // settings of functions that hold for their whole transaction
	RootSpec        string   `env:"DB_ROOT_SPEC"`                                                                                                         // function that answers at the root, instead of the OpenAPI document
	OpenAPIMode     string   `env:"OPENAPI_MODE" envDefault:"follow-privileges"`                                                                          // whose tables and functions the document shows, or disabled
	OpenAPISecurity bool     `env:"OPENAPI_SECURITY_ACTIVE"`                                                                                              // whether the document mentions tokens
	OpenAPIAddress  string   `env:"OPENAPI_SERVER_PROXY_URI"`                                                                                             // where the document says that the API answers
	Origins         []string `env:"SERVER_CORS_ALLOWED_ORIGINS"`                                                                                          // whose pages may call; empty: all
	TraceHeader     string   `env:"SERVER_TRACE_HEADER"`                                                                                                  // a request's header that its answer repeats
	ErrorVerbosity  string   `env:"CLIENT_ERROR_VERBOSITY" envDefault:"verbose"`                                                                          // verbose, or minimal: errors without details and hint
	LegacyNames     bool     `env:"URL_USE_LEGACY_TARGET_NAMES" envDefault:"true"`                                                                        // whether filters, orders and limits may name an embed by its table though it has an alias
	LogQuery        bool     `env:"LOG_QUERY"`                                                                                                            // whether statements are logged with their requests
	Channel         string   `env:"DB_CHANNEL" envDefault:"pgrst"`                                                                                        // where PostgreSQL asks for a reload
	ChannelEnabled  bool     `env:"DB_CHANNEL_ENABLED" envDefault:"true"`                                                                                 // whether that is listened to
	InDatabase      bool     `env:"DB_CONFIG" envDefault:"true"`                                                                                          // whether the database may set what is here
	PreConfig       string   `env:"DB_PRE_CONFIG"`                                                                                                        // function that sets it
	MaxLifetime     Seconds  `env:"DB_POOL_MAX_LIFETIME" envDefault:"1800"`                                                                               // after which a connection is replaced
	MaxIdle         Seconds  `env:"DB_POOL_MAX_IDLETIME" envDefault:"30"`                                                                                 // after which an unused connection is closed
	Recovery        bool     `env:"DB_POOL_AUTOMATIC_RECOVERY" envDefault:"true"`                                                                         // whether a lost database is waited for
	AdminPort       int      `env:"ADMIN_SERVER_PORT"`                                                                                                    // of /live, /ready, /metrics …; 0: not served
	AdminHost       string   `env:"ADMIN_SERVER_HOST"`                                                                                                    // where these are served; empty: as the API
	TransactionTime Seconds  `env:"DB_TRANSACTION_TIMEOUT" envDefault:"60"`                                                                               // how long several requests in one transaction may take, for a role without a statement_timeout (ours)
	MaxBody         int64    `env:"MAX_BODY_BYTES" envDefault:"104857600"`                                                                                // largest request body in bytes (ours; PostgREST has none)

	LogTargets  bool            `env:"-"` // whether the log may repeat whole URLs, whose values can be private
	SpoolFolder string          `env:"-"` // where large bodies are kept while they are needed; empty: the system's folder for temporary files
	MinFree     freespace.Floor `env:"-"` // free space of its file system that they leave; 0: no floor
	Reread      bool            `env:"-"` // whether the schema is read once more when listening begins; upstream misses what changed in between
	SchemaSleep time.Duration   `env:"-"` // how much longer reading the schema takes; for tests
}

// Seconds is a duration that is written as a number of seconds, or with a unit.
type Seconds time.Duration

// UnmarshalText reads "10" or "10s".
func (s *Seconds) UnmarshalText(text []byte) error {
	if number, err := strconv.Atoi(string(text)); err == nil {
		*s = Seconds(time.Duration(number) * time.Second)
		return nil
	}
	duration, err := time.ParseDuration(string(text))
	*s = Seconds(duration)
	return err
}

// Check names what is wrong.
func (c Config) Check() error {
	var wrong []error
	if len(c.Schemas) == 0 {
		wrong = append(wrong, errors.New("PGRST_DB_SCHEMAS is empty: name at least one schema"))
	}
	switch c.TxEnd {
	case "commit", "commit-allow-override", "rollback", "rollback-allow-override":
	default:
		wrong = append(wrong, fmt.Errorf("PGRST_DB_TX_END is %q: use commit, commit-allow-override, rollback or rollback-allow-override", c.TxEnd))
	}
	switch c.ErrorVerbosity {
	case "", VerboseErrors, MinimalErrors:
	default:
		wrong = append(wrong, fmt.Errorf("Invalid client-error-verbosity. Check your configuration. PGRST_CLIENT_ERROR_VERBOSITY is %q: use verbose or minimal", c.ErrorVerbosity))
	}
	for _, name := range c.Schemas {
		if name == "pg_catalog" || name == "information_schema" {
			wrong = append(wrong, fmt.Errorf("db-schemas does not allow schema: '%s' (PGRST_DB_SCHEMAS)", name))
		}
	}
	switch c.OpenAPIMode {
	case "", FollowPrivileges, IgnorePrivileges, OpenAPIDisabled:
	default:
		wrong = append(wrong, fmt.Errorf("Invalid openapi-mode. Check your configuration. PGRST_OPENAPI_MODE is %q: use follow-privileges, ignore-privileges or disabled", c.OpenAPIMode))
	}
	if _, err := c.ParsedOpenAPIAddress(); err != nil {
		wrong = append(wrong, fmt.Errorf("PGRST_OPENAPI_SERVER_PROXY_URI is %q: %w; an example: https://example.com:8443/rest/v1/", c.OpenAPIAddress, err))
	}
	return errors.Join(wrong...)
}

// At makes the OpenAPI document name an address, unless one is set. One that no
// client could use, such as port 0, is left out.
func (c Config) At(address string) Config {
	if _, err := openapi.ParseAddress(address); err == nil && c.OpenAPIAddress == "" {
		c.OpenAPIAddress = address
	}
	return c
}

// ParsedOpenAPIAddress is where the OpenAPI document says that the API answers; nil where it does not.
func (c Config) ParsedOpenAPIAddress() (*url.URL, error) {
	if c.OpenAPIAddress == "" {
		return nil, nil
	}
	return openapi.ParseAddress(c.OpenAPIAddress)
}

// Guard returns what keeps large bodies from filling the disk.
func (c Config) Guard() *freespace.Guard {
	return freespace.NewGuard(cmp.Or(c.SpoolFolder, os.TempDir()), c.MinFree)
}

// What an error shows: PGRST_CLIENT_ERROR_VERBOSITY.
const (
	VerboseErrors = "verbose"
	MinimalErrors = "minimal" // the code and the message alone
)

// What the root answers: PGRST_OPENAPI_MODE.
const (
	FollowPrivileges = "follow-privileges"
	IgnorePrivileges = "ignore-privileges"
	OpenAPIDisabled  = "disabled"
)
