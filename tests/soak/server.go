package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"plaza/server/app"
	"plaza/tests/testkit/freeport"
	"plaza/tests/testkit/load"
)

// grace is how long after the server is ready again a request that began in the outage may still
// fail.
const grace = 3 * time.Second

// requestTimeout is longer than any outage can delay a request.
const requestTimeout = 30 * time.Second

var plain = &http.Client{Timeout: requestTimeout}

func get(ctx context.Context, url string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	response, err := plain.Do(request)
	if err != nil {
		return 0, nil, err
	}
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, errors.Join(err, response.Body.Close())
}

// server is the binary with its own data folder, which is restarted after each kill.
type server struct {
	binary, folder  string
	url, admin      string
	environ         []string
	database        string // DSN of PostgreSQL's superuser
	anon            string
	postgresPidFile string

	mu      sync.Mutex
	process *exec.Cmd
	output  *bytes.Buffer
	done    chan error
	down    bool
	upSince time.Time
}

func newServer(binary string) (*server, error) {
	path, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "plaza-soak")
	if err != nil {
		return nil, err
	}
	migrations := filepath.Join(folder, "supabase", "migrations")
	if err := errors.Join(os.Chmod(folder, 0o755), os.MkdirAll(migrations, 0o755), // PostgreSQL's own user must be able to enter
		os.WriteFile(filepath.Join(folder, "supabase", "config.toml"), []byte("project_id = \"soak\"\n"), 0o600),
		os.WriteFile(filepath.Join(migrations, "20260101000000_soak.sql"), []byte(load.Migration), 0o600)); err != nil {
		return nil, err
	}
	web, admin, database := freeport.Pick(), freeport.Pick(), freeport.Pick()
	data := filepath.Join(folder, "data")
	return &server{
		binary: path, folder: folder, url: "http://127.0.0.1:" + web, admin: "http://127.0.0.1:" + admin,
		environ: []string{"PLAZA_PORT=" + web, "PLAZA_POSTGRES_PORT=" + database, "PLAZA_DATA_DIR=" + data,
			"PGRST_ADMIN_SERVER_PORT=" + admin, "PGRST_ADMIN_SERVER_HOST=127.0.0.1", "GOTRUE_MAILER_AUTOCONFIRM=true"},
		database:        database,
		postgresPidFile: filepath.Join(data, "postgres", "postmaster.pid"),
	}, nil
}

// start runs the server until it is ready.
func (s *server) start(ctx context.Context) error {
	command := exec.Command(s.binary, "serve", "--project", s.folder)
	command.Env = append(os.Environ(), s.environ...)
	output := &bytes.Buffer{}
	command.Stderr = output
	done := make(chan error, 1)
	if err := command.Start(); err != nil {
		return err
	}
	go func() { done <- command.Wait() }()
	s.mu.Lock()
	s.process, s.output, s.done = command, output, done
	s.mu.Unlock()
	if err := s.waitReady(ctx, done); err != nil {
		return err
	}
	return s.readSecrets()
}

// errEnded is the error of a server that exits instead of becoming ready.
var errEnded = errors.New("the server ended")

// lastLines returns the end of what a server printed.
func lastLines(text string) string {
	const most = 2000
	return text[max(0, len(text)-most):]
}

// waitReady waits until the server reports that it is ready.
func (s *server) waitReady(ctx context.Context, done chan error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		select {
		case err := <-done:
			return fmt.Errorf("%w: %w\n%s", errEnded, err, lastLines(s.output.String()))
		case <-ctx.Done():
			return errors.New("the server is not ready within a minute")
		case <-time.After(20 * time.Millisecond):
		}
		status, _, err := get(ctx, s.url+"/ready")
		if err == nil && status == http.StatusOK {
			s.mu.Lock()
			s.down, s.upSince = false, time.Now()
			s.mu.Unlock()
			return nil
		}
	}
}

func (s *server) readSecrets() error {
	text, err := os.ReadFile(filepath.Join(s.folder, "data", "secrets.json"))
	if err != nil {
		return err
	}
	var secrets app.Secrets
	if err := json.Unmarshal(text, &secrets); err != nil {
		return err
	}
	s.anon = secrets.Keys.Anon
	if !strings.HasPrefix(s.database, "postgres://") {
		s.database = fmt.Sprintf("postgres://postgres:%s@/postgres?host=%s&port=%s",
			secrets.PostgresPassword, filepath.Join(s.folder, "data", "postgres"), s.database)
	}
	return nil
}

// ended returns the channel that signals that the process has exited.
func (s *server) ended() chan error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// wasUp reports whether nothing was down since a time.
func (s *server) wasUp(since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.down && since.After(s.upSince.Add(grace))
}

func (s *server) markDown() (pid int, done chan error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = true
	return s.process.Process.Pid, s.done
}

// kill ends the server with SIGKILL and starts it again.
func (s *server) kill(ctx context.Context) error {
	pid, done := s.markDown()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	<-done
	return s.start(ctx)
}

// restart starts a server that has ended by itself.
func (s *server) restart(ctx context.Context) error {
	s.markDown()
	return s.start(ctx)
}

// killPostgres ends PostgreSQL's first process with SIGKILL and waits until the
// server is ready again.
func (s *server) killPostgres(ctx context.Context) error {
	text, err := os.ReadFile(s.postgresPidFile)
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return err
	}
	_, done := s.markDown()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	for syscall.Kill(pid, 0) == nil { // until it has exited, "ready" means nothing
		time.Sleep(5 * time.Millisecond)
	}
	return s.waitReady(ctx, done)
}

// remove ends the server and deletes its folder.
func (s *server) remove() {
	s.mu.Lock()
	process, done := s.process, s.done
	s.mu.Unlock()
	if process != nil {
		_ = process.Process.Signal(os.Interrupt)
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			_ = process.Process.Kill()
		}
	}
	_ = os.RemoveAll(s.folder)
}
