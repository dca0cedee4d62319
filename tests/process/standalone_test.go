package process

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/freeport"
)

// database returns a separate PostgreSQL for the test, with a table for web_anon.
func database(t *testing.T) (url string, db *pgxpool.Pool) {
	t.Helper()
	yours := ownCluster(t)
	db = testkit.Open(t, yours.URL())
	if _, err := db.Exec(t.Context(), `
		create role web_anon;
		create table todos (id int primary key); insert into todos values (1), (2); grant select on todos to web_anon;
		create function setting(name text) returns text language sql stable as $$ select current_setting(name, true) $$;`); err != nil {
		t.Fatal(err)
	}
	return yours.URL(), db
}

// runRest runs `plaza rest` with flags and returns its output.
func runRest(t *testing.T, environ []string, args ...string) (string, error) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, append([]string{"rest"}, args...)...)
	command.Env = append(os.Environ(), environ...)
	output, err := command.CombinedOutput()
	return string(output), err
}

func TestTheAdminServer(t *testing.T) {
	t.Parallel()
	url, _ := database(t)
	port, admin := freeport.Pick(), freeport.Pick()
	environ := []string{
		"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_HOST=127.0.0.1", "PGRST_SERVER_PORT=" + port, "PGRST_ADMIN_SERVER_PORT=" + admin,
	}
	s := run(t, port, []string{"rest"}, environ)
	ask := &server{url: "http://127.0.0.1:" + admin, ended: s.ended, output: s.output}
	ask.waitFor(t, "/ready", http.StatusOK)
	if status, _ := ask.call(t, http.MethodGet, "/live", "", ""); status != http.StatusOK {
		t.Errorf("/live: %d", status)
	}
	if status, body := ask.call(t, http.MethodGet, "/schema_cache", "", ""); status != http.StatusOK || !strings.Contains(body, `"dbTables":[[{"qiName":"todos","qiSchema":"public"}`) {
		t.Errorf("/schema_cache: %d %s", status, body)
	}
	if status, _ := ask.call(t, http.MethodGet, "/nothing", "", ""); status != http.StatusNotFound {
		t.Errorf("/nothing: %d", status)
	}
	_, numbers := ask.call(t, http.MethodGet, "/metrics", "", "")
	for _, line := range []string{
		`pgrst_schema_cache_loads_total{status="SUCCESS"} 1`, `pgrst_schema_cache_loads_total{status="FAIL"} 0`, "pgrst_schema_cache_query_time_seconds ",
		"pgrst_db_pool_max 10", "pgrst_db_pool_waiting 0", "pgrst_db_pool_available ", "pgrst_db_pool_timeouts_total 0",
		"pgrst_jwt_cache_requests_total 0", "pgrst_jwt_cache_hits_total 0", "pgrst_jwt_cache_evictions_total 0", "go_goroutines ", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(numbers, "\n"+line) {
			t.Errorf("/metrics lacks %s", line)
		}
	}
	if output, err := runRest(t, environ, "--ready"); err != nil || output != "OK: http://127.0.0.1:"+admin+"/ready\n" {
		t.Errorf("--ready: %s %v", output, err)
	}
	if err := s.stop(t, syscall.SIGTERM); err != nil {
		t.Errorf("ended with %v", err)
	}
	if output, err := runRest(t, environ, "--ready"); err == nil || !strings.Contains(output, "connection refused to http://127.0.0.1:"+admin) {
		t.Errorf("--ready without a server: %s %v", output, err)
	}
	if !strings.Contains(s.output.String(), "Received termination unix signal SIGTERM") {
		t.Errorf("the output does not explain the exit:\n%s", s.output)
	}
}

