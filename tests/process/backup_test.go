package process

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"plaza/tests/testkit/s3server"
)

// runCommand runs the binary to its end, on the data folder of a server.
func (s *server) runCommand(t *testing.T, environ []string, args ...string) (string, error) {
	t.Helper()
	output, err := s.prepare(t, environ, args...).CombinedOutput()
	return string(output), err
}

func (s *server) prepare(t *testing.T, environ []string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Dir = "../.."
	command.Env = append(append(os.Environ(), s.environ...), environ...)
	return command
}

// mustCall sends a request, and fails the test if the status differs.
func (s *server) mustCall(t *testing.T, status int, method, path, key, body string) string {
	t.Helper()
	got, answer := s.call(t, method, path, key, body)
	if got != status {
		t.Fatalf("%s %s: %d %s", method, path, got, answer)
	}
	return answer
}

func field(t *testing.T, answer string, names ...string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		value = value.(map[string]any)[name]
	}
	return fmt.Sprint(value)
}

// account is a user with a password and an authenticator app.
type account struct{ factor, secret string }

const signInBody = `{"email":"ana@example.com","password":"a-password-of-ana"}`

func signUp(t *testing.T, s *server) account {
	t.Helper()
	token := field(t, s.mustCall(t, http.StatusOK, http.MethodPost, "/auth/v1/signup", s.keys.Anon, signInBody), "access_token")
	enrolled := s.asUser(t, token, "/auth/v1/factors", `{"factor_type":"totp"}`)
	a := account{field(t, enrolled, "id"), field(t, enrolled, "totp", "secret")}
	a.verify(t, s, token, time.Now())
	return a
}

// verify answers a challenge with the code for an instant.
func (a account) verify(t *testing.T, s *server, token string, at time.Time) {
	t.Helper()
	challenge := field(t, s.asUser(t, token, "/auth/v1/factors/"+a.factor+"/challenge", "{}"), "id")
	code, err := totp.GenerateCode(a.secret, at)
	if err != nil {
		t.Fatal(err)
	}
	s.asUser(t, token, "/auth/v1/factors/"+a.factor+"/verify", fmt.Sprintf(`{"challenge_id":%q,"code":%q}`, challenge, code))
}

// signIn signs in with the password and the app's next code: each is accepted once.
func (a account) signIn(t *testing.T, s *server) {
	t.Helper()
	token := field(t, s.mustCall(t, http.StatusOK, http.MethodPost, "/auth/v1/token?grant_type=password", s.keys.Anon, signInBody), "access_token")
	a.verify(t, s, token, time.Now().Add(30*time.Second))
}

func (s *server) asUser(t *testing.T, token, path, body string) string {
	t.Helper()
	return s.send(t, http.MethodPost, path, token, "application/json", strings.NewReader(body))
}

// send sends a request that must succeed.
func (s *server) send(t *testing.T, method, path, token, mime string, body io.Reader) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("apikey", s.keys.Anon)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", mime)
	request.Header.Set("x-upsert", "true")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, answer, err)
	}
	return string(answer)
}

func (s *server) putObject(t *testing.T, key, content string) {
	t.Helper()
	s.send(t, http.MethodPost, "/storage/v1/object/files/"+key, s.keys.Service, "text/plain", strings.NewReader(content))
}

// contentOf returns the content of an object's version, so that it can be checked for completeness.
func contentOf(key string, version int) string {
	return strings.Repeat(fmt.Sprintf("%s, version %d\n", key, version), 500)
}

// keepWriting changes rows and objects until end is called, which waits for it.
func keepWriting(t *testing.T, s *server) (end func() int) {
	t.Helper()
	var stop atomic.Bool
	rounds, n := make(chan int, 1), 0
	go func() {
		defer func() { rounds <- n }() // even if a step fails
		for ; !stop.Load(); n++ {
			key := fmt.Sprintf("moving/%d", n%5)
			s.putObject(t, key, contentOf(key, n))
			s.send(t, http.MethodPost, "/rest/v1/notes", s.keys.Service, "application/json", strings.NewReader(fmt.Sprintf(`{"body":"note %d"}`, n)))
			s.send(t, http.MethodDelete, "/storage/v1/object/files", s.keys.Service, "application/json", strings.NewReader(fmt.Sprintf(`{"prefixes":["moving/%d"]}`, (n+2)%5)))
		}
	}()
	return func() int { stop.Store(true); return <-rounds }
}

