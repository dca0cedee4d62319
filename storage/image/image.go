// Package image makes pictures smaller, turns them upright, and writes them in
// the format that the reader takes. Nothing but the pixels is carried over: what
// a camera wrote into a file, such as a place, stays out of the result.
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

	_ "golang.org/x/image/webp" // reads WebP
	"golang.org/x/sync/semaphore"
)

// Errors that a caller tells apart.
var (
	// ErrUnsupported says that the bytes are no picture that can be read here.
	ErrUnsupported = errors.New("the source image is invalid or unsupported for rendering")
	// ErrTooLarge says that the picture has more pixels than are allowed.
	ErrTooLarge = errors.New("the source image resolution is too large to process")
	// ErrFileTooLarge says that the file has more bytes than are allowed.
	ErrFileTooLarge = errors.New("the source image file is too large to process")
	// ErrBusy says that too many pictures are being worked on.
	ErrBusy = errors.New("too many images are being rendered")
)

// Limits bound what one picture, and all at once, may take.
type Limits struct {
	MaxBytes   int64 // of a source; those of all sources in memory are twice as many at most
	MaxPixels  int64 // of a source; a decoded pixel takes up to 4 bytes, in a progressive JPEG up to 8
	MaxAtOnce  int64 // pixels of all sources together; a picture of more waits until it is alone
	MaxWaiting int64 // how many pictures may wait for their turn, or have it
}

// DefaultLimits take every camera's pictures. Source: imgproxy allows 50
// megapixels, Supabase files of 25 MB.
var DefaultLimits = Limits{MaxBytes: 25 << 20, MaxPixels: 50_000_000, MaxAtOnce: 50_000_000, MaxWaiting: 64}

// Renderer transforms pictures, a bounded number at once: no more are worked on
// than there are processors.
type Renderer struct {
	limits  Limits
	waiting *semaphore.Weighted
	bytes   *semaphore.Weighted
	pixels  *semaphore.Weighted
	working *semaphore.Weighted

	now           atomic.Int64 // pictures that are worked on or wait
	made, refused atomic.Uint64
}

// Stats tells how busy a renderer is, and what it did so far.
type Stats struct {
	Now, Max      int // pictures that are worked on or wait, and how many there may be
	Made, Refused uint64
}

// Stats tells how busy the renderer is.
func (r *Renderer) Stats() Stats {
	return Stats{Now: int(r.now.Load()), Max: int(r.limits.MaxWaiting), Made: r.made.Load(), Refused: r.refused.Load()}
}

// New makes a renderer.
func New(limits Limits) *Renderer {
	return &Renderer{
		limits: limits, waiting: semaphore.NewWeighted(limits.MaxWaiting), bytes: semaphore.NewWeighted(2 * limits.MaxBytes),
		pixels: semaphore.NewWeighted(limits.MaxAtOnce), working: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))),
	}
}

// Source is a picture's file, which is opened when its turn has come.
type Source struct {
	Size int64 // bytes
	Open func(context.Context) (io.ReadCloser, error)
}

// Picture is a result.
type Picture struct {
	Bytes         []byte
	ContentType   string
	Width, Height int
}

// Render transforms a picture. webp tells whether the reader takes WebP, which is
// then used where the options name no format.
//
// Errors: ErrUnsupported, ErrTooLarge, ErrFileTooLarge, ErrBusy, that of ctx; those
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
	r.now.Add(1)
	defer r.now.Add(-1)
	if err := r.bytes.Acquire(ctx, source.Size); err != nil {
		return Picture{}, err
	}
	defer r.bytes.Release(source.Size)
	file, err := source.read(ctx)
	if err != nil {
		return Picture{}, err
	}
	mendChecksums(file)
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

// read returns the whole file; one that ends early is told by what decodes it.
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

// maxWebPSide is how wide and high a WebP may be, in pixels.
const maxWebPSide = 16383

// defaultQuality is imgproxy's.
const defaultQuality = 80

// write encodes a picture in a format.
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

// opaque reports whether no pixel lets anything shine through.
func opaque(picture image.Image) bool {
	known, ok := picture.(interface{ Opaque() bool })
	return ok && known.Opaque()
}
