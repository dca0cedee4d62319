// Package client embeds the built web client in the binary.
package client

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

//go:embed src/components/tile/tile-data.json
var tileData []byte

//go:embed src/features/location/model/places.json
var places []byte

//go:embed src/app/info-pages.json
var infoPages []byte

//go:embed src/texts/es/names.json
var spanishNames []byte

//go:embed src/texts/ca/names.json
var catalanNames []byte

// Dist returns the files of the built client, rooted at index.html. Before the
// first `npm run build` it holds only a placeholder.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant that the embed directive checked
	}
	return sub
}

// TileData returns the motifs and palettes of the tile covers as JSON. The client renders from the
// same file, so that a business has the same tile everywhere; src/components/tile/tile-spec.ts
// describes how they are selected.
func TileData() []byte { return tileData }

// Places returns the places that the marketplace serves as JSON: objects with a name, a country and
// alternative names.
func Places() []byte { return places }

// Names returns the names of categories, amenities and places in languages other than English, as
// JSON objects by their English names.
func Names() map[string][]byte { return map[string][]byte{"es": spanishNames, "ca": catalanNames} }

// InfoPages returns the titles and introductions of text pages as JSON, by language and the pages'
// names.
func InfoPages() []byte { return infoPages }
