package edge

import (
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"plaza/server/invoke"
)

//go:embed main.js
var mainModule []byte

// prepare finds deno and writes the main module.
//
// Errors: 503 functions_runtime_missing.
func (r *Runtime) prepare() (string, error) {
	program, err := findDeno(r.cfg.Deno, r.folder.Root)
	if err != nil {
		return "", invoke.NewRelayError(http.StatusServiceUnavailable, "functions_runtime_missing",
			"There is no deno to run functions with. Install it, or npm's package deno beside the project, or set FUNCTIONS_DENO or FUNCTIONS_UPSTREAM.").WithCause(err)
	}
	for _, dir := range []string{r.DataDir, r.cacheDir(), r.tempDir()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("create functions folder: %w", err)
		}
	}
	if err := os.WriteFile(r.mainPath(), mainModule, 0o600); err != nil {
		return "", fmt.Errorf("write main module of functions: %w", err)
	}
	return program, nil
}

func (r *Runtime) mainPath() string { return filepath.Join(r.DataDir, "main.js") }
func (r *Runtime) cacheDir() string { return filepath.Join(r.DataDir, "deno") }
func (r *Runtime) tempDir() string  { return filepath.Join(r.DataDir, "tmp") }

// findDeno finds the program: the configured path, PATH, then npm packages next to the project, the
// working directory and this program.
func findDeno(configured, root string) (string, error) {
	if configured != "" {
		return exec.LookPath(configured)
	}
	if found, err := exec.LookPath("deno"); err == nil {
		return filepath.Abs(found)
	}
	var roots []string
	if root != "" {
		roots = append(roots, root, filepath.Dir(root))
	}
	if wd, err := os.Getwd(); err == nil {
		roots = append(roots, wd, filepath.Join(wd, ".tools/deno"))
	}
	if exe, err := os.Executable(); err == nil {
		beside := filepath.Dir(exe)
		roots = append(roots, beside, filepath.Join(beside, ".tools/deno"), filepath.Join(filepath.Dir(beside), ".tools/deno"))
	}
	for _, dir := range roots {
		for _, inPackage := range []string{"@deno/" + platform() + "/deno", "deno/deno"} {
			path := filepath.Join(dir, "node_modules", inPackage)
			if found, err := exec.LookPath(path); err == nil {
				return found, nil
			}
		}
	}
	return "", fmt.Errorf("no deno on PATH or in node_modules of %s", strings.Join(roots, ", "))
}

// platform returns the name of this platform in deno's npm packages.
func platform() string {
	name := runtime.GOOS + "-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if runtime.GOOS == "linux" {
		name += "-glibc"
	}
	return name
}

// arguments returns deno's arguments. They allow a function to use the network, its environment, its
// own folder for reading and a folder for temporary files, but no other files, no subprocesses and
// no native code.
func (r *Runtime) arguments(s spec) []string {
	read := []string{r.functionsDir(), filepath.Dir(s.entry), r.cacheDir(), r.tempDir()}
	args := []string{
		"run", "--quiet", "--no-prompt", "--no-lock", "--unstable-no-legacy-abort", "--allow-net", "--allow-env", "--allow-sys", "--allow-import",
		"--v8-flags=--max-old-space-size=" + strconv.Itoa(r.cfg.Memory), "--allow-write=" + r.tempDir(),
	}
	switch base := filepath.Base(s.importMap); {
	case s.importMap == "":
		args = append(args, "--no-config")
	case base == "deno.json" || base == "deno.jsonc":
		read = append(read, filepath.Dir(s.importMap))
		args = append(args, "--config", s.importMap)
	default:
		read = append(read, filepath.Dir(s.importMap))
		args = append(args, "--no-config", "--import-map", s.importMap)
	}
	return append(args, "--allow-read="+strings.Join(read, ","), r.mainPath())
}
