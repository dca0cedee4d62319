package process

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"plaza/server/pg/embedded"
	"plaza/tests/testkit"
	"plaza/tests/testkit/freeport"
)

// waitFor polls a path until it returns a status, and returns the statuses seen on the way.
func (s *server) waitFor(t *testing.T, path string, wanted int) (seen []int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-s.ended:
			s.ended <- err
			t.Fatalf("the server ended: %v\n%s", err, s.output)
		case <-tick.C:
		}
		response, err := http.Get(s.url + path)
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == wanted {
			return seen
		}
		seen = append(seen, response.StatusCode)
	}
}

func TestStandaloneDataAPI(t *testing.T) {
	t.Parallel()
	yours := ownCluster(t)
	db := testkit.Open(t, yours.URL())
	if _, err := db.Exec(t.Context(), `
		create role web_anon; create schema api;
		create table api.todos (id int primary key, task text);
		insert into api.todos values (1, 'write'), (2, 'read');
		grant usage on schema api to web_anon; grant select on api.todos to web_anon;
		create function api.setting(name text) returns text language sql stable as $$ select current_setting(name, true) $$;`); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder(t), "postgrest.conf")
	port := freeport.Pick()
	settings := strings.Join([]string{
		"# as PostgREST's tutorial has it", `db-uri = "` + yours.URL() + `"`, `db-schemas = "api"`, `db-anon-role = "web_anon"`,
		"db-max-rows = 1 # cut", `app.settings.colour = "blue"`, `server-host = "127.0.0.1"`, "server-port = 1", "",
	}, "\n")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	s := run(t, port, []string{"rest", file}, []string{"PGRST_SERVER_PORT=" + port}) // the environment overrides the file
	s.waitFor(t, "/todos", http.StatusOK)
	for path, want := range map[string]string{
		"/todos?select=task&order=id":           `[{"task":"write"}]`,
		"/rpc/setting?name=app.settings.colour": `"blue"`,
		"/rpc/setting?name=request.jwt.claims":  `"{\"role\":\"web_anon\"}"`,
		"/rpc/setting?name=role":                `"web_anon"`,
	} {
		if status, body := s.call(t, http.MethodGet, path, "", ""); status != http.StatusOK || body != want {
			t.Errorf("%s: %d %s, want %s", path, status, body, want)
		}
	}
	if err := s.stop(t, syscall.SIGTERM); err != nil {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
}

// Both ways to serve read the addresses of replicas from the same variable.
func TestReplicasServeReads(t *testing.T) {
	t.Parallel()
	yours := ownCluster(t)
	db := testkit.Open(t, yours.URL())
	if _, err := db.Exec(t.Context(), "create function replica() returns boolean stable language sql as 'select pg_is_in_recovery()'"); err != nil {
		t.Fatal(err)
	}
	standby, err := yours.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
	replicas := "DATABASE_REPLICA_URLS=" + standby.URL()
	port := freeport.Pick()
	alone := run(t, port, []string{"rest"}, []string{
		"PGRST_SERVER_PORT=" + port, "PGRST_SERVER_HOST=127.0.0.1", "PGRST_DB_ANON_ROLE=postgres", "PGRST_DB_URI=" + yours.URL(), replicas,
	})
	alone.waitFor(t, "/rpc/replica", http.StatusOK)
	alone.waitForText(t, "/rpc/replica", "true")
	whole := start(t, project(t), "DATABASE_URL="+yours.URL(), replicas)
	whole.waitForText(t, "/rest/v1/rpc/replica", "true")
}

// waitForText polls a path until it returns a body.
func (s *server) waitForText(t *testing.T, path, wanted string) {
	t.Helper()
	body := ""
	for end := time.Now().Add(time.Minute); body != wanted; {
		if _, body = s.call(t, http.MethodGet, path, s.keys.Anon, ""); time.Now().After(end) {
			t.Fatalf("%s is answered %s", path, body)
		}
	}
}

func TestDataAPIWaitsForItsDatabase(t *testing.T) {
	t.Parallel()
	port, database := freeport.Pick(), newListener(t)
	address := database.Addr().String()
	_ = database.Close()
	_, text, _ := strings.Cut(address, ":")
	config := embedded.Config{DataDir: filepath.Join(folder(t), "data"), Port: atoi(t, text), Password: "late", Roots: []string{"../.."}}
	// A new PostgreSQL listens before it has the role of the URL, whose refusal ends the data API.
	created, err := embedded.Start(t.Context(), config)
	if err == nil {
		err = created.Stop(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, port, []string{"rest"}, []string{
		"PGRST_SERVER_PORT=" + port, "PGRST_SERVER_HOST=127.0.0.1", "PGRST_DB_ANON_ROLE=postgres",
		"PGRST_DB_URI=postgres://postgres:late@" + address + "/postgres?sslmode=disable",
	})
	s.waitFor(t, "/", http.StatusServiceUnavailable)
	_, body := s.call(t, http.MethodGet, "/", "", "")
	if !strings.Contains(body, "PGRST002") {
		t.Errorf("while the data API waits: %s", body)
	}
	late, err := embedded.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = late.Stop(context.Background()) })
	s.waitFor(t, "/nothing", http.StatusNotFound)
}

func TestInvalidSettingsOfTheDataAPI(t *testing.T) {
	t.Parallel()
	for setting, says := range map[string]string{
		"PGRST_JWT_SECRET=short":    "PGRST_JWT_SECRET: The JWT secret must be at least 32 characters long",
		"PGRST_SERVER_PORT=90000":   "PGRST_SERVER_PORT is 90000",
		"PGRST_DB_TX_END=sometimes": "PGRST_DB_TX_END is \"sometimes\"",
	} {
		s := run(t, freeport.Pick(), []string{"rest"}, []string{setting})
		err := <-s.ended
		s.ended <- err
		if err == nil || !strings.Contains(s.output.String(), says) {
			t.Errorf("%s: %v, says %s", setting, err, s.output)
		}
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	number, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return number
}
