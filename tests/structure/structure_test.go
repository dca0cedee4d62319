// Package structure tests the structure of the tree: which package may import which, and that the
// platform does not depend on the projects built on it.
package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// source is one Go file of the tree.
type source struct {
	path string // from the root: "server/pg/pg.go"
	text string
	file *ast.File
}

func (s source) dir() string { return filepath.ToSlash(filepath.Dir(s.path)) }

func sources(t *testing.T) []source {
	t.Helper()
	var found []source
	for _, top := range []string{"server", "storage", "functions", "sql", "client", "tests"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == "dist") {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(root, path)
			found = append(found, source{filepath.ToSlash(relative), string(text), file})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// forbidden imports, by the folder that must not have them. A trailing slash
// means the folder and all below.
var forbidden = map[string][]string{
	"server/apierr":            {"plaza/"},
	"server/secret":            {"plaza/"},
	"server/claims":            {"plaza/server/pg/", "plaza/server/httpx/", "plaza/server/rest/", "plaza/server/auth/"},
	"server/httpx":             {"plaza/server/pg/", "plaza/server/rest/", "plaza/server/auth/"},
	"server/pg/queue":          {"plaza/server/pg/"},
	"server/pg/pipeline":       {"plaza/server/pg/replica"},
	"server/pg/replica":        {"plaza/server/pg/queue", "plaza/server/pg/pipeline"},
	"server/pg/":               {"plaza/server/rest/", "plaza/server/auth/", "plaza/server/httpx/", "net/http/httptest"},
	"server/rest/":             {"plaza/server/auth/", "plaza/storage/"},
	"server/rest/query":        {"plaza/server/pg/", "plaza/server/rest/", "net/http", "database/sql"},
	"server/rest/plan":         {"plaza/server/pg/", "net/http", "github.com/jackc/"},
	"server/rest/sqlgen":       {"plaza/server/pg/", "net/http", "github.com/jackc/"},
	"server/rest/schema":       {"plaza/server/pg/", "net/http"},
	"server/rest/openapi":      {"plaza/server/pg/", "net/http", "github.com/jackc/"},
	"server/rest/jsonpath":     {"plaza/", "net/http", "github.com/"},
	"server/auth/":             {"plaza/server/rest/", "plaza/storage/"},
	"server/realtime/":         {"plaza/server/rest/", "plaza/server/auth/", "plaza/storage/"},
	"server/realtime/visible":  {"plaza/server/realtime/", "net/http"},
	"server/realtime/wal":      {"plaza/server/pg/", "plaza/server/realtime/", "net/http"},
	"server/realtime/frame":    {"plaza/server/pg/", "plaza/server/realtime/", "net/http"},
	"server/realtime/presence": {"plaza/server/pg/", "plaza/server/realtime/", "net/http"},
	"server/realtime/socket":   {"plaza/server/pg/", "plaza/server/realtime/"},
	"server/site":              {"plaza/server/pg/", "plaza/server/rest/", "plaza/server/auth/"},
	"storage/":                 {"plaza/server/rest/", "plaza/server/auth/"},
}

func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for _, imported := range s.file.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			for folder, list := range forbidden {
				if within(s.dir(), folder) && !within(path, "plaza/"+folder) && slices.ContainsFunc(list, func(f string) bool { return within(path, f) }) {
					t.Errorf("%s imports %s, which %s must not", s.path, path, folder)
				}
			}
			if path == "plaza/server/config" && s.dir() != "server" && !within(s.dir(), "server/app/") {
				t.Errorf("%s imports the whole configuration; it should take its own Config", s.path)
			}
			if within(path, "plaza/tests/testkit/") && !strings.HasPrefix(s.path, "tests/") {
				t.Errorf("%s imports the test kit outside a test", s.path)
			}
			builtIn := within(path, "plaza/functions/") || path == "plaza/client"
			if builtIn && within(s.dir(), "server/") && s.path != "server/commands.go" {
				t.Errorf("%s imports %s: only the command line joins platform and built-in project", s.path, path)
			}
		}
	}
}

// authLayers are the packages of the auth server. Each imports only packages of the
// layers after its own; server/auth itself builds all of them.
var authLayers = [][]string{
	{"api"},
	{"external", "oauthserver"},
	{"account", "factor", "oauthserver/storage"},
	{"message"},
	{"session", "importer"},
	{"audit", "captcha", "cleanup", "hook", "keys", "limit", "pkce"},
	{"redirect", "users"},
	{"settings"},
	{"mfa", "oauth"},
	{"autherr", "ended", "mailer", "password", "provider", "seal", "sms", "store", "token", "webhook"},
}

func TestImportsOfTheAuthServerPointDown(t *testing.T) {
	t.Parallel()
	const auth = "server/auth/"
	layer := map[string]int{}
	for number, names := range authLayers {
		for _, name := range names {
			layer[name] = number
		}
	}
	for _, s := range productSources(t) {
		name, ok := strings.CutPrefix(s.dir(), auth)
		if !ok {
			continue
		}
		if _, ok := layer[name]; !ok {
			t.Errorf("%s%s is in no layer", auth, name)
		}
		for _, spec := range s.file.Imports {
			imported, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "plaza/"+auth)
			if ok && layer[imported] <= layer[name] {
				t.Errorf("%s imports %s%s, which is not below it", s.path, auth, imported)
			}
		}
	}
}

