package image_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"plaza/storage/image"
)

func strip(t testing.TB, file []byte) []byte {
	t.Helper()
	clean, err := io.ReadAll(image.StripMetadata(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	return clean
}

// segment encodes a segment of a JPEG.
func segment(marker byte, content string) []byte {
	made := append([]byte{0xff, marker}, binary.BigEndian.AppendUint16(nil, uint16(len(content)+2))...)
	return append(made, content...)
}

const place = "Carrer Major"

// S-39: no metadata is kept except the orientation, and the pixels do not change.
func TestStripMetadata(t *testing.T) {
	t.Parallel()
	lossless, _ := render(t, pngOf(t, noise(80, 40)), image.Options{Format: "webp"}, false)
	photo := jpegOf(t, noise(80, 40))
	for orientation := uint16(1); orientation <= 8; orientation++ {
		for name, source := range map[string][]byte{
			"jpeg":               addEXIFToJPEG(photo, exif(binary.BigEndian, orientation)),
			"jpeg little-endian": addEXIFToJPEG(photo, exif(binary.LittleEndian, orientation)),
			"png":                addEXIFToPNG(pngOf(t, noise(80, 40)), exif(binary.BigEndian, orientation)),
			"webp":               addEXIFToWebP(lossless.Bytes, exif(binary.LittleEndian, orientation)),
		} {
			t.Run(fmt.Sprint(name, orientation), func(t *testing.T) {
				t.Parallel()
				clean := strip(t, source)
				if bytes.Contains(clean, []byte(place)) {
					t.Error("the place is still in the file")
				}
				_, before := render(t, source, image.Options{Format: "webp"}, false)
				_, after := render(t, clean, image.Options{Format: "webp"}, false)
				if before.Bounds() != after.Bounds() {
					t.Fatalf("%v became %v", before.Bounds(), after.Bounds())
				}
				for y := range before.Bounds().Dy() {
					for x := range before.Bounds().Dx() {
						if before.At(x, y) != after.At(x, y) {
							t.Fatalf("another pixel at %d, %d", x, y)
						}
					}
				}
				if again := strip(t, clean); !bytes.Equal(again, clean) {
					t.Error("stripping again changes the file")
				}
				slow, err := io.ReadAll(iotest.OneByteReader(image.StripMetadata(iotest.OneByteReader(bytes.NewReader(source)))))
				if err != nil || !bytes.Equal(slow, clean) {
					t.Errorf("byte by byte it is another file: %v", err)
				}
			})
		}
	}
}

func TestStripOtherMetadata(t *testing.T) {
	t.Parallel()
	photo := jpegOf(t, quarters(16, 16))
	inJPEG := func(parts ...[]byte) []byte {
		return append(append([]byte{0xff, 0xd8}, bytes.Join(parts, nil)...), photo[2:]...)
	}
	drawing := pngOf(t, quarters(16, 16))
	chunk := func(name, content string) []byte {
		made := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
		return append(append(append(made, name...), content...), 0, 0, 0, 0)
	}
	inPNG := func(parts ...[]byte) []byte {
		return append(append(bytes.Clone(drawing[:33]), bytes.Join(parts, nil)...), drawing[33:]...)
	}
	profile := segment(0xe2, "ICC_PROFILE\x00\x01\x01colours")
	for name, tt := range map[string]struct{ source, want []byte }{
		"XMP":                            {inJPEG(segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+place)), photo},
		"IPTC":                           {inJPEG(segment(0xed, "Photoshop 3.0\x00"+place)), photo},
		"a comment":                      {inJPEG(segment(0xfe, place)), photo},
		"pictures within":                {inJPEG(segment(0xe2, "MPF\x00"+place)), photo},
		"a preview in JFIF's extension":  {inJPEG(segment(0xe0, "JFXX\x00\x10"+place)), photo},
		"a colour profile stays":         {inJPEG(profile), inJPEG(profile)},
		"filled up before a segment":     {inJPEG([]byte{0xff, 0xff, 0xff}, segment(0xfe, place)), photo},
		"a video after the picture":      {append(bytes.Clone(photo), place...), photo},
		"between scans":                  {append(append(bytes.Clone(photo[:len(photo)-2]), segment(0xfe, place)...), 0xff, 0xd9), photo},
		"a truncated JPEG":               {photo[:len(photo)-20], photo[:len(photo)-20]},
		"texts of a PNG":                 {inPNG(chunk("tEXt", place), chunk("iTXt", place), chunk("zTXt", place), chunk("tIME", "1234567"), chunk("prVt", place)), drawing},
		"an upright PNG":                 {inPNG(chunk("eXIf", string(exif(binary.BigEndian, 1)))), drawing},
		"a PNG's colours stay":           {inPNG(chunk("gAMA", "\x00\x00\xb1\x8f")), inPNG(chunk("gAMA", "\x00\x00\xb1\x8f"))},
		"data after a PNG":               {append(bytes.Clone(drawing), place...), drawing},
		"no picture":                     {[]byte(place), []byte(place)},
		"nothing":                        {nil, nil},
		"too short to be recognized":     {[]byte("\xff\xd8"), []byte("\xff\xd8")},
		"long segments that are dropped": {inJPEG(segment(0xe1, string(make([]byte, 65533))), segment(0xe1, string(make([]byte, 65533)))), photo},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strip(t, tt.source); !bytes.Equal(got, tt.want) {
				t.Errorf("%d bytes became %d, want %d", len(tt.source), len(got), len(tt.want))
			}
		})
	}
}

