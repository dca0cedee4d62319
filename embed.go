// Package plaza embeds the project's documentation in the binary. It is in the root folder because an
// embed directive cannot name files outside of its own.
package plaza

import "embed"

// Documents contains the documentation, under its names in the repository.
//
//go:embed README.md ARCHITECTURE.md CHANGELOG.md LICENSE .env.example docker-compose.yml docs
//go:embed tests/conformance/COVERAGE.md tests/conformance/*/COVERAGE.md
var Documents embed.FS
