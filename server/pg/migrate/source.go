package migrate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plaza/server/lazyregexp"
)

// Source is a folder of SQL files and the way they are applied and recorded.
// Make one with Platform, Project or Supabase.
type Source struct {
	// Name is used in messages and reports.
	Name string

	fsys       fs.FS
	dir        string   // versioned files; empty without any
	repeatable []string // folders of repeatable files, in order
	reference  []string // folders of data that every installation needs
	demo       []string // folders of sample data
	volume     string   // the folder of generated data
	seedPaths  []string // patterns of seed files, instead of folders
	history    history
	asOwner    bool              // its files run as the owner of the database
	strict     bool              // refuse edited and out-of-order files, and databases of newer releases
	asIs       bool              // leave databases of newer releases as they are
	only       *regexp.Regexp    // matches the paths of the versioned files that are applied; nil: all
	adopts     bool              // what a file creates may exist already
	standIns   bool              // keeps the stand-ins for extensions up to date
	foreign    bool              // made for Supabase: its files may leave settings behind and create extensions that PostgreSQL lacks
	before     string            // SQL that begins a run
	after      string            // SQL that ends a successful run
	vault      map[string]string // secrets by name, which a run puts into the vault first
	upTo       int64             // the last version that is applied; 0: all
	leftOut    map[string]bool   // paths of files that are not applied
}

// ServeNewer returns the sources changed so that they apply nothing to a database that a newer release has migrated.
func ServeNewer(sources []Source) []Source {
	changed := slices.Clone(sources)
	for i := range changed {
		changed[i].asIs = true
	}
	return changed
}

// Platform is the platform's own schema: bootstrap/*.sql.
func Platform(fsys fs.FS) Source {
	return Source{Name: "platform", fsys: fsys, dir: "bootstrap", history: plazaHistory("platform_migrations"), strict: true, after: ownedByAdmin}
}

// Project is a project of ours: migrations/ once and in order; functions/,
// views/ and policies/ whenever they change; seed/reference, seed/demo and
// seed/volume.
func Project(fsys fs.FS) Source {
	return Source{
		Name: "project", fsys: fsys, dir: "migrations", history: plazaHistory("migrations"), strict: true, asOwner: true,
		repeatable: []string{"functions", "views", "policies"},
		reference:  []string{"seed/reference"},
		demo:       []string{"seed/demo"},
		volume:     "seed/volume",
	}
}

// Supabase is a folder made for the Supabase CLI, with migrations/ in it. What
// ran is recorded where and how the CLI does, so that both can take turns.
// seedPaths are the patterns of config.toml's db.seed.sql_paths, relative to
// the folder; none means seed.sql.
func Supabase(fsys fs.FS, seedPaths ...string) Source {
	if len(seedPaths) == 0 {
		seedPaths = []string{"seed.sql"}
	}
	return Source{Name: "project", fsys: fsys, dir: "migrations", history: supabaseHistory, seedPaths: seedPaths, asOwner: true, foreign: true}
}

