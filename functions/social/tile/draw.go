package tile

import (
	"image"
	"image/color"
	"image/draw"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// jointAlpha and jointWidth define the line between tiles, which is 22 % opaque as in the
// client.
const (
	jointAlpha = 56
	jointWidth = 1 // pixels
)

// Draw fills a rectangle of an image with copies of a tile. side is the tile's size in pixels.
func Draw(target draw.Image, bounds image.Rectangle, spec Spec, side int) {
	tile := render(spec, side)
	for y := bounds.Min.Y; y < bounds.Max.Y; y += side {
		for x := bounds.Min.X; x < bounds.Max.X; x += side {
			cell := image.Rect(x, y, x+side, y+side).Intersect(bounds)
			draw.Draw(target, cell, tile, image.Point{}, draw.Src)
		}
	}
}

// render draws one tile: its quadrant, mirrored to four, and the lines along its edges.
func render(spec Spec, side int) *image.RGBA {
	half := (side + 1) / 2
	quadrant := renderQuadrant(spec, half)
	tile := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			tile.Set(x, y, quadrant.At(min(x, side-1-x), min(y, side-1-y)))
		}
	}
	joint := parseColor(spec.Colors[1])
	joint.A = jointAlpha
	ink := image.NewUniform(joint)
	draw.Draw(tile, image.Rect(0, 0, side, jointWidth), ink, image.Point{}, draw.Over)
	draw.Draw(tile, image.Rect(0, 0, jointWidth, side), ink, image.Point{}, draw.Over)
	return tile
}

func renderQuadrant(spec Spec, size int) *image.RGBA {
	quadrant := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(quadrant, quadrant.Bounds(), image.NewUniform(parseColor(spec.Colors[0])), image.Point{}, draw.Src)
	scale := float32(size) / 100
	for _, shape := range spec.Shapes {
		pen := vector.NewRasterizer(size, size)
		if len(shape.Circle) == 3 {
			circle(pen, shape.Circle[0]*scale, shape.Circle[1]*scale, shape.Circle[2]*scale)
		} else {
			path(pen, shape.Path, scale)
		}
		var fill color.Color = parseColor(spec.Colors[shape.Fill%len(spec.Colors)])
		pen.Draw(quadrant, quadrant.Bounds(), image.NewUniform(fill), image.Point{})
	}
	return quadrant
}

// arc is the distance of a quarter circle's Bézier control points from its end points, as a
// fraction of the radius.
const arc = 0.5522848

func circle(pen *vector.Rasterizer, x, y, r float32) {
	pen.MoveTo(x+r, y)
	pen.CubeTo(x+r, y+arc*r, x+arc*r, y+r, x, y+r)
	pen.CubeTo(x-arc*r, y+r, x-r, y+arc*r, x-r, y)
	pen.CubeTo(x-r, y-arc*r, x-arc*r, y-r, x, y-r)
	pen.CubeTo(x+arc*r, y-r, x+r, y-arc*r, x+r, y)
	pen.ClosePath()
}

// path draws the commands that tile-data.json uses: absolute M, L, C and Z.
func path(pen *vector.Rasterizer, text string, scale float32) {
	for len(text) > 0 {
		command := text[0]
		end := strings.IndexAny(text[1:], "MLCZ")
		if end < 0 {
			end = len(text) - 1
		}
		n := numbers(text[1:end+1], scale)
		text = text[end+1:]
		switch {
		case command == 'M' && len(n) == 2:
			pen.MoveTo(n[0], n[1])
		case command == 'L' && len(n) == 2:
			pen.LineTo(n[0], n[1])
		case command == 'C':
			for ; len(n) >= 6; n = n[6:] {
				pen.CubeTo(n[0], n[1], n[2], n[3], n[4], n[5])
			}
		case command == 'Z':
			pen.ClosePath()
		}
	}
}

func numbers(text string, scale float32) []float32 {
	var list []float32
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		if value, err := strconv.ParseFloat(word, 32); err == nil {
			list = append(list, float32(value)*scale)
		}
	}
	return list
}
