// Package social draws the pictures that the link previews of messengers and social
// networks show of the marketplace's pages.
package social

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plaza/functions/social/tile"
)

// Width and Height are the usual size of Open Graph images, in pixels.
const (
	Width  = 1200
	Height = 630
)

// Layout of the picture: tiles above, and a plain band with the text below.
const (
	bandTop    = 400
	margin     = 64
	tileSide   = 200
	titleSize  = 64 // points, at 72 DPI
	detailSize = 34
)

var (
	paper = color.NRGBA{0xfb, 0xfb, 0xf9, 0xff}
	ink   = color.NRGBA{0x15, 0x18, 0x1f, 0xff}
	muted = color.NRGBA{0x5a, 0x61, 0x6e, 0xff}
)

// painter draws pictures with the tiles and fonts that all of them share.
type painter struct {
	tiles         *tile.Set
	bold, regular *opentype.Font
}

func newPainter(tileData []byte) (*painter, error) {
	tiles, err := tile.Parse(tileData)
	if err != nil {
		return nil, err
	}
	bold, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the bold font: %w", err)
	}
	regular, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the regular font: %w", err)
	}
	return &painter{tiles, bold, regular}, nil
}

// paint returns a PNG with the tile of a category and id, a title and a detail line.
func (p *painter) paint(category, id, title, detail string) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, Width, Height))
	tile.Draw(picture, image.Rect(0, 0, Width, bandTop), p.tiles.Choose(category, id), tileSide)
	draw.Draw(picture, image.Rect(0, bandTop, Width, Height), image.NewUniform(paper), image.Point{}, draw.Src)
	if err := drawLine(picture, p.bold, titleSize, ink, bandTop+104, title); err != nil {
		return nil, err
	}
	if err := drawLine(picture, p.regular, detailSize, muted, bandTop+164, detail); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// drawLine draws one line of text. A line that is too wide is scaled down and, below the
// smallest scale, truncated.
func drawLine(target draw.Image, typeface *opentype.Font, size float64, ink color.Color, baseline int, text string) error {
	const smallest = 0.6 // of size
	width := fixed.I(Width - 2*margin)
	for scale := 1.0; ; scale -= 0.1 {
		face, err := opentype.NewFace(typeface, &opentype.FaceOptions{Size: size * scale, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return fmt.Errorf("draw a line: %w", err)
		}
		pen := font.Drawer{Dst: target, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(margin, baseline)}
		if pen.MeasureString(text) > width && scale > smallest {
			continue
		}
		pen.DrawString(truncate(&pen, text, width))
		return nil
	}
}

// truncate shortens a text that is too wide and appends an ellipsis.
func truncate(pen *font.Drawer, text string, width fixed.Int26_6) string {
	letters := []rune(text)
	for pen.MeasureString(text) > width && len(letters) > 0 {
		letters = letters[:len(letters)-1]
		text = string(letters) + "…"
	}
	return text
}
