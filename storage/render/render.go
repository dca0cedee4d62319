// Package render gives the pictures among a storage service's objects in other
// sizes and formats, and keeps what it has made. It has no protocol, and asks
// nobody whether the caller may see the object: that is done before.
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

// Config bounds what is made and kept.
type Config struct {
	Sides      image.Sides
	Limits     image.Limits
	CacheBytes int64
	Folder     string           // of the results, for this server alone; empty: one that goes with it
	Guard      *freespace.Guard // of the folder; nil: none
	Version    string           // of what renders: another one's results are made anew
}

// Service renders objects.
type Service struct {
	cfg     Config
	core    *core.Service
	images  *image.Renderer
	results *image.Cache
	own     string // the folder to remove at the end
}

// New opens the cache. Close is for the end.
func New(cfg Config, objects *core.Service) (*Service, error) {
	s := &Service{cfg: cfg, core: objects, images: image.New(cfg.Limits)}
	var err error
	if cfg.Folder == "" {
		if s.own, err = os.MkdirTemp("", "plaza-images-"); err != nil {
			return nil, fmt.Errorf("cache of images: %w", err)
		}
		cfg.Folder = s.own
	}
	if s.results, err = image.OpenCache(cfg.Folder, cfg.CacheBytes); err != nil {
		return nil, err
	}
	s.results.KeepFree(cfg.Guard)
	return s, nil
}

// Close removes what is not to outlive the server.
func (s *Service) Close() error {
	if s.own == "" {
		return nil
	}
	return os.RemoveAll(s.own)
}

// Stats tells how busy the service is, and what its cache holds.
func (s *Service) Stats() (image.Stats, image.CacheStats) { return s.images.Stats(), s.results.Stats() }

// Sides are the bounds of the results' width and height.
func (s *Service) Sides() image.Sides { return s.cfg.Sides }

// Wanted is an object and what is to become of it.
type Wanted struct {
	Object  core.Object
	Options image.Options
	WebP    bool // the reader takes it
}

// key names a result: no other bytes are ever made for it.
func (s *Service) key(w Wanted) string {
	format := w.Options.Format
	if format == "" && w.WebP {
		format = "accepted webp"
	}
	return strings.Join([]string{s.cfg.Version, w.Object.Revision(), w.Options.Claim(), format}, "\n")
}

// ETag is the strong tag of a result, in quotes. It is known before there is one.
func (s *Service) ETag(w Wanted) string {
	sum := sha256.Sum256([]byte(s.key(w)))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// timeout bounds how long a request waits for a result.
// Source: supabase/storage gives imgproxy 15 s, and asks it up to 6 times.
const timeout = 30 * time.Second

// Open opens a result, which it makes where there is none yet.
//
// Errors: InvalidRequest for a source that is no picture, is too large or takes too
// long; SlowDown where too many are being made; those of reading the source.
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
	return file, contentType, visible(err)
}

// visible tells what went wrong in upstream's words.
func visible(err error) error {
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
