package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/BurntSushi/toml"

	"plaza/server/config"
	"plaza/server/pg/migrate"
	"plaza/server/project"
)

// folderConfig holds the parts of a project's config.toml that exist here.
type folderConfig struct {
	ProjectID string `toml:"project_id"`
	API       struct {
		Port            int      `toml:"port"`
		Schemas         []string `toml:"schemas"`
		ExtraSearchPath []string `toml:"extra_search_path"`
		MaxRows         int64    `toml:"max_rows"`
	} `toml:"api"`
	DB struct {
		Port int `toml:"port"`
		Seed struct {
			Enabled  *bool    `toml:"enabled"`
			SQLPaths []string `toml:"sql_paths"`
		} `toml:"seed"`
	} `toml:"db"`
	Auth struct {
		SiteURL       string   `toml:"site_url"`
		Redirects     []string `toml:"additional_redirect_urls"`
		JWTExpiry     int      `toml:"jwt_expiry"`
		EnableSignup  *bool    `toml:"enable_signup"`
		MinPassword   int      `toml:"minimum_password_length"`
		ManualLinking *bool    `toml:"enable_manual_linking"`
		Email         struct {
			EnableConfirmations *bool `toml:"enable_confirmations"`
		} `toml:"email"`
		External map[string]folderProvider `toml:"external"`
	} `toml:"auth"`
}

// Choose gives the project to serve and the settings to serve it with: the one
// built in, or a folder laid out as the Supabase CLI does, whose config.toml
// counts as defaults. What the environment sets wins over both.
//
// Errors name the folder and what it lacks, or the settings that are wrong.
func Choose(folder string, builtIn project.Project, environ []string) (project.Project, config.Config, error) {
	if folder == "" {
		cfg, err := config.Load(slices.Concat(builtIn.Settings, environ))
		return builtIn, cfg, err
	}
	cfg, err := config.Load(environ)
	if err != nil {
		return project.Project{}, cfg, err
	}
	chosen, err := chooseFolder(folder, &cfg)
	return chosen, cfg, err
}

func chooseFolder(folder string, cfg *config.Config) (project.Project, error) {
	root, err := projectRoot(folder)
	if err != nil {
		return project.Project{}, err
	}
	settings, err := readFolderConfig(root)
	if err != nil {
		return project.Project{}, err
	}
	if _, set := os.LookupEnv("PLAZA_DATA_DIR"); !set {
		cfg.DataDir = filepath.Join(root, ".plaza")
	}
	settings.apply(cfg)
	name := settings.ProjectID
	if name == "" {
		name = filepath.Base(filepath.Dir(root))
	}
	return project.Project{Name: name, Source: migrate.Supabase(os.DirFS(root), settings.seeds()...)}, nil
}

// projectRoot finds the folder with the migrations: DIR itself or DIR/supabase.
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

func readFolderConfig(root string) (folderConfig, error) {
	var settings folderConfig
	path := filepath.Join(root, "config.toml")
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return settings, nil
	}
	if _, err := toml.DecodeFile(path, &settings); err != nil {
		return settings, fmt.Errorf("read %s: %w", path, err)
	}
	return settings, nil
}

func (f folderConfig) seeds() []string {
	if f.DB.Seed.Enabled != nil && !*f.DB.Seed.Enabled {
		return []string{"seed.disabled"} // matches no file
	}
	return f.DB.Seed.SQLPaths
}

func (f folderConfig) apply(cfg *config.Config) {
	setUnlessEnv("PLAZA_PORT", &cfg.Port, f.API.Port)
	setUnlessEnv("PLAZA_POSTGRES_PORT", &cfg.PostgresPort, f.DB.Port)
	setUnlessEnv("PGRST_DB_MAX_ROWS", &cfg.Rest.MaxRows, f.API.MaxRows)
	setUnlessEnv("SITE_URL", &cfg.SiteURL, f.Auth.SiteURL)
	setUnlessEnv("GOTRUE_JWT_EXP", &cfg.Auth.JWT.Expiry, f.Auth.JWTExpiry)
	setUnlessEnv("GOTRUE_PASSWORD_MIN_LENGTH", &cfg.Auth.Password.MinLength, f.Auth.MinPassword)
	if _, set := os.LookupEnv("PGRST_DB_SCHEMAS"); !set && len(f.API.Schemas) > 0 {
		cfg.Rest.Schemas = f.API.Schemas
	}
	if _, set := os.LookupEnv("PGRST_DB_EXTRA_SEARCH_PATH"); !set && len(f.API.ExtraSearchPath) > 0 {
		cfg.Rest.ExtraSearchPath = f.API.ExtraSearchPath
	}
	if _, set := os.LookupEnv("GOTRUE_URI_ALLOW_LIST"); !set {
		cfg.Auth.URIAllowList = append(cfg.Auth.URIAllowList, f.Auth.Redirects...)
	}
	if f.Auth.EnableSignup != nil {
		setUnlessEnv("GOTRUE_DISABLE_SIGNUP", &cfg.Auth.DisableSignup, !*f.Auth.EnableSignup)
	}
	if f.Auth.ManualLinking != nil {
		setUnlessEnv("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", &cfg.Auth.Security.ManualLinking, *f.Auth.ManualLinking)
	}
	for name, settings := range f.Auth.External {
		settings.apply(name, cfg)
	}
	if f.Auth.Email.EnableConfirmations != nil {
		setUnlessEnv("GOTRUE_MAILER_AUTOCONFIRM", &cfg.Auth.Mailer.Autoconfirm, !*f.Auth.Email.EnableConfirmations)
	}
}

// setUnlessEnv takes over a folder's value that is given and not overridden.
func setUnlessEnv[T comparable](name string, field *T, value T) {
	var zero T
	if _, set := os.LookupEnv(name); !set && value != zero {
		*field = value
	}
}
