// Package imports finds the local files that a JavaScript or TypeScript module imports, and reads the
// import maps that Deno uses.
package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Map is an import map, as in an import_map.json or a deno.json.
type Map struct {
	// Files are the files that it was read from.
	Files []string
	// Folders are the members of a Deno workspace.
	Folders []string
	// Resolved is the map as JSON, with absolute URLs in place of relative paths.
	Resolved []byte
	// Options are the other settings of a deno.json, as JSON. It is nil for an import map.
	Options []byte

	targets map[string]string // name → absolute path
}

// mapFile is the part of an import map or a deno.json that names modules.
type mapFile struct {
	Imports   map[string]string            `json:"imports"`
	Scopes    map[string]map[string]string `json:"scopes"`
	ImportMap string                       `json:"importMap"`
	Workspace json.RawMessage              `json:"workspace"` // a list of folders, or an object with members
	Name      string                       `json:"name"`
	Exports   json.RawMessage              `json:"exports"` // a path, or an object with a path for each name
}

// dropped are the settings of a deno.json that are not passed on as options: those that name modules, which
// are in the import map, and those of where packages are installed, which is always the server's cache.
var dropped = []string{"imports", "scopes", "importMap", "workspace", "links", "nodeModulesDir", "vendor", "lock"}

// Read reads an import map or a deno.json. An empty path means an empty map.
func Read(path string) (Map, error) {
	m := Map{targets: make(map[string]string)}
	if path == "" {
		return m, nil
	}
	var file mapFile
	var options map[string]any
	if err := errors.Join(m.readFile(path, &file), m.readFile(path, &options)); err != nil {
		return Map{}, err
	}
	dir, modules := filepath.Dir(path), file
	if IsConfig(path) && len(file.Imports) == 0 && len(file.Scopes) == 0 && file.ImportMap != "" && !strings.Contains(file.ImportMap, "://") {
		modules = mapFile{}
		other := filepath.Join(dir, filepath.FromSlash(file.ImportMap))
		if err := m.readFile(other, &modules); err != nil {
			return Map{}, err
		}
		dir = filepath.Dir(other)
	}
	m.add(dir, modules)
	if err := m.addWorkspace(filepath.Dir(path), file); err != nil {
		return Map{}, fmt.Errorf("read workspace of %s: %w", path, err)
	}
	for _, name := range dropped {
		delete(options, name)
	}
	var err error
	if IsConfig(path) {
		if m.Options, err = json.Marshal(options); err != nil {
			return Map{}, err
		}
	}
	if len(m.Files) == 1 && IsConfig(path) { // the imports are in the deno.json itself
		modules.addSubpaths()
	}
	m.Resolved, err = json.Marshal(modules.resolved(dir))
	return m, err
}

// addSubpaths adds an entry for the modules inside each package, as deno does for the imports of a
// deno.json.
func (f mapFile) addSubpaths() {
	for _, entries := range append(slices.Collect(maps.Values(f.Scopes)), f.Imports) {
		for name, target := range maps.Clone(entries) {
			inside, ok := subpaths(target)
			if _, exists := entries[name+"/"]; ok && !exists && !strings.HasSuffix(name, "/") {
				entries[name+"/"] = inside
			}
		}
	}
}

// subpaths returns the target for the modules inside a package of npm or JSR. ok is false for other
// targets.
func subpaths(target string) (inside string, ok bool) {
	scheme, module, _ := strings.Cut(target, ":")
	if scheme != "npm" && scheme != "jsr" || strings.HasSuffix(module, "/") {
		return "", false
	}
	return scheme + ":/" + strings.TrimPrefix(module, "/") + "/", true
}

// add adds the local targets of a file's imports.
func (m *Map) add(dir string, file mapFile) {
	for _, entries := range append(slices.Collect(maps.Values(file.Scopes)), file.Imports) {
		for name, target := range entries {
			if path, ok := localPath(dir, target); ok {
				m.targets[name] = path
			}
		}
	}
}

// addWorkspace adds the members of a workspace, with the modules that their packages export.
func (m *Map) addWorkspace(dir string, file mapFile) error {
	for _, pattern := range file.members() {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		m.Folders = append(m.Folders, found...)
	}
	for _, folder := range m.Folders {
		for _, name := range []string{"deno.json", "deno.jsonc"} {
			var member mapFile
			if err := m.readFile(filepath.Join(folder, name), &member); err == nil { // a package.json may be in its place
				m.add(folder, member)
				m.add(folder, mapFile{Imports: member.exports()})
			}
		}
	}
	return nil
}

