// Command coverage lists the requirement ids that no test names. A test covers
// a requirement when it names its id and would fail without it; this command
// can check the first half only.
package main

import (
	"flag"
	"fmt"
	"io/fs"
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

func run(requirements, root, only string) error {
	text, err := os.ReadFile(requirements) //nolint:gosec // the developer's own file
	if err != nil {
		return err
	}
	named, err := idsInTests(root)
	if err != nil {
		return err
	}
	total, missing := map[string]int{}, map[string][]string{}
	var groups []string
	for _, match := range defined.FindAllStringSubmatch(string(text), -1) {
		id := match[1]
		name := group.ReplaceAllString(id, "")
		if only != "" && !slices.Contains(strings.Split(only, ","), name) || name == "C" || name == "S" {
			continue
		}
		if total[name] == 0 {
			groups = append(groups, name)
		}
		total[name]++
		if !named[id] {
			missing[name] = append(missing[name], id)
		}
	}
	all, covered := 0, 0
	for _, name := range groups {
		have := total[name] - len(missing[name])
		all, covered = all+total[name], covered+have
		fmt.Printf("%-14s %3d of %3d  %s\n", name, have, total[name], strings.Join(missing[name], " "))
	}
	fmt.Printf("\n%d of %d requirements are named by a test\n", covered, all)
	return nil
}

// idsInTests gives all ids that test files of the tree name.
func idsInTests(root string) (map[string]bool, error) {
	named := map[string]bool{}
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
		if !isTest(entry.Name()) {
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // found by walking the tree
		if err != nil {
			return err
		}
		for _, id := range mentioned.FindAllString(string(text), -1) {
			named[id] = true
		}
		return nil
	})
	return named, err
}

func isTest(name string) bool {
	for _, ending := range []string{"_test.go", ".test.ts", ".test.tsx", ".test.mjs", ".spec.ts"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}
