package migrate

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/lazyregexp"
)

// supabaseSQL is what Supabase's database has and ours lacks. base/ is for every project;
// files of installed/ replace those of base/ that stand in for an extension, if PostgreSQL
// has it; extensions/ has the stand-ins for extensions that a project creates.
//
//go:embed supabase
var supabaseSQL embed.FS

// Stack returns the sources of a database that serves project, in their order.
func Stack(platform, project Source) []Source {
	if !project.foreign {
		return []Source{platform, project}
	}
	base := Source{Name: "Supabase", fsys: supabaseSQL, history: plazaHistory("migrations"), repeatable: []string{"supabase/base"}, asOwner: true, standIns: true, after: ownedByAdmin}
	return []Source{platform, base, project}
}

// standIn is what a project gets in place of an extension that PostgreSQL does not have.
type standIn struct {
	limits  string // what is different
	schema  string // an SQL expression: the schema that has it, or null if it is not there; empty: it is left out
	preload bool   // the extension works only where PostgreSQL was started with its library
}

// leftOut is the stand-in for an extension that projects can do without.
var leftOut = standIn{limits: "it is left out"}

// standIns are the extensions that a project of the Supabase CLI may create even if PostgreSQL does not
// have them.
var standIns = map[string]standIn{
	"http": {"plaza sends its requests while it serves on the same machine, 20 at once; its functions are in the schema extensions",
		`case when to_regtype('extensions.http_request') is not null then 'extensions' end`, false},
	"hypopg":         leftOut,
	"index_advisor":  leftOut,
	"pg_cron":        {"plaza runs its jobs while it serves, 8 at once", `to_regnamespace('cron')`, true},
	"pg_graphql":     {"graphql_public.graphql() answers with an error", `to_regnamespace('graphql')`, false},
	"pg_hashids":     {"its functions are there, reimplemented by Plaza", schemaOf("id_encode"), false},
	"pg_jsonschema":  {"its functions are there, reimplemented by Plaza; a schema with keywords that they do not know is refused", schemaOf("jsonschema_validation_errors"), false},
	"pg_net":         {"plaza sends its requests while it serves, each at most once", `to_regnamespace('net')`, true},
	"pg_repack":      leftOut,
	"pg_tle":         leftOut,
	"pgaudit":        leftOut,
	"pgjwt":          {"its functions are there, reimplemented by Plaza", `case when to_regproc('extensions.algorithm_sign') is not null then 'extensions' end`, false},
	"pgsodium":       leftOut,
	"pgtap":          {"its functions are there, reimplemented by Plaza, except for a few", schemaOf("pgtap_version"), false},
	"pgmq":           {"its functions are there, reimplemented by Plaza; no partitioned queues", `to_regnamespace('pgmq')`, false},
	"plpgsql_check":  leftOut,
	"vector":         {"its types, functions and operators are there, reimplemented by Plaza; a search compares all rows, in about 2 s for 10,000 of 384 dimensions", schemaOf("vector_dims"), false},
	"wrappers":       leftOut,
	"supabase_vault": {"its functions are there, reimplemented by Plaza; with DATABASE_URL secrets are in clear", `to_regnamespace('vault')`, false},
}

// preinstalled maps files of base/ to the extension that they stand in for: one that new projects on
// Supabase have from the start.
var preinstalled = map[string]string{
	"supabase/base/graphql.sql": "pg_graphql",
	"supabase/base/pg_net.sql":  "pg_net",
	"supabase/base/vault.sql":   "supabase_vault",
}

// orExtension returns f or, if it stands in for an extension that PostgreSQL has, the
// file that creates that. A stand-in that exists is kept: the extension would not take
// over its data.
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

// schemaOf returns an SQL expression: the schema of the function with a name, wherever it is.
func schemaOf(function string) string {
	return `(select n.nspname from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where p.proname = '` + function + `' limit 1)`
}

// StandIns returns the limits of the stand-ins by the names of their extensions; "" means that the
// extension is left out.
func StandIns() map[string]string {
	limits := make(map[string]string, len(standIns))
	for name, instead := range standIns {
		if limits[name] = instead.limits; instead == leftOut {
			limits[name] = ""
		}
	}
	return limits
}

// Usable reports whether an extension exists, or can be created and its stand-in does not exist.
func Usable(ctx context.Context, conn *pgx.Conn, name string) (is bool, err error) {
	schema, err := standInSchema(ctx, conn, name)
	if err == nil {
		err = conn.QueryRow(ctx, extensionUsable, name, schema != "", standIns[name].preload).Scan(&is)
	}
	if err != nil {
		return false, fmt.Errorf("look for the extension %s: %w", name, err)
	}
	return is, nil
}

