package process

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// addMigration adds a migration to a project.
func addMigration(t *testing.T, root, sql string) {
	t.Helper()
	path := filepath.Join(root, "supabase/migrations/20250102000000_more.sql")
	if err := os.WriteFile(path, []byte(sql), 0o644); err != nil { // PostgreSQL's user reads it
		t.Fatal(err)
	}
}

// A PostgreSQL of DATABASE_URL has no key for the stand-in for Supabase's vault.
func TestProductionRefusesUnencryptedSecrets(t *testing.T) {
	t.Parallel()
	root := project(t)
	addMigration(t, root, "select vault.create_secret('hunter2', 'key');")
	database := "DATABASE_URL=" + ownCluster(t).URL()
	if output := startFailure(t, root, append([]string{database}, safeSettings...)...); !strings.Contains(output, "vault.secrets keeps 1 secret in clear") || strings.Contains(output, "hunter2") {
		t.Errorf("output: %s", output)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	examine := exec.Command(path, "doctor", "--project", root)
	examine.Dir = "../.."
	examine.Env = append(os.Environ(), "PLAZA_DATA_DIR="+filepath.Join(root, "data"), database)
	if output, err := examine.CombinedOutput(); err == nil || !strings.Contains(string(output), "vault.secrets: it keeps 1 secret in clear") {
		t.Errorf("the doctor says (%v): %s", err, output)
	}
}

// The files of the embedded PostgreSQL do not have the vault's secrets, and a backup has their key.
func TestVaultIsEncrypted(t *testing.T) {
	t.Parallel()
	root := project(t)
	addMigration(t, root, `select vault.create_secret(convert_from(decode('68756e746572322d736563726574', 'hex'), 'utf8'), 'key');
		create function public.reveal() returns text language sql security definer as $$ select decrypted_secret from vault.decrypted_secrets $$;`)
	const secret = `"hunter2-secret"`
	s := start(t, root, safeSettings...)
	s.mustCall(t, http.StatusOK, http.MethodPost, "/rest/v1/rpc/reveal", s.keys.Service, "")
	dir := filepath.Join(folder(t), "backup")
	if output, err := s.runCommand(t, nil, "backup", "--project", root, dir); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if err := s.stop(t, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Join(root, "data/postgres"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(strings.Trim(secret, `"`))) {
			t.Errorf("%s has the secret", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(root, "data/vault.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info, err)
	}
	restored := filepath.Join(folder(t), "data")
	if output, err := s.runCommand(t, []string{"PLAZA_DATA_DIR=" + restored}, "restore", "--project", root, dir); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	again := startIn(t, root, restored, safeSettings...)
	if got := again.mustCall(t, http.StatusOK, http.MethodPost, "/rest/v1/rpc/reveal", again.keys.Service, ""); got != secret {
		t.Errorf("after the restore: %s", got)
	}
}
