package image

import (
	"image"
	"math"
	"strings"

	"golang.org/x/image/draw"
)

// apply rotates an image upright and resizes it. Images are never enlarged.
// Source: imgproxy's defaults.
func (o Options) apply(source image.Image, turned orientation) image.Image {
	size := source.Bounds().Size()
	if turned.sideways() {
		size.X, size.Y = size.Y, size.X
	}
	scaled, crop := o.plan(size)
	if turned.sideways() {
		scaled = image.Pt(scaled.Y, scaled.X)
	}
	if scaled != source.Bounds().Size() {
		source = shrink(source, scaled)
		small := image.NewRGBA(image.Rectangle{Max: scaled})
		draw.CatmullRom.Scale(small, small.Bounds(), source, source.Bounds(), draw.Src, nil)
		source = small
	}
	upright := turned.upright(source)
	if crop == upright.Bounds().Sub(upright.Bounds().Min) {
		return upright
	}
	cut := image.NewRGBA(image.Rectangle{Max: crop.Size()})
	draw.Copy(cut, image.Point{}, upright, crop.Add(upright.Bounds().Min), draw.Src, nil)
	return cut
}

// shrink averages blocks of pixels if an image becomes much smaller, so that the slow
// resampling filter processes two to four source pixels for each result pixel instead
// of hundreds.
func shrink(source image.Image, to image.Point) image.Image {
	bounds := source.Bounds()
	by := min(bounds.Dx()/to.X, bounds.Dy()/to.Y) / 2
	if by < 2 {
		return source
	}
	// Pixels at the right and bottom edges that do not fill a block are dropped.
	small := image.NewRGBA(image.Rect(0, 0, bounds.Dx()/by, bounds.Dy()/by))
	strip := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), by))
	for y := range small.Rect.Dy() {
		draw.Draw(strip, strip.Rect, source, image.Pt(bounds.Min.X, bounds.Min.Y+y*by), draw.Src)
		for x := range small.Rect.Dx() {
			var sums [4]int
			for row := range by {
				pixels := strip.Pix[row*strip.Stride+x*by*4:][:by*4]
				for i := 0; i < len(pixels); i += 4 {
					sums[0] += int(pixels[i])
					sums[1] += int(pixels[i+1])
					sums[2] += int(pixels[i+2])
					sums[3] += int(pixels[i+3])
				}
			}
			average := small.Pix[small.PixOffset(x, y):][:4]
			for i, sum := range sums {
				average[i] = uint8((sum + by*by/2) / (by * by)) // an average of bytes fits into a byte
			}
		}
	}
	return small
}

// plan returns the size to which an image is scaled, and the rectangle to which it is
// cropped afterwards.
func (o Options) plan(size image.Point) (scaled image.Point, crop image.Rectangle) {
	wide, high := float64(o.Width)/float64(size.X), float64(o.Height)/float64(size.Y)
	switch {
	case o.Width == 0 && o.Height == 0:
		wide, high = 1, 1
	case o.Width == 0:
		wide = high
	case o.Height == 0:
		high = wide
	case o.Resize == "contain":
		wide = min(wide, high)
		high = wide
	case o.Resize != "fill":
		wide = max(wide, high)
		high = wide
	}
	wide, high = min(wide, 1), min(high, 1)
	scaled = image.Pt(side(size.X, wide), side(size.Y, high))
	kept := scaled
	if o.Resize == "" || o.Resize == "cover" {
		if o.Width > 0 {
			kept.X = min(kept.X, o.Width)
		}
		if o.Height > 0 {
			kept.Y = min(kept.Y, o.Height)
		}
	}
	corner := o.corner(scaled, kept)
	return scaled, image.Rectangle{Min: corner, Max: corner.Add(kept)}
}

func side(length int, factor float64) int { return max(1, int(math.Round(float64(length)*factor))) }

// corner returns the top left corner of the crop rectangle.
func (o Options) corner(scaled, kept image.Point) image.Point {
	room := scaled.Sub(kept)
	at := image.Pt(room.X/2, room.Y/2)
	offset := func(value *float64, side int) int {
		switch {
		case value == nil:
			return 0
		case math.Abs(*value) < 1:
			return int(math.Round(*value * float64(side)))
		}
		return int(math.Round(*value))
	}
	x, y := offset(o.X, scaled.X), offset(o.Y, scaled.Y)
	switch gravity := o.Gravity; gravity {
	case "fp":
		at.X, at.Y = int(math.Round(*o.X*float64(scaled.X)))-kept.X/2, int(math.Round(*o.Y*float64(scaled.Y)))-kept.Y/2
	case "", "ce", "sm": // smart gravity is not supported and uses the center
		if gravity == "ce" {
			at = at.Add(image.Pt(x, y))
		}
	default:
		switch {
		case strings.HasPrefix(gravity, "no"):
			at.Y = y
		case strings.HasPrefix(gravity, "so"):
			at.Y = room.Y - y
		default:
			at.Y += y
		}
		switch {
		case strings.HasSuffix(gravity, "we"):
			at.X = x
		case strings.HasSuffix(gravity, "ea"):
			at.X = room.X - x
		default:
			at.X += x
		}
	}
	return image.Pt(min(max(at.X, 0), room.X), min(max(at.Y, 0), room.Y))
}