// standInSchema returns the schema that has the stand-in for an extension. It is empty if there is none,
// or the extension itself.
func standInSchema(ctx context.Context, conn *pgx.Conn, name string) (schema string, err error) {
	if standIns[name].schema == "" {
		return "", nil
	}
	err = conn.QueryRow(ctx, fmt.Sprintf(standInSchemaOf, standIns[name].schema), name).Scan(&schema)
	return schema, err
}

// unavailable matches PostgreSQL's error for an extension that is not installed.
var unavailable = lazyregexp.New(`^extension "([^"]+)" is not available$`)

// ofExtension matches a statement that creates an extension or comments on one. Names may be in quotes.
var ofExtension = lazyregexp.New(`(?is)^(create|comment\s+on)\s+extension\s+(?:if\s+not\s+exists\s+)?("[^"]+"|\w+)(?:.*?\bschema\s+("[^"]+"|\w+))?`)

// vectorIndexOptions matches a statement that creates an index of pgvector; its group is the options, which the
// access methods of the stand-in do not have.
var vectorIndexOptions = lazyregexp.New(`(?is)^create\s+index\b.*\busing\s+(?:hnsw|ivfflat|"hnsw"|"ivfflat")\s*\(.*\)\s*(with\s*\([^()]*\))`)

// nameOf returns the name that an identifier of a statement stands for.
func nameOf(identifier string) string {
	if quoted, ok := strings.CutPrefix(identifier, `"`); ok {
		return strings.TrimSuffix(quoted, `"`)
	}
	return strings.ToLower(identifier)
}

// createSchema matches a statement that creates a schema with a name.
var createSchema = lazyregexp.New(`(?is)^create\s+schema\s+(?:if\s+not\s+exists\s+)?("[^"]+"|\w+)`)

// span is a part of a text.
type span struct{ start, end int }

// standInFor is a statement in place of which a stand-in was made.
type standInFor struct {
	line              int // 1 for the first
	extension, limits string
}

