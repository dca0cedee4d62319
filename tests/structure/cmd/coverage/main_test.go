package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIDCountsOnlyAtItsLevel(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path, text := range map[string]string{
		"tests/rls/a_test.go":               "// HOME-01 RULE-01\n// gap: RULE-02 is not built",
		"tests/e2e/a.spec.ts":               "test('HOME-02 RULE-04 RULE-05: shows', …)",
		"client/src/x.test.ts":              "it('HOME-03: counts', …)",
		"tests/conformance/data.test.mjs":   "it('API-01 RULE-03 HOME-03', …)",
		"client/src/node_modules/a.spec.ts": "HOME-04",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	named, err := idsInTests(root)
	if err != nil {
		t.Fatal(err)
	}
	requirements := "- **HOME-01** a\n- **HOME-02** a\n- **HOME-03** a\n- **HOME-04** a\n- **RULE-01** a\n- **RULE-02** a\n- **RULE-03** a\n- **RULE-04** a\n- **RULE-05** a\n- **API-01** a\n- **C-01** not a requirement\n"
	want := []*area{
		{name: "HOME", total: 4, elsewhere: []string{"HOME-01 (table)", "HOME-03 (API, unit)"}, missing: []string{"HOME-04"}},
		{name: "RULE", total: 5, elsewhere: []string{"RULE-04 (screen)"}, missing: []string{"RULE-02"}},
		{name: "API", total: 1},
	}
	if diff := cmp.Diff(want, areas(requirements, "", named), cmp.AllowUnexported(area{})); diff != "" {
		t.Errorf("areas (-want +got):\n%s", diff)
	}
}
