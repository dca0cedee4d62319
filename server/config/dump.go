package config

import (
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	restsettings "plaza/server/rest/settings"
)

// Dump writes the settings as a configuration file, for `plaza rest --dump-config`. It
// includes secrets. Names and order are PostgREST's. Dollar signs are doubled, as the
// format requires.
func (c *Standalone) Dump(out io.Writer) error {
	jwtSecret := c.JWTSecret.Reveal()
	if c.IsBase64 {
		jwtSecret = base64.StdEncoding.EncodeToString([]byte(jwtSecret))
	}
	r := c.Rest
	lines := []dumpLine{
		{"client-error-verbosity", r.ErrorVerbosity},
		{"db-aggregates-enabled", r.Aggregates},
		{"db-anon-role", r.AnonRole},
		{"db-channel", r.Channel},
		{"db-channel-enabled", r.ChannelEnabled},
		{"db-extra-search-path", r.ExtraSearchPath},
		{"db-hoisted-tx-settings", r.Hoisted},
		{"db-max-rows", orEmpty(r.MaxRows)},
		{"db-plan-enabled", r.PlanEnabled},
		{"db-pool", int64(r.Pool)},
		{"db-pool-acquisition-timeout", r.AcquireTimeout},
		{"db-pool-max-lifetime", r.MaxLifetime},
		{"db-pool-max-idletime", r.MaxIdle},
		{"db-pool-automatic-recovery", r.Recovery},
		{"db-pre-request", r.PreRequest},
		{"db-prepared-statements", c.Prepared},
		{"db-root-spec", r.RootSpec},
		{"db-schemas", r.Schemas},
		{"db-config", r.InDatabase},
		{"db-pre-config", r.PreConfig},
		{"db-tx-end", r.TxEnd},
		{"db-uri", c.URI.Reveal()},
		{"jwt-aud", c.JWTAudience},
		{"jwt-role-claim-key", c.RoleClaim.String()},
		{"jwt-secret", jwtSecret},
		{"jwt-secret-is-base64", c.IsBase64},
		{"jwt-cache-max-entries", int64(c.JWTCache)},
		{"log-level", c.LogLevel},
		{"log-query", r.LogQuery},
		{"openapi-mode", r.OpenAPIMode},
		{"openapi-security-active", r.OpenAPISecurity},
		{"openapi-server-proxy-uri", r.OpenAPIAddress},
		{"server-cors-allowed-origins", r.Origins},
		{"server-host", c.Host},
		{"server-port", int64(c.Port)},
		{"server-reuseport", c.ReusePort},
		{"server-trace-header", r.TraceHeader},
		{"server-timing-enabled", r.ServerTiming},
		{"server-unix-socket", c.Socket},
		{"server-unix-socket-mode", c.SocketMode},
		{"admin-server-host", r.AdminHost},
		{"admin-server-port", orEmpty(int64(r.AdminPort))},
		{"admin-server-unix-socket", c.AdminSocket},
		{"admin-server-unix-socket-mode", c.AdminSocketMode},
		{"url-use-legacy-target-names", r.LegacyNames},
	}
	for name, value := range c.AppSettings {
		lines = append(lines, dumpLine{name, value})
	}
	slices.SortFunc(lines, func(a, b dumpLine) int { return strings.Compare(a.name, b.name) })
	for _, line := range lines {
		if _, err := fmt.Fprintf(out, "%s = %s\n", line.name, asSetting(line.value)); err != nil {
			return err
		}
	}
	return nil
}

type dumpLine struct {
	name  string
	value any
}

// orEmpty returns an empty string for 0, which means that the setting is not set.
func orEmpty(number int64) any {
	if number == 0 {
		return ""
	}
	return number
}

func asSetting(value any) string {
	switch value := value.(type) {
	case bool:
		return strconv.FormatBool(value)
	case int64:
		return strconv.FormatInt(value, 10)
	case restsettings.Seconds:
		return strconv.Itoa(int(time.Duration(value).Seconds()))
	case []string:
		return asSetting(strings.Join(value, ","))
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `$$`).Replace(fmt.Sprint(value)) + `"`
}

// Example is a configuration file to begin with.
const Example = `## The database, as a connection URI or string of libpq; "@file" reads it from a file.
db-uri = "postgresql://"

## The schemas that clients see. The first is the default.
db-schemas = "public"
db-extra-search-path = "public"

## The role of requests without a token. Without this setting, such requests are refused.
# db-anon-role = "anon"

## The maximum number of connections for requests, and how long a request waits for one, in seconds.
db-pool = 10
db-pool-acquisition-timeout = 10

## The maximum number of rows of a response.
# db-max-rows = 1000

## How transactions end: commit, commit-allow-override, rollback, rollback-allow-override.
db-tx-end = "commit"

## A function that is called first in each transaction.
# db-pre-request = "schema.function"

## Whether NOTIFY on the channel reloads schema and settings.
db-channel = "pgrst"
db-channel-enabled = true

## Whether the database may change settings: alter role … set pgrst.db_schemas = '…'
db-config = true

## The key that verifies tokens: a secret of 32 characters or more, a JSON Web Key,
## or a JSON Web Key Set; "@file" reads it from a file.
# jwt-secret = "a secret of at least 32 characters"
jwt-secret-is-base64 = false
## The JSON Path of the role in a token. In this file, "$" is written twice.
jwt-role-claim-key = "$$.role"
# jwt-aud = "your audience"

## What error responses contain: verbose, or minimal (only code and message).
# client-error-verbosity = "verbose"

## Whether filters may refer to an embed by its table's name even if it has an alias (deprecated).
url-use-legacy-target-names = true

## crit, error, warn, info or debug.
log-level = "error"

## follow-privileges, ignore-privileges or disabled.
openapi-mode = "follow-privileges"

## !4: all IPv4 addresses, !6: all IPv6 addresses, *: both.
server-host = "!4"
server-port = 3000
## Whether several processes may share the port.
server-reuseport = false
# server-unix-socket = "/tmp/pgrst.sock"
# server-unix-socket-mode = "660"
# server-cors-allowed-origins = "https://example.com"

## Where /live, /ready, /metrics, /config and /schema_cache are served.
# admin-server-port = 3001
# admin-server-unix-socket = "/tmp/pgrst-admin.sock"
# admin-server-unix-socket-mode = "660"
`