// withStandIns returns f as it can be run here, and what was replaced in it. It makes the stand-ins for
// the extensions that f creates and PostgreSQL lacks, and their schemas if f creates them before. The
// statements for both are blanked, so that every line keeps its number, and so are options of indexes
// that a stand-in does not have.
func withStandIns(ctx context.Context, conn *pgx.Conn, f file) (file, []standInFor, error) {
	a := &adaptation{conn: conn, text: f.text, adapted: []byte(f.text), schemas: make(map[string]span)}
	for s := (&scanner{text: f.text}); !s.skipBlank(); {
		start := s.pos
		s.skipStatement()
		if err := a.adapt(ctx, span{start, s.pos}); err != nil {
			return f, nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	f.text, f.superuser = string(a.adapted), a.superuser
	return f, a.made, nil
}

// withStandIns is the function withStandIns, with a warning for each stand-in.
func (r *runner) withStandIns(ctx context.Context, conn *pgx.Conn, source Source, f file) (file, error) {
	f, made, err := withStandIns(ctx, conn, f)
	for _, m := range made {
		r.warn("%s: %s:%d: this PostgreSQL does not provide the extension %q: %s", source.Name, f.path, m.line, m.extension, m.limits)
	}
	return f, err
}

// adaptation is the work of withStandIns on one text.
type adaptation struct {
	conn      *pgx.Conn
	text      string
	adapted   []byte
	schemas   map[string]span // the statements so far that create them
	made      []standInFor
	superuser []span // the statements that only a superuser may run
}

// adapt adapts one statement.
func (a *adaptation) adapt(ctx context.Context, at span) error {
	statement := a.text[at.start:at.end]
	if parts := createSchema().FindStringSubmatch(statement); parts != nil {
		a.schemas[nameOf(parts[1])] = at
	} else if options := vectorIndexOptions().FindStringSubmatchIndex(statement); options != nil {
		return a.dropIndexOptions(ctx, span{at.start + options[2], at.start + options[3]})
	} else if parts := ofExtension().FindStringSubmatch(statement); parts != nil {
		return a.replaceExtension(ctx, at, strings.EqualFold(parts[1], "create"), nameOf(parts[2]), nameOf(parts[3]))
	} else if needsSuperuser().MatchString(statement) {
		a.superuser = append(a.superuser, at)
	}
	return nil
}

func (a *adaptation) dropIndexOptions(ctx context.Context, options span) error {
	schema, err := standInSchema(ctx, a.conn, "vector")
	if err != nil {
		return fmt.Errorf("look for the stand-in of vector: %w", err)
	}
	if schema != "" {
		a.replace(options, "vector", "the index has no options, and no query uses it")
	}
	return nil
}

// replaceExtension replaces a statement that creates an extension, or comments on one, by its stand-in.
// An extension that is usable is kept. schema may be empty.
func (a *adaptation) replaceExtension(ctx context.Context, at span, creates bool, extension, schema string) error {
	instead, known := standIns[extension]
	usable, err := !known, error(nil)
	if known {
		usable, err = Usable(ctx, a.conn, extension)
	}
	if err != nil {
		return err
	}
	if usable {
		trusted := false
		if creates {
			err = a.conn.QueryRow(ctx, extensionTrusted, extension).Scan(&trusted)
		}
		if !trusted {
			a.superuser = append(a.superuser, at)
		}
		return err
	}
	if !creates {
		blank(a.adapted[at.start:at.end])
		return nil
	}
	a.replace(at, extension, instead.limits)
	if before, ok := a.schemas[schema]; ok {
		if _, err := a.conn.Exec(ctx, a.text[before.start:before.end]); err != nil {
			return fmt.Errorf("create the schema of the extension %s: %w", extension, err)
		}
		blank(a.adapted[before.start:before.end])
		delete(a.schemas, schema)
	}
	if err := runStandIn(ctx, a.conn, extension, schema); err != nil {
		return err
	}
	return registerStandIn(ctx, a.conn, extension)
}

// replace blanks a part of the text and notes why.
func (a *adaptation) replace(part span, extension, limits string) {
	a.made = append(a.made, standInFor{strings.Count(a.text[:part.start], "\n") + 1, extension, limits})
	blank(a.adapted[part.start:part.end])
}

// blank replaces text by spaces, except for line breaks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// standInFiles returns the files with an extension's stand-in. As in an extension's own script, @extschema@
// stands for the name of its schema. There are none for an extension that is left out, or whose stand-in
// is in base/.
func standInFiles(extension string) ([]file, error) {
	return readDir(supabaseSQL, "supabase/extensions/"+extension)
}

// inSchema returns the files of a stand-in with @extschema@ replaced by a schema.
func inSchema(files []file, schema string) []file {
	files = slices.Clone(files)
	for i := range files {
		files[i].text = strings.ReplaceAll(files[i].text, "@extschema@", pgx.Identifier{schema}.Sanitize())
	}
	return files
}

// joined returns the text of all files.
func joined(files []file) string {
	var text strings.Builder
	for _, f := range files {
		text.WriteString(f.text + "\n")
	}
	return text.String()
}

// runStandIn makes the stand-in for an extension. It goes into the given schema, which may be empty,
// unless it is in another already.
func runStandIn(ctx context.Context, conn *pgx.Conn, extension, schema string) error {
	there, err := standInSchema(ctx, conn, extension)
	if err != nil {
		return fmt.Errorf("look for the stand-in of %s: %w", extension, err)
	}
	schema = cmp.Or(there, schema, "public")
	files, err := standInFiles(extension)
	if err != nil || len(files) == 0 {
		return err
	}
	var path string
	if err := conn.QueryRow(ctx, "select current_setting('search_path')").Scan(&path); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, setSearchPath, searchPath(schema), false); err != nil {
		return err
	}
	for _, f := range inSchema(files, schema) {
		if err := runFile(ctx, conn, f); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, recordRepeatable, f.path, f.checksum); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, setSearchPath, path, false)
	return err
}

// searchPath returns the search path that PostgreSQL sets for an extension's script.
func searchPath(schema string) string { return pgx.Identifier{schema}.Sanitize() + ", pg_temp" }

// upStandIns applies the files of stand-ins that are in the database and have changed since, and stores
// all of them for the event trigger that makes them.
func (r *runner) upStandIns(ctx context.Context, s *session, source Source) error {
	recorded, err := readRecords(ctx, s.conn, listRepeatables)
	if err != nil {
		return err
	}
	for _, extension := range slices.Sorted(maps.Keys(standIns)) {
		files, err := standInFiles(extension)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			continue
		}
		err = asSuperuser(ctx, s.conn, func() error {
			_, err := s.conn.Exec(ctx, storeStandIn, extension, standIns[extension].schema, joined(files), len(files[0].superuser) > 0)
			return err
		})
		if err != nil {
			return fmt.Errorf("store the stand-in of %s: %w", extension, err)
		}
		schema, err := standInSchema(ctx, s.conn, extension)
		if err != nil {
			return fmt.Errorf("look for the stand-in of %s: %w", extension, err)
		}
		// If one file has changed, all are applied: they use what others of the same stand-in define.
		if schema == "" || !slices.ContainsFunc(files, func(f file) bool { return recorded[f.path] != f.checksum }) {
			continue
		}
		search := func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, setSearchPath, searchPath(schema), true)
			return err
		}
		if err := r.inTx(ctx, s, source, inSchema(files, schema), search, recordRepeatable); err != nil {
			return err
		}
	}
	return nil
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
