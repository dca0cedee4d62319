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

// plan has the files that are needed to start a function.
type plan struct {
	spec
	modules imports.Map
	lock    string // absolute path of the deno.lock beside its deno.json; may be empty
	// registries is the absolute path of the .npmrc of the function, or of all functions; may be empty.
	registries string
	readable   []string // files and folders outside functions/ that it may read
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
	for _, dir := range []string{r.functionsDir(), filepath.Dir(s.entry)} { // the last one counts
		if file := filepath.Join(dir, ".npmrc"); isFile(file) {
			p.registries = file
		}
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
// A deno.json is split into its import map and its options. Otherwise deno would also look for a deno.json
// above each local target of its imports, and prefer that one to the function's own. A workspace is
// used as it is. The lock file is copied, because deno updates it, and .npmrc, because deno looks for it
// beside its configuration.
func (p plan) writeFiles(dir string) (args []string, err error) {
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.WriteFile(path, text, 0o600))
		return path
	}
	copyFile := func(name, from string) string {
		text, readErr := os.ReadFile(from)
		err = errors.Join(err, readErr)
		return write(name, text)
	}
	args = []string{"--no-lock"}
	if p.lock != "" {
		args = []string{"--lock=" + copyFile("deno.lock", p.lock)}
	}
	if len(p.modules.Folders) > 0 {
		return append(args, "--config="+p.importMap), err
	}
	if p.registries != "" {
		copyFile(".npmrc", p.registries)
	}
	options, modules := p.modules.Options, p.modules.Resolved
	if p.packages != "" {
		var readErr error
		modules, readErr = imports.Dependencies(p.packages)
		err = errors.Join(err, readErr)
	}
	if options == nil {
		options = []byte("{}")
	}
	args = append(args, "--config="+write("deno.json", options))
	if modules != nil {
		args = append(args, "--import-map="+write("import_map.json", modules))
	}
	return args, err
}