// Fingerprint identifies the state of a Supabase folder's migrations, by their names, sizes and times of
// modification. It is empty for other sources.
func (s Source) Fingerprint() string {
	if !s.foreign || s.dir == "" {
		return ""
	}
	var found strings.Builder
	entries, err := fs.ReadDir(s.fsys, s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	found.WriteString(s.dir)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			fmt.Fprintf(&found, "\n%s %d %d", entry.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return found.String()
}

// UpTo returns the source without the versioned files after a version.
//
// Errors: one if there is no file of the version.
func (s Source) UpTo(version int64) (Source, error) {
	versions, err := s.Versions()
	if err != nil {
		return s, err
	}
	if !slices.Contains(versions, version) {
		return s, fmt.Errorf("%s: there is no migration of version %d in %s", s.Name, version, s.dir)
	}
	s.upTo = version + s.history.offset
	return s, nil
}

// Versions returns the versions of the source's migrations in their order.
func (s Source) Versions() ([]int64, error) {
	files, _, err := s.versioned()
	if err != nil {
		return nil, err
	}
	versions := make([]int64, len(files))
	for i, f := range files {
		versions[i] = f.version - s.history.offset
	}
	return versions, nil
}

// WithoutSeeds returns the source without its sample data.
func (s Source) WithoutSeeds() Source {
	s.demo, s.seedPaths = nil, nil
	return s
}

// IsSupabase reports whether the source is a folder made for the Supabase CLI.
func (s Source) IsSupabase() bool { return s.foreign }

// WithoutMigrations returns the source without its versioned files.
func (s Source) WithoutMigrations() Source {
	s.dir = ""
	return s
}

// WithHiddenTables returns the source with roles of the data API that may use new tables, sequences
// and functions of the schema public only if a migration grants it.
func (s Source) WithHiddenTables() Source {
	s.before = `
		alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
		alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
		alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;`
	return s
}

// WithVault returns the source with secrets, by name, that are put into the vault before its files run.
func (s Source) WithVault(secrets map[string]string) Source {
	s.vault = secrets
	return s
}

// putSecret creates the secret with the name $1 and the value $2 in the vault, or updates it if it has another value.
const putSecret = `
	select case when s.id is null then vault.create_secret($2, $1)::text
		when s.decrypted_secret is distinct from $2 then vault.update_secret(s.id, $2)::text end
	from (values ($1::text)) wanted (name) left join vault.decrypted_secrets s on s.name = wanted.name`

// file is one SQL file, read.
type file struct {
	path     string
	prefix   string // the digits a versioned file's name begins with
	version  int64  // their value, plus the history's offset
	order    int64  // its place among the versioned files
	name     string // the rest of a versioned file's name, without .sql
	text     string
	checksum string
	alone    bool // of a versioned file: a statement cannot run in a transaction
	// The statements that need a superuser, in order; the last may end after the text.
	superuser []span
}

func readFile(fsys fs.FS, name string) (file, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return file{}, err
	}
	sum := sha256.Sum256(text)
	f := file{path: name, text: string(text), checksum: hex.EncodeToString(sum[:])}
	if slices.ContainsFunc(superuserFiles, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		f.superuser = []span{{0, math.MaxInt}}
	}
	return f, nil
}

// readDir reads the SQL files of a folder by name. A missing folder is empty.
func readDir(fsys fs.FS, dir string) ([]file, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		if entry.IsDir() || path.Ext(entry.Name()) != ".sql" {
			continue
		}
		f, err := readFile(fsys, path.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func readDirs(fsys fs.FS, dirs []string) ([]file, error) {
	var all []file
	for _, dir := range dirs {
		files, err := readDir(fsys, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// versionedName is "0001_name.sql", and the Supabase CLI's "<timestamp>_name.sql".
var versionedName = lazyregexp.New(`^([0-9]+)_(.*)\.sql$`)

// versioned reads the migrations in their order: that of their versions, in a
// foreign folder that of their names, as the Supabase CLI has it. A file that is not
// named as a migration is an error in a folder of ours, and a warning in a foreign one.
func (s Source) versioned() (files []file, warnings []string, err error) {
	if s.dir == "" {
		return nil, nil, nil
	}
	found, err := readDir(s.fsys, s.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	seen := make(map[int64]string)
	for _, f := range found {
		if s.only != nil && !s.only.MatchString(f.path) || s.leftOut[f.path] {
			continue
		}
		parts := versionedName().FindStringSubmatch(path.Base(f.path))
		if parts == nil {
			if s.strict {
				return nil, nil, fmt.Errorf("%s: %s: a migration's name is digits, an underscore and a name", s.Name, f.path)
			}
			warnings = append(warnings, fmt.Sprintf("%s: %s is not named as a migration and was left out", s.Name, f.path))
			continue
		}
		if s.foreign && (&scanner{text: f.text}).skipBlank() {
			warnings = append(warnings, fmt.Sprintf("%s: %s has no statement yet and was left out", s.Name, f.path))
			continue
		}
		f.prefix, f.name = parts[1], parts[2]
		number, err := strconv.ParseInt(f.prefix, 10, 64)
		f.version = number + s.history.offset
		if err != nil || f.version <= 0 {
			return nil, nil, fmt.Errorf("%s: %s: a migration's version is a positive number below 2^63", s.Name, f.path)
		}
		if other, twice := seen[f.version]; twice {
			return nil, nil, fmt.Errorf("%s: %s and %s have the same version; rename one", s.Name, other, f.path)
		}
		seen[f.version] = f.path
		f.alone = !s.adopts && needsNoTransaction(f.text)
		files = append(files, f)
	}
	if s.upTo > 0 {
		files = slices.DeleteFunc(files, func(f file) bool { return f.version > s.upTo })
	}
	if s.foreign {
		for i := range files {
			files[i].order = int64(i + 1)
		}
		return files, warnings, nil
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.version, b.version) })
	for i := range files {
		files[i].order = files[i].version
	}
	return files, warnings, nil
}

// Latest returns the version of the last migration, plus 1 in a Supabase folder; 0 without any.
func (s Source) Latest() (int64, error) {
	files, _, err := s.versioned()
	if err != nil || len(files) == 0 {
		return 0, err
	}
	return files[len(files)-1].version, nil
}
