// Package storage is the storage service: objects in buckets, rows under row-level
// security and bytes in a folder or an S3 bucket, behind Supabase's HTTP API.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"plaza/server/claims"
	"plaza/server/freespace"
	"plaza/server/pg"
	"plaza/storage/blob"
	"plaza/storage/blob/disk"
	blobs3 "plaza/storage/blob/s3"
	"plaza/storage/core"
	"plaza/storage/image"
	"plaza/storage/render"
	"plaza/storage/rest"
	"plaza/storage/s3"
	"plaza/storage/tus"
)

// Deps are what the server stands on.
type Deps struct {
	DB        *pg.DB
	Auth      *claims.Authenticator
	Secret    []byte // signs URLs, unless the configuration has a key for them
	DataDir   string // where objects are kept, unless the configuration says, and pictures made of them
	PublicURL string // where clients reach the server, unless the configuration says; empty: as their requests tell
	Version   string
	Alone     bool // no gateway is part of this server
	Log       *slog.Logger
	Now       func() time.Time

	// Measure tells the free space of a folder; nil means the file system's.
	Measure func(folder string) (freespace.Space, error)

	Traced bool // requests may be traced

	// Observe stands before a service of the API: storage, tus and s3. It may be nil.
	Observe func(service string, next http.Handler) http.Handler
}

// Server is the storage service and its API.
type Server struct {
	cfg      Config
	core     *core.Service
	rest     *rest.Server
	s3       *s3.Server
	tus      *tus.Server
	pictures *render.Service // nil where none are rendered
	blob     io.Closer       // nil where nothing is to be closed
	observe  func(service string, next http.Handler) http.Handler
}

// New opens the place of the bytes and makes the server. Its Run has to run
// beside it, and its Close is for the end.
func New(ctx context.Context, cfg Config, d Deps) (*Server, error) {
	blobs, closer, err := OpenBlobs(ctx, cfg, d.DataDir)
	if err != nil {
		return nil, err
	}
	var guard *freespace.Guard
	if place := ObjectFolder(cfg, d.DataDir); place != "" {
		measure := d.Measure
		if measure == nil {
			measure = freespace.Of
		}
		guard = freespace.NewMeasuredGuard(place, freespace.Floor(cfg.MinFree), measure)
		blobs = blob.Guarded(blobs, guard)
	}
	if d.Traced {
		blobs = blob.Traced(blobs, cfg.Backend)
	}
	key := d.Secret
	if own := cfg.URLSigningKey.Reveal(); own != "" {
		key = []byte(own)
	}
	service := core.New(core.Config{
		FileSizeLimit: int64(cfg.FileSizeLimit), PlainSizeLimit: int64(cfg.PlainSizeLimit), UploadURLLifetime: cfg.UploadURL.Duration(),
		SigningKey: key, EmptyBucketMaximum: cfg.EmptyMaximum,
		ResumableLifetime: time.Duration(cfg.Resumable.Lifetime) * time.Millisecond, MemoryBytes: int64(cfg.MemoryCache),
	}, core.Deps{DB: d.DB, Blobs: blobs, Guard: guard, Log: d.Log, Now: d.Now})
	pictures, err := openPictures(cfg, d, service)
	if err != nil {
		if closer != nil {
			err = errors.Join(err, closer.Close())
		}
		return nil, err
	}
	protocol := cfg.Protocol
	protocol.Region, protocol.Tenant = cfg.Region, cfg.Tenant
	if protocol.AccessKey == "" {
		protocol.AccessKey, protocol.SecretKey = s3.Keys(d.Secret)
	}
	objects := rest.New(rest.Config{Version: d.Version, Alone: d.Alone, CDN: cfg.CDN, Tenant: cfg.Tenant, Log: d.Log}, service, pictures, d.Auth)
	addresses := tus.Config{PublicURL: d.PublicURL, ForwardedPrefix: cfg.Resumable.ForwardedPrefix}
	if cfg.Resumable.PublicURL != "" {
		addresses.PublicURL = cfg.Resumable.PublicURL
	}
	observe := d.Observe
	if observe == nil {
		observe = func(_ string, next http.Handler) http.Handler { return next }
	}
	return &Server{
		cfg: cfg, core: service, pictures: pictures, blob: closer, rest: objects, observe: observe,
		s3:  s3.New(protocol, service, d.Auth, d.Now),
		tus: tus.New(addresses, service, objects.Caller),
	}, nil
}

// pictureFolder is where rendered pictures are kept, below the data folder.
const pictureFolder = "cache/images"

