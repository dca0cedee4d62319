package migrate

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
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
	base := Source{Name: "Supabase", fsys: supabaseSQL, history: plazaHistory("migrations"), repeatable: []string{"supabase/base"}, standIns: true, after: ownedByAdmin}
	return []Source{platform, base, project}
}

// standIn is what a project gets in place of an extension that PostgreSQL does not have.
type standIn struct {
	limits  string // what is different
	mark    string // an SQL expression: whether it is there; empty: it is left out
	preload bool   // the extension works only where PostgreSQL was started with its library
}

// leftOut is the stand-in for an extension that projects can do without.
var leftOut = standIn{limits: "it is left out"}

// standIns are the extensions that a project of the Supabase CLI may ask for also where PostgreSQL does
// not have them.
var standIns = map[string]standIn{
	"http":           {"plaza sends its requests while it serves on the same machine, 20 at once; its functions are in the schema extensions", `to_regtype('extensions.http_request') is not null`, false},
	"hypopg":         leftOut,
	"index_advisor":  leftOut,
	"pg_cron":        {"plaza runs its jobs while it serves, 8 at once", `to_regnamespace('cron') is not null`, true},
	"pg_graphql":     {"graphql_public.graphql() answers with an error", `to_regnamespace('graphql') is not null`, false},
	"pg_net":         {"plaza sends its requests while it serves, each at most once", `to_regnamespace('net') is not null`, true},
	"pg_repack":      leftOut,
	"pgaudit":        leftOut,
	"pgjwt":          {"its functions are there, made by us", `to_regproc('extensions.algorithm_sign') is not null`, false},
	"pgsodium":       leftOut,
	"plpgsql_check":  leftOut,
	"wrappers":       leftOut,
	"supabase_vault": {"its functions are there, made by us; with DATABASE_URL secrets are in clear", `to_regnamespace('vault') is not null`, false},
}

// preinstalled maps the files of base/ that stand in for an extension which a project of Supabase's
// begins with to that extension.
var preinstalled = map[string]string{
	"supabase/base/graphql.sql": "pg_graphql",
	"supabase/base/pg_net.sql":  "pg_net",
	"supabase/base/vault.sql":   "supabase_vault",
}

// orExtension returns f or, where it stands in for an extension that PostgreSQL
// has, the file that creates that. A stand-in that is there stays: it may hold
// what the extension would not take over.
func orExtension(ctx context.Context, conn *pgx.Conn, f file) (file, error) {
	name, known := preinstalled[f.path]
	if !known {
		return f, nil
	}
	found, err := Usable(ctx, conn, name)
	if err != nil || !found {
		return f, err
	}
	return readFile(supabaseSQL, "supabase/installed/"+name+".sql")
}

// StandIns returns the limits of the stand-ins by the names of their extensions; "" is that of one
// that is left out.
func StandIns() map[string]string {
	limits := make(map[string]string, len(standIns))
	for name, instead := range standIns {
		if limits[name] = instead.limits; instead == leftOut {
			limits[name] = ""
		}
	}
	return limits
}

// Usable reports whether an extension is there, or can be created since its stand-in is not.
func Usable(ctx context.Context, conn *pgx.Conn, name string) (is bool, err error) {
	there, err := hasStandIn(ctx, conn, name)
	if err == nil {
		err = conn.QueryRow(ctx, extensionUsable, name, there, standIns[name].preload).Scan(&is)
	}
	if err != nil {
		return false, fmt.Errorf("look for the extension %s: %w", name, err)
	}
	return is, nil
}

// hasStandIn reports whether the stand-in for an extension, or the extension, is there.
func hasStandIn(ctx context.Context, conn *pgx.Conn, name string) (is bool, err error) {
	if standIns[name].mark == "" {
		return false, nil
	}
	err = conn.QueryRow(ctx, "select "+standIns[name].mark).Scan(&is)
	return is, err
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
		instead, known := standIns[name]
		if !known {
			continue
		}
		found, err := Usable(ctx, conn, name)
		if err != nil {
			return f, err
		}
		if found {
			continue
		}
		r.warn("%s: %s:%d: this PostgreSQL does not provide the extension %q: %s", source.Name, f.path, strings.Count(f.text[:start], "\n")+1, name, instead.limits)
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

// standInFile returns the path of the file with an extension's stand-in.
func standInFile(name string) string { return "supabase/extensions/" + name + ".sql" }

// runStandIn makes what stands in for an extension, where it needs anything.
func runStandIn(ctx context.Context, conn *pgx.Conn, name string) error {
	f, err := readFile(supabaseSQL, standInFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := runFile(ctx, conn, f); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, createPlaza); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, recordRepeatable, f.path, f.checksum)
	return err
}

// upStandIns applies the files of stand-ins that are in the database and have changed since.
func (r *runner) upStandIns(ctx context.Context, s *session, source Source) error {
	recorded, err := readRecords(ctx, s.conn, listRepeatables)
	if err != nil {
		return err
	}
	var changed []file
	for _, name := range slices.Sorted(maps.Keys(standIns)) {
		f, err := readFile(supabaseSQL, standInFile(name))
		if errors.Is(err, fs.ErrNotExist) || err == nil && recorded[f.path] == f.checksum {
			continue
		}
		there := false
		if err == nil {
			there, err = hasStandIn(ctx, s.conn, name)
		}
		var installed bool
		if err == nil && there {
			err = s.conn.QueryRow(ctx, extensionCreated, name).Scan(&installed)
		}
		if err != nil {
			return fmt.Errorf("look for the stand-in of %s: %w", name, err)
		}
		if there && !installed {
			changed = append(changed, f)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return r.inTx(ctx, s, source, changed, nothing, recordRepeatable)
}

// EncryptVault encrypts the secrets that the vault's stand-in has in clear, if there is a key.
func EncryptVault(ctx context.Context, conn *pgx.Conn) error {
	var standIn bool
	err := conn.QueryRow(ctx, "select to_regprocedure('vault._encrypt_clear()') is not null").Scan(&standIn)
	if err == nil && standIn {
		_, err = conn.Exec(ctx, "select vault._encrypt_clear()")
	}
	if err != nil {
		return fmt.Errorf("encrypt the secrets of the vault: %w", err)
	}
	return nil
}