func TestSignalsReload(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	file := filepath.Join(folder(t), "postgrest.conf")
	write := func(colour string) {
		if err := os.WriteFile(file, []byte(`app.settings.colour = "`+colour+`"`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("blue")
	port := freeport.Pick()
	s := run(t, port, []string{"rest", file}, []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_DB_CHANNEL_ENABLED=false"})
	s.waitFor(t, "/todos", http.StatusOK)
	write("red")
	if err := s.command.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	for body := ""; body != `"red"`; {
		_, body = s.call(t, http.MethodGet, "/rpc/setting?name=app.settings.colour", "", "")
	}
	if _, err := db.Exec(t.Context(), "create table fresh (); grant select on fresh to web_anon"); err != nil {
		t.Fatal(err)
	}
	if err := s.command.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	s.waitFor(t, "/fresh", http.StatusOK)
}

func TestDataAPIOnUnixSocket(t *testing.T) {
	t.Parallel()
	url, _ := database(t)
	path := filepath.Join(folder(t), "api.sock")
	if err := os.WriteFile(path, []byte("left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := run(t, "1", []string{"rest"}, []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_UNIX_SOCKET=" + path, "PGRST_SERVER_UNIX_SOCKET_MODE=640"})
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	for {
		response, err := client.Get("http://api/todos")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
		}
		select {
		case err := <-s.ended:
			s.ended <- err
			t.Fatalf("the server ended: %v\n%s", err, s.output)
		case <-time.After(20 * time.Millisecond):
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestDatabaseSettingsOfTheDataAPI(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	if _, err := db.Exec(t.Context(), "alter role current_user set pgrst.db_anon_role = 'web_anon'; alter role current_user set pgrst.db_max_rows = '1'"); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PGRST_DB_URI=" + url, "PGRST_DB_MAX_ROWS=2"}
	if output, err := runRest(t, environ, "--dump-config"); err != nil || !strings.Contains(output, "\ndb-max-rows = 1\n") || !strings.Contains(output, `db-anon-role = "web_anon"`) {
		t.Errorf("--dump-config: %v\n%s", err, output)
	}
	if output, err := runRest(t, environ, "--dump-schema"); err != nil || !strings.Contains(output, `"todos"`) {
		t.Errorf("--dump-schema: %v\n%s", err, output)
	}
	port := freeport.Pick()
	s := run(t, port, []string{"rest"}, append(environ, "PGRST_SERVER_PORT="+port))
	s.waitFor(t, "/todos", http.StatusOK)
	if _, body := s.call(t, http.MethodGet, "/todos", "", ""); body != `[{"id":1}]` {
		t.Errorf("max-rows of the database is not followed: %s", body)
	}
	if _, err := db.Exec(t.Context(), "alter role current_user reset pgrst.db_max_rows"); err != nil {
		t.Fatal(err)
	}
	for body := ""; strings.Count(body, "id") != 2; {
		// Standalone, the data API misses notifications sent before it listens, as upstream does.
		if _, err := db.Exec(t.Context(), "notify pgrst, 'reload config'"); err != nil {
			t.Fatal(err)
		}
		_, body = s.call(t, http.MethodGet, "/todos", "", "")
	}
}

func TestDatabaseSettingsOfTheServer(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	admin := freeport.Pick()
	s := start(t, project(t), "DATABASE_URL="+url, "PGRST_ADMIN_SERVER_PORT="+admin)
	ask := &server{url: "http://127.0.0.1:" + admin, ended: s.ended, output: s.output}
	ask.waitFor(t, "/ready", http.StatusOK)
	if _, numbers := ask.call(t, http.MethodGet, "/metrics", "", ""); !strings.Contains(numbers, "pgrst_db_pool_max 10") {
		t.Errorf("metrics of the whole server: %s", numbers)
	}
	if _, err := db.Exec(t.Context(), "alter role authenticator set pgrst.db_max_rows = '1'; notify pgrst, 'reload config'"); err != nil {
		t.Fatal(err)
	}
	for body := ""; strings.Count(body, "body") != 1; {
		_, body = s.call(t, http.MethodGet, "/rest/v1/notes?select=body", s.keys.Anon, "")
	}
}

func TestDataAPIExitsOnDatabaseFailure(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	if _, err := db.Exec(t.Context(), "create role guarded login password 'right'"); err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(url, db.Config().ConnConfig.User, "nobody", 1)
	s := run(t, freeport.Pick(), []string{"rest"}, []string{"PGRST_DB_URI=" + wrong, "PGRST_SERVER_PORT=0"})
	if err := <-s.ended; err == nil || !strings.Contains(s.output.String(), `"message":"Database connection error."`) {
		t.Errorf("a user who is refused: %v\n%s", err, s.output)
	}
	s.ended <- nil
	s = run(t, freeport.Pick(), []string{"rest"}, []string{
		"PGRST_DB_URI=postgres://postgres@127.0.0.1:1/postgres", "PGRST_SERVER_PORT=0", "PGRST_DB_POOL_AUTOMATIC_RECOVERY=false",
	})
	if err := <-s.ended; err == nil || !strings.Contains(s.output.String(), "Automatic recovery disabled, exiting.") {
		t.Errorf("no server, no recovery: %v\n%s", err, s.output)
	}
	s.ended <- nil
	if output, err := runRest(t, []string{"PGRST_DB_URI=nonsense", "PGRST_SERVER_PORT=0"}); err == nil || !strings.Contains(output, "nonsense") {
		t.Errorf("an invalid PGRST_DB_URI: %v\n%s", err, output)
	}
	if output, err := runRest(t, nil, "--example"); err != nil || !strings.Contains(output, "db-schemas") {
		t.Errorf("--example: %v\n%s", err, output)
	}
	if output, err := runRest(t, nil, "--version"); err != nil || !strings.Contains(output, "plaza") {
		t.Errorf("--version: %v\n%s", err, output)
	}
}

// A URL may name a replica and then the primary: reads go to the former, and LISTEN to the latter,
// which supports it.
func TestDataAPIOnReplica(t *testing.T) {
	t.Parallel()
	primary, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	db := testkit.Open(t, primary.URL())
	if _, err := db.Exec(t.Context(), `create role web_anon; create table todos (id int primary key); insert into todos values (1); grant select on todos to web_anon;
		create function is_replica() returns bool language sql stable as 'select pg_is_in_recovery()'`); err != nil {
		t.Fatal(err)
	}
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
	first, err := pgxpool.ParseConfig(standby.URL())
	if err != nil {
		t.Fatal(err)
	}
	second := db.Config().ConnConfig
	both := fmt.Sprintf("host=%s,%s port=%d,%d user=%s password=%s dbname=%s sslmode=disable", first.ConnConfig.Host, second.Host,
		first.ConnConfig.Port, second.Port, second.User, second.Password, second.Database)
	port, admin := freeport.Pick(), freeport.Pick()
	s := run(t, port, []string{"rest"}, []string{"PGRST_DB_URI=" + both, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_ADMIN_SERVER_PORT=" + admin, "PGRST_SERVER_HOST=127.0.0.1"})
	(&server{url: "http://127.0.0.1:" + admin, ended: s.ended, output: s.output}).waitFor(t, "/ready", http.StatusOK)
	if status, body := s.call(t, http.MethodGet, "/rpc/is_replica", "", ""); status != http.StatusOK || body != "true" {
		t.Errorf("%d %s", status, body)
	}
	if _, err := db.Exec(t.Context(), "create table fresh (); grant select on fresh to web_anon"); err != nil {
		t.Fatal(err)
	}
	replica := testkit.Open(t, standby.URL())
	for there := false; !there; {
		if err := replica.QueryRow(t.Context(), "select to_regclass('fresh') is not null").Scan(&there); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(t.Context(), "notify pgrst, 'reload schema'"); err != nil {
		t.Fatal(err)
	}
	s.waitFor(t, "/fresh", http.StatusOK)
}

func TestLogLevels(t *testing.T) {
	t.Parallel()
	url, _ := database(t)
	for level, wanted := range map[string][]string{
		"crit": nil, "error": {" 500 "}, "warn": {" 500 ", " 404 "}, "info": {" 500 ", " 404 ", " 200 "},
	} {
		port := freeport.Pick()
		s := run(t, port, []string{"rest"}, []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_ADMIN_SERVER_PORT=" + freeport.Pick(), "PGRST_LOG_LEVEL=" + level})
		s.waitFor(t, "/todos", http.StatusOK)
		_, _ = s.call(t, http.MethodGet, "/unknown", "", "")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/refused", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer a.b.c") // 500: there is no secret
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if err := s.stop(t, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		for status, path := range map[string]string{" 500 ": "/refused", " 404 ": "/unknown", " 200 ": "/todos"} {
			shown := strings.Contains(s.output.String(), `"GET `+path+` HTTP/1.1"`+status)
			if want := strings.Contains(strings.Join(wanted, ""), status); shown != want {
				t.Errorf("%s: a line of %s is shown: %t\n%s", level, status, shown, s.output)
			}
		}
	}
}
