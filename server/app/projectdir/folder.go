// Package projectdir reads a project folder in the Supabase CLI's layout: config.toml,
// migrations, seeds, functions.
package projectdir

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"plaza/server/config"
	"plaza/server/edge"
	"plaza/server/pg/migrate"
	"plaza/server/project"
)

// Choose returns the project to serve and its settings: the built-in project, or the
// project in a folder with the Supabase CLI's layout, whose config.toml provides
// defaults. The environment takes precedence over both.
//
// Errors name what is missing in the folder, or the invalid settings.
func Choose(folder string, builtIn project.Project, environ []string) (project.Project, config.Config, error) {
	chosen := builtIn
	var ignored []string
	if folder != "" {
		root, err := projectRoot(folder)
		if err != nil {
			return project.Project{}, config.Config{}, err
		}
		if chosen, ignored, err = readFolder(root, environ); err != nil {
			return project.Project{}, config.Config{}, err
		}
	}
	cfg, err := config.Load(slices.Concat(chosen.Settings, environ))
	cfg.Ignored = ignored
	cfg.Storage.Buckets = chosen.Buckets
	return chosen, cfg, err
}

// projectRoot returns the folder that contains config.toml and the migrations: the
// folder itself or its subfolder supabase.
func projectRoot(folder string) (string, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for _, candidate := range []string{filepath.Join(absolute, "supabase"), absolute} {
		for _, mark := range []string{"config.toml", "migrations", "seed.sql"} {
			if _, err := os.Stat(filepath.Join(candidate, mark)); err == nil {
				return candidate, nil
			}
		}
	}
	return "", fmt.Errorf("%s is no Supabase project: it has neither config.toml nor migrations/, also not under supabase/", absolute)
}

// folderConfig holds the parts of a project's config.toml that are not translated to
// variables.
type folderConfig struct {
	ProjectID string `toml:"project_id"`
	API       struct {
		AutoExpose *bool `toml:"auto_expose_new_tables"`
	} `toml:"api"`
	DB struct {
		Migrations struct {
			Enabled *bool `toml:"enabled"`
		} `toml:"migrations"`
		Seed struct {
			Enabled  *bool    `toml:"enabled"`
			SQLPaths []string `toml:"sql_paths"`
		} `toml:"seed"`
		Vault map[string]string `toml:"vault"`
	} `toml:"db"`
	Storage struct {
		Buckets map[string]bucketConfig `toml:"buckets"`
	} `toml:"storage"`
	Functions   map[string]edge.Declared `toml:"functions"`
	EdgeRuntime struct {
		Enabled *bool             `toml:"enabled"`
		Secrets map[string]string `toml:"secrets"`
	} `toml:"edge_runtime"`
}

func (f folderConfig) seeds() []string {
	if isFalse(f.DB.Seed.Enabled) {
		return []string{"seed.disabled"} // matches no file
	}
	return f.DB.Seed.SQLPaths
}

// functions returns the configuration of the folder's functions.
func (f folderConfig) functions(root string, reader *translator) edge.Folder {
	for name, value := range f.EdgeRuntime.Secrets {
		f.EdgeRuntime.Secrets[name] = reader.resolve("edge_runtime.secrets."+name, value)
	}
	return edge.Folder{Root: root, Declared: f.Functions, Secrets: f.EdgeRuntime.Secrets, Disabled: isFalse(f.EdgeRuntime.Enabled)}
}

// resolveVault replaces env(NAME) in the secrets of [db.vault], and removes secrets without a value.
func (f folderConfig) resolveVault(reader *translator) {
	for name, value := range f.DB.Vault {
		if strings.HasPrefix(value, "encrypted:") {
			reader.ignored = append(reader.ignored, "config.toml: db.vault."+name+" is not followed: it is encrypted for dotenvx; use env(NAME)")
			value = ""
		}
		if f.DB.Vault[name] = reader.resolve("db.vault."+name, value); f.DB.Vault[name] == "" {
			delete(f.DB.Vault, name)
		}
	}
}

