package config

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dumped returns the lines of a dump by variable name.
func dumped(t *testing.T, cfg Standalone) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := cfg.Dump(&out); err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]string)
	for line := range strings.Lines(out.String()) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		lines[name] = value
	}
	return lines
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStandaloneSources(t *testing.T) {
	t.Parallel()
	secretFile := write(t, "a secret in a file, 32 characters and more\n")
	for name, test := range map[string]struct {
		file string
		from Sources
		want map[string]string
	}{
		"defaults": {"", Sources{}, map[string]string{
			"db-uri": `"postgresql://"`, "db-schemas": `"public"`, "db-extra-search-path": `"public"`, "db-anon-role": `""`, "db-max-rows": `""`,
			"db-pool": "10", "db-pool-max-idletime": "30", "db-pool-max-lifetime": "1800", "db-channel": `"pgrst"`, "db-channel-enabled": "true",
			"jwt-role-claim-key": `"$$.role"`, "client-error-verbosity": `"verbose"`, "url-use-legacy-target-names": "true", "server-reuseport": "false",
			"admin-server-unix-socket": `""`, "admin-server-unix-socket-mode": `"660"`, "jwt-cache-max-entries": "1000", "server-host": `"!4"`, "admin-server-host": `"!4"`, "admin-server-port": `""`,
			"server-unix-socket-mode": `"660"`, "log-level": `"error"`, "openapi-mode": `"follow-privileges"`, "db-tx-end": `"commit"`,
		}},
		"a file": {"db-schemas = \"a,  b\" # two\ndb-pool = 3\n\n# comment\napp.settings.Colour = \"red\"\nno-such-setting = 1\n", Sources{}, map[string]string{
			"db-schemas": `"a,b"`, "db-pool": "3", "app.settings.Colour": `"red"`,
		}},
		"the environment before the file": {"db-pool = 3\ndb-schemas = \"a\"\n", Sources{Environ: []string{"PGRST_DB_POOL=4", "PGRST_APP_SETTINGS_x=y"}}, map[string]string{
			"db-pool": "4", "db-schemas": `"a"`, "app.settings.x": `"y"`,
		}},
		"the database before both": {"db-schemas = \"a\"\n", Sources{
			Environ: []string{"PGRST_DB_SCHEMAS=b", "PGRST_DB_MAX_ROWS=5"}, Database: map[string]string{"db_schemas": "c", "openapi_mode": "disabled"},
		}, map[string]string{"db-schemas": `"c"`, "db-max-rows": "5", "openapi-mode": `"disabled"`}},
		"older names": {"db-schema = \"old\"\nmax-rows = 7\npre-request = \"f\"\nroot-spec = \"g\"\nrole-claim-key = \".r\"\nsecret-is-base64 = true\ndb-pool-timeout = 5\n", Sources{}, map[string]string{
			"db-schemas": `"old"`, "db-max-rows": "7", "db-pre-request": `"f"`, "db-root-spec": `"g"`, "jwt-role-claim-key": `".\"r\""`,
			"jwt-secret-is-base64": "true", "db-pool-max-idletime": "5",
		}},
		"the newer name before the older": {"db-schema = \"old\"\ndb-schemas = \"new\"\n", Sources{}, map[string]string{"db-schemas": `"new"`}},
		"many spellings of truth": {"", Sources{Environ: []string{
			"PGRST_DB_AGGREGATES_ENABLED=TRUE", `PGRST_LOG_QUERY="true"`, "PGRST_DB_PLAN_ENABLED=2", "PGRST_DB_CHANNEL_ENABLED=0", "PGRST_DB_CONFIG=False",
		}}, map[string]string{"db-aggregates-enabled": "true", "log-query": "true", "db-plan-enabled": "true", "db-channel-enabled": "false", "db-config": "false"}},
		"empty is the default, but for the search path": {"", Sources{Environ: []string{"PGRST_LOG_LEVEL=", "PGRST_DB_POOL=", "PGRST_DB_EXTRA_SEARCH_PATH="}}, map[string]string{
			"log-level": `"error"`, "db-pool": "10", "db-extra-search-path": `""`,
		}},
		"a dollar sign is written twice in a file": {"jwt-role-claim-key = \"$$.a['b c']\"\napp.settings.price = \"5$$\"\n", Sources{}, map[string]string{
			"jwt-role-claim-key": `"$$.a[\"b c\"]"`, "app.settings.price": `"5$$"`,
		}},
		"and once elsewhere":                {"", Sources{Environ: []string{"PGRST_JWT_ROLE_CLAIM_KEY=$.a", "PGRST_APP_SETTINGS_price=5$$"}}, map[string]string{"jwt-role-claim-key": `"$$.a"`, "app.settings.price": `"5$$$$"`}},
		"no number is not set":              {"db-pool = true\ndb-channel-enabled = maybe\n", Sources{}, map[string]string{"db-pool": "10", "db-channel-enabled": "true"}},
		"a secret from a file":              {"", Sources{Environ: []string{"PGRST_JWT_SECRET=@" + secretFile}}, map[string]string{"jwt-secret": `"a secret in a file, 32 characters and more"`}},
		"an address from a file":            {"", Sources{Environ: []string{"PGRST_DB_URI=@" + write(t, " postgres://there\n")}}, map[string]string{"db-uri": `"postgres://there"`}},
		"the address in use":                {"db-uri = \"postgres://new\"\n", Sources{URI: "postgres://used"}, map[string]string{"db-uri": `"postgres://used"`}},
		"the admin server where the API is": {"", Sources{Environ: []string{"PGRST_SERVER_HOST=127.0.0.1"}}, map[string]string{"admin-server-host": `"127.0.0.1"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.file != "" {
				test.from.File = write(t, test.file)
			}
			cfg, err := LoadStandalone(test.from)
			if err != nil {
				t.Fatal(err)
			}
			got := dumped(t, cfg)
			for setting, want := range test.want {
				if got[setting] != want {
					t.Errorf("%s = %s, want %s", setting, got[setting], want)
				}
			}
		})
	}
}

func TestUnreadableSettingsAreReported(t *testing.T) {
	t.Parallel()
	cfg, err := LoadStandalone(Sources{Environ: []string{"PGRST_DB_POOL=many", "PGRST_LOG_QUERY=maybe"}})
	if err != nil {
		t.Fatal(err)
	}
	if ignored := strings.Join(cfg.Ignored, "\n"); !strings.Contains(ignored, "PGRST_DB_POOL cannot be read") || !strings.Contains(ignored, "PGRST_LOG_QUERY cannot be read") {
		t.Errorf("ignored: %s", ignored)
	}
}

func TestStandaloneSecrets(t *testing.T) {
	t.Parallel()
	raw := "bytes \xff\xfe of a secret that is no text, 32 and more"
	for name, given := range map[string]string{
		"standard alphabet": base64.StdEncoding.EncodeToString([]byte(raw)),
		"of addresses":      base64.URLEncoding.EncodeToString([]byte(raw)),
		"without padding":   base64.RawURLEncoding.EncodeToString([]byte(raw)),
		"upstream's dots":   strings.ReplaceAll(base64.URLEncoding.EncodeToString([]byte(raw)), "=", "."),
	} {
		cfg, err := LoadStandalone(Sources{Environ: []string{"PGRST_JWT_SECRET=" + given, "PGRST_JWT_SECRET_IS_BASE64=true"}})
		if err != nil || cfg.JWTSecret.Reveal() != raw || cfg.Keys == nil {
			t.Errorf("%s: %q, %v", name, cfg.JWTSecret.Reveal(), err)
		}
	}
}

// A dump is a configuration file with the same meaning.
func TestDumpCanBeReadBack(t *testing.T) {
	t.Parallel()
	first, err := LoadStandalone(Sources{Environ: []string{
		`PGRST_JWT_ROLE_CLAIM_KEY=."https://example.com/roles"[0].value`, "PGRST_DB_SCHEMAS=a, b", "PGRST_DB_MAX_ROWS=9", "PGRST_ADMIN_SERVER_PORT=3001",
		"PGRST_APP_SETTINGS_quote=say \"yes\" \\ for $$ 5$", "PGRST_SERVER_UNIX_SOCKET=/tmp/x.sock", "PGRST_DB_EXTRA_SEARCH_PATH=", "PGRST_SERVER_CORS_ALLOWED_ORIGINS=http://a, http://b",
	}})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := first.Dump(&text); err != nil {
		t.Fatal(err)
	}
	second, err := LoadStandalone(Sources{File: write(t, text.String())})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dumped(t, first), dumped(t, second)); diff != "" {
		t.Errorf("read again (-first +second):\n%s", diff)
	}
}

func TestExampleIsAValidConfiguration(t *testing.T) {
	t.Parallel()
	cfg, err := LoadStandalone(Sources{File: write(t, Example)})
	if err != nil {
		t.Fatal(err)
	}
	defaults, err := LoadStandalone(Sources{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dumped(t, defaults), dumped(t, cfg)); diff != "" {
		t.Errorf("what the example sets is not the default (-default +example):\n%s", diff)
	}
}

func TestWrongStandaloneSettings(t *testing.T) {
	t.Parallel()
	for setting, says := range map[string]string{
		"PGRST_SERVER_UNIX_SOCKET_MODE=800":       "server-unix-socket-mode",
		"PGRST_SERVER_UNIX_SOCKET_MODE=577":       "between 600 and 777",
		"PGRST_JWT_AUD=http://%%x":                "jwt-aud should be a string or a valid URI",
		"PGRST_LOG_LEVEL=never":                   "PGRST_LOG_LEVEL",
		"PGRST_DB_TX_END=random":                  "PGRST_DB_TX_END",
		"PGRST_OPENAPI_MODE=follow-":              "Invalid openapi-mode. Check your configuration.",
		"PGRST_OPENAPI_SERVER_PROXY_URI=htp:/@@x": "PGRST_OPENAPI_SERVER_PROXY_URI",
		"PGRST_JWT_SECRET=short":                  "The JWT secret must be at least 32 characters long.",
		`PGRST_JWT_SECRET={"kty":"RSA"}`:          "RSA key",
		"PGRST_JWT_SECRET=@/no/such/file":         "PGRST_JWT_SECRET",
		"PGRST_DB_URI=@/no/such/file":             "PGRST_DB_URI",
		"PGRST_JWT_ROLE_CLAIM_KEY=role.other":     "failed to parse role-claim-key value (role.other)",
		"PGRST_JWT_ROLE_CLAIM_KEY=$.a;;b":         "failed to parse role-claim-key value ($.a;;b)",
		"PGRST_CLIENT_ERROR_VERBOSITY=loud":       "Invalid client-error-verbosity. Check your configuration.",
		"PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE=8":   "Invalid admin-server-unix-socket-mode",
		"PGRST_DB_SCHEMAS=public, pg_catalog":     "db-schemas does not allow schema: 'pg_catalog'",
		"PGRST_DB_SCHEMAS=information_schema":     "db-schemas does not allow schema: 'information_schema'",
		"PGRST_SERVER_PORT=70000":                 "PGRST_SERVER_PORT",
		"PGRST_ADMIN_SERVER_PORT=3000":            "admin-server-port cannot be the same as server-port",
	} {
		if _, err := LoadStandalone(Sources{Environ: []string{setting}}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", setting, err)
		}
	}
	for _, text := range []string{"yaml:\n  is: no\n", `db-uri = "open`, "db-uri"} {
		if _, err := LoadStandalone(Sources{File: write(t, text)}); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	if _, err := LoadStandalone(Sources{File: "/no/such/file"}); err == nil {
		t.Error("a file that is not there was accepted")
	}
}

func TestOverrideChangesOnlyGivenSettings(t *testing.T) {
	t.Parallel()
	base, err := Load([]string{"PGRST_DB_SCHEMAS=one", "PGRST_DB_MAX_ROWS=3", "PGRST_DB_TX_END=rollback"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Override(base.Rest, map[string]string{"db_schemas": "two, three", "jwt_secret": "is not the data API's", "db_aggregates_enabled": "true"})
	if err != nil {
		t.Fatal(err)
	}
	want := base.Rest
	want.Schemas, want.Aggregates = []string{"two", "three"}, true
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, value := range map[string]string{"db_tx_end": "never", "db_max_rows": "x"} {
		if _, err := Override(base.Rest, map[string]string{name: value}); err == nil || !strings.Contains(err.Error(), "PGRST_"+strings.ToUpper(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
