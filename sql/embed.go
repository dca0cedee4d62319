// Package sql embeds the project's SQL files in the binary. It is in the same folder because an embed
// directive cannot name files outside of it.
package sql

import "embed"

// FS contains bootstrap, migrations, functions, views, policies and seed, under their names in this
// folder.
//
// An empty folder contains a .keep file: go:embed refuses a pattern without a match.
//
//go:embed all:bootstrap all:migrations all:functions all:views all:policies all:seed
var FS embed.FS