// countObjects checks that all objects of a server are complete and returns their number.
func countObjects(t *testing.T, s *server) int {
	t.Helper()
	rows := s.send(t, http.MethodPost, "/storage/v1/object/list-v2/files", s.keys.Service, "application/json", strings.NewReader(`{"limit":1000}`))
	var listed struct {
		Objects []struct {
			Name     string
			Metadata struct{ Size int }
		}
	}
	if err := json.Unmarshal([]byte(rows), &listed); err != nil {
		t.Fatal(err)
	}
	for _, object := range listed.Objects {
		content := s.send(t, http.MethodGet, "/storage/v1/object/authenticated/files/"+object.Name, s.keys.Service, "", nil)
		first, _, _ := strings.Cut(content, "\n")
		version := 0
		_, _ = fmt.Sscanf(first, object.Name+", version %d", &version)
		if len(content) != object.Metadata.Size || strings.HasPrefix(object.Name, "moving/") && content != contentOf(object.Name, version) {
			t.Errorf("%s has %d bytes, which begin with %q, and not %d", object.Name, len(content), first, object.Metadata.Size)
		}
	}
	return len(listed.Objects)
}

func TestBackupOfRunningServerIsRestored(t *testing.T) {
	t.Parallel()
	for _, backend := range []string{"disk", "S3"} {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			environ := []string{"GOTRUE_MAILER_AUTOCONFIRM=true", "GOTRUE_DISABLE_SIGNUP=false", "GOTRUE_MFA_TOTP_ENROLL_ENABLED=true", "GOTRUE_MFA_TOTP_VERIFY_ENABLED=true"}
			var elsewhere []string
			if backend == "S3" {
				s3 := s3server.Start(t)
				s3.Bucket(t, "first")
				s3.Bucket(t, "second")
				environ = append(environ, "STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=first", "STORAGE_S3_ENDPOINT="+s3.Endpoint, "STORAGE_S3_FORCE_PATH_STYLE=true",
					"STORAGE_S3_ACCESS_KEY_ID="+s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY="+s3server.SecretKey)
				elsewhere = []string{"STORAGE_S3_BUCKET=second"}
			}
			restoreElsewhere(t, environ, elsewhere)
		})
	}
}

func restoreElsewhere(t *testing.T, environ, elsewhere []string) {
	root := project(t)
	s := start(t, root, environ...)
	ana := signUp(t, s)
	s.send(t, http.MethodPost, "/storage/v1/bucket", s.keys.Service, "application/json", strings.NewReader(`{"name":"files"}`))
	large := strings.Repeat("a line of a large object\n", 500_000)
	fixed := map[string]string{"empty": "", "a/b/small": "small", "large": large}
	for key, content := range fixed {
		s.putObject(t, key, content)
	}
	end := keepWriting(t, s)
	dir := filepath.Join(root, "backup")
	output, err := s.runCommand(t, nil, "backup", "--project", root, dir)
	rounds := end()
	if err != nil || !strings.Contains(output, "read back and sound") {
		t.Fatalf("backup: %v\n%s", err, output)
	}
	if rounds == 0 {
		t.Error("nothing was written meanwhile")
	}
	other := &server{environ: append(append(environ, elsewhere...), "PLAZA_DATA_DIR="+filepath.Join(root, "restored"))}
	if output, err := other.runCommand(t, nil, "restore", "--project", root, dir); err != nil {
		t.Fatalf("restore: %v\n%s", err, output)
	}
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	restored := startIn(t, root, filepath.Join(root, "restored"), append(environ, elsewhere...)...)
	ana.signIn(t, restored)
	if restored.keys != s.keys {
		t.Error("the keys are others")
	}
	for key, content := range fixed {
		if got := restored.send(t, http.MethodGet, "/storage/v1/object/authenticated/files/"+key, s.keys.Service, "", nil); got != content {
			t.Errorf("%s has %d bytes of another content", key, len(got))
		}
	}
	if found := countObjects(t, restored); found < len(fixed) {
		t.Errorf("there are %d objects", found)
	}
	restored.putObject(t, "after", "the restore")
}

