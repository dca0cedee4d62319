package process

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A project has the addresses, password and keys that every local stack of the Supabase CLI has, and
// `plaza status` prints them under the CLI's names while the server runs.
func TestStatus(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root)
	var document map[string]any
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		output, err := s.runCommand(t, nil, "status", "--project", root, "-o", "json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(output), &document); err != nil {
			t.Fatal(err)
		}
		if list, _ := document["jobs"].([]any); len(list) >= 4 {
			break
		}
		if time.Now().After(end) { // a server takes its jobs shortly after it is ready
			t.Errorf("the jobs are %v", document["jobs"])
			break
		}
	}
	values := make(map[string]string)
	for name, value := range document {
		values[name], _ = value.(string)
	}
	for name, want := range map[string]string{
		"API_URL": s.url, "REST_URL": s.url + "/rest/v1", "FUNCTIONS_URL": s.url + "/functions/v1", "STORAGE_S3_URL": s.url + "/storage/v1/s3", "MAILPIT_URL": s.url + "/inbox",
		"JWT_SECRET": "super-secret-jwt-token-with-at-least-32-characters-long", "PUBLISHABLE_KEY": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
		"SECRET_KEY": "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz", "S3_PROTOCOL_ACCESS_KEY_ID": "625729a08b95bf1b7ff351a663f3a23c", "S3_PROTOCOL_REGION": "local",
	} {
		if values[name] != want {
			t.Errorf("%s is %q, want %q", name, values[name], want)
		}
	}
	if !strings.HasPrefix(values["DB_URL"], "postgresql://postgres:postgres@127.0.0.1:") {
		t.Errorf("DB_URL is %q", values["DB_URL"])
	}
	conn, err := pgx.Connect(t.Context(), values["DB_URL"])
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, key := range []string{values["ANON_KEY"], values["SERVICE_ROLE_KEY"], values["PUBLISHABLE_KEY"], values["SECRET_KEY"]} {
		if status, body := s.call(t, http.MethodGet, "/rest/v1/notes?select=body&limit=1", key, ""); status != http.StatusOK || !strings.Contains(body, "one") {
			t.Errorf("%s: %d %s", key, status, body)
		}
	}
	environ, err := s.runCommand(t, nil, "status", "--project", root, "-o", "env")
	if err != nil || !strings.Contains(environ, `ANON_KEY="`+values["ANON_KEY"]+`"`) {
		t.Errorf("as variables: %s, %v", environ, err)
	}
	shown, err := s.runCommand(t, nil, "status", "--project", root)
	shown, jobs, _ := strings.Cut(shown, "  Background jobs\n")
	if !strings.Contains(jobs, "auth_mails") || !strings.Contains(jobs, strings.TrimPrefix(s.url, "http://127.0.0.1")+" since ") || strings.Contains(environ, "auth_mails") {
		t.Errorf("jobs: %s", jobs)
	}
	if err != nil || !strings.Contains(shown, values["DB_URL"]) || !strings.Contains(s.output.String(), strings.TrimSpace(shown)) {
		t.Errorf("shown: %s, at the start: %s, %v", shown, s.output, err)
	}
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if output, err := s.runCommand(t, nil, "status", "--project", root); err == nil {
		t.Errorf("after the end: %s", output)
	}
}

// With PLAZA_SECRETS=random a project has none of the development secrets.
func TestRandomSecretsOnRequest(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root, "PLAZA_SECRETS=random")
	shown, err := s.runCommand(t, nil, "status", "--project", root)
	if err != nil || strings.Contains(shown, "postgres:postgres") || strings.Contains(shown, "ACJWlzQHlZjBrEguHvfOxg") || strings.Contains(shown, "super-secret") {
		t.Errorf("%s, %v", shown, err)
	}
}
