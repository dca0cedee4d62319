package tile_test

import (
	"encoding/json"
	"image"
	"image/color"
	"os"
	"slices"
	"testing"

	"plaza/client"
	"plaza/functions/social/tile"
)

// vector is one line of the client's golden file.
type vector struct {
	Category string   `json:"category"`
	ID       string   `json:"id"`
	Motif    string   `json:"motif"`
	Colors   []string `json:"colors"`
	Scale    int      `json:"scale"`
}

func TestChooseMatchesClient(t *testing.T) {
	t.Parallel()
	set, err := tile.Parse(client.TileData())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../client/src/components/tile/testdata/tile-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 21 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for _, want := range vectors {
		got := set.Choose(want.Category, want.ID)
		if got.Motif != want.Motif || got.Scale != want.Scale || !slices.Equal(got.Colors, want.Colors) {
			t.Errorf("Choose(%q, %q) = %s %v %d, want %s %v %d", want.Category, want.ID,
				got.Motif, got.Colors, got.Scale, want.Motif, want.Colors, want.Scale)
		}
	}
}

func TestDrawIsSymmetricAndUsesItsColours(t *testing.T) {
	t.Parallel()
	set, err := tile.Parse(client.TileData())
	if err != nil {
		t.Fatal(err)
	}
	for category := range set.Categories {
		for motif := range set.Motifs {
			spec := set.Choose(category, "")
			spec.Motif, spec.Shapes = motif, set.Motifs[motif]
			checkTile(t, category+" "+motif, spec)
		}
		break // the palette does not affect the shapes
	}
}

func checkTile(t *testing.T, name string, spec tile.Spec) {
	t.Helper()
	const side = 120
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	tile.Draw(picture, picture.Bounds(), spec, side)
	seen := map[color.RGBA]int{}
	for y := 2; y < side-2; y++ {
		for x := 2; x < side-2; x++ {
			pixel := picture.RGBAAt(x, y)
			seen[pixel]++
			if pixel != picture.RGBAAt(side-1-x, y) || pixel != picture.RGBAAt(x, side-1-y) {
				t.Fatalf("%s: not mirrored at %d,%d", name, x, y)
			}
		}
	}
	flat := 0
	for _, count := range seen {
		if count > side {
			flat++
		}
	}
	if flat < 3 {
		t.Errorf("%s: only %d flat colours", name, flat)
	}
}
