package image_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	stdimage "image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/webp"

	"plaza/storage/image"
)

func render(t testing.TB, source []byte, o image.Options, takesWebP bool) (image.Picture, stdimage.Image) {
	t.Helper()
	made, err := image.New(image.DefaultLimits).Render(t.Context(), file(source), o, takesWebP)
	if err != nil {
		t.Fatal(err)
	}
	decode := map[string]func(*bytes.Reader) (stdimage.Image, error){
		"image/jpeg": func(r *bytes.Reader) (stdimage.Image, error) { return jpeg.Decode(r) },
		"image/png":  func(r *bytes.Reader) (stdimage.Image, error) { return png.Decode(r) },
		"image/gif":  func(r *bytes.Reader) (stdimage.Image, error) { return gif.Decode(r) },
		"image/webp": func(r *bytes.Reader) (stdimage.Image, error) { return webp.Decode(r) },
	}[made.ContentType]
	if decode == nil {
		t.Fatalf("content type %q", made.ContentType)
	}
	picture, err := decode(bytes.NewReader(made.Bytes))
	if err != nil {
		t.Fatalf("the result is no %s: %v", made.ContentType, err)
	}
	if size := picture.Bounds().Size(); size != stdimage.Pt(made.Width, made.Height) {
		t.Errorf("reported %d×%d, rendered %v", made.Width, made.Height, size)
	}
	return made, picture
}

