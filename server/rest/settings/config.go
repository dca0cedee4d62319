// Package settings holds PostgREST's settings and reads them from the database.
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

// Version is the PostgREST version with which the API is compatible.
const Version = openapi.Version

// Config holds PostgREST's settings with their names and defaults.
type Config struct {
	Schemas         []string `env:"DB_SCHEMAS" envDefault:"public"`                                                                                       // exposed schemas; the first is the default
	ExtraSearchPath []string `env:"DB_EXTRA_SEARCH_PATH" envDefault:"public,extensions"`                                                                  // looked up after the request's schema
	MaxRows         int64    `env:"DB_MAX_ROWS" envDefault:"0"`                                                                                           // maximum number of rows in a response; 0 means no limit
	TxEnd           string   `env:"DB_TX_END" envDefault:"commit"`                                                                                        // commit, commit-allow-override, rollback, rollback-allow-override
	TxIsolation     bool     `env:"DB_TX_ISOLATION"`                                                                                                      // clients may choose the isolation level of a transaction (not in PostgREST)
	Pool            int32    `env:"DB_POOL" envDefault:"10"`                                                                                              // connections for requests
	AcquireTimeout  Seconds  `env:"DB_POOL_ACQUISITION_TIMEOUT" envDefault:"10"`                                                                          // how long a request waits for a connection
	Aggregates      bool     `env:"DB_AGGREGATES_ENABLED"`                                                                                                // aggregates are allowed in select
	AnonRole        string   `env:"DB_ANON_ROLE" envDefault:"anon"`                                                                                       // role of requests without a token
	PlanEnabled     bool     `env:"DB_PLAN_ENABLED"`                                                                                                      // clients may request execution plans
	ServerTiming    bool     `env:"SERVER_TIMING_ENABLED"`                                                                                                // responses have a Server-Timing header
	PreRequest      string   `env:"DB_PRE_REQUEST"`                                                                                                       // function to call first in each transaction
	Hoisted         []string `env:"DB_HOISTED_TX_SETTINGS" envDefault:"statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"` // settings of functions that apply to the whole transaction
	RootSpec        string   `env:"DB_ROOT_SPEC"`                                                                                                         // function that is called at the root, instead of returning the OpenAPI document
	OpenAPIMode     string   `env:"OPENAPI_MODE" envDefault:"follow-privileges"`                                                                          // which tables and functions the document contains: see FollowPrivileges
	OpenAPISecurity bool     `env:"OPENAPI_SECURITY_ACTIVE"`                                                                                              // the document describes authentication by token
	OpenAPIAddress  string   `env:"OPENAPI_SERVER_PROXY_URI"`                                                                                             // the API's URL in the document
	Origins         []string `env:"SERVER_CORS_ALLOWED_ORIGINS"`                                                                                          // allowed origins; empty means all
	TraceHeader     string   `env:"SERVER_TRACE_HEADER"`                                                                                                  // request header to copy to the response
	ErrorVerbosity  string   `env:"CLIENT_ERROR_VERBOSITY" envDefault:"verbose"`                                                                          // verbose, or minimal: errors without details and hint
	LegacyNames     bool     `env:"URL_USE_LEGACY_TARGET_NAMES" envDefault:"true"`                                                                        // filters, orders and limits may refer to an embed by its table name although it has an alias
	LogQuery        bool     `env:"LOG_QUERY"`                                                                                                            // log each request's statements
	Channel         string   `env:"DB_CHANNEL" envDefault:"pgrst"`                                                                                        // channel of reload notifications
	ChannelEnabled  bool     `env:"DB_CHANNEL_ENABLED" envDefault:"true"`                                                                                 // listen on the channel
	InDatabase      bool     `env:"DB_CONFIG" envDefault:"true"`                                                                                          // the database may override these settings
	PreConfig       string   `env:"DB_PRE_CONFIG"`                                                                                                        // function that sets them
	MaxLifetime     Seconds  `env:"DB_POOL_MAX_LIFETIME" envDefault:"1800"`                                                                               // age at which a connection is replaced
	MaxIdle         Seconds  `env:"DB_POOL_MAX_IDLETIME" envDefault:"30"`                                                                                 // idle time after which a connection is closed
	Recovery        bool     `env:"DB_POOL_AUTOMATIC_RECOVERY" envDefault:"true"`                                                                         // wait for the database to return after its connection is lost
	AdminPort       int      `env:"ADMIN_SERVER_PORT"`                                                                                                    // port of /live, /ready, /metrics …; 0 disables them
	AdminHost       string   `env:"ADMIN_SERVER_HOST"`                                                                                                    // host of these; empty means the API's host
	TransactionTime Seconds  `env:"DB_TRANSACTION_TIMEOUT" envDefault:"60"`                                                                               // timeout of a batch, for a role without a statement_timeout (not in PostgREST)
	MaxBody         int64    `env:"MAX_BODY_BYTES" envDefault:"104857600"`                                                                                // largest request body in bytes (not in PostgREST)

	LogTargets  bool            `env:"-"` // log complete URLs, whose values can be private
	SpoolFolder string          `env:"-"` // folder for large bodies; empty means os.TempDir
	MinFree     freespace.Floor `env:"-"` // free space that large bodies must leave on its file system; 0 means no minimum
	Reread      bool            `env:"-"` // reload the schema when listening begins; upstream misses changes before that
	SchemaSleep time.Duration   `env:"-"` // delay before loading the schema; for tests
}

// Seconds is a duration that is written as a number of seconds or with a unit.
type Seconds time.Duration

// UnmarshalText parses "10" or "10s".
func (s *Seconds) UnmarshalText(text []byte) error {
	if number, err := strconv.Atoi(string(text)); err == nil {
		*s = Seconds(time.Duration(number) * time.Second)
		return nil
	}
	duration, err := time.ParseDuration(string(text))
	*s = Seconds(duration)
	return err
}

// Check returns an error that lists all invalid settings.
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

// At returns the settings with an address for the OpenAPI document, unless one is set.
// An address that no client can use, such as one with port 0, is ignored.
func (c Config) At(address string) Config {
	if _, err := openapi.ParseAddress(address); err == nil && c.OpenAPIAddress == "" {
		c.OpenAPIAddress = address
	}
	return c
}

// ParsedOpenAPIAddress returns the API's URL for the OpenAPI document, or nil if it is not set.
func (c Config) ParsedOpenAPIAddress() (*url.URL, error) {
	if c.OpenAPIAddress == "" {
		return nil, nil
	}
	return openapi.ParseAddress(c.OpenAPIAddress)
}

// Guard returns the guard that keeps large bodies from filling the disk.
func (c Config) Guard() *freespace.Guard {
	return freespace.NewGuard(cmp.Or(c.SpoolFolder, os.TempDir()), c.MinFree)
}

// Values of PGRST_CLIENT_ERROR_VERBOSITY.
const (
	VerboseErrors = "verbose"
	MinimalErrors = "minimal" // only code and message
)

// Values of PGRST_OPENAPI_MODE.
const (
	FollowPrivileges = "follow-privileges" // only what the caller has privileges on
	IgnorePrivileges = "ignore-privileges"
	OpenAPIDisabled  = "disabled"
)
