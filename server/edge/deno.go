package edge

import (
	"embed"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"plaza/server/invoke"
)

// mainModules are the modules that run a function. main.js is the one that deno starts.
//
//go:embed runtime/*.js
var mainModules embed.FS

// prepare finds deno and writes the main modules.
//
// Errors: 503 functions_runtime_missing.
func (r *Runtime) prepare() (string, error) {
	program, err := findDeno(r.cfg.Deno, r.folder.Root)
	if err != nil {
		return "", invoke.NewRelayError(http.StatusServiceUnavailable, "functions_runtime_missing",
			"There is no deno to run functions with. Install it, or npm's package deno beside the project, or set FUNCTIONS_DENO or FUNCTIONS_UPSTREAM.").WithCause(err)
	}
	for _, dir := range []string{r.runDir(), filepath.Dir(r.mainPath())} { // of an earlier server
		if err := os.RemoveAll(dir); err != nil {
			return "", fmt.Errorf("empty functions folder: %w", err)
		}
	}
	for _, dir := range []string{r.DataDir, r.cacheDir(), r.runDir()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("create functions folder: %w", err)
		}
	}
	if err := os.CopyFS(r.DataDir, mainModules); err != nil {
		return "", fmt.Errorf("write main module of functions: %w", err)
	}
	return program, nil
}

func (r *Runtime) mainPath() string { return filepath.Join(r.DataDir, "runtime", "main.js") }
func (r *Runtime) cacheDir() string { return filepath.Join(r.DataDir, "deno") }

// runDir returns the folder that contains a folder for each process.
func (r *Runtime) runDir() string { return filepath.Join(r.DataDir, "run") }

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
