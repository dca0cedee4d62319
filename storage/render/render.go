// Package render transforms images in a storage service to other sizes and formats, and
// caches the results. It has no protocol of its own, and does not check whether the
// caller may read the object: this must be done before.
package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/freespace"
	"plaza/storage/core"
	"plaza/storage/image"
	"plaza/storage/storageerr"
)

// Config configures a Service.
type Config struct {
	Sides      image.Sides
	Limits     image.Limits
	CacheBytes int64
	Folder     string           // cache folder, used by this server only; empty means a temporary folder
	Guard      *freespace.Guard // of the folder; may be nil
	Version    string           // version of the renderer; results of other versions are not used
}

// Service renders objects.
type Service struct {
	cfg     Config
	core    *core.Service
	images  *image.Renderer
	results *image.Cache
	own     *temporaryFolder // nil if a folder is configured
}

// New opens the cache and returns a Service. The caller must call Close at the end.
func New(cfg Config, objects *core.Service) (*Service, error) {
	s := &Service{cfg: cfg, core: objects, images: image.New(cfg.Limits)}
	var err error
	if cfg.Folder == "" {
		if s.own, err = newTemporaryFolder(); err != nil {
			return nil, fmt.Errorf("cache of images: %w", err)
		}
		cfg.Folder = s.own.path
	}
	if s.results, err = image.OpenCache(cfg.Folder, cfg.CacheBytes); err != nil {
		return nil, err
	}
	s.results.SetGuard(cfg.Guard)
	return s, nil
}

// Close removes the temporary folder, if there is one.
func (s *Service) Close() error {
	if s.own == nil {
		return nil
	}
	return s.own.remove()
}

// Stats returns statistics of the renderer and of the cache.
func (s *Service) Stats() (image.Stats, image.CacheStats) { return s.images.Stats(), s.results.Stats() }

// Sides returns the limits of the results' width and height.
func (s *Service) Sides() image.Sides { return s.cfg.Sides }

// Wanted is an object and its transformation.
type Wanted struct {
	Object  core.Object
	Options image.Options
	WebP    bool // the client accepts WebP
}

// key returns the cache key of a result. Different results have different keys.
func (s *Service) key(w Wanted) string {
	format := w.Options.Format
	if format == "" && w.WebP {
		format = "accepted webp"
	}
	return strings.Join([]string{s.cfg.Version, w.Object.Revision(), w.Options.Claim(), format}, "\n")
}

// ETag returns the strong entity tag of a result, in quotes. The result need not exist yet.
func (s *Service) ETag(w Wanted) string {
	sum := sha256.Sum256([]byte(s.key(w)))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// timeout is the timeout of a request for a result.
// Source: supabase/storage gives imgproxy 15 s and retries up to 6 times.
const timeout = 30 * time.Second

// Open opens a result. It renders the result if it is not in the cache.
//
// Errors: InvalidRequest for a source that is not an image, is too large or takes too
// long; SlowDown if too many images are being rendered; errors of reading the source.
func (s *Service) Open(ctx context.Context, w Wanted) (file *os.File, contentType string, err error) {
	size, err := s.core.SizeOf(ctx, w.Object)
	if err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	source := image.Source{Size: size, Open: func(ctx context.Context) (io.ReadCloser, error) {
		return s.core.Open(ctx, w.Object, 0, size)
	}}
	file, contentType, err = s.results.Get(ctx, s.key(w), func() (image.Picture, error) {
		return s.images.Render(ctx, source, w.Options, w.WebP)
	})
	return file, contentType, clientError(err)
}

// clientError translates an error to upstream's code and message.
func clientError(err error) error {
	if errors.Is(err, freespace.ErrLow) {
		return storageerr.FromBlobs(err)
	}
	for _, known := range []struct {
		err     error
		status  int
		code    string
		message string
	}{
		{image.ErrUnsupported, http.StatusBadRequest, storageerr.CodeInvalidRequest, "The source image is invalid or unsupported for rendering"},
		{image.ErrTooLarge, http.StatusBadRequest, storageerr.CodeInvalidRequest, "The source image resolution is too large to process"},
		{image.ErrFileTooLarge, http.StatusBadRequest, storageerr.CodeInvalidRequest, "The source image file is too large to process"},
		{context.DeadlineExceeded, http.StatusRequestTimeout, storageerr.CodeInvalidRequest, "Image request timed out"},
		{image.ErrBusy, http.StatusTooManyRequests, storageerr.CodeSlowDown, "Too many requests"},
	} {
		if errors.Is(err, known.err) {
			return apierr.New(known.status, known.code, "%s", known.message).WithCause(err)
		}
	}
	return err
}
