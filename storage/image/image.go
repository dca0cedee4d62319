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

	_ "golang.org/x/image/webp" // reads WebP
	"golang.org/x/sync/semaphore"
)

// Errors that a caller tells apart.
var (
	// ErrUnsupported says that the bytes are no picture that can be read here.
	ErrUnsupported = errors.New("the source image is invalid or unsupported for rendering")
	// ErrTooLarge says that the picture has more pixels than are allowed.
	ErrTooLarge = errors.New("the source image resolution is too large to process")
	// ErrBusy says that too many pictures are being worked on.
	ErrBusy = errors.New("too many images are being rendered")
)

// Limits bound what one picture, and all at once, may take.
type Limits struct {
	MaxPixels  int64 // of a source; a decoded pixel takes up to 4 bytes, in a progressive JPEG up to 8
	MaxAtOnce  int64 // pixels of all sources together; a picture of more waits until it is alone
	MaxWaiting int64 // how many pictures may wait for their turn
}

// DefaultLimits take every camera's pictures. Source: imgproxy allows 50
// megapixels.
var DefaultLimits = Limits{MaxPixels: 50_000_000, MaxAtOnce: 50_000_000, MaxWaiting: 64}

// Renderer transforms pictures, a bounded number at once.
type Renderer struct {
	limits  Limits
	pixels  *semaphore.Weighted
	waiting *semaphore.Weighted
}

// New makes a renderer.
func New(limits Limits) *Renderer {
	return &Renderer{limits, semaphore.NewWeighted(limits.MaxAtOnce), semaphore.NewWeighted(limits.MaxWaiting)}
}

// Picture is a result.
type Picture struct {
	Bytes         []byte
	ContentType   string
	Width, Height int
}

// Render transforms the picture in source. webp tells whether the reader takes
// WebP, which is then used where the options name no format.
//
// Errors: ErrUnsupported, ErrTooLarge, ErrBusy, that of ctx.
func (r *Renderer) Render(ctx context.Context, source []byte, o Options, webp bool) (Picture, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(source))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return Picture{}, fmt.Errorf("%w: %w", ErrUnsupported, errors.Join(err))
	}
	pixels := int64(config.Width) * int64(config.Height)
	if pixels > r.limits.MaxPixels {
		return Picture{}, ErrTooLarge
	}
	if !r.waiting.TryAcquire(1) {
		return Picture{}, ErrBusy
	}
	defer r.waiting.Release(1)
	share := min(pixels, r.limits.MaxAtOnce)
	if err := r.pixels.Acquire(ctx, share); err != nil {
		return Picture{}, err
	}
	defer r.pixels.Release(share)
	decoded, _, err := image.Decode(bytes.NewReader(source))
	if err != nil {
		return Picture{}, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	made := o.apply(decoded, orientationOf(source))
	format = o.output(format, webp)
	if format == "jpeg" && !opaque(made) {
		format = "png"
	}
	return write(made, format, o.Quality)
}

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

// opaque tells whether no pixel lets anything shine through.
func opaque(picture image.Image) bool {
	known, ok := picture.(interface{ Opaque() bool })
	return ok && known.Opaque()
}
