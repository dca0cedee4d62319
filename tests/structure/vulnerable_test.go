package structure

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	required = regexp.MustCompile(`(?m)^\s*(?:require\s+)?([a-z0-9.-]+\.[a-z]+/\S+) (v\d+\.\d+\.\d+)(\S*)`)
	fixedIn  = regexp.MustCompile(`(?m)^([^#\s]+) (v\d+\.\d+\.\d+) (\S+)$`)
)

// versionNumbers returns the three numbers of a version.
func versionNumbers(version string) (numbers []int) {
	for part := range strings.SplitSeq(strings.TrimPrefix(version, "v"), ".") {
		number, _ := strconv.Atoi(part)
		numbers = append(numbers, number)
	}
	return numbers
}

// vulnerable returns the modules of a go.mod that are older than the versions that
// fixed a vulnerability. A pre-release is older than its release.
func vulnerable(mod, fixes string) (found []string) {
	fixed := make(map[string][]string)
	for _, match := range fixedIn.FindAllStringSubmatch(fixes, -1) {
		fixed[match[1]] = match[2:]
	}
	for _, match := range required.FindAllStringSubmatch(mod, -1) {
		fix, listed := fixed[match[1]]
		if !listed {
			continue
		}
		older := slices.Compare(versionNumbers(match[2]), versionNumbers(fix[0]))
		if older < 0 || older == 0 && strings.HasPrefix(match[3], "-") {
			found = append(found, match[1]+" "+match[2]+match[3]+": "+fix[1]+" was fixed in "+fix[0])
		}
	}
	return found
}

func TestNoVulnerableModules(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	fixes, err := os.ReadFile("vulnerable.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range vulnerable(string(mod), string(fixes)) {
		t.Error(module)
	}
}

func TestOlderVersionsAreFound(t *testing.T) {
	t.Parallel()
	mod := "require (\n\ta.test/one v1.9.9\n\ta.test/two v1.10.0 // indirect\n\ta.test/three v1.10.0-rc.1\n\ta.test/four v0.1.0\n)\n"
	fixes := "# comment\na.test/one v1.10.0 CVE-1\na.test/two v1.10.0 CVE-2\na.test/three v1.10.0 CVE-3\n"
	want := []string{"a.test/one v1.9.9: CVE-1 was fixed in v1.10.0", "a.test/three v1.10.0-rc.1: CVE-3 was fixed in v1.10.0"}
	if got := vulnerable(mod, fixes); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNoSuppressionsOfUnusedLinters: decision 29 lists the linters that are run.
func TestNoSuppressionsOfUnusedLinters(t *testing.T) {
	t.Parallel()
	comment := regexp.MustCompile(`//\s?(nolint|#nosec|revive:)`)
	for _, s := range sources(t) {
		for _, group := range s.file.Comments {
			for _, c := range group.List {
				if comment.MatchString(c.Text) {
					t.Errorf("%s: %s", s.path, c.Text)
				}
			}
		}
	}
}