// file is a source in memory.
func file(content []byte) image.Source {
	return image.Source{Size: int64(len(content)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		options       string
		width, height int
		seen          string
	}{
		{"", 400, 200, "rgbw"},
		{"width=100", 100, 50, "rgbw"},
		{"height=100", 200, 100, "rgbw"},
		{"width=100&height=100", 100, 100, "rgbw"},
		{"width=100&height=100&resize=cover", 100, 100, "rgbw"},
		{"width=100&height=100&resize=contain", 100, 50, "rgbw"},
		{"width=100&height=100&resize=fill", 100, 100, "rgbw"},
		{"width=1000", 400, 200, "rgbw"}, // never enlarged
		{"width=300&height=400", 300, 200, "rgbw"},
		{"width=1000&height=100&resize=fill", 400, 100, "rgbw"},
		{"width=100&height=200&gravity=we", 100, 200, "rrbb"},
		{"width=100&height=200&gravity=ea", 100, 200, "ggww"},
		{"width=400&height=50&gravity=no", 400, 50, "rgrg"},
		{"width=400&height=50&gravity=so", 400, 50, "bwbw"},
		{"width=100&height=50&resize=cover&gravity=sowe", 100, 50, "rgbw"},
		{"width=200&height=200&gravity=soea&x_offset=200", 200, 200, "rrbb"},
		{"width=200&height=200&gravity=we&x_offset=0.5", 200, 200, "ggww"},
		{"width=200&height=200&gravity=fp&x_offset=0&y_offset=1", 200, 200, "rrbb"},
		{"width=200&height=200&gravity=fp&x_offset=1&y_offset=0", 200, 200, "ggww"},
		{"width=200&height=200&gravity=sm", 200, 200, "rgbw"},
		{"width=1&height=1", 1, 1, ""},
	} {
		t.Run(tt.options, func(t *testing.T) {
			t.Parallel()
			query, _ := url.ParseQuery(tt.options)
			o, err := image.ParseOptions(query, image.DefaultSides)
			if err != nil {
				t.Fatal(err)
			}
			made, picture := render(t, pngOf(t, quarters(400, 200)), o, false)
			if made.Width != tt.width || made.Height != tt.height {
				t.Errorf("%d×%d, want %d×%d", made.Width, made.Height, tt.width, tt.height)
			}
			if got := quarterColours(picture); tt.seen != "" && got != tt.seen {
				t.Errorf("shows %q, want %q", got, tt.seen)
			}
		})
	}
}

// The EXIF orientation is applied to the pixels, and no metadata is kept.
func TestOrientation(t *testing.T) {
	t.Parallel()
	upright := []string{1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb"}
	lossless, _ := render(t, pngOf(t, quarters(80, 40)), image.Options{Format: "webp"}, false)
	for orientation := uint16(1); orientation <= 8; orientation++ {
		for name, source := range map[string][]byte{
			"jpeg":               addEXIFToJPEG(jpegOf(t, quarters(80, 40)), exif(binary.BigEndian, orientation)),
			"jpeg little-endian": addEXIFToJPEG(jpegOf(t, quarters(80, 40)), exif(binary.LittleEndian, orientation)),
			"png":                addEXIFToPNG(pngOf(t, quarters(80, 40)), exif(binary.BigEndian, orientation)),
			"webp":               addEXIFToWebP(lossless.Bytes, exif(binary.LittleEndian, orientation)),
		} {
			t.Run(fmt.Sprint(name, orientation), func(t *testing.T) {
				t.Parallel()
				made, picture := render(t, source, image.Options{Width: 40}, true)
				want := stdimage.Pt(40, 20)
				if orientation >= 5 {
					want = stdimage.Pt(40, 80)
				}
				if got := stdimage.Pt(made.Width, made.Height); got != want {
					t.Errorf("size %v, want %v", got, want)
				}
				if got := quarterColours(picture); got != upright[orientation] {
					t.Errorf("shows %q, want %q", got, upright[orientation])
				}
				if bytes.Contains(made.Bytes, []byte("Carrer Major")) {
					t.Error("the place is still in the file")
				}
			})
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	solid, glass := quarters(64, 64), stdimage.NewNRGBA(stdimage.Rect(0, 0, 64, 64))
	var animated bytes.Buffer
	if err := gif.Encode(&animated, solid, nil); err != nil {
		t.Fatal(err)
	}
	webpOf := func(picture stdimage.Image) []byte {
		made, _ := render(t, pngOf(t, picture), image.Options{Format: "webp"}, false)
		return made.Bytes
	}
	for _, tt := range []struct {
		name      string
		source    []byte
		format    string
		takesWebP bool
		want      string
	}{
		{"jpeg stays", jpegOf(t, solid), "", false, "image/jpeg"},
		{"jpeg for a client that accepts WebP", jpegOf(t, solid), "", true, "image/webp"},
		{"png stays", pngOf(t, glass), "", false, "image/png"},
		{"gif stays", animated.Bytes(), "", false, "image/gif"},
		{"origin", jpegOf(t, solid), "origin", true, "image/jpeg"},
		{"WebP wanted", pngOf(t, glass), "webp", false, "image/webp"},
		{"AVIF wanted", jpegOf(t, solid), "avif", false, "image/webp"},
		{"webp for a client that does not accept it", webpOf(solid), "", false, "image/jpeg"},
		{"a transparent webp for a client that does not accept it", webpOf(glass), "", false, "image/png"},
		{"too wide for WebP", pngOf(t, stdimage.NewGray(stdimage.Rect(0, 0, 16384, 1))), "webp", true, "image/jpeg"},
		{"webp as it was", webpOf(solid), "origin", false, "image/webp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			made, picture := render(t, tt.source, image.Options{Format: tt.format}, tt.takesWebP)
			if made.ContentType != tt.want {
				t.Errorf("%s, want %s", made.ContentType, tt.want)
			}
			if _, _, _, alpha := picture.At(1, 1).RGBA(); tt.want == "image/png" && alpha != 0 {
				t.Error("is not transparent any more")
			}
		})
	}
}

func TestQuality(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"webp", "origin"} {
		source := jpegOf(t, noise(128, 128))
		coarse, _ := render(t, source, image.Options{Format: format, Quality: 20}, false)
		fine, _ := render(t, source, image.Options{Format: format, Quality: 95}, false)
		if len(coarse.Bytes) >= len(fine.Bytes) {
			t.Errorf("%s: quality 20 takes %d bytes, 95 takes %d", format, len(coarse.Bytes), len(fine.Bytes))
		}
	}
}

// A wrong checksum is ignored if the pixels are complete. Truncated files are refused.
func TestWrongChecksums(t *testing.T) {
	t.Parallel()
	source := pngOf(t, quarters(40, 20))
	for _, at := range []int{29, len(source) - 16} { // in the header and in the pixels
		source[at] ^= 0xff
	}
	if _, picture := render(t, source, image.Options{}, false); quarterColours(picture) != "rgbw" {
		t.Errorf("shows %q", quarterColours(picture))
	}
	for length := range len(source) - 20 {
		if _, err := image.New(image.DefaultLimits).Render(t.Context(), file(source[:length]), image.Options{}, false); !errors.Is(err, image.ErrUnsupported) {
			t.Fatalf("error %v of the first %d bytes", err, length)
		}
	}
}

func TestRefusedSources(t *testing.T) {
	t.Parallel()
	whole := jpegOf(t, noise(64, 64))
	bomb := pngOf(t, quarters(8, 8))
	binary.BigEndian.PutUint32(bomb[16:], 100_000)
	binary.BigEndian.PutUint32(bomb[20:], 100_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for _, tt := range []struct {
		name   string
		source []byte
		want   error
	}{
		{"nothing", nil, image.ErrUnsupported},
		{"text", []byte("not an image"), image.ErrUnsupported},
		{"SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`), image.ErrUnsupported},
		{"HEIF", []byte("\x00\x00\x00\x10ftypmif1\x00\x00\x00\x00"), image.ErrUnsupported},
		{"a truncated JPEG", whole[:len(whole)/2], image.ErrUnsupported},
		{"10,000 megapixels in a few bytes", bomb, image.ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := image.New(image.DefaultLimits).Render(t.Context(), file(tt.source), image.Options{Width: 10}, false); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

// The number of pixels in memory at once is limited. A request is refused if too many
// others are already waiting.
func TestBounds(t *testing.T) {
	t.Parallel()
	source := pngOf(t, quarters(100, 100))
	r := image.New(image.Limits{MaxBytes: 1 << 20, MaxPixels: 20_000, MaxAtOnce: 5_000, MaxWaiting: 8})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := r.Render(t.Context(), file(source), image.Options{Width: 10}, false); err != nil {
				t.Errorf("one of as many as may wait: %v", err)
			}
		})
	}
	all.Wait()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Render(cancelled, file(source), image.Options{Width: 10}, false); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v for a reader who left", err)
	}
	if _, err := r.Render(t.Context(), image.Source{Size: 1<<20 + 1}, image.Options{}, false); !errors.Is(err, image.ErrFileTooLarge) {
		t.Errorf("error %v, want ErrFileTooLarge", err)
	}
	none := image.New(image.Limits{MaxBytes: 1 << 20, MaxPixels: 20_000, MaxAtOnce: 5_000})
	if _, err := none.Render(t.Context(), file(source), image.Options{Width: 10}, false); !errors.Is(err, image.ErrBusy) {
		t.Errorf("error %v, want ErrBusy", err)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ query, claim, applied, refused string }{
		{query: ""},
		{query: "width=100&height=200", claim: "height:200,width:100", applied: "height:200,width:100,resizing_type:fill"},
		{query: "width=9999&resize=contain&quality=50&format=webp", claim: "width:2000,resize:contain,quality:50,format:webp", applied: "width:2000,resizing_type:fit,quality:50,format:webp"},
		{query: "height=10&resize=fill&format=origin", claim: "height:10,resize:fill", applied: "height:10,resizing_type:force"},
		{query: "width=1&gravity=fp&x_offset=0&y_offset=1", claim: "width:1,gravity:fp:0:1", applied: "width:1,resizing_type:fill,gravity:fp:0:1"},
		{query: "width=1&gravity=no&y_offset=0.25", claim: "width:1,gravity:no:0:0.25", applied: "width:1,resizing_type:fill,gravity:no:0:0.25"},
		{query: "width=1&gravity=sm&x_offset=3", claim: "width:1,gravity:sm", applied: "width:1,resizing_type:fill,gravity:sm"},
		{query: "width=-1", refused: "width"},
		{query: "width=ten", refused: "width"},
		{query: "width=99999999999999999999", refused: "width"},
		{query: "height=1.5", refused: "height"},
		{query: "quality=19", refused: "quality"},
		{query: "quality=101", refused: "quality"},
		{query: "resize=stretch", refused: "resize"},
		{query: "format=bmp", refused: "format"},
		{query: "gravity=up", refused: "gravity"},
		{query: "gravity=fp&x_offset=0.5", refused: "y_offset"},
		{query: "gravity=fp&x_offset=2&y_offset=0", refused: "x_offset"},
		{query: "x_offset=NaN", refused: "x_offset"},
	} {
		t.Run(tt.query, func(t *testing.T) {
			t.Parallel()
			query, _ := url.ParseQuery(tt.query)
			o, err := image.ParseOptions(query, image.DefaultSides)
			var refused *image.ParameterError
			switch errors.As(err, &refused); {
			case tt.refused != "" && (refused == nil || refused.Name != tt.refused):
				t.Fatalf("error %v, want one of %s", err, tt.refused)
			case tt.refused != "":
				return
			case err != nil:
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tt.claim, tt.applied}, []string{o.Claim(), o.Applied()}); diff != "" {
				t.Error(diff)
			}
			again, err := image.ParseClaim(o.Claim(), image.DefaultSides)
			if err != nil || again.Claim() != o.Claim() {
				t.Errorf("read back as %q, %v", again.Claim(), err)
			}
		})
	}
}

func TestParseUpstreamsClaim(t *testing.T) {
	t.Parallel()
	o, err := image.ParseClaim("height:20,resize:undefined,colour:red,quality,gravity:fp:0:1", image.DefaultSides)
	if err != nil || o.Claim() != "height:20,gravity:fp:0:1" {
		t.Errorf("read as %q, %v", o.Claim(), err)
	}
}

// For any bytes, the renderer returns an error or an image.
func FuzzRender(f *testing.F) {
	f.Add(addEXIFToJPEG(jpegOf(f, quarters(8, 8)), exif(binary.LittleEndian, 6)), "width=4&height=9")
	f.Add(addEXIFToPNG(pngOf(f, quarters(8, 8)), exif(binary.BigEndian, 5)), "width=4&resize=fill")
	f.Add([]byte("RIFF\x10\x00\x00\x00WEBPEXIF\xff\xff\xff\x7f"), "gravity=fp&x_offset=1&y_offset=0")
	r := image.New(image.Limits{MaxBytes: 1 << 20, MaxPixels: 1 << 16, MaxAtOnce: 1 << 20, MaxWaiting: 64})
	f.Fuzz(func(t *testing.T, source []byte, text string) {
		query, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		o, err := image.ParseOptions(query, image.DefaultSides)
		if err != nil {
			return
		}
		made, err := r.Render(t.Context(), file(source), o, true)
		switch {
		case err == nil && (made.Width < 1 || made.Height < 1 || len(made.Bytes) == 0):
			t.Errorf("made %d×%d of %d bytes", made.Width, made.Height, len(made.Bytes))
		case err != nil && !errors.Is(err, image.ErrUnsupported) && !errors.Is(err, image.ErrTooLarge):
			t.Error(err)
		}
	})
}
