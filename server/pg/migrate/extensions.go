package migrate

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// supabaseSQL is what Supabase's database has and ours lacks: base/ for every
// project, with installed/ in place of what stands in for an extension that
// PostgreSQL has; extensions/ for projects that ask for one.
//
//go:embed supabase
var supabaseSQL embed.FS

// Stack is the sources of a database that serves project, in their order.
func Stack(platform, project Source) []Source {
	if !project.foreign {
		return []Source{platform, project}
	}
	base := Source{Name: "Supabase", fsys: supabaseSQL, history: plazaHistory("migrations"), repeatable: []string{"supabase/base"}}
	return []Source{platform, base, project}
}

// standIns are the extensions that a project of the Supabase CLI may ask for
// also where PostgreSQL does not have them, with what is then different.
var standIns = map[string]string{
	"http":           "its functions, in the schema extensions, refuse to send anything",
	"hypopg":         "it is left out",
	"index_advisor":  "it is left out",
	"pg_cron":        "its jobs are listed in cron.job and do not run",
	"pg_graphql":     "graphql_public.graphql() answers with an error",
	"pg_net":         "its requests are listed in net.http_request_queue and not sent",
	"pg_repack":      "it is left out",
	"pgaudit":        "it is left out",
	"pgjwt":          "its functions are there, made by us",
	"pgsodium":       "it is left out",
	"plpgsql_check":  "it is left out",
	"wrappers":       "it is left out",
	"supabase_vault": "its functions are there, and keep secrets in clear",
}

// preinstalled are the files of base/ that stand in for an extension which a
// project of Supabase's begins with, and the schema by which they are known.
var preinstalled = map[string]struct{ extension, schema string }{
	"supabase/base/graphql.sql": {"pg_graphql", "graphql"},
	"supabase/base/pg_net.sql":  {"pg_net", "net"},
	"supabase/base/vault.sql":   {"supabase_vault", "vault"},
}

// orExtension returns f or, where it stands in for an extension that PostgreSQL
// has, the file that creates that. A stand-in that is there stays: it may hold
// what the extension would not take over.
func orExtension(ctx context.Context, conn *pgx.Conn, f file) (file, error) {
	instead, known := preinstalled[f.path]
	if !known {
		return f, nil
	}
	found, err := usable(ctx, conn, instead.extension, instead.schema)
	if err != nil || !found {
		return f, err
	}
	return readFile(supabaseSQL, "supabase/installed/"+instead.extension+".sql")
}

// usable reports whether an extension is there or can be created. schema is that of
// its stand-in, or empty.
func usable(ctx context.Context, conn *pgx.Conn, name, schema string) (is bool, err error) {
	if err := conn.QueryRow(ctx, extensionUsable, name, schema).Scan(&is); err != nil {
		return false, fmt.Errorf("look for the extension %s: %w", name, err)
	}
	return is, nil
}

// standInSchema is the schema of what stands in for an extension from the start.
func standInSchema(name string) string {
	for _, f := range preinstalled {
		if f.extension == name {
			return f.schema
		}
	}
	return ""
}

// unavailable is PostgreSQL's complaint about an extension that is not installed.
var unavailable = regexp.MustCompile(`^extension "([^"]+)" is not available$`)

// createExtension is such a statement, with the extension's name in quotes or not.
var createExtension = regexp.MustCompile(`(?is)^create\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|([\w]+))`)

// withStandIns returns f as it can be run here: its statements that create an
// extension which PostgreSQL lacks and we have a stand-in for are blank, so
// that every line keeps its number, and the stand-ins are there.
func (r *runner) withStandIns(ctx context.Context, conn *pgx.Conn, source Source, f file) (file, error) {
	text := []byte(f.text)
	s := &scanner{text: f.text}
	for !s.skipBlank() {
		start := s.pos
		s.skipStatement()
		name := extensionOf(f.text[start:s.pos])
		said, known := standIns[name]
		if !known {
			continue
		}
		found, err := usable(ctx, conn, name, standInSchema(name))
		if err != nil {
			return f, err
		}
		if found {
			continue
		}
		r.warn("%s: %s:%d: this PostgreSQL has no extension %q: %s", source.Name, f.path, strings.Count(f.text[:start], "\n")+1, name, said)
		if err := runStandIn(ctx, conn, name); err != nil {
			return f, err
		}
		for i := start; i < s.pos; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	f.text = string(text)
	return f, nil
}

// extensionOf is the extension that a statement creates, or nothing.
func extensionOf(statement string) string {
	parts := createExtension.FindStringSubmatch(statement)
	if parts == nil {
		return ""
	}
	return parts[1] + strings.ToLower(parts[2])
}

// runStandIn makes what stands in for an extension, where it needs anything.
func runStandIn(ctx context.Context, conn *pgx.Conn, name string) error {
	f, err := readFile(supabaseSQL, "supabase/extensions/"+name+".sql")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return runFile(ctx, conn, f)
}