// within reports whether path is folder or, if folder ends in a slash, below it.
func within(path, folder string) bool {
	prefix, open := strings.CutSuffix(folder, "/")
	return path == prefix || open && strings.HasPrefix(path, prefix+"/") || open && prefix == "plaza" && strings.HasPrefix(path, "plaza/")
}

var createTable = regexp.MustCompile(`(?im)^create (?:table|view)(?: if not exists)? (?:[a-z_]+\.)?"?([a-z_-]+)"?`)

// commonWords lists table names that are also ordinary words in platform code.
var commonWords = []string{"services", "messages", "notifications", "categories", "reviews", "reports", "profiles"}

func TestPlatformDoesNotDependOnTheMarketplace(t *testing.T) {
	t.Parallel()
	words := []string{"marketplace", "market"}
	var inSQL []string
	for _, table := range marketplaceTables(t) {
		inSQL = append(inSQL, regexp.QuoteMeta(table))
		if !slices.Contains(commonWords, table) {
			words = append(words, regexp.QuoteMeta(table))
		}
	}
	if len(words) < 10 {
		t.Fatalf("found only %d tables in sql/migrations: the check is blind", len(words))
	}
	known := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b|\b(from|join|into|update|table)\s+(public\.)?"?(` + strings.Join(inSQL, "|") + `)\b`)
	for _, s := range sources(t) {
		if !within(s.dir(), "server/") && !within(s.dir(), "storage/") || s.path == "server/commands.go" || strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for number, line := range strings.Split(s.text, "\n") {
			if found := known.FindString(line); found != "" {
				t.Errorf("%s:%d mentions %q", s.path, number+1, found)
			}
		}
	}
}

func marketplaceTables(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "sql", "migrations", "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range createTable.FindAllStringSubmatch(string(text), -1) {
			tables = append(tables, match[1])
		}
	}
	return tables
}

func TestEveryPackageIsDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if strings.HasSuffix(s.path, "_test.go") && !within(s.dir(), "tests/") {
			continue
		}
		documented[s.dir()] = documented[s.dir()] || s.file.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// maxLines is the size from which a hand-written Go file should be split.
const maxLines = 400

func TestFilesStaySmall(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if lines := strings.Count(s.text, "\n"); lines > maxLines {
			t.Errorf("%s has %d lines; split it (at most %d)", s.path, lines, maxLines)
		}
	}
}

// edges are the packages that may speak HTTP and to the database, and why.
var edges = map[string]string{
	"server/app": "the composition root",
	"server/pg":  "it translates SQLSTATEs to HTTP statuses, and calls nothing of HTTP",

	"functions":                "a server function answers a request with what the database says",
	"functions/billing":        "as above",
	"functions/claims":         "as above",
	"functions/notices":        "as above",
	"functions/visits":         "as above",
	"functions/payments/local": "a stand-in for a payment provider, with its pages and its table",
}

// maxMethods is the maximum number of methods of a type, and maxFiles that of non-test files in a
// folder.
const (
	maxMethods = 40
	maxFiles   = 25
)

// A package uses HTTP or the database, not both, unless it is in edges.
func TestPackagesDoNotMixHTTPAndSQL(t *testing.T) {
	t.Parallel()
	http, pgx := map[string]bool{}, map[string]bool{}
	for _, s := range productSources(t) {
		for _, spec := range s.file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			http[s.dir()] = http[s.dir()] || imported == "net/http"
			pgx[s.dir()] = pgx[s.dir()] || strings.HasPrefix(imported, "github.com/jackc/pgx")
		}
	}
	for dir, speaks := range http {
		if speaks && pgx[dir] && edges[dir] == "" {
			t.Errorf("%s imports net/http and pgx", dir)
		}
	}
	for dir := range edges {
		if !http[dir] || !pgx[dir] {
			t.Errorf("%s no longer imports both: take it out of the list", dir)
		}
	}
}

func TestTypesAndFoldersStaySmall(t *testing.T) {
	t.Parallel()
	methods, files := map[string]int{}, map[string]int{}
	for _, s := range productSources(t) {
		files[s.dir()]++
		for _, declaration := range s.file.Decls {
			if method, ok := declaration.(*ast.FuncDecl); ok && method.Recv != nil {
				methods[s.dir()+"."+receiver(method)]++
			}
		}
	}
	within := func(what string, sizes map[string]int, most int) {
		for name, size := range sizes {
			if size > most {
				t.Errorf("%s has %d %s (at most %d)", name, size, what, most)
			}
		}
	}
	within("methods", methods, maxMethods)
	within("files", files, maxFiles)
}

// receiver returns the name of a method's receiver type.
func receiver(method *ast.FuncDecl) string {
	expression := method.Recv.List[0].Type
	if pointer, ok := expression.(*ast.StarExpr); ok {
		expression = pointer.X
	}
	if generic, ok := expression.(*ast.IndexExpr); ok {
		expression = generic.X
	}
	return expression.(*ast.Ident).Name
}

// productSources returns the sources of the server and the marketplace's functions, without tests.
func productSources(t *testing.T) []source {
	t.Helper()
	var found []source
	for _, s := range sources(t) {
		if !strings.HasSuffix(s.path, "_test.go") && !within(s.dir(), "tests/") {
			found = append(found, s)
		}
	}
	return found
}
