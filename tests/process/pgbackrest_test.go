package process

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit/freeport"
)

// debianPrograms is where Debian's package has PostgreSQL.
const debianPrograms = "/usr/lib/postgresql/15/bin"

// debian is a PostgreSQL of Debian's package that pgBackRest archives as described in docs/backup.md.
type debian struct {
	dir     string // belongs to its user
	port    string
	environ []string
	user    *syscall.Credential // nil means our own
}

// newDebian creates a database with the page's settings for pgBackRest and PostgreSQL.
func newDebian(t *testing.T, settings string) *debian {
	t.Helper()
	for _, program := range []string{debianPrograms + "/postgres", "pgbackrest"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatal("this test needs Debian's PostgreSQL 15 and pgBackRest: apt-get install postgresql-15 pgbackrest")
		}
	}
	d := &debian{dir: filepath.Join(folder(t), "postgres"), port: freeport.Pick(), user: postgresUser(t)}
	d.makeFolders(t)
	d.environ = append(os.Environ(), "PGBACKREST_CONFIG="+d.path("pgbackrest.conf"), "PGBACKREST_LOG_PATH="+d.path("log"), "PGBACKREST_LOCK_PATH="+d.path("lock"),
		"PGBACKREST_PG1_PORT="+d.port, "PGBACKREST_PG1_SOCKET_PATH="+d.dir, "PGBACKREST_PG1_USER=postgres")
	d.run(t, debianPrograms+"/initdb", "-D", d.path("main"), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")

	settings = replaceOne(t, settings, "/var/lib/pgbackrest", d.path("repository"))
	settings = replaceOne(t, settings, "/var/lib/postgresql/15/main", d.path("main"))
	forArchive, forPostgres, found := strings.Cut(settings, "# postgresql.conf\n")
	if !found {
		t.Fatal("the page has no settings for postgresql.conf")
	}
	if err := os.WriteFile(d.path("pgbackrest.conf"), []byte(forArchive), 0o644); err != nil { // its user must read it
		t.Fatal(err)
	}
	d.appendSettings(t, fmt.Sprintf("%s\nport = %s\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '%s'\nfsync = off\n", forPostgres, d.port, d.dir))
	return d
}

// postgresUser returns the user that Debian's packages create, as PostgreSQL does not run as root.
func postgresUser(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	found, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(atoi(t, found.Uid)), Gid: uint32(atoi(t, found.Gid))}
}

func (d *debian) path(name string) string { return filepath.Join(d.dir, name) }

func (d *debian) url() string {
	return "postgres://postgres@127.0.0.1:" + d.port + "/postgres?sslmode=disable"
}

// makeFolders creates the folders of PostgreSQL and pgBackRest.
func (d *debian) makeFolders(t *testing.T) {
	t.Helper()
	for _, name := range []string{"", "repository", "log", "lock"} {
		err := os.Mkdir(d.path(name), 0o700)
		if err == nil && d.user != nil {
			err = os.Chown(d.path(name), int(d.user.Uid), int(d.user.Gid))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (d *debian) appendSettings(t *testing.T, text string) {
	t.Helper()
	file, err := os.OpenFile(d.path("main/postgresql.conf"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// as prepares a command that runs as its user.
func (d *debian) as(command *exec.Cmd) *exec.Cmd {
	command.Dir, command.Env = d.dir, d.environ
	command.SysProcAttr = &syscall.SysProcAttr{Credential: d.user}
	return command
}

func (d *debian) run(t *testing.T, name string, args ...string) {
	t.Helper()
	if output, err := d.as(exec.CommandContext(t.Context(), name, args...)).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, output)
	}
}

// start runs PostgreSQL until stop is called or the test ends. It returns when the database was recovered.
func (d *debian) start(t *testing.T) (stop func()) {
	t.Helper()
	var output bytes.Buffer
	command := d.as(exec.Command(debianPrograms+"/postgres", "-D", d.path("main")))
	command.Stdout, command.Stderr = &output, &output
	command.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	started, ended := make(chan error), make(chan struct{})
	go func() {
		// The death signal is sent when this thread ends, so it is kept.
		runtime.LockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait()
			close(ended)
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	stop = func() { _ = command.Process.Signal(os.Interrupt); <-ended }
	t.Cleanup(stop)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !d.recovered(t.Context()) {
		select {
		case <-ended:
			t.Fatalf("PostgreSQL ended\n%s", &output)
		case <-tick.C:
		}
	}
	return stop
}

// recovered reports whether PostgreSQL serves and has finished its recovery.
func (d *debian) recovered(ctx context.Context) bool {
	conn, err := pgx.Connect(ctx, d.url())
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var recovered bool
	err = conn.QueryRow(ctx, "select not pg_is_in_recovery()").Scan(&recovered)
	return err == nil && recovered
}

// The settings and the commands are those of the page, with other folders and times.
func TestRestoreToATimeWithPgBackRest(t *testing.T) {
	t.Parallel()
	const page, heading = "backup.md", "### To a point in time"
	var commands []string
	for line := range strings.Lines(documentedBlock(t, page, heading, "sh")) {
		if !strings.HasPrefix(line, "#") {
			commands = append(commands, strings.TrimSpace(line))
		}
	}
	if len(commands) != 3 {
		t.Fatalf("the page has the commands %q", commands)
	}
	d := newDebian(t, documentedBlock(t, page, heading, "ini"))
	stop := d.start(t)
	d.run(t, "/bin/sh", "-c", commands[0])

	root := project(t)
	environ := []string{"DATABASE_URL=" + d.url(), "STORAGE_KEEP_DELETED=1h"}
	s := start(t, root, environ...)
	s.send(t, http.MethodPost, "/storage/v1/bucket", s.keys.Service, "application/json", strings.NewReader(`{"name":"files"}`))
	s.putObject(t, "one", "the one")
	query(t, d.url(), "create table public.drinks (name text); insert into public.drinks values ('coffee'); select 1")
	at := time.Now().UTC()
	query(t, d.url(), "drop table public.drinks; select 1")
	s.send(t, http.MethodDelete, "/storage/v1/object/files", s.keys.Service, "application/json", strings.NewReader(`{"prefixes":["one"]}`))

	if err := s.stop(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	stop()
	d.run(t, "/bin/sh", "-c", replaceOne(t, commands[1], "2026-11-22 14:30:00+00", at.Format("2006-01-02 15:04:05.000000-07")))
	d.start(t)
	restore := strings.Fields(replaceOne(t, commands[2], "2026-11-22T14:30:00Z", at.Format(time.RFC3339Nano)))
	if output, err := s.runCommand(t, nil, append(restore[1:], "--project", root)...); err != nil {
		t.Fatalf("%s: %v\n%s", commands[2], err, output)
	}

	restored := startIn(t, root, s.dir, environ...)
	if got := restored.send(t, http.MethodGet, "/rest/v1/drinks", s.keys.Service, "", nil); got != `[{"name":"coffee"}]` {
		t.Errorf("the rows are %s", got)
	}
	if got := restored.send(t, http.MethodGet, "/storage/v1/object/authenticated/files/one", s.keys.Service, "", nil); got != "the one" {
		t.Errorf("the object is %q", got)
	}
}
