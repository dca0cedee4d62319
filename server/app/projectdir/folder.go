// Package projectdir reads a project folder in the Supabase CLI's layout: config.toml,
// migrations, seeds, functions.
package projectdir

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

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
	DB        struct {
		Seed struct {
			Enabled  *bool    `toml:"enabled"`
			SQLPaths []string `toml:"sql_paths"`
		} `toml:"seed"`
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
	if f.DB.Seed.Enabled != nil && !*f.DB.Seed.Enabled {
		return []string{"seed.disabled"} // matches no file
	}
	return f.DB.Seed.SQLPaths
}

// functions returns the configuration of the folder's functions.
func (f folderConfig) functions(root string, reader *translator) edge.Folder {
	for name, value := range f.EdgeRuntime.Secrets {
		f.EdgeRuntime.Secrets[name] = reader.resolve("edge_runtime.secrets."+name, value)
	}
	disabled := f.EdgeRuntime.Enabled != nil && !*f.EdgeRuntime.Enabled
	return edge.Folder{Root: root, Declared: f.Functions, Secrets: f.EdgeRuntime.Secrets, Disabled: disabled}
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
	if err == nil {
		var settings []string
		var all map[string]any
		if _, err = toml.Decode(string(text), &parts); err == nil {
			_, err = toml.Decode(string(text), &all)
		}
		if err == nil {
			reader := &translator{folder: made.Folder, own: own, environ: environ}
			made.Functions = parts.functions(root, reader)
			if auth, _ := all["auth"].(map[string]any); sendsMail(auth) {
				made.Settings = append(made.Settings, mailDefault)
			}
			settings, ignored, err = reader.translate(all)
		}
		if err != nil {
			return made, nil, fmt.Errorf("read %s: %w", path, err)
		}
		made.Settings = append(made.Settings, settings...)
	} else if !os.IsNotExist(err) {
		return made, nil, err
	}
	if parts.ProjectID != "" {
		made.Name = parts.ProjectID
	}
	if made.Buckets, err = parts.buckets(os.DirFS(root)); err != nil {
		return made, nil, fmt.Errorf("read %s: %w", path, err)
	}
	made.Source = migrate.Supabase(os.DirFS(root), parts.seeds()...)
	return made, ignored, nil
}