// source returns the migrations and seeds of a folder.
func (f folderConfig) source(own fs.FS) migrate.Source {
	source := migrate.Supabase(own, f.seeds()...)
	if isFalse(f.DB.Migrations.Enabled) {
		source = source.WithoutMigrations()
	}
	if isFalse(f.API.AutoExpose) {
		source = source.WithHiddenTables()
	}
	return source.WithVault(f.DB.Vault)
}

func isFalse(value *bool) bool { return value != nil && !*value }

// readConfig reads a config.toml into a project.
func readConfig(text string, reader *translator, made *project.Project) (parts folderConfig, ignored []string, err error) {
	var all map[string]any
	if _, err = toml.Decode(text, &all); err != nil {
		return parts, nil, err
	}
	applyRemote(all)
	merged, err := toml.Marshal(all)
	if err != nil {
		return parts, nil, err
	}
	if err = toml.Unmarshal(merged, &parts); err != nil {
		return parts, nil, err
	}
	made.Functions = parts.functions(made.Functions.Root, reader)
	parts.resolveVault(reader)
	if auth, _ := all["auth"].(map[string]any); sendsMail(auth) {
		made.Settings = append(made.Settings, mailDefault)
	}
	settings, ignored, err := reader.translate(all)
	made.Settings = append(made.Settings, settings...)
	return parts, ignored, err
}

// applyRemote lets a table [remotes.NAME] with the project's own project_id override the rest of the
// file. Tables with another project_id are ignored.
// Source: the CLI's mergeRemoteConfig, which seeds no such project unless the table says so.
func applyRemote(file map[string]any) {
	remotes, _ := file["remotes"].(map[string]any)
	delete(file, "remotes")
	for _, remote := range remotes {
		table, _ := remote.(map[string]any)
		if table["project_id"] == nil || table["project_id"] != file["project_id"] {
			continue
		}
		override(file, map[string]any{"db": map[string]any{"seed": map[string]any{"enabled": false}}})
		override(file, table)
	}
}

// override replaces values of table by those of the table by, also in nested tables.
func override(table, by map[string]any) {
	for name, value := range by {
		nested, isTable := value.(map[string]any)
		if old, isOldTable := table[name].(map[string]any); isTable && isOldTable {
			override(old, nested)
		} else {
			table[name] = value
		}
	}
}

// readFolder returns the project of a folder, and messages about the keys of its
// config.toml that are ignored.
func readFolder(root string, environ []string) (made project.Project, ignored []string, err error) {
	whole, own := root, "" // the project's folder, and the path of root in it
	if filepath.Base(root) == "supabase" {
		whole, own = filepath.Dir(root), "supabase"
	}
	folder, err := os.OpenRoot(whole)
	if err != nil {
		return made, nil, err
	}
	made = project.Project{Name: filepath.Base(filepath.Dir(root)), Folder: folder.FS(), Functions: edge.Folder{Root: root}, Settings: append([]string{"PLAZA_DATA_DIR=" + filepath.Join(root, ".plaza")}, folderDefaults...)}
	var parts folderConfig
	path := filepath.Join(root, "config.toml")
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		reader := &translator{folder: made.Folder, own: own, environ: environ}
		if parts, ignored, err = readConfig(string(text), reader, &made); err != nil {
			return made, nil, fmt.Errorf("read %s: %w", path, err)
		}
	case !os.IsNotExist(err):
		return made, nil, err
	}
	if parts.ProjectID != "" {
		made.Name = parts.ProjectID
	}
	if made.Buckets, err = parts.buckets(os.DirFS(root)); err != nil {
		return made, nil, fmt.Errorf("read %s: %w", path, err)
	}
	made.Source = parts.source(os.DirFS(root))
	return made, ignored, nil
}
