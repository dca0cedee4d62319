package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update is a flag of every test binary that imports testkit.
var update = flag.Bool("update", false, "rewrite golden files")

// Golden compares got with testdata/name of the package under test. With
// -update it writes the file instead; review the difference before you commit.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	golden(t, filepath.Join("testdata", name), got, *update)
}

func golden(t testing.TB, path string, got []byte, rewrite bool) {
	t.Helper()
	if rewrite {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to make it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
