// Package image resizes images, rotates them upright, and encodes them in a format that
// the client accepts. The result contains only pixels, no metadata such as the location
// where a photo was taken.
package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"sync/atomic"

	_ "golang.org/x/image/webp" // decodes WebP
	"golang.org/x/sync/semaphore"
)

// Errors that callers distinguish.
var (
	// ErrUnsupported means that the source is not an image or has an unsupported format.
	ErrUnsupported = errors.New("the source image is invalid or unsupported for rendering")
	// ErrTooLarge means that the image has too many pixels.
	ErrTooLarge = errors.New("the source image resolution is too large to process")
	// ErrFileTooLarge means that the file has too many bytes.
	ErrFileTooLarge = errors.New("the source image file is too large to process")
	// ErrBusy means that too many images are being rendered or waiting.
	ErrBusy = errors.New("too many images are being rendered")
)

// Limits limits the resources for each image and for all images together.
type Limits struct {
	MaxBytes   int64 // of a source; all sources in memory together have at most twice as many
	MaxPixels  int64 // of a source; a decoded pixel takes up to 4 bytes, in a progressive JPEG up to 8
	MaxAtOnce  int64 // pixels of all sources together; a larger image is rendered alone
	MaxWaiting int64 // number of images that are being rendered or waiting
}

// DefaultLimits is sufficient for the photos of common cameras. Source: imgproxy allows
// 50 megapixels, Supabase files of 25 MB.
var DefaultLimits = Limits{MaxBytes: 25 << 20, MaxPixels: 50_000_000, MaxAtOnce: 50_000_000, MaxWaiting: 64}

// Renderer transforms images. It renders at most as many images at the same time as there
// are processors.
type Renderer struct {
	limits  Limits
	waiting *semaphore.Weighted // images that are being rendered or waiting
	bytes   *semaphore.Weighted // of the sources in memory
	pixels  *semaphore.Weighted // of the sources that are being rendered
	working *semaphore.Weighted // images that are being rendered

	active        atomic.Int64 // as waiting, for Stats
	made, refused atomic.Uint64
}

// Stats holds statistics of a renderer.
type Stats struct {
	Now, Max      int // images that are being rendered or waiting, and their maximum number
	Made, Refused uint64
}

// Stats returns the current statistics.
func (r *Renderer) Stats() Stats {
	return Stats{Now: int(r.active.Load()), Max: int(r.limits.MaxWaiting), Made: r.made.Load(), Refused: r.refused.Load()}
}

// New returns a renderer.
func New(limits Limits) *Renderer {
	return &Renderer{
		limits: limits, waiting: semaphore.NewWeighted(limits.MaxWaiting), bytes: semaphore.NewWeighted(2 * limits.MaxBytes),
		pixels: semaphore.NewWeighted(limits.MaxAtOnce), working: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))),
	}
}

// Source is the file of an image. It is opened when rendering starts.
type Source struct {
	Size int64 // bytes
	Open func(context.Context) (io.ReadCloser, error)
}

// Picture is an encoded result.
type Picture struct {
	Bytes         []byte
	ContentType   string
	Width, Height int
}

// Render transforms an image. webp means that the client accepts WebP, which is then used
// if the options have no format.
//
// Errors: ErrUnsupported, ErrTooLarge, ErrFileTooLarge, ErrBusy; the error of ctx; errors
// of opening and reading the source.
func (r *Renderer) Render(ctx context.Context, source Source, o Options, webp bool) (Picture, error) {
	if source.Size > r.limits.MaxBytes {
		return Picture{}, ErrFileTooLarge
	}
	if !r.waiting.TryAcquire(1) {
		r.refused.Add(1)
		return Picture{}, ErrBusy
	}
	defer r.waiting.Release(1)
	r.active.Add(1)
	defer r.active.Add(-1)
	if err := r.bytes.Acquire(ctx, source.Size); err != nil {
		return Picture{}, err
	}
	defer r.bytes.Release(source.Size)
	file, err := source.read(ctx)
	if err != nil {
		return Picture{}, err
	}
	fixChecksums(file)
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return Picture{}, fmt.Errorf("%w: %w", ErrUnsupported, errors.Join(err))
	}
	pixels := int64(config.Width) * int64(config.Height)
	if pixels > r.limits.MaxPixels {
		return Picture{}, ErrTooLarge
	}
	share := min(pixels, r.limits.MaxAtOnce)
	if err := r.pixels.Acquire(ctx, share); err != nil {
		return Picture{}, err
	}
	defer r.pixels.Release(share)
	if err := r.working.Acquire(ctx, 1); err != nil {
		return Picture{}, err
	}
	defer r.working.Release(1)
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return Picture{}, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	made := o.apply(decoded, orientationOf(file))
	format = o.output(format, webp)
	if size := made.Bounds().Size(); format == "webp" && max(size.X, size.Y) > maxWebPSide {
		format = "jpeg"
	}
	if format == "jpeg" && !opaque(made) {
		format = "png"
	}
	picture, err := write(made, format, o.Quality)
	if err == nil {
		r.made.Add(1)
	}
	return picture, err
}

// read returns the whole file. If it ends early, decoding fails later.
func (s Source) read(ctx context.Context) (file []byte, err error) {
	opened, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	file = make([]byte, s.Size)
	n, err := io.ReadFull(opened, file)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return file[:n], err
}

// maxWebPSide is the maximum width and height of a WebP image, in pixels.
const maxWebPSide = 16383

// defaultQuality is imgproxy's default.
const defaultQuality = 80

// write encodes an image in a format.
func write(picture image.Image, format string, quality int) (Picture, error) {
	if quality == 0 {
		quality = defaultQuality
	}
	var out bytes.Buffer
	var err error
	switch format {
	case "jpeg":
		err = jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality})
	case "gif":
		err = gif.Encode(&out, picture, nil)
	case "webp":
		err = writeWebP(&out, picture, quality)
	default:
		err = (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&out, picture)
	}
	if err != nil {
		return Picture{}, fmt.Errorf("encode %s: %w", format, err)
	}
	size := picture.Bounds().Size()
	return Picture{out.Bytes(), "image/" + format, size.X, size.Y}, nil
}

// opaque reports whether an image has no transparency.
func opaque(picture image.Image) bool {
	known, ok := picture.(interface{ Opaque() bool })
	return ok && known.Opaque()
}