// openPictures makes what renders; nil where nothing is to.
func openPictures(all Config, d Deps, objects *core.Service) (*render.Service, error) {
	cfg := all.Images
	if !cfg.Enabled {
		return nil, nil
	}
	limits := image.DefaultLimits
	limits.MaxBytes = int64(cfg.MaxSource)
	wanted := render.Config{Sides: image.Sides{Min: cfg.MinSize, Max: cfg.MaxSize}, Limits: limits, CacheBytes: int64(cfg.CacheSize), Version: d.Version}
	if d.DataDir != "" {
		wanted.Folder = filepath.Join(d.DataDir, filepath.FromSlash(pictureFolder))
		wanted.Guard = freespace.NewGuard(d.DataDir, freespace.Floor(all.MinFree))
	}
	return render.New(wanted, objects)
}

// folder is where objects are kept below the data folder.
const folder = "storage"

// ObjectFolder is where objects are kept; empty where that is no folder.
func ObjectFolder(cfg Config, dataDir string) string {
	switch {
	case cfg.Backend == "s3":
		return ""
	case cfg.Folder != "":
		return cfg.Folder
	default:
		return filepath.Join(dataDir, folder)
	}
}

// OpenBlobs opens the place of the bytes. What it gives to be closed may be nil.
func OpenBlobs(ctx context.Context, cfg Config, dataDir string) (blob.Store, io.Closer, error) {
	if cfg.Backend == "s3" {
		store, err := blobs3.New(blobs3.Config{
			Endpoint: cfg.S3.Endpoint, Region: cfg.S3.Region, Bucket: cfg.S3.Bucket, Prefix: cfg.Tenant + "/",
			AccessKey: cfg.S3.AccessKey, SecretKey: cfg.S3.SecretKey, PathStyle: cfg.S3.PathStyle, Create: cfg.S3.Create,
		})
		if err == nil {
			err = store.Check(ctx)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("open the S3 bucket %s: %w", cfg.S3.Bucket, err)
		}
		return store, nil, nil
	}
	store, err := disk.Open(ObjectFolder(cfg, dataDir))
	return store, store, err
}

// Routes serves the API under a prefix such as "/storage/v1", and below it resumable
// uploads at "/upload/resumable" and the S3 protocol at "/s3".
func (s *Server) Routes(prefix string) http.Handler {
	type protocol struct {
		path string
		http.Handler
	}
	below := []protocol{{tus.Path, s.observe("tus", s.tus.Routes(prefix, rest.Adapter))}}
	if s.cfg.Protocol.Enabled {
		below = append(below, protocol{"/s3", s.observe("s3", s.s3.Routes(prefix+"/s3"))})
	}
	others := s.observe("storage", s.rest.Routes(prefix))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.EscapedPath(), prefix)
		for _, known := range below {
			if rest, ok := strings.CutPrefix(path, known.path); ok && (rest == "" || rest[0] == '/') {
				known.ServeHTTP(w, r)
				return
			}
		}
		others.ServeHTTP(w, r)
	})
}

// Prepare brings the buckets of the configuration to what it says.
func (s *Server) Prepare(ctx context.Context) error {
	for _, wanted := range s.cfg.Buckets {
		change := core.Change{Public: wanted.Public, FileSizeLimit: core.Size{Set: wanted.FileSizeLimit != nil, Bytes: wanted.FileSizeLimit},
			MimeTypes: core.MimeTypes{Set: wanted.MimeTypes != nil, List: wanted.MimeTypes}}
		if err := s.core.Buckets.Ensure(ctx, wanted.Name, change); err != nil {
			return fmt.Errorf("bucket %s: %w", wanted.Name, err)
		}
		if wanted.Objects == nil {
			continue
		}
		if err := core.Seed(ctx, s.core, wanted.Name, wanted.Objects); err != nil {
			return fmt.Errorf("bucket %s: %w", wanted.Name, err)
		}
	}
	return nil
}

// Run follows changes in the database and removes what no row needs, until ctx
// ends.
func (s *Server) Run(ctx context.Context) { s.core.Run(ctx) }

// Stats tells of bytes that no row names and of the pictures that are made.
type Stats struct {
	core.Stats
	Pictures image.Stats // zero where none are rendered
	Cache    image.CacheStats
}

// Stats tells how the service is doing.
func (s *Server) Stats() Stats {
	stats := Stats{Stats: s.core.Stats()}
	if s.pictures != nil {
		stats.Pictures, stats.Cache = s.pictures.Stats()
	}
	return stats
}

// Close lets the place of the bytes go.
func (s *Server) Close() error {
	var failed error
	if s.pictures != nil {
		failed = s.pictures.Close()
	}
	if s.blob != nil {
		failed = errors.Join(failed, s.blob.Close())
	}
	return failed
}
