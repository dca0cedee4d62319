// Command coverage lists the requirement ids that no test names at the level to which the
// requirement applies: a screen, the API or a table. A test may name an id only if it would fail if
// the requirement were not met; this command checks the level and cannot check the rest.
//
// A line with the word "gap:" names ids whose absence the test asserts. Those do not count.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	defined   = regexp.MustCompile(`(?m)^- \*\*([A-Z]+(?:-[A-Z]+)?-\d+)\*\*`)
	mentioned = regexp.MustCompile(`\b[A-Z]+(?:-[A-Z]+)?-\d{2}\b`)
	group     = regexp.MustCompile(`-\d+$`)
	gap       = regexp.MustCompile(`\bgap:`)
)

func main() {
	requirements := flag.String("requirements", "../shared/spec/requirements.md", "the numbered requirements")
	root := flag.String("root", ".", "the tree whose tests are read")
	only := flag.String("group", "", "look at these groups only, comma-separated: NAV,HOME")
	flag.Parse()
	if err := run(*requirements, *root, *only); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

// area is the coverage of the requirements that share a prefix.
type area struct {
	name      string
	total     int
	elsewhere []string // "ID (levels)": only tests on other levels name it
	missing   []string // no test names it
}

func run(requirements, root, only string) error {
	text, err := os.ReadFile(requirements)
	if err != nil {
		return err
	}
	named, err := idsInTests(root)
	if err != nil {
		return err
	}
	all, covered, elsewhere := 0, 0, 0
	for _, a := range areas(string(text), only, named) {
		have := a.total - len(a.missing) - len(a.elsewhere)
		all, covered, elsewhere = all+a.total, covered+have, elsewhere+len(a.elsewhere)
		fmt.Printf("%-14s %3d of %3d  %s\n", a.name, have, a.total, strings.Join(a.missing, " "))
		if len(a.elsewhere) > 0 {
			fmt.Printf("%-14s only on another level: %s\n", "", strings.Join(a.elsewhere, ", "))
		}
	}
	fmt.Printf("\n%d of %d requirements are named by a test on their level, %d more only by tests on another\n", covered, all, elsewhere)
	return nil
}

// areas classifies the requirements of a text by the tests that name them.
func areas(text, only string, named map[string][]level) []*area {
	var found []*area
	byName := make(map[string]*area)
	for _, match := range defined.FindAllStringSubmatch(text, -1) {
		id := match[1]
		name := group.ReplaceAllString(id, "")
		if only != "" && !slices.Contains(strings.Split(only, ","), name) || name == "C" || name == "S" {
			continue
		}
		a := byName[name]
		if a == nil {
			a = &area{name: name}
			byName[name], found = a, append(found, a)
		}
		a.total++
		switch levels := named[id]; {
		case len(levels) == 0:
			a.missing = append(a.missing, id)
		case !slices.ContainsFunc(levels, func(l level) bool { return levelCounts(name, id, l) }):
			a.elsewhere = append(a.elsewhere, fmt.Sprintf("%s (%s)", id, join(levels)))
		}
	}
	return found
}

func join(levels []level) string {
	var words []string
	for _, l := range levels {
		words = append(words, string(l))
	}
	return strings.Join(words, ", ")
}

// idsInTests returns the levels of the tests that name each id.
func idsInTests(root string) (map[string][]level, error) {
	named := map[string]map[level]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch entry.Name() {
			case "node_modules", ".git", ".tools", ".plaza", "dist":
				return fs.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		at := levelOf(filepath.ToSlash(relative))
		if at == "" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, id := range idsIn(string(text)) {
			if named[id] == nil {
				named[id] = map[level]bool{}
			}
			named[id][at] = true
		}
		return nil
	})
	levels := make(map[string][]level, len(named))
	for id, at := range named {
		levels[id] = slices.Sorted(maps.Keys(at))
	}
	return levels, err
}

// idsIn returns the ids that a test file names, without those of gaps.
func idsIn(text string) []string {
	var ids []string
	for line := range strings.Lines(text) {
		if !gap.MatchString(line) {
			ids = append(ids, mentioned.FindAllString(line, -1)...)
		}
	}
	return ids
}
