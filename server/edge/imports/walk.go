package imports

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plaza/server/lazyregexp"
)

// Limits of one search. A module beyond them is not found.
const (
	maxFiles     = 5000
	maxFileBytes = 4 << 20
)

// specifiers matches imports and exports from a module whose name is a literal. It also matches in
// comments and strings, which finds more files, never fewer.
var specifiers = lazyregexp.New("\\b(?:import|export)\\b[^'\"`;]*?\\bfrom\\s*['\"]([^'\"\\n]+)['\"]|\\bimport\\s*\\(\\s*['\"]([^'\"\\n]+)['\"]|\\bimport\\s*['\"]([^'\"\\n]+)['\"]")

// Files returns the local files that a module imports, directly or through others, sorted and with the
// module itself. Files in node_modules, and files that cannot be read, are left out.
func Files(entry string, m Map) []string {
	found, pending := make(map[string]bool), []string{entry}
	for len(pending) > 0 && len(found) < maxFiles {
		path := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if found[path] || slices.Contains(strings.Split(path, string(filepath.Separator)), "node_modules") {
			continue
		}
		text, ok := readModule(path)
		if !ok {
			continue
		}
		found[path] = true
		for _, match := range specifiers().FindAllStringSubmatch(text, -1) {
			if target, ok := m.resolve(filepath.Dir(path), cmp.Or(match[1:]...)); ok {
				pending = append(pending, target)
			}
		}
	}
	files := make([]string, 0, len(found))
	for path := range found {
		files = append(files, path)
	}
	slices.Sort(files)
	return files
}

// readModule returns the text of a file. ok is false if there is none, or if it is too large.
func readModule(path string) (text string, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return "", false
	}
	content, err := os.ReadFile(path)
	return string(content), err == nil
}

// resolve returns the local file to which a specifier in a folder refers: that of the longest matching
// entry of the map, or else the relative path itself.
func (m Map) resolve(dir, specifier string) (path string, ok bool) {
	if path, ok = m.targets[specifier]; ok {
		return path, true
	}
	longest := ""
	for name := range m.targets {
		if strings.HasSuffix(name, "/") && strings.HasPrefix(specifier, name) && len(name) > len(longest) {
			longest = name
		}
	}
	if longest != "" {
		return filepath.Join(m.targets[longest], filepath.FromSlash(strings.TrimPrefix(specifier, longest))), true
	}
	return localPath(dir, specifier)
}
