package process

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plaza/tests/testkit/freeport"
)

// A server that is stopping accepts no new connections and closes idle ones, but completes running
// requests, with a response that closes the connection.
func TestDataAPIShutsDownGracefully(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	if _, err := db.Exec(t.Context(), "create function held() returns int language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return 1; end $$"); err != nil {
		t.Fatal(err)
	}
	port := freeport.Pick()
	s := run(t, port, []string{"rest"}, []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_DB_CHANNEL_ENABLED=false"})
	s.waitFor(t, "/todos", http.StatusOK)
	lock, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Exec(t.Context(), "select pg_advisory_xact_lock(7)"); err != nil {
		t.Fatal(err)
	}
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	idle, busy := dial(), dial()
	if _, err := io.WriteString(busy, "POST /rpc/held HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for waits := false; !waits; {
		if err := db.QueryRow(t.Context(), "select exists (select from pg_locks where locktype = 'advisory' and not granted)").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(idle); err != nil || len(rest) > 0 {
		t.Errorf("an idle connection: %q, %v", rest, err)
	}
	if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
		_ = conn.Close()
		t.Error("a connection is accepted after the signal")
	}
	if err := lock.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(busy), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "1" || !response.Close {
		t.Errorf("%q, close %t, %v", body, response.Close, err)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	s.ended <- nil
}

func TestSeveralDataAPIsShareAPort(t *testing.T) {
	t.Parallel()
	url, _ := database(t)
	port := freeport.Pick()
	environ := []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_HOST=127.0.0.1", "PGRST_SERVER_PORT=" + port, "PGRST_SERVER_REUSEPORT=true"}
	first := run(t, port, []string{"rest"}, environ)
	first.waitFor(t, "/todos", http.StatusOK)
	admin := freeport.Pick()
	second := run(t, port, []string{"rest"}, append(environ, "PGRST_ADMIN_SERVER_PORT="+admin))
	(&server{url: "http://127.0.0.1:" + admin, ended: second.ended, output: second.output}).waitFor(t, "/ready", http.StatusOK)
	if err := first.stop(t, syscall.SIGTERM); err != nil {
		t.Errorf("the first ended with %v", err)
	}
	if status, _ := second.call(t, http.MethodGet, "/todos", "", ""); status != http.StatusOK {
		t.Errorf("the second: %d", status)
	}
	if output, err := runRest(t, environ[:4]); err == nil || !strings.Contains(output, "address already in use") {
		t.Errorf("without the setting: %v\n%s", err, output)
	}
}

func TestAdminServerOnUnixSocket(t *testing.T) {
	t.Parallel()
	url, _ := database(t)
	path, port := filepath.Join(folder(t), "admin.sock"), freeport.Pick()
	s := run(t, port, []string{"rest"}, []string{
		"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_ADMIN_SERVER_UNIX_SOCKET=" + path, "PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE=600",
	})
	s.waitFor(t, "/todos", http.StatusOK)
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	response, err := client.Get("http://admin/live")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("/live: %d", response.StatusCode)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Settings that PostgREST 16 reloads and 14 did not, and its messages about deprecated settings.
func TestLogLevelAndChannelAreReloaded(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	file := filepath.Join(folder(t), "postgrest.conf")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("log-level = \"crit\"\ndb-channel-enabled = false\napp.settings.at = \"1\"\n")
	port := freeport.Pick()
	s := run(t, port, []string{"rest", file}, []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_JWT_ROLE_CLAIM_KEY=.a.role"})
	s.waitFor(t, "/todos", http.StatusOK)
	write("log-level = \"info\"\ndb-channel-enabled = true\napp.settings.at = \"2\"\n")
	if err := s.command.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	for body := ""; body != `"2"`; {
		_, body = s.call(t, http.MethodGet, "/rpc/setting?name=app.settings.at", "", "")
	}
	for listens := false; !listens; {
		if err := db.QueryRow(t.Context(), `select exists (select from pg_stat_activity where query ilike 'listen%pgrst%')`).Scan(&listens); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(t.Context(), "create table fresh (); grant select on fresh to web_anon; notify pgrst, 'reload schema'"); err != nil {
		t.Fatal(err)
	}
	s.waitFor(t, "/fresh", http.StatusOK)
	if err := s.stop(t, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	output := s.output.String()
	if strings.Contains(output, `"GET /todos HTTP/1.1" 200`) || !strings.Contains(output, `"GET /fresh HTTP/1.1" 200`) {
		t.Errorf("the log's level did not change:\n%s", output)
	}
	if strings.Count(output, "WARNING: The config `jwt-role-claim-key=.\"a\".\"role\"` is using the deprecated JSPath syntax.") < 2 {
		t.Errorf("the deprecated form is not named at start and reload:\n%s", output)
	}
}

func TestRequestsWaitForTheFirstSchemaLoad(t *testing.T) {
	t.Parallel()
	url, _ := database(t)
	port := freeport.Pick()
	s := run(t, port, []string{"rest"}, []string{"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=web_anon", "PGRST_SERVER_PORT=" + port, "PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP=1000"})
	for {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
			break
		}
		select {
		case err := <-s.ended:
			s.ended <- err
			t.Fatalf("ended with %v\n%s", err, s.output)
		default:
		}
	}
	if status, body := s.call(t, http.MethodGet, "/todos", "", ""); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}