// exports returns an import map of a package's exports.
func (f mapFile) exports() map[string]string {
	var all map[string]string
	var only string
	if json.Unmarshal(f.Exports, &only) == nil {
		all = map[string]string{".": only}
	} else if json.Unmarshal(f.Exports, &all) != nil {
		return nil // deno reports exports of another form
	}
	named := make(map[string]string, len(all))
	for name, target := range all {
		named[f.Name+strings.TrimPrefix(name, ".")] = target
	}
	return named
}

// members returns the folders of a workspace.
func (f mapFile) members() []string {
	var list []string
	if json.Unmarshal(f.Workspace, &list) == nil {
		return list
	}
	var object struct {
		Members []string `json:"members"`
	}
	_ = json.Unmarshal(f.Workspace, &object) // deno reports a workspace of another form
	return object.Members
}

// resolved returns the import map with absolute URLs. dir is the folder of the file.
func (f mapFile) resolved(dir string) map[string]any {
	absolute := func(text string) string {
		if path, ok := localPath(dir, text); ok {
			return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
		}
		return text
	}
	all := func(entries map[string]string) map[string]string {
		made := make(map[string]string, len(entries))
		for name, target := range entries {
			made[absolute(name)] = absolute(target)
		}
		return made
	}
	scopes := make(map[string]map[string]string, len(f.Scopes))
	for scope, entries := range f.Scopes {
		scopes[absolute(scope)] = all(entries)
	}
	return map[string]any{"imports": all(f.Imports), "scopes": scopes}
}

// readFile reads a JSON file and adds it to m.Files.
func (m *Map) readFile(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(withoutComments(text), into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if !slices.Contains(m.Files, path) {
		m.Files = append(m.Files, path)
	}
	return nil
}

// IsConfig reports whether a file is a configuration of Deno, and not only an import map.
func IsConfig(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return name == "deno.json" || name == "deno.jsonc"
}

// localPath returns the path to which a specifier in a folder refers. ok is false for other URLs and for
// bare specifiers. A trailing slash is kept.
func localPath(dir, specifier string) (path string, ok bool) {
	specifier = strings.TrimPrefix(specifier, "file://")
	switch {
	case strings.HasPrefix(specifier, "/"):
		path = filepath.Clean(filepath.FromSlash(specifier))
	case strings.HasPrefix(specifier, "./"), strings.HasPrefix(specifier, "../"):
		path = filepath.Join(dir, filepath.FromSlash(specifier))
	default:
		return "", false
	}
	if strings.HasSuffix(specifier, "/") {
		path += "/"
	}
	return path, true
}

// Dependencies returns an import map with the dependencies of a package.json, as Deno reads them.
// Dependencies that are neither on npm nor on JSR are left out.
func Dependencies(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Dependencies    map[string]string `json:"dependencies"`
		DevDependencies map[string]string `json:"devDependencies"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	all := maps.Clone(file.DevDependencies)
	if all == nil {
		all = make(map[string]string)
	}
	maps.Copy(all, file.Dependencies)
	imports := make(map[string]string)
	for name, version := range all {
		target := "npm:" + name + "@" + version
		switch scheme, _, hasScheme := strings.Cut(version, ":"); {
		case hasScheme && (scheme == "npm" || scheme == "jsr"):
			target = version
		case hasScheme:
			continue // file:, workspace:, git+https: and others
		}
		imports[name] = target
	}
	mapFile{Imports: imports}.addSubpaths()
	return json.Marshal(map[string]any{"imports": imports})
}

// withoutComments returns JSON without the comments and trailing commas that Deno allows in its
// configuration.
func withoutComments(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		rest := string(text[i:min(i+2, len(text))])
		switch {
		case text[i] == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out = append(out, text[i:end]...)
			i = end - 1
		case rest == "//":
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case rest == "/*":
			for i += 2; i < len(text) && !(text[i] == '/' && text[i-1] == '*'); i++ {
			}
		case text[i] == '}' || text[i] == ']':
			kept := len(strings.TrimRight(string(out), " \t\r\n"))
			if kept > 0 && out[kept-1] == ',' {
				out = out[:kept-1]
			}
			out = append(out, text[i])
		default:
			out = append(out, text[i])
		}
	}
	return out
}
