package docsite

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"plaza/server/lazyregexp"
)

// root is the page of the repository's README, and guides the folder with the guides.
const (
	root   = "README.md"
	guides = "docs"
)

// Sections of the navigation. A document's first line may name another one: <!-- section: NAME -->.
const (
	sectionGuides    = "Guides"
	sectionReference = "Reference" // documents outside of docs/
	sectionDecisions = "Decisions"
)

// sectionOrder has the sections whose place is fixed; others come between guides and reference.
var sectionOrder = map[string]int{"": -1, sectionGuides: 0, sectionReference: 2, sectionDecisions: 3}

// document is a text file of the documentation.
type document struct {
	name    string // in the file system: "docs/backup.md"
	url     string
	section string // of the navigation; documents without a section are only linked
	title   string
	source  []byte
}

func (d document) isMarkdown() bool { return path.Ext(d.name) == ".md" }

// address returns the URL of a file or folder of the documentation: the one of docs/backup.md is
// /docs/backup, and the one of CHANGELOG.md is /docs/CHANGELOG.
func address(name string) string {
	if name == root || name == guides {
		return Prefix
	}
	return Prefix + "/" + strings.TrimSuffix(strings.TrimPrefix(name, guides+"/"), ".md")
}

var (
	sectionLine = lazyregexp.New(`^<!-- section: (.+?) -->\r?\n`)
	titleLine   = lazyregexp.New(`(?m)^# (.+)$`)
)

// parseDocument returns the document of a file. Its title is its first heading or else its name.
func parseDocument(name string, source []byte) document {
	d := document{name: name, url: address(name), title: path.Base(name), source: source}
	switch folder := path.Dir(name); {
	case name == root:
	case folder == "docs/decisions":
		d.section = sectionDecisions
	case d.isMarkdown() && folder == guides:
		d.section = sectionGuides
	case !strings.HasPrefix(name, guides+"/"):
		d.section = sectionReference
	}
	if !d.isMarkdown() {
		return d
	}
	if match := sectionLine().FindSubmatch(source); match != nil {
		d.section, d.source = string(match[1]), source[len(match[0]):]
	}
	if match := titleLine().FindSubmatch(d.source); match != nil {
		d.title = strings.ReplaceAll(string(match[1]), "`", "")
	}
	return d
}

// isPicture reports whether a file is served as it is, and not as a page.
func isPicture(name string) bool {
	return slices.Contains([]string{".webp", ".png", ".svg"}, path.Ext(name))
}

// readDocuments returns all documents in the order of the navigation, and the pictures by name.
func readDocuments(files fs.FS) ([]document, map[string][]byte, error) {
	var documents []document
	pictures := make(map[string][]byte)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if isPicture(name) {
			pictures[name] = content
			return nil
		}
		documents = append(documents, parseDocument(name, content))
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the documentation: %w", err)
	}
	slices.SortFunc(documents, func(a, b document) int {
		order := cmp.Or(cmp.Compare(place(a.section), place(b.section)), cmp.Compare(a.section, b.section))
		if a.section == sectionDecisions {
			return cmp.Or(order, cmp.Compare(a.name, b.name)) // numbered
		}
		return cmp.Or(order, cmp.Compare(strings.ToLower(a.title), strings.ToLower(b.title)))
	})
	return documents, pictures, nil
}

func place(section string) int {
	if at, ok := sectionOrder[section]; ok {
		return at
	}
	return 1
}
