package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"plaza/server/lazyregexp"
)

// configTemplate is the config.toml of a new project. %q is its name.
const configTemplate = `# Settings of the project, with the keys of the Supabase CLI. A key that is left out has the CLI's
# default; "env(NAME)" is the value of an environment variable.
project_id = %q

[api]
port = 54321
schemas = ["public", "graphql_public"]
max_rows = 1000

[db]
port = 54322

[auth]
# Where links in mails lead to.
site_url = "http://127.0.0.1:3000"
additional_redirect_urls = []
enable_signup = true

[auth.email]
# true: an account can be used when its address is confirmed.
enable_confirmations = false
`

// initProject writes the folder of a new project.
func initProject(_ context.Context, args []string) error {
	set := flags("init", "Creates supabase/ with a config.toml in this folder, and leaves files that exist as they are.")
	force := set.Bool("force", false, "replace an existing config.toml")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join("supabase", "migrations"), 0o755); err != nil {
		return err
	}
	mode := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if *force {
		mode = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	err = writeNew(filepath.Join("supabase", "config.toml"), mode, strings.NewReader(fmt.Sprintf(configTemplate, filepath.Base(here))))
	if errors.Is(err, os.ErrExist) {
		return errors.New("supabase/config.toml exists: use --force to replace it")
	}
	if err != nil {
		return err
	}
	err = writeNew(filepath.Join("supabase", ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, strings.NewReader(".plaza/\n.env*\n"))
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	fmt.Println("Created supabase/. Next: plaza new NAME for a migration, plaza start to serve it.")
	return nil
}

// migrationName matches the names of new migrations.
var migrationName = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

const wrongMigrationName = "%q is no name of a migration: use letters, digits, _ and -"

// newMigration creates a migration with the text of standard input, or an empty one if that is a terminal.
func newMigration(_ context.Context, args []string) error {
	set := flags("new [flags] NAME", "Creates a migration in supabase/migrations, with the SQL that is piped in, if any.")
	folder := set.String("project", ".", "the project folder")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	path, err := migrationPath(*folder, set.Arg(0))
	if err != nil {
		return err
	}
	var text io.Reader = strings.NewReader("")
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice == 0 {
		text = os.Stdin
	}
	if err := writeNew(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, text); err != nil {
		return err
	}
	fmt.Println("Created", path)
	return nil
}

// projectFolder returns the folder of a project's config.toml: root or its folder supabase.
func projectFolder(root string) (string, error) {
	if info, err := os.Stat(filepath.Join(root, "supabase")); err == nil && info.IsDir() {
		root = filepath.Join(root, "supabase")
	}
	if _, err := os.Stat(filepath.Join(root, "config.toml")); err != nil {
		return "", fmt.Errorf("%s is no project folder: plaza init creates one", root)
	}
	return root, nil
}

// migrationPath returns the path of a new migration in a project folder, whose folder of migrations it
// creates.
func migrationPath(root, name string) (string, error) {
	if !migrationName().MatchString(name) {
		return "", fmt.Errorf(wrongMigrationName, name)
	}
	root, err := projectFolder(root)
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, "migrations", time.Now().UTC().Format("20060102150405")+"_"+name+".sql")
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

func writeNew(path string, mode int, text io.Reader) error {
	file, err := os.OpenFile(path, mode, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, text)
	return errors.Join(err, file.Close())
}
