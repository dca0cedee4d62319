// Package tile draws the tile patterns that are shown for businesses without a photo. It
// uses the client's algorithm (client/src/components/tile/tile-spec.ts) and the client's
// data, so that a business has the same tile everywhere.
package tile

import (
	"encoding/json"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Shape is a filled path or circle in a quadrant of 100 units.
type Shape struct {
	Fill   int       `json:"fill"` // index into a spec's colours
	Path   string    `json:"path"`
	Circle []float32 `json:"circle"` // x, y, radius
}

// Set has all motifs and palettes.
type Set struct {
	Orders     [][]int            `json:"orders"`
	Scales     []int              `json:"scales"`
	Motifs     map[string][]Shape `json:"motifs"`
	Categories map[string]struct {
		Motifs []string `json:"motifs"`
		Colors []string `json:"colors"`
	} `json:"categories"`
	names []string
}

// Spec describes the tile of one business.
type Spec struct {
	Motif  string
	Shapes []Shape
	Colors []string // four, "#rrggbb"; the first is the background
	Scale  int      // usual size of the tile, in pixels
}

// Parse decodes the client's tile-data.json.
func Parse(data []byte) (*Set, error) {
	var set Set
	if err := json.Unmarshal(data, &set); err != nil {
		return nil, fmt.Errorf("parse the tiles: %w", err)
	}
	if len(set.Categories) == 0 || len(set.Orders) == 0 || len(set.Scales) < 3 {
		return nil, fmt.Errorf("parse the tiles: the data lacks categories, orders or scales")
	}
	set.names = slices.Sorted(maps.Keys(set.Categories))
	return &set, nil
}

// Choose returns the tile of a business. An empty id means the tile of the category.
func (s *Set) Choose(category, id string) Spec {
	known, ok := s.Categories[category]
	if !ok {
		known = s.Categories[s.names[hash(category)%uint32(len(s.names))]]
	}
	sum := hash(category + "/" + id)
	motif, order, scale := known.Motifs[0], s.Orders[0], s.Scales[2]
	if id != "" {
		motif = known.Motifs[sum%uint32(len(known.Motifs))]
		order = s.Orders[(sum>>8)%uint32(len(s.Orders))]
		scale = s.Scales[(sum>>16)%uint32(len(s.Scales))]
	}
	spec := Spec{Motif: motif, Shapes: s.Motifs[motif], Scale: scale}
	for _, index := range order {
		spec.Colors = append(spec.Colors, known.Colors[index])
	}
	return spec
}

// hash is the 32-bit FNV-1a hash.
func hash(text string) uint32 {
	sum := uint32(2166136261)
	for _, b := range []byte(text) {
		sum = (sum ^ uint32(b)) * 16777619
	}
	return sum
}

// parseColor parses "#rrggbb". The result is black if the text is invalid.
func parseColor(text string) color.NRGBA {
	value, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil {
		return color.NRGBA{A: 255}
	}
	return color.NRGBA{R: uint8(value >> 16), G: uint8(value >> 8), B: uint8(value), A: 255}
}
