package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plaza/tests/testkit/freeport"
)

// The doctor's findings in a project's folder are fixed by a migration that contains its remedies.
func TestDoctorRemediesFixFindings(t *testing.T) {
	t.Parallel()
	root := project(t)
	data := filepath.Join(root, "data")
	s := &server{environ: []string{"PLAZA_DATA_DIR=" + data, "PLAZA_POSTGRES_PORT=" + freeport.Pick()}}
	migrate := func() {
		t.Helper()
		if output, err := s.runCommand(t, nil, "migrate", "--project", root); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	migrate()
	if err := os.Chmod(filepath.Join(data, "secrets.json"), 0o644); err != nil { // a problem to be found
		t.Fatal(err)
	}
	output, err := s.prepare(t, nil, "doctor", "--project", root, "--json", "--production").Output()
	if err == nil {
		t.Error("the doctor exits with 0")
	}
	var found struct {
		Findings []struct{ Code, Subject, Problem, Remedy string }
	}
	if err := json.Unmarshal(output, &found); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	var codes []string
	var remedies strings.Builder
	for _, f := range found.Findings {
		codes = append(codes, f.Code)
		if strings.HasSuffix(f.Remedy, ";") {
			remedies.WriteString(f.Remedy + "\n")
		}
	}
	for _, code := range []string{"unindexed_foreign_keys", "secrets_readable", "unsafe_setting"} {
		if !slices.Contains(codes, code) {
			t.Errorf("the doctor does not find %s: %q", code, codes)
		}
	}
	if err := os.Chmod(filepath.Join(data, "secrets.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "supabase/migrations/20250103000000_mended.sql"), []byte(remedies.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	migrate()
	if output, err := s.runCommand(t, nil, "doctor", "--project", root); err != nil || !strings.Contains(output, "nothing found") {
		t.Errorf("after its remedies: %v\n%s", err, output)
	}
}
