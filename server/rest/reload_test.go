package rest_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/httpx"
	"plaza/server/rest"
	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const twoSchemas = `
	create table numbers (n int primary key); insert into numbers select generate_series(1, 5); grant select on numbers to anon;
	create schema later; create table later.letters (l text); grant usage on schema later to anon; grant select on later.letters to anon;
	create function waits() returns int language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return 1; end $$;`

// changing is an API whose settings a test changes while it is running.
type changing struct {
	*restkit.API
	mu     sync.Mutex
	config settings.Config
	err    error // returned by the source of settings
}

func newChanging(t *testing.T) *changing {
	t.Helper()
	c := &changing{}
	c.API = restkit.New(t, twoSchemas, func(config *settings.Config) {
		config.Channel, config.ChannelEnabled, config.InDatabase, config.Recovery = "pgrst", true, true, true
	})
	c.config = c.Settings
	c.Server.SetSource(func(context.Context) (settings.Config, identify.Func, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.config, identify.Gateway(c.Auth, true), c.err
	})
	return c
}

func (c *changing) set(change func(*settings.Config)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.config)
}

// watch runs the server's Watch until the test ends.
func (c *changing) watch(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Server.Watch(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("watching ended with %v", err)
		}
	})
	await(t, func() bool { return c.Server.Ready(t.Context()) })
}

// await waits until a condition is true.
func await(t *testing.T, condition func() bool) {
	t.Helper()
	for !condition() {
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		runtime.Gosched()
	}
}

// until requests a path until the response has a status.
func (c *changing) until(t *testing.T, path string, status int) string {
	t.Helper()
	var body string
	await(t, func() bool {
		var response *http.Response
		response, body = c.Do(t, restkit.Case{Path: path})
		return response.StatusCode == status
	})
	return body
}

func TestSettingsAreReloaded(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	c.Run(t, restkit.Case{Path: "/numbers", Status: 200, WantHeader: map[string]string{"Content-Range": "0-4/*"}})
	c.set(func(config *settings.Config) { config.MaxRows = 2 })
	c.Run(t, restkit.Case{Path: "/numbers", Status: 200, WantHeader: map[string]string{"Content-Range": "0-4/*"}})
	if err := c.Server.ReloadConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Run(t, restkit.Case{Path: "/numbers", Status: 200, WantHeader: map[string]string{"Content-Range": "0-1/*"}})

	c.err = errors.New("no such setting")
	c.set(func(config *settings.Config) { config.MaxRows = 3 })
	if err := c.Server.ReloadConfig(t.Context()); err == nil {
		t.Error("invalid settings are applied")
	}
	c.Run(t, restkit.Case{Path: "/numbers", Status: 200, WantHeader: map[string]string{"Content-Range": "0-1/*"}})
	c.err = nil

	c.set(func(config *settings.Config) { config.Schemas = []string{"later"} })
	if err := c.Server.ReloadConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Run(t, restkit.Case{Path: "/letters", Status: 200, Want: "[]"})
	c.Run(t, restkit.Case{Path: "/numbers", Status: 404})
}

func TestARequestInFlightKeepsItsSettings(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	holder, err := c.DB.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holder.Exec(t.Context(), "select pg_advisory_xact_lock(1)"); err != nil {
		t.Fatal(err)
	}
	answered := make(chan string)
	go func() {
		_, body := c.Do(t, restkit.Case{Method: "POST", Path: "/rpc/waits"})
		answered <- body
	}()
	c.WaitFor(t, "select exists (select from pg_locks where locktype = 'advisory' and not granted)")
	c.set(func(config *settings.Config) { config.Schemas = []string{"later"} })
	if err := c.Server.ReloadConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Run(t, restkit.Case{Method: "POST", Path: "/rpc/waits", Status: 404})
	if err := holder.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if body := <-answered; body != "1" {
		t.Errorf("the request in flight: %s", body)
	}
}

func TestNotificationsReload(t *testing.T) {
	t.Parallel()
	for payload, status := range map[string]int{"reload config": 404, "reload schema": 404, "": 404, "something else": 200} {
		t.Run(payload, func(t *testing.T) {
			t.Parallel()
			c := newChanging(t)
			c.watch(t)
			c.set(func(config *settings.Config) { config.Schemas = []string{"later"} })
			c.Exec(t, "notify pgrst, '"+payload+"'")
			c.until(t, "/numbers", status)
		})
	}
}

