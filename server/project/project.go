// Package project says what the server can be given to serve, beside its own
// APIs: a schema with its data, a client, named functions.
package project

import (
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
)

// Project is what the binary serves: the one built into it or a developer's folder.
type Project struct {
	Name   string
	Source migrate.Source
	Client fs.FS // nil without a client of its own

	Accounts []Account // sample accounts, shown at the start in development

	// Routes adds the project's own handlers by pattern. It may be nil.
	Routes func(Parts) (map[string]http.Handler, error)
	// Head describes a page to readers that run no script. It may be nil.
	Head func(Parts) func(*http.Request) (tags string, status int)
}

// Account is a sample account.
type Account struct{ Role, Email, Password string }

// Parts are what a project's own handlers may use.
type Parts struct {
	DB      *pg.DB
	Auth    *claims.Authenticator
	SiteURL string
	Log     *slog.Logger
	Now     func() time.Time
}
