package edge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plaza/server/edge/imports"
)

// plan has what is needed to start a function.
type plan struct {
	spec
	modules  imports.Map
	lock     string   // absolute path of the deno.lock beside its deno.json; may be empty
	readable []string // files and folders outside functions/ that it may read
}

// plan finds the files outside functions/ that a function needs: those that its modules import, the
// members of its workspace, and its static files. Only files of the project are among them, and none of
// the server's data folder.
func (r *Runtime) plan(s spec) (plan, error) {
	p := plan{spec: s}
	var err error
	if p.modules, err = imports.Read(s.importMap); err != nil {
		return p, err
	}
	if lock := filepath.Join(filepath.Dir(s.importMap), "deno.lock"); imports.IsConfig(s.importMap) && isFile(lock) {
		p.lock = lock
	}
	needed := slices.Concat(imports.Files(s.entry, p.modules), p.modules.Files, p.modules.Folders)
	for _, pattern := range s.staticFiles {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return p, fmt.Errorf("static_files of the function: %w", err)
		}
		needed = append(needed, found...)
	}
	for _, path := range needed {
		if isInside(r.projectDir(), path) && !isInside(r.functionsDir(), path) && !isInside(filepath.Dir(r.DataDir), path) {
			p.readable = append(p.readable, path)
		}
	}
	return p, nil
}

// isInside reports whether a path is in a folder. Both are absolute.
func isInside(dir, path string) bool {
	inside, err := filepath.Rel(dir, path)
	return err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator))
}

// writeFiles writes the files that deno needs besides the function's own into a folder, and returns
// the arguments that name them.
//
// A deno.json is split into its import map and its options: deno looks for a deno.json above each local
// target of a config's imports, too, and then prefers that one to the function's own. A workspace is
// used as it is. The lock file is copied, because deno updates it.
func (p plan) writeFiles(dir string) (args []string, err error) {
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.WriteFile(path, text, 0o600))
		return path
	}
	lock := "--no-lock"
	if p.lock != "" {
		text, readErr := os.ReadFile(p.lock)
		lock, err = "--lock="+write("deno.lock", text), errors.Join(err, readErr)
	}
	switch {
	case p.packages != "":
		text, readErr := imports.Dependencies(p.packages)
		args, err = []string{lock, "--no-config", "--import-map=" + write("import_map.json", text)}, errors.Join(err, readErr)
	case p.importMap == "":
		args = []string{lock, "--no-config"}
	case len(p.modules.Folders) > 0:
		args = []string{lock, "--config=" + p.importMap}
	default:
		args = []string{lock, "--config=" + write("deno.json", p.modules.Options), "--import-map=" + write("import_map.json", p.modules.Resolved)}
	}
	return args, err
}
