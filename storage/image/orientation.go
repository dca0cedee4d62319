package image

import (
	"bytes"
	"encoding/binary"
	"image"

	"golang.org/x/image/draw"
)

// orientation is the EXIF orientation: 1 is upright, 2 to 8 are mirrored or rotated.
type orientation int

// sideways reports whether width and height are swapped.
func (o orientation) sideways() bool { return o >= 5 && o <= 8 }

// upright returns the image rotated and mirrored upright.
func (o orientation) upright(source image.Image) image.Image {
	if o < 2 || o > 8 {
		return source
	}
	flat, ok := source.(*image.RGBA)
	if !ok {
		flat = image.NewRGBA(image.Rectangle{Max: source.Bounds().Size()})
		draw.Copy(flat, image.Point{}, source, source.Bounds(), draw.Src, nil)
	}
	width, height := flat.Rect.Dx(), flat.Rect.Dy()
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	if o.sideways() {
		turned = image.NewRGBA(image.Rect(0, 0, height, width))
	}
	for y := range turned.Rect.Dy() {
		for x := range turned.Rect.Dx() {
			fromX, fromY := o.origin(x, y, width, height)
			copy(turned.Pix[turned.PixOffset(x, y):][:4], flat.Pix[flat.PixOffset(fromX, fromY):])
		}
	}
	return turned
}

// origin returns the source coordinates of a pixel of the upright image. width and height
// are those of the source.
func (o orientation) origin(x, y, width, height int) (int, int) {
	switch o {
	case 2:
		return width - 1 - x, y
	case 3:
		return width - 1 - x, height - 1 - y
	case 4:
		return x, height - 1 - y
	case 5:
		return y, x
	case 6:
		return y, height - 1 - x
	case 7:
		return width - 1 - y, height - 1 - x
	case 8:
		return width - 1 - y, x
	}
	return x, y
}

// orientationOf reads the orientation in the EXIF data of a JPEG, PNG or WebP file. It
// returns 1 if there is none.
func orientationOf(file []byte) orientation {
	var exif []byte
	switch {
	case bytes.HasPrefix(file, []byte{0xff, 0xd8}):
		exif = exifOfJPEG(file[2:])
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		exif = chunkOf(file[8:], "eXIf", binary.BigEndian, func(header []byte) ([]byte, []byte) { return header[4:8], header[:4] }, 4)
	case len(file) > 12 && bytes.HasPrefix(file, []byte("RIFF")):
		exif = chunkOf(file[12:], "EXIF", binary.LittleEndian, func(header []byte) ([]byte, []byte) { return header[:4], header[4:8] }, 0)
	}
	return orientationIn(bytes.TrimPrefix(exif, []byte("Exif\x00\x00")))
}

// exifOfJPEG returns the APP1 segment with EXIF data, which precedes the image data.
func exifOfJPEG(rest []byte) []byte {
	const app1, startOfScan = 0xe1, 0xda
	for len(rest) >= 4 && rest[0] == 0xff && rest[1] != startOfScan {
		size := int(binary.BigEndian.Uint16(rest[2:])) + 2
		if size < 4 || size > len(rest) {
			return nil
		}
		if segment := rest[4:size]; rest[1] == app1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")) {
			return segment
		}
		rest = rest[size:]
	}
	return nil
}

// chunkOf returns a chunk by name. split splits a chunk header of eight bytes into name
// and length; trailer is the number of bytes after each chunk's content.
func chunkOf(rest []byte, wanted string, order binary.ByteOrder, split func(header []byte) (name, length []byte), trailer int) []byte {
	const header = 8
	for len(rest) >= header {
		name, length := split(rest[:header])
		size := int(order.Uint32(length))
		if size < 0 || size > len(rest)-header {
			return nil
		}
		if string(name) == wanted {
			return rest[header : header+size]
		}
		next := header + size + trailer
		if trailer == 0 {
			next += size & 1 // RIFF pads chunks to an even length
		}
		if next > len(rest) {
			return nil
		}
		rest = rest[next:]
	}
	return nil
}

// orientationIn reads the orientation tag in the first directory of TIFF data.
func orientationIn(tiff []byte) orientation {
	const entrySize, tagOrientation = 12, 0x0112
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int(order.Uint32(tiff[4:]))
	if at < 8 || at > len(tiff)-2 {
		return 1
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < entrySize {
			return 1
		}
		if order.Uint16(entries) == tagOrientation {
			if value := order.Uint16(entries[8:]); value >= 1 && value <= 8 {
				return orientation(value)
			}
			return 1
		}
		entries = entries[entrySize:]
	}
	return 1
}
