package process

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plaza/tests/testkit/freeport"
)

func TestServesProjectFolder(t *testing.T) {
	t.Parallel()
	s := start(t, project(t))
	status, body := s.call(t, http.MethodGet, "/rest/v1/notes?select=body&order=body", s.keys.Anon, "")
	// max_rows of config.toml limits the three notes of seed.sql to two.
	if status != http.StatusOK || strings.Count(body, "body") != 2 {
		t.Errorf("notes: %d %s", status, body)
	}
	if status, body := s.call(t, http.MethodGet, "/rest/v1/businesses", s.keys.Anon, ""); status != http.StatusNotFound {
		t.Errorf("the built-in project is served, too: %d %s", status, body)
	}
	if status, body := s.call(t, http.MethodPost, "/auth/v1/signup", s.keys.Anon, `{"email":"a@example.com","password":"secret1"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("enable_signup = false is not honoured: %d %s", status, body)
	}
	if status, _ := s.call(t, http.MethodGet, "/", s.keys.Anon, ""); status != http.StatusOK {
		t.Errorf("landing page: %d", status)
	}
}

func TestKillLosesNothing(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root)
	if status, body := s.call(t, http.MethodPost, "/rest/v1/notes", s.keys.Service, `{"body":"kept"}`); status != http.StatusCreated {
		t.Fatalf("insert: %d %s", status, body)
	}
	if err := s.stop(t, syscall.SIGKILL); err == nil {
		t.Fatal("a killed process has no error")
	}
	again := start(t, root)
	if _, body := again.call(t, http.MethodGet, "/rest/v1/notes?select=body&body=eq.kept", again.keys.Anon, ""); body != `[{"body":"kept"}]` {
		t.Errorf("after the kill: %s", body)
	}
	if again.keys != s.keys {
		t.Error("the keys changed with the restart")
	}
}

func TestInterruptStopsCleanly(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root)
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "postgres", "postmaster.pid")); !os.IsNotExist(err) {
		t.Errorf("PostgreSQL did not stop: %v", err)
	}
}

func TestSecondServerOnSameFolderIsRefused(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root)
	output := startFailure(t, root)
	if !strings.Contains(output, "in use") {
		t.Errorf("output: %s", output)
	}
	if status, _ := s.call(t, http.MethodGet, "/ready", "", ""); status != http.StatusOK {
		t.Errorf("the first server suffered: %d", status)
	}
}

// A separate cluster, since the server sets the password of a role that all databases of a cluster
// share.
func TestServesExternalDatabase(t *testing.T) {
	t.Parallel()
	yours := ownCluster(t)
	root := project(t)
	s := start(t, root, "DATABASE_URL="+yours.URL())
	if status, body := s.call(t, http.MethodGet, "/rest/v1/notes?select=body&body=eq.one", s.keys.Anon, ""); body != `[{"body":"one"}]` {
		t.Errorf("notes: %d %s", status, body)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "postgres")); !os.IsNotExist(err) {
		t.Errorf("an embedded PostgreSQL was made beside the given one: %v", err)
	}
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
}

func TestInvalidSettingsExplainTheFix(t *testing.T) {
	t.Parallel()
	root := project(t)
	for name, test := range map[string]struct{ setting, says string }{
		"port in use":            {"PLAZA_PORT=" + busyPort(t), "PLAZA_PORT"},
		"no folder to write":     {"PLAZA_DATA_DIR=/dev/null/data", "PLAZA_DATA_DIR"},
		"no server at the URL":   {"DATABASE_URL=postgres://postgres@127.0.0.1:1/postgres", "DATABASE_URL"},
		"an invalid URL":         {"DATABASE_URL=nonsense", "DATABASE_URL"},
		"a secret that is short": {"JWT_SECRET=short", "JWT_SECRET"},
		"unsafe in production":   {"PLAZA_ENV=production", "https"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output := startFailure(t, root, test.setting)
			if !strings.Contains(output, test.says) || strings.Contains(output, "goroutine") {
				t.Errorf("with %s the output is: %s", test.setting, output)
			}
		})
	}
}

// busyPort returns a port that is in use during the test.
func busyPort(t *testing.T) string {
	t.Helper()
	listener := newListener(t)
	_, port, _ := strings.Cut(listener.Addr().String(), ":")
	return port
}

func TestEveryCommandExplainsItself(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "migrate", "seed", "keys", "backup", "restore", "doctor", "gentypes", "version"} {
		output, err := exec.Command(path, command, "--help").CombinedOutput()
		if err != nil || len(output) == 0 {
			t.Errorf("plaza %s --help: %v\n%s", command, err, output)
		}
		overview, err := exec.Command(path, "--help").CombinedOutput()
		if err != nil || !strings.Contains(string(overview), command) {
			t.Errorf("plaza --help does not list %s", command)
		}
	}
	if output, err := exec.Command(path, "nonsense").CombinedOutput(); err == nil {
		t.Errorf("an unknown command passes:\n%s", output)
	}
}

// Memory needed only for the first start of a large project is released.
func TestMemoryOfIdleServer(t *testing.T) {
	t.Parallel()
	port := freeport.Pick()
	s := run(t, port, []string{"serve"}, []string{"PLAZA_PORT=" + port, "PLAZA_POSTGRES_PORT=" + freeport.Pick(), "PLAZA_DATA_DIR=" + folder(t)})
	s.waitFor(t, "/ready", http.StatusOK)
	const limit = 20 // megabytes of private memory; the system may drop the binary's pages
	held := limit + 1
	for end := time.Now().Add(20 * time.Second); held > limit; held = s.memory(t, "RssAnon") {
		if time.Now().After(end) {
			t.Fatalf("the idle server holds %d MB", held)
		}
	}
}
