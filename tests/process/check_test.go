package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/server/pg/migrate/check"
	"plaza/tests/testkit/freeport"
)

// A pending migration that would block queries is named, and nothing is applied.
func TestPendingMigrationsAreChecked(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := &server{environ: []string{"PLAZA_DATA_DIR=" + filepath.Join(root, "data"), "PLAZA_POSTGRES_PORT=" + freeport.Pick()}}
	run := func(args ...string) (string, error) {
		return s.runCommand(t, nil, append(args, "--project", root)...)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, "supabase/migrations", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("20250101000001_parcels.sql", "create table public.parcels (id bigint primary key, weight integer);")
	if output, err := run("migrate"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if output, err := run("migrate", "--check"); err != nil || !strings.Contains(output, "0 findings in 0 pending files") {
		t.Errorf("nothing is pending: %v\n%s", err, output)
	}
	write("20250102000000_weight.sql", "create extension if not exists pg_net;\nalter table public.parcels alter column weight set not null;")
	output, err := s.prepare(t, nil, "migrate", "--check", "-o", "json", "--project", root).Output()
	if err == nil {
		t.Error("the check exits with 0")
	}
	var report check.Report
	if err := json.Unmarshal(output, &report); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if len(report.Findings) != 1 || report.Findings[0].Kind != check.Scan || report.Findings[0].Line != 2 || report.Findings[0].Size == nil || len(report.Findings[0].Safe) != 3 {
		t.Fatalf("%s", output)
	}
	if output, err := run("migrate", "--check", "--since", "20250101000001"); err == nil || !strings.Contains(output, "20250102000000_weight.sql:2: alter table public.parcels") {
		t.Errorf("after a version: %v\n%s", err, output)
	}
	if output, err := run("migrate", "--since", "1"); err == nil || !strings.Contains(output, "need --check") {
		t.Errorf("--since alone: %v\n%s", err, output)
	}
	// The safe form that the check proposes.
	if err := os.Remove(filepath.Join(root, "supabase/migrations/20250102000000_weight.sql")); err != nil {
		t.Fatal(err)
	}
	for i, text := range report.Findings[0].Safe {
		write("2025010300000"+string(rune('0'+i))+"_weight.sql", text)
	}
	if output, err := run("migrate", "--check"); err != nil || !strings.Contains(output, "0 findings in 3 pending files") {
		t.Errorf("the safe form: %v\n%s", err, output)
	}
	if output, err := run("migrate"); err != nil || !strings.Contains(output, "20250103000002_weight.sql") {
		t.Errorf("%v\n%s", err, output)
	}
}
