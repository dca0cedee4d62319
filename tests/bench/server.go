package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"plaza/server/app"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/tests/testkit/freeport"
)

// migration is the measured database: 1,000 authors with 12 books each, behind a policy that checks
// the caller, who owns the books of one author.
const migration = `
create table authors (id int primary key, name text not null);
create table books (
  id int primary key, author_id int not null references authors (id), owner uuid not null,
  title text not null, price numeric(8,2) not null, in_print boolean not null, published date not null
);
create index on books (author_id);
create index on books (owner);
insert into authors select n, 'Author ' || n from generate_series(1, 1000) n;
insert into books
  select n, n % 1000 + 1, ('00000000-0000-4000-8000-' || lpad((n % 1000 + 1)::text, 12, '0'))::uuid, 'Title of book ' || n, n % 50 + 0.5, n % 3 > 0, date '2000-01-01' + n % 9000
  from generate_series(1, 12000) n;
alter table authors enable row level security;
alter table books enable row level security;
create policy authors_select_all on authors for select using (true);
create policy books_select_anon on books for select to anon using (in_print or not in_print);
analyze authors, books;
create table entries (
  id bigint generated always as identity primary key, owner uuid default auth.uid(),
  title text not null, amount int not null, made_at timestamptz not null default now()
);
alter table entries enable row level security;
create policy entries_insert_anon on entries for insert to anon with check (owner is null);
create policy entries_insert_owner on entries for insert to authenticated with check (owner = (select auth.uid()));
create function add(a int, b int) returns int language sql immutable as 'select a + b';
create function books_of(author int) returns setof books language sql stable as 'select * from books where author_id = author';
create policy books_select_owner on books for select to authenticated using (owner = (select auth.uid()));
`

// caller is the user who owns the books of author 77.
const caller = "00000000-0000-4000-8000-000000000077"

// server is a plaza process that serves the project of a run.
type server struct {
	address  string            // of HTTP
	postgres string            // DSN of the database's owner
	caller   string            // DSN of the role that the data API signs in as
	become   map[string]string // role → the statement that sets it
	secrets  app.Secrets
	token    string // access token of the measured user
	process  *exec.Cmd
	folder   string
}

// startServer starts a server with the marketplace and its demo data, or with the project of the
// tables above.
func startServer(ctx context.Context, s settings, binary string, marketplace bool) (*server, error) {
	folder, err := os.MkdirTemp("", "plaza-bench")
	if err != nil {
		return nil, err
	}
	args := []string{"serve"}
	if !marketplace {
		args = append(args, "--project", folder)
	}
	if err := errors.Join(os.Chmod(folder, 0o755), // PostgreSQL's own user must be able to enter
		os.Mkdir(filepath.Join(folder, "migrations"), 0o755),
		os.WriteFile(filepath.Join(folder, "migrations", "1_bench.sql"), []byte(migration+contextFunctionSQL), 0o600)); err != nil {
		return nil, err
	}
	web, database := freeport.Pick(), freeport.Pick()
	started := &server{address: "127.0.0.1:" + web, folder: folder}
	started.process = exec.CommandContext(ctx, binary, args...)
	started.process.Cancel = func() error { return started.process.Process.Signal(os.Interrupt) }
	started.process.Env = append(os.Environ(), "PLAZA_PORT="+web, "PLAZA_POSTGRES_PORT="+database,
		"PLAZA_DATA_DIR="+filepath.Join(folder, "data"), "PGRST_DB_POOL="+strconv.Itoa(s.connections))
	var complaints bytes.Buffer
	started.process.Stderr = &complaints
	out, err := started.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := started.process.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for ready := false; !ready && lines.Scan(); {
		ready = strings.Contains(lines.Text(), "Plaza is ready")
	}
	go func() {
		for lines.Scan() { // the rest of the banner must not fill the pipe
		}
	}()
	text, err := os.ReadFile(filepath.Join(folder, "data", "secrets.json"))
	if err != nil {
		return nil, fmt.Errorf("the server did not start: %w\n%s", err, complaints.String())
	}
	if err := json.Unmarshal(text, &started.secrets); err != nil {
		return nil, err
	}
	// Through the same Unix socket as the server.
	started.postgres = fmt.Sprintf("postgres://postgres:%s@/postgres?host=%s&port=%s",
		started.secrets.PostgresPassword, filepath.Join(folder, "data", "postgres"), database)
	started.caller = app.CallerURL(started.postgres, started.secrets)
	started.token, err = started.secrets.Authenticator(time.Now).Verifier.Mint(map[string]any{
		"role": "authenticated", "sub": caller, "aud": "authenticated", "exp": time.Now().Add(time.Hour).Unix(),
	})
	if err != nil {
		return nil, err
	}
	return started, started.settle(ctx)
}

// settle waits until the server and its database are idle: after the first start, jobs run for some seconds, and would slow
// down whatever is measured first.
func (s *server) settle(ctx context.Context) error {
	const idle = 50_000 // µs of processor time a second
	before, err := s.share()
	for range 30 {
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
		var after cpuShare
		if after, err = s.share(); err == nil {
			if used := after.minus(before); used.server+used.database < idle {
				return nil
			}
			before = after
		}
	}
	return errors.Join(err, errors.New("the server does not become idle"))
}

// readRoles determines the statements with which the data API sets a role.
func (s *server) readRoles(ctx context.Context) error {
	db, err := pg.Open(ctx, pg.Config{CallerURL: s.caller, ServiceURL: s.postgres, MaxCallers: 1, MaxService: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	s.become = make(map[string]string)
	for _, role := range []string{claims.Anon, claims.Authenticated} {
		s.become[role] = db.SetRoleSQL(role)
	}
	return nil
}

func (s *server) stop() {
	_ = s.process.Process.Signal(os.Interrupt)
	_ = s.process.Wait()
	_ = os.RemoveAll(s.folder)
}

// memory returns the server's resident memory in megabytes, without PostgreSQL's.
func (s *server) memory() (memory, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return memory{}, err
	}
	field := func(name string) int {
		_, rest, _ := strings.Cut(string(status), name+":")
		kilobytes, failed := strconv.Atoi(strings.Fields(rest)[0])
		err = errors.Join(err, failed)
		return kilobytes / 1024
	}
	return memory{resident: field("VmRSS"), own: field("RssAnon")}, err
}

// memory is the resident memory of a process in MB: in total, and without the pages of its binary.
type memory struct{ resident, own int }

func (m memory) String() string { return fmt.Sprintf("%d MB (%d its own)", m.resident, m.own) }

// ticksPerSecond is the unit of CPU time in /proc, on every Linux that Go runs on.
const ticksPerSecond = 100

// cpu returns the processor time that the server has used, without PostgreSQL's.
func (s *server) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The second field, the name, may contain spaces; fields 14 and 15 are user and system time.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticksPerSecond, errors.Join(errUser, errSystem)
}
