package image_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

// quarters returns an image whose quarters are red, green, blue and white, from the
// upper left, row by row.
func quarters(width, height int) *stdimage.RGBA {
	made := stdimage.NewRGBA(stdimage.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			made.Set(x, y, quarterColors[2*(2*y/height)+2*x/width])
		}
	}
	return made
}

var quarterColors = []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}

// quarterColours returns the colours in the middle of the four quarters.
func quarterColours(picture stdimage.Image) string {
	bounds := picture.Bounds()
	text := ""
	for i := range 4 {
		x, y := bounds.Min.X+bounds.Dx()*(1+2*(i%2))/4, bounds.Min.Y+bounds.Dy()*(1+2*(i/2))/4
		r, g, b, _ := picture.At(x, y).RGBA()
		name := byte('?')
		for known, letter := range map[[3]bool]byte{{true, false, false}: 'r', {false, true, false}: 'g', {false, false, true}: 'b', {true, true, true}: 'w'} {
			if known == [3]bool{r > 0x8000, g > 0x8000, b > 0x8000} {
				name = letter
			}
		}
		text += string(name)
	}
	return text
}

func jpegOf(t testing.TB, picture stdimage.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pngOf(t testing.TB, picture stdimage.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// exif returns EXIF data with an orientation and the name of a place.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	made := []byte("MM\x00\x2a")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		made = []byte("II\x2a\x00")
	}
	made = order.AppendUint32(made, 8)
	made = order.AppendUint16(made, 2)
	for _, tag := range []uint16{0x0100, 0x0112} { // width, then orientation
		made = order.AppendUint16(made, tag)
		made = order.AppendUint16(made, 3)
		made = order.AppendUint32(made, 1)
		made = order.AppendUint16(made, orientation)
		made = order.AppendUint16(made, 0)
	}
	return append(order.AppendUint32(made, 0), "Carrer Major 1"...)
}

// addEXIFToJPEG adds EXIF data to a JPEG.
func addEXIFToJPEG(file []byte, data []byte) []byte {
	segment := append([]byte("Exif\x00\x00"), data...)
	made := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	return append(append(made, segment...), file[2:]...)
}

// addEXIFToPNG adds EXIF data to a PNG, after its header.
func addEXIFToPNG(file []byte, data []byte) []byte {
	const header = 8 + 25
	chunk := append([]byte("eXIf"), data...)
	made := append(bytes.Clone(file[:header]), binary.BigEndian.AppendUint32(nil, uint32(len(data)))...)
	made = append(made, chunk...)
	made = binary.BigEndian.AppendUint32(made, crc32.ChecksumIEEE(chunk))
	return append(made, file[header:]...)
}

// addEXIFToWebP adds EXIF data at the end of a WebP, which readers accept.
func addEXIFToWebP(file []byte, data []byte) []byte {
	made := append(bytes.Clone(file), "EXIF"...)
	made = binary.LittleEndian.AppendUint32(made, uint32(len(data)))
	made = append(made, data...)
	if len(data)%2 == 1 {
		made = append(made, 0)
	}
	binary.LittleEndian.PutUint32(made[4:], uint32(len(made)-8))
	return made
}

// noise returns an image that compresses badly.
func noise(width, height int) stdimage.Image {
	made := stdimage.NewRGBA(stdimage.Rect(0, 0, width, height))
	seed := uint32(1)
	for i := range made.Pix {
		seed = seed*1664525 + 1013904223
		made.Pix[i] = byte(seed >> 24)
		if i%4 == 3 {
			made.Pix[i] = 255
		}
	}
	return made
}