// A WebP keeps its length: removed data is overwritten.
func TestStripWebP(t *testing.T) {
	t.Parallel()
	made, _ := render(t, pngOf(t, quarters(16, 16)), image.Options{Format: "webp"}, false)
	chunk := func(name, content string) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(content))), content...)
	}
	file := append(bytes.Clone(made.Bytes[:12]), chunk("VP8X", "\x0c\x00\x00\x00\x0f\x00\x00\x0f\x00\x00")...)
	file = append(file, made.Bytes[12:]...)
	file = append(append(file, chunk("XMP ", place)...), chunk("EXIF", place)...)
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	clean := strip(t, append(bytes.Clone(file), place...))
	if len(clean) != len(file) || bytes.Contains(clean, []byte(place)) || bytes.Contains(clean, []byte("XMP ")) || clean[20] != 0x08 {
		t.Errorf("%d bytes became %d: %q", len(file), len(clean), clean[len(clean)-60:])
	}
	if _, picture := render(t, clean, image.Options{}, false); quarterColours(picture) != "rgbw" {
		t.Errorf("shows %q", quarterColours(picture))
	}
}

func TestStripMalformed(t *testing.T) {
	t.Parallel()
	photo, drawing := jpegOf(t, quarters(16, 16)), pngOf(t, quarters(16, 16))
	for name, file := range map[string][]byte{
		"a JPEG without a segment":      []byte("\xff\xd8\xff"),
		"a JPEG of text":                []byte("\xff\xd8\xff\xe1\x00\x05abcGET / HTTP/1.1"),
		"a JPEG that ends in a segment": photo[:30],
		"a segment without a length":    []byte("\xff\xd8\xff\xe1\x00\x01aaaaaaaa"),
		"a marker that cannot be there": []byte("\xff\xd8\xff\x00\x00\x04aaaaaaaa"),
		"a truncated PNG":               drawing[:len(drawing)-5],
		"a PNG of text":                 []byte("\x89PNG\r\n\x1a\nHello, this is only text"),
		"a WebP of text":                []byte("RIFF\x40\x00\x00\x00WEBPHello, this is only text"),
	} {
		if _, err := io.ReadAll(image.StripMetadata(bytes.NewReader(file))); !errors.Is(err, image.ErrMalformed) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	failed := errors.New("the client left")
	if _, err := io.ReadAll(image.StripMetadata(io.MultiReader(bytes.NewReader(photo[:300]), iotest.ErrReader(failed)))); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
}

func FuzzStripMetadata(f *testing.F) {
	f.Add(addEXIFToJPEG(jpegOf(f, quarters(8, 8)), exif(binary.BigEndian, 6)))
	f.Add(addEXIFToPNG(pngOf(f, quarters(8, 8)), exif(binary.BigEndian, 6)))
	f.Add([]byte("RIFF\x20\x00\x00\x00WEBPEXIF\x04\x00\x00\x00abcdJUNK\x01\x00\x00\x00a\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		clean, err := io.ReadAll(image.StripMetadata(bytes.NewReader(file)))
		if err != nil {
			return
		}
		if again, err := io.ReadAll(image.StripMetadata(bytes.NewReader(clean))); err != nil || !bytes.Equal(again, clean) {
			t.Errorf("stripping again: %v, %d bytes became %d", err, len(clean), len(again))
		}
	})
}
