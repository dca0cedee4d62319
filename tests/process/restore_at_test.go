package process

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"plaza/tests/testkit/freeport"
	"plaza/tests/testkit/s3server"
)

// drinks describes all rows of a table that is dropped.
const drinks = "select count(*) || ' ' || md5(string_agg(name, '' order by id)) from public.drinks"

// history is a project in which a table was dropped and an object deleted. Its server was killed after both were archived.
type history struct {
	root, backups string
	environ       []string // of the server
	at            string   // a time before the table was dropped
	segment       string   // a WAL file that was written between the backup and at
	rows          string   // the result of drinks at that time
	objects       map[string]string
}

// makeHistory makes a backup, a table and an object, and drops and deletes them. PLAZA_ARCHIVE must be given.
func makeHistory(t *testing.T, environ ...string) history {
	t.Helper()
	root := project(t)
	p := history{
		root: root, backups: filepath.Join(root, "backups"), environ: slices.Concat(environ, []string{"PLAZA_ARCHIVE_INTERVAL=1s"}),
		// The later one is large, so that a restore takes some time to copy it.
		objects: map[string]string{"first": "of the backup", "later": strings.Repeat("a line of a large object\n", 500_000)},
	}
	port, admin := freeport.Pick(), "127.0.0.1:"+freeport.Pick()
	s := start(t, root, slices.Concat(p.environ, []string{"PLAZA_POSTGRES_PORT=" + port, "PLAZA_ADMIN_ADDR=" + admin})...)
	s.send(t, http.MethodPost, "/storage/v1/bucket", s.keys.Service, "application/json", strings.NewReader(`{"name":"files"}`))
	s.putObject(t, "first", p.objects["first"])
	s.waitArchived(t, admin, time.Now()) // a backup needs an archive
	backup := s.prepare(t, nil, "backup", "--project", root, filepath.Join(p.backups, "first"))
	backup.Dir = root // a backup may be in the working folder
	if output, err := backup.CombinedOutput(); err != nil {
		t.Fatalf("backup: %v\n%s", err, output)
	}
	query(t, localDatabase(port), "create table public.drinks (id int, name text); select 1")
	p.segment = query(t, localDatabase(port), "select pg_walfile_name(pg_current_wal_lsn())")
	// More WAL than fits into one file.
	query(t, localDatabase(port), "insert into public.drinks select n, md5(n::text) from generate_series(1, 200000) n; select 1")
	s.putObject(t, "later", p.objects["later"])
	p.rows = query(t, localDatabase(port), drinks)
	p.at = time.Now().UTC().Format(time.RFC3339Nano)
	query(t, localDatabase(port), "drop table public.drinks; select 1")
	s.send(t, http.MethodDelete, "/storage/v1/object/files", s.keys.Service, "application/json", strings.NewReader(`{"prefixes":["later"]}`))
	s.waitArchived(t, admin, time.Now())
	_ = s.stop(t, os.Kill)
	return p
}

// localDatabase returns the address of the embedded PostgreSQL on a port, with the password of development.
func localDatabase(port string) string {
	return "postgres://postgres:postgres@127.0.0.1:" + port + "/postgres"
}

// waitArchived waits until a server has archived all commits until a time.
func (s *server) waitArchived(t *testing.T, admin string, until time.Time) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := until.Add(time.Minute); ; <-tick.C {
		covered, ok := value(scrape(t, admin), "plaza_archive_covered_timestamp_seconds")
		if ok && covered > float64(until.UnixMilli())/1000 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%f is archived, not %s\n%s", covered, until, s.output)
		}
	}
}

// target returns a server that does not run, for commands that restore to a data folder.
func (p history) target(t *testing.T, dir string, environ ...string) *server {
	t.Helper()
	return &server{environ: slices.Concat(p.environ, environ, []string{"PLAZA_DATA_DIR=" + dir, "PLAZA_PORT=" + freeport.Pick()})}
}

// restore returns the arguments of a restore to p.at.
func (p history) restore(objects string, flags ...string) []string {
	return slices.Concat([]string{"restore", "--project", p.root, "--at", p.at, "--objects", objects}, flags, []string{p.backups})
}

// refused checks that no server starts on a data folder whose restore was interrupted.
func (p history) refused(t *testing.T, to *server) {
	t.Helper()
	if output, err := to.runCommand(t, nil, "serve", "--project", p.root); err == nil || !strings.Contains(output, "was interrupted") {
		t.Fatalf("the interrupted restore is served: %v\n%s", err, output)
	}
}

