// Package process tests the binary from outside: started, interrupted, killed, with invalid
// settings, and on a user's project folder.
package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"plaza/tests/testkit/freeport"
)

// buildFolder is the folder of the built server during the tests.
var buildFolder string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "plaza-process")
	if err != nil {
		log.Fatal(err)
	}
	buildFolder = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

// binary builds the server once for all tests of the package.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildFolder, "plaza")
	output, err := exec.Command("go", "build", "-o", path, "../../server").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, output)
	}
	return path, nil
})

// folder returns an empty folder that PostgreSQL's own user can access; the path contains a space.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "plaza process ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // another user must be able to enter
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// project returns a typical Supabase folder.
func project(t *testing.T) string {
	t.Helper()
	root := folder(t)
	files := map[string]string{
		"supabase/config.toml": "project_id = \"notes\"\n[api]\nmax_rows = 2\n[auth]\nenable_signup = false\n",
		"supabase/migrations/20250101000000_notes.sql": `
			create table public.notes (id uuid primary key default gen_random_uuid(), body text not null, owner uuid references auth.users (id) default auth.uid());
			alter table public.notes enable row level security;
			create policy "notes are public" on public.notes for select using (true);`,
		"supabase/seed.sql": "insert into public.notes (body) values ('one'), ('two'), ('three');",
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// server is a running binary.
type server struct {
	url, dir string
	environ  []string
	command  *exec.Cmd
	output   *bytes.Buffer
	ended    chan error
	keys     struct {
		Anon    string `json:"anon"`
		Service string `json:"service_role"`
	}
}

func newListener(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// launch runs the binary on a project folder, without waiting until it is ready.
func launch(t *testing.T, root string, environ ...string) *server {
	t.Helper()
	return launchIn(t, root, filepath.Join(root, "data"), environ...)
}

// launchIn is like launch, with another data folder.
func launchIn(t *testing.T, root, dir string, environ ...string) *server {
	t.Helper()
	port := freeport.Pick()
	s := run(t, port, []string{"serve", "--project", root}, append([]string{
		"PLAZA_PORT=" + port, "PLAZA_POSTGRES_PORT=" + freeport.Pick(), "PLAZA_DATA_DIR=" + dir,
	}, environ...))
	s.dir = dir
	return s
}

// run starts the binary, which will listen on a port.
func run(t *testing.T, port string, args, environ []string) *server {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{url: "http://127.0.0.1:" + port, environ: environ, output: &bytes.Buffer{}, ended: make(chan error, 1)}
	s.command = exec.CommandContext(t.Context(), path, args...)
	s.command.Dir = "../.."
	s.command.Env = append(os.Environ(), environ...)
	s.command.Stdout, s.command.Stderr = s.output, s.output
	s.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		// The death signal is sent when this thread ends, so it is kept.
		runtime.LockOSThread()
		err := s.command.Start()
		started <- err
		if err == nil {
			s.ended <- s.command.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.command.Process.Signal(os.Interrupt); <-s.ended })
	return s
}

// start runs the binary until it is ready.
func start(t *testing.T, root string, environ ...string) *server {
	t.Helper()
	return startIn(t, root, filepath.Join(root, "data"), environ...)
}

// startIn is like start, with another data folder.
func startIn(t *testing.T, root, dir string, environ ...string) *server {
	t.Helper()
	s := launchIn(t, root, dir, environ...)
	if !s.waitReady(t) {
		t.Fatalf("the server ended\n%s", s.output)
	}
	s.readKeys(t)
	return s
}

// readKeys reads the API keys from the data folder.
func (s *server) readKeys(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "secrets.json"))
	if err != nil {
		t.Fatal(err)
	}
	secrets := struct {
		Keys any `json:"keys"`
	}{&s.keys}
	if err := json.Unmarshal(text, &secrets); err != nil {
		t.Fatal(err)
	}
}

// waitReady waits until the server is ready or has exited.
func (s *server) waitReady(t *testing.T) bool {
	t.Helper()
	for {
		select {
		case err := <-s.ended:
			s.ended <- err
			return false
		case <-time.After(20 * time.Millisecond):
		}
		if response, err := http.Get(s.url + "/ready"); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return true
			}
		}
	}
}

func (s *server) call(t *testing.T, method, path, key, body string) (int, string) {
	t.Helper()
	return s.callAs(t, method, path, key, "", body)
}

// callAs is like call, with a user's access token.
func (s *server) callAs(t *testing.T, method, path, key, token, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("apikey", key)
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// stop signals the server and returns its exit error.
func (s *server) stop(t *testing.T, signal os.Signal) error {
	t.Helper()
	if err := s.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err := <-s.ended
	s.ended <- err
	return err
}

// startFailure runs a server that cannot start and returns its output.
func startFailure(t *testing.T, root string, environ ...string) string {
	t.Helper()
	s := launch(t, root, environ...)
	err := <-s.ended
	s.ended <- err
	if err == nil {
		t.Fatalf("the server ended without an error:\n%s", s.output)
	}
	return s.output.String()
}