// Each further notification delays the earlier ones, but not indefinitely.
func TestContinuousNotificationsReload(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	c.watch(t)
	c.set(func(config *settings.Config) { config.Schemas = []string{"later"} })
	ctx, stop := context.WithCancel(t.Context())
	notified := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if _, err := c.ServerDB.Owner().Exec(ctx, "notify pgrst, 'reload config'"); err != nil && ctx.Err() == nil {
				notified <- err
				return
			}
		}
		notified <- nil
	}()
	c.until(t, "/numbers", 404)
	stop()
	if err := <-notified; err != nil {
		t.Error(err)
	}
}

func TestSimultaneousNotificationsAllReload(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	c.set(func(config *settings.Config) { config.InDatabase = false })
	if err := c.Server.ReloadConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.watch(t)
	c.set(func(config *settings.Config) { config.MaxRows = 1 })
	c.Exec(t, "create table fresh (n int); insert into fresh values (1), (2); grant select on fresh to anon; notify pgrst, 'reload schema'; notify pgrst, 'reload config'")
	c.until(t, "/fresh", 200)
	await(t, func() bool { return c.until(t, "/fresh", 200) == `[{"n":1}]` })
}

func TestAFailedSchemaLoadIsRetried(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	c.watch(t)
	name := c.ServerDB.Owner().Config().ConnConfig.Database
	c.set(func(config *settings.Config) { config.SchemaSleep = 500 * time.Millisecond })
	c.Exec(t, `alter database "`+name+`" set statement_timeout = '200ms'`)
	c.Server.RequestSchema()
	await(t, func() bool { return !c.Server.Ready(t.Context()) })
	if stats := c.Server.Stats(); stats.Failures != 1 || stats.Loads != 1 {
		t.Errorf("counted %+v", stats)
	}
	c.Run(t, restkit.Case{Path: "/numbers", Status: 200}) // from the previous schema cache
	c.Exec(t, `alter database "`+name+`" reset statement_timeout`)
	await(t, func() bool { return c.Server.Ready(t.Context()) })
}

func TestAFailedReloadOfSettingsIsRetried(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	c.set(func(config *settings.Config) { config.InDatabase = false })
	if err := c.Server.ReloadConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.watch(t)
	name := c.ServerDB.Owner().Config().ConnConfig.Database
	c.set(func(config *settings.Config) {
		config.Schemas, config.SchemaSleep = []string{"later"}, 500*time.Millisecond
	})
	c.Exec(t, `alter database "`+name+`" set statement_timeout = '200ms'`)
	c.Server.RequestConfig()
	await(t, func() bool { return !c.Server.Ready(t.Context()) })
	c.Exec(t, `alter database "`+name+`" reset statement_timeout`)
	c.until(t, "/letters", 200)
}

func TestWatchEndsWithoutRecovery(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, "", func(config *settings.Config) { config.Channel, config.ChannelEnabled = "pgrst", true })
	ended := make(chan error, 1)
	go func() { ended <- api.Server.Watch(t.Context()) }()
	await(t, func() bool { return api.Server.Ready(t.Context()) })
	api.Exec(t, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'LISTEN \"pgrst\"'")
	if err := <-ended; !errors.Is(err, rest.ErrLost) {
		t.Errorf("ended with %v", err)
	}
}