// check starts a server on a restored data folder. It must have the rows and objects of p.at, and continue the archive.
func (p history) check(t *testing.T, dir string, environ ...string) {
	t.Helper()
	port, admin := freeport.Pick(), "127.0.0.1:"+freeport.Pick()
	s := startIn(t, p.root, dir, slices.Concat(p.environ, environ, []string{"PLAZA_POSTGRES_PORT=" + port, "PLAZA_ADMIN_ADDR=" + admin})...)
	if got := query(t, localDatabase(port), drinks); got != p.rows {
		t.Errorf("the rows are %s, not %s", got, p.rows)
	}
	for key, content := range p.objects {
		if got := s.send(t, http.MethodGet, "/storage/v1/object/authenticated/files/"+key, s.keys.Service, "", nil); got != content {
			t.Errorf("%s has %d bytes of another content", key, len(got))
		}
	}
	s.waitArchived(t, admin, time.Now())
}

// killWhen kills a command as soon as a condition holds, which it polls.
func killWhen(t *testing.T, command *exec.Cmd, what string, holds func() bool) {
	t.Helper()
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case err := <-ended:
			t.Fatalf("the command ended before %s: %v\n%s", what, err, &output)
		case <-tick.C:
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Error(err)
	}
	<-ended
	if !command.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		t.Errorf("the command was not killed while %s, it ended before\n%s", what, &output)
	}
}

// A restore to a time that is killed at any step leaves no data folder, and the next one succeeds.
func TestKilledRestoreToATimeCanBeRepeated(t *testing.T) {
	t.Parallel()
	p := makeHistory(t, "PLAZA_ARCHIVE="+filepath.Join(folder(t), "archive"))
	dir := filepath.Join(p.root, "restored")
	to, restore := p.target(t, dir), p.restore(filepath.Join(p.root, "data", "storage"))
	for _, step := range []struct{ what, files string }{
		{"the backup is unpacked", "postgres/backup_label"},
		{"WAL is fetched", "postgres/pg_wal/" + p.segment},
		{"WAL is replayed", "postgres/postmaster.pid"},
		{"objects are copied", "storage/[0-9a-f][0-9a-f]/*"},
	} {
		began := time.Now()
		killWhen(t, to.prepare(t, nil, restore...), step.what, func() bool {
			found, err := filepath.Glob(filepath.Join(dir, "restore.partial", step.files))
			if err != nil {
				t.Error(err)
			}
			return slices.ContainsFunc(found, func(path string) bool { // files of the previous restore are older
				info, err := os.Stat(path)
				return err == nil && info.ModTime().After(began)
			})
		})
		p.refused(t, to)
	}
	if output, err := to.runCommand(t, nil, restore...); err != nil || !strings.Contains(output, "of WAL replayed") {
		t.Fatalf("restore: %v\n%s", err, output)
	}
	p.check(t, dir)
}

// The archive and the objects are in buckets. A restore that is killed while it copies objects leaves some in the
// bucket, and the next one says how to continue.
func TestRestoreToATimeFromBuckets(t *testing.T) {
	t.Parallel()
	s3 := s3server.Start(t)
	for _, name := range []string{"archive", "objects", "restored"} {
		s3.Bucket(t, name)
	}
	p := makeHistory(t, "PLAZA_ARCHIVE=s3://archive/notes", "STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=objects", "STORAGE_S3_ENDPOINT="+s3.Endpoint,
		"STORAGE_S3_FORCE_PATH_STYLE=true", "STORAGE_S3_ACCESS_KEY_ID="+s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY="+s3server.SecretKey)
	dir := filepath.Join(p.root, "restored")
	to := p.target(t, dir, "STORAGE_S3_BUCKET=restored")
	proxy, stored := holdUploads(t, s3.Endpoint, "restored")
	killWhen(t, to.prepare(t, []string{"STORAGE_S3_ENDPOINT=" + proxy}, p.restore("s3://objects/stub")...), "objects are copied", stored.Load)
	p.refused(t, to)
	if output, err := to.runCommand(t, nil, p.restore("s3://objects/stub")...); err == nil || !strings.Contains(output, "--reuse-objects") {
		t.Fatalf("over the objects of the killed restore: %v\n%s", err, output)
	}
	if output, err := to.runCommand(t, nil, p.restore("s3://objects/stub", "--reuse-objects")...); err != nil || !strings.Contains(output, "of WAL replayed") {
		t.Fatalf("restore: %v\n%s", err, output)
	}
	p.check(t, dir, "STORAGE_S3_BUCKET=restored")
}

// holdUploads returns the address of a proxy for an S3 server. It never returns the response to an upload to a bucket;
// stored becomes true at the first one.
func holdUploads(t *testing.T, endpoint, bucket string) (address string, stored *atomic.Bool) {
	t.Helper()
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	stored = &atomic.Bool{}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // which is signed
		},
		ModifyResponse: func(r *http.Response) error {
			if r.Request.Method == http.MethodPut && r.StatusCode == http.StatusOK && strings.HasPrefix(r.Request.URL.Path, "/"+bucket+"/") {
				stored.Store(true)
				<-r.Request.Context().Done() // the client has ended
			}
			return nil
		},
	})
	t.Cleanup(server.Close)
	return server.URL, stored
}
