// Package sql carries the project's SQL files in the binary. It sits beside
// them because go:embed cannot reach upward.
package sql

import "embed"

// FS holds bootstrap, migrations, functions, views, policies and seed, with the
// names they have in this folder.
//
// A folder that is still empty keeps a .keep file: go:embed refuses a pattern
// without a match.
//
//go:embed all:bootstrap all:migrations all:functions all:views all:policies all:seed
var FS embed.FS
