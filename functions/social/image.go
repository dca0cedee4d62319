// Package social says what a page is to readers that run no script, search
// engines and the previews of messengers, and draws the picture they show.
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

// The size that Open Graph readers expect, in pixels.
const (
	Width  = 1200
	Height = 630
)

// The parts of the picture: tiles above, a quiet band with the words below.
const (
	bandTop    = 400
	margin     = 64
	tileSide   = 200
	titleSize  = 64 // points, at 72 dots an inch
	detailSize = 34
)

var (
	paper = color.NRGBA{0xfb, 0xfb, 0xf9, 0xff}
	ink   = color.NRGBA{0x15, 0x18, 0x1f, 0xff}
	muted = color.NRGBA{0x5a, 0x61, 0x6e, 0xff}
)

// painter holds what every picture needs.
type painter struct {
	tiles         *tile.Set
	bold, regular *opentype.Font
}

func newPainter(tileData []byte) (*painter, error) {
	tiles, err := tile.Read(tileData)
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

// paint draws a card: the tile of a category and id, a title and a detail line.
func (p *painter) paint(category, id, title, detail string) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, Width, Height))
	tile.Draw(picture, image.Rect(0, 0, Width, bandTop), p.tiles.Choose(category, id), tileSide)
	draw.Draw(picture, image.Rect(0, bandTop, Width, Height), image.NewUniform(paper), image.Point{}, draw.Src)
	if err := write(picture, p.bold, titleSize, ink, bandTop+104, title); err != nil {
		return nil, err
	}
	if err := write(picture, p.regular, detailSize, muted, bandTop+164, detail); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// write sets one line, made smaller, and then cut, until it fits.
func write(target draw.Image, typeface *opentype.Font, size float64, ink color.Color, baseline int, text string) error {
	const smallest = 0.6 // of the wanted size
	width := fixed.I(Width - 2*margin)
	for scale := 1.0; ; scale -= 0.1 {
		face, err := opentype.NewFace(typeface, &opentype.FaceOptions{Size: size * scale, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return fmt.Errorf("set a line: %w", err)
		}
		pen := font.Drawer{Dst: target, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(margin, baseline)}
		if pen.MeasureString(text) > width && scale > smallest {
			continue
		}
		pen.DrawString(cut(&pen, text, width))
		return nil
	}
}

// cut shortens a text that is too wide and ends it in an ellipsis.
func cut(pen *font.Drawer, text string, width fixed.Int26_6) string {
	letters := []rune(text)
	for pen.MeasureString(text) > width && len(letters) > 0 {
		letters = letters[:len(letters)-1]
		text = string(letters) + "…"
	}
	return text
}