func TestSettingsInTheDatabase(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, `
		create function settings() returns void language plpgsql as $$ begin
			perform set_config('pgrst.db_schemas', 'of the function', true), set_config('pgrst.db_max_rows', '7', true);
		end $$;
		create function "select"() returns void language sql as $$ select set_config('pgrst.jwt_aud', 'reserved', true) $$;`, nil)
	role, database := "sets_"+strings.ToLower(rand(t)), api.ServerDB.Owner().Config().ConnConfig.Database
	api.Exec(t, `create role `+role+`;
		alter role `+role+` set pgrst.db_schemas = 'of the role';
		alter role `+role+` set pgrst.db_tx_end = 'rollback';
		alter role `+role+` set pgrst.server_port = '1';
		alter role `+role+` in database "`+database+`" set pgrst.db_tx_end = 'commit';
		alter database "`+database+`" set pgrst.db_anon_role = 'of the database alone';`)
	t.Cleanup(func() { _, _ = api.DB.Exec(context.Background(), "drop role "+role) })
	for function, want := range map[string]map[string]string{
		"":                {"db_schemas": "of the role", "db_tx_end": "commit"},
		"public.settings": {"db_schemas": "of the role", "db_tx_end": "commit", "db_max_rows": "7"},
		"select":          {"db_schemas": "of the role", "db_tx_end": "commit", "jwt_aud": "reserved"},
	} {
		got, err := settings.FromDatabase(t.Context(), api.ServerDB.Owner(), role, function)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %q (-want +got):\n%s", function, diff)
		}
	}
	if _, err := settings.FromDatabase(t.Context(), api.ServerDB.Owner(), role, "no_such_function"); err == nil {
		t.Error("a function that does not exist was called")
	}
}

func rand(t *testing.T) string {
	t.Helper()
	return strings.NewReplacer("/", "", "_", "").Replace(t.Name())
}

func TestAllowedOrigins(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, twoSchemas, func(c *settings.Config) { c.Origins = []string{"http://one.example", "http://two.example"} })
	for origin, want := range map[string]string{"http://one.example": "http://one.example", "http://two.example": "http://two.example", "http://other.example": "", "": ""} {
		api.Run(t, restkit.Case{Path: "/numbers", Header: map[string]string{"Origin": origin}, Status: 200, WantHeader: map[string]string{"Access-Control-Allow-Origin": want}})
	}
	asks := map[string]string{"Origin": "http://one.example", "Access-Control-Request-Method": "POST"}
	api.Run(t, restkit.Case{Method: http.MethodOptions, Path: "/numbers", Header: asks, Status: 200, WantHeader: map[string]string{
		"Access-Control-Allow-Origin": "http://one.example", "Access-Control-Allow-Credentials": "true", "Access-Control-Max-Age": "86400",
	}})
}

func TestTraceHeaderIsReturned(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, twoSchemas, func(c *settings.Config) { c.TraceHeader = "X-Trace" })
	for _, path := range []string{"/numbers", "/nothing"} {
		response, _ := api.Do(t, restkit.Case{Path: path, Header: map[string]string{"X-Trace": "abc"}})
		if got := response.Header.Get("X-Trace"); got != "abc" {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestStatementsAreLoggedIfEnabled(t *testing.T) {
	t.Parallel()
	for _, enabled := range []bool{true, false} {
		api := restkit.New(t, twoSchemas, func(c *settings.Config) { c.LogQuery, c.PreRequest = enabled, "public.before"; c.AnonRole = "anon" })
		api.Exec(t, "create function before() returns void language sql as ''")
		var log bytes.Buffer
		routes := httpx.Observe(slog.New(slog.NewTextHandler(&log, nil)), time.Now, api.Server.Routes("/rest/v1"))
		r := httptest.NewRequest(http.MethodGet, "/rest/v1/numbers", nil)
		r.Header.Set("apikey", api.Auth.Keys.Anon)
		routes.ServeHTTP(httptest.NewRecorder(), r)
		for _, part := range []string{"set_config", "numbers", "before"} {
			if got := strings.Contains(log.String(), part); got != enabled {
				t.Errorf("enabled: %t, but %q is logged: %t\n%s", enabled, part, got, log.String())
			}
		}
	}
}

// TestChangesBeforeListen: changes between the first load of the schema and LISTEN cause no
// notification.
func TestChangesBeforeListen(t *testing.T) {
	t.Parallel()
	c := &changing{}
	c.API = restkit.New(t, twoSchemas, func(config *settings.Config) {
		config.Channel, config.ChannelEnabled, config.Recovery, config.Reread = "pgrst", true, true, true
	})
	c.Exec(t, "create table between_the_two (id int); alter table between_the_two enable row level security; grant select on between_the_two to anon")
	c.watch(t)
	c.until(t, "/between_the_two", http.StatusOK)
}