// A backup that is killed at any step leaves no backup, and does not prevent the next one.
func TestKilledBackupLeavesNoBackup(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root)
	s.send(t, http.MethodPost, "/storage/v1/bucket", s.keys.Service, "application/json", strings.NewReader(`{"name":"files"}`))
	s.putObject(t, "one", "the one")
	backups := filepath.Join(root, "backups")
	dir := filepath.Join(backups, "today")
	for _, step := range []string{"Copying the database", "Copying the objects", "Reading the backup back"} {
		killAt(t, s.prepare(t, nil, "backup", "--project", root, dir), step, os.Kill)
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("killed while %q, the backup exists: %v", step, err)
		}
		if output, err := s.runCommand(t, nil, "backup", "--verify", dir+".partial"); err == nil {
			t.Errorf("killed while %q, the partial folder is taken for a backup: %s", step, output)
		}
	}
	killAt(t, s.prepare(t, nil, "backup", "--project", root, dir), "Copying the objects", os.Interrupt)
	if entries, err := os.ReadDir(backups); err != nil || len(entries) != 0 {
		t.Errorf("an interrupted backup leaves %v %v", entries, err)
	}
	if output, err := s.runCommand(t, nil, "backup", "--project", root, dir); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if entries, err := os.ReadDir(backups); err != nil || len(entries) != 1 {
		t.Errorf("beside the backup there is more: %v %v", entries, err)
	}
	if output, err := s.runCommand(t, nil, "backup", "--project", root, dir); err == nil || !strings.Contains(output, "is not empty") {
		t.Errorf("the backup is overwritten: %v %s", err, output)
	}
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if output, err := s.runCommand(t, nil, "backup", "--project", root, "--link-dest", dir, dir+"-later"); err != nil || !strings.Contains(output, "1 objects share") {
		t.Errorf("of a server that is stopped: %v\n%s", err, output)
	}
	killRestores(t, s, root, dir)
}

// killRestores kills restores at various steps: none leaves a usable data folder, and the next
// restore succeeds.
func killRestores(t *testing.T, s *server, root, dir string) {
	t.Helper()
	to := filepath.Join(root, "restored")
	environ := []string{"PLAZA_DATA_DIR=" + to}
	for _, step := range []string{"Unpacking the database", "Starting PostgreSQL", "Copying the objects"} {
		killAt(t, s.prepare(t, environ, "restore", "--project", root, dir), step, os.Kill)
		if output, err := s.runCommand(t, environ, "serve", "--project", root); err == nil || !strings.Contains(output, "was interrupted") {
			t.Fatalf("killed while %q, the folder is served: %v\n%s", step, err, output)
		}
	}
	if output, err := s.runCommand(t, environ, "restore", "--project", root, dir); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if output, err := s.runCommand(t, environ, "restore", "--project", root, dir); err == nil || !strings.Contains(output, "is not empty") {
		t.Errorf("over a data folder: %v %s", err, output)
	}
	restored := startIn(t, root, to)
	if got := restored.send(t, http.MethodGet, "/storage/v1/object/authenticated/files/one", s.keys.Service, "", nil); got != "the one" {
		t.Errorf("the object is %q", got)
	}
}

// killAt signals a command as soon as it reports a step.
func killAt(t *testing.T, command *exec.Cmd, step string, signal os.Signal) {
	t.Helper()
	progress, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		if strings.Contains(lines.Text(), step) {
			if err := command.Process.Signal(signal); err != nil {
				t.Error(err)
			}
		}
	}
	if err := command.Wait(); err == nil {
		t.Errorf("the command was not ended by the signal while %q", step)
	}
}
