package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestProductionRefusesUnencryptedSecrets: the stand-in for Supabase's vault is only for development.
func TestProductionRefusesUnencryptedSecrets(t *testing.T) {
	t.Parallel()
	root := project(t)
	migration := filepath.Join(root, "supabase/migrations/20250102000000_secret.sql")
	if err := os.WriteFile(migration, []byte("select vault.create_secret('hunter2', 'key');"), 0o644); err != nil { // PostgreSQL's user reads it
		t.Fatal(err)
	}
	if said := startFailure(t, root, safeSettings...); !strings.Contains(said, "vault.secrets keeps 1 secret in clear") || strings.Contains(said, "hunter2") {
		t.Errorf("it says: %s", said)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	examine := exec.Command(path, "doctor", "--project", root)
	examine.Dir = "../.."
	examine.Env = append(os.Environ(), "PLAZA_DATA_DIR="+filepath.Join(root, "data"), "PLAZA_POSTGRES_PORT="+freePort(t))
	if output, err := examine.CombinedOutput(); err == nil || !strings.Contains(string(output), "vault.secrets: it keeps 1 secret in clear") {
		t.Errorf("the doctor says (%v): %s", err, output)
	}
}
