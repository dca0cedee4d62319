// Package storage implements the storage service with Supabase's HTTP API. Objects in
// buckets have rows in the database, under row-level security, and bytes in a folder or
// an S3 bucket.
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
	"plaza/server/jobs"
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

// Deps holds the dependencies of the server.
type Deps struct {
	DB        *pg.DB
	Auth      *claims.Authenticator
	Secret    []byte // signs URLs, unless the configuration has a separate key
	DataDir   string // contains objects, unless the configuration has a folder, and the cache of images
	PublicURL string // public URL, unless the configuration has one; empty means the request's host
	Version   string
	Alone     bool // the service runs without a built-in gateway
	Log       *slog.Logger
	Now       func() time.Time

	// Measure returns the free space of a folder. Nil means freespace.Of.
	Measure func(folder string) (freespace.Space, error)

	Traced bool // requests may be traced

	// Observe wraps the handlers of the services storage, tus and s3. It may be nil.
	Observe func(service string, next http.Handler) http.Handler
}

// Server is the storage service and its API.
type Server struct {
	cfg      Config
	core     *core.Service
	rest     *rest.Server
	s3       *s3.Server
	tus      *tus.Server
	pictures *render.Service // nil if image transformation is disabled
	blob     io.Closer       // closes the blob store; may be nil
	observe  func(service string, next http.Handler) http.Handler
}

// New opens the blob store and returns a server. The caller must call Run in the
// background, and Close at the end.
func New(ctx context.Context, cfg Config, d Deps) (*Server, error) {
	blobs, closer, err := OpenBlobs(ctx, cfg, d.DataDir)
	if err != nil {
		return nil, err
	}
	if owned, ok := blobs.(*blobs3.Store); ok {
		if err := claim(ctx, owned, d.DB); err != nil {
			return nil, fmt.Errorf("use the S3 bucket %s: %w", cfg.S3.Bucket, err)
		}
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
		ResumableLifetime: time.Duration(cfg.Resumable.Lifetime) * time.Millisecond, MemoryBytes: int64(cfg.MemoryCache), KeepDeleted: cfg.KeepDeleted,
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

// databaseSQL identifies a database: by its cluster, whose replicas share the identifier, and its name.
const databaseSQL = `select pg_catalog.format('database %I of the PostgreSQL with the system identifier %s', pg_catalog.current_database(), system_identifier)
	from pg_catalog.pg_control_system()`

// claim records that the bucket has the objects of this database. Errors: blobs3.ErrOwned.
func claim(ctx context.Context, bucket *blobs3.Store, db *pg.DB) error {
	var database string
	if err := db.Owner().QueryRow(ctx, databaseSQL).Scan(&database); err != nil {
		return fmt.Errorf("identify the database: %w", err)
	}
	return bucket.Claim(ctx, database)
}

// pictureFolder is the cache of transformed images in the data folder.
const pictureFolder = "cache/images"

// openPictures creates the image service. It returns nil if transformation is disabled.
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

// folder is the folder of objects in the data folder.
const folder = "storage"

// ObjectFolder returns the folder of the objects. It is empty if they are in an S3 bucket.
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

// OpenBlobs opens the blob store. The returned closer may be nil.
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

// OpenArchive opens the blob store at a place that is not that of the objects: a folder, or
// "s3://bucket/prefix" with the endpoint and the keys of the objects' bucket. The returned closer
// may be nil.
func OpenArchive(ctx context.Context, cfg Config, place string) (blob.Store, io.Closer, error) {
	rest, remote := strings.CutPrefix(place, s3Scheme)
	if !remote {
		store, err := disk.Open(place)
		return store, store, err
	}
	bucket, prefix, _ := strings.Cut(strings.Trim(rest, "/"), "/")
	if prefix != "" {
		prefix += "/"
	}
	store, err := blobs3.New(blobs3.Config{
		Endpoint: cfg.S3.Endpoint, Region: cfg.S3.Region, Bucket: bucket, Prefix: prefix,
		AccessKey: cfg.S3.AccessKey, SecretKey: cfg.S3.SecretKey, PathStyle: cfg.S3.PathStyle, Create: cfg.S3.Create,
	})
	if err == nil {
		err = store.Check(ctx)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open the S3 bucket %s: %w", bucket, err)
	}
	return store, nil, nil
}

// s3Scheme precedes the bucket's name of a place in S3.
const s3Scheme = "s3://"

// Routes returns the handler of the API under a prefix such as "/storage/v1". Below the
// prefix it serves resumable uploads at "/upload/resumable" and the S3 protocol at "/s3".
func (s *Server) Routes(prefix string) http.Handler {
	type protocol struct {
		path string
		http.Handler
	}
	below := []protocol{{tus.Path, s.observe("tus", s.tus.Routes(prefix, rest.Adapter))}}
	if s.cfg.Protocol.Enabled {
		below = append(below, protocol{"/s3", s.observe("s3", s.s3.Routes(prefix+"/s3"))})
	}
	fallback := s.observe("storage", s.rest.Routes(prefix))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.EscapedPath(), prefix)
		for _, known := range below {
			if rest, ok := strings.CutPrefix(path, known.path); ok && (rest == "" || rest[0] == '/') {
				known.ServeHTTP(w, r)
				return
			}
		}
		fallback.ServeHTTP(w, r)
	})
}

// Prepare creates or updates the buckets of the configuration.
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

// Run processes changes in the database until ctx ends.
func (s *Server) Run(ctx context.Context) { s.core.Run(ctx) }

// Jobs returns the background jobs of the service.
func (s *Server) Jobs() []jobs.Job { return core.Jobs(s.core) }

// Stats holds statistics of the service.
type Stats struct {
	core.Stats
	Pictures image.Stats // zero if image transformation is disabled
	Cache    image.CacheStats
}

// Stats returns the current statistics.
func (s *Server) Stats() Stats {
	stats := Stats{Stats: s.core.Stats()}
	if s.pictures != nil {
		stats.Pictures, stats.Cache = s.pictures.Stats()
	}
	return stats
}

// Close closes the blob store and the image service.
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
