// Package core is the storage service without a protocol: buckets and objects as rows
// under row-level security, their content in a blob store, and the rules that keep both
// consistent. REST, resumable uploads, the S3 protocol and image rendering use it.
//
// Rows and blobs. Every write makes a new version, whose blob is kept under a name that
// was never used before. The name is first written to storage.unused_blobs; the
// transaction that writes the row deletes it there, and triggers add the blobs of
// versions that no row names any more. A name that is there for longer than an upload
// may take is deleted with its blob. So whatever step is the last one, a row has its
// blob, and blobs without a row are removed.
package core

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"time"

	"plaza/server/claims"
	"plaza/server/freespace"
	"plaza/server/pg"
	"plaza/storage/blob"
	"plaza/storage/blobcache"
	"plaza/storage/signedurl"
)

// Config has the limits of the service.
type Config struct {
	FileSizeLimit      int64         // maximum size of an object in bytes
	PlainSizeLimit     int64         // maximum size if uploaded in one request; 0: FileSizeLimit
	UploadURLLifetime  time.Duration // of signed upload URLs
	SigningKey         []byte        // of signed URLs: HS256
	EmptyBucketMaximum int64         // maximum number of objects of a bucket that can be emptied
	ResumableLifetime  time.Duration // of resumable uploads, from their creation
	KeepDeleted        time.Duration // how long blobs are held after they were deleted
	MemoryBytes        int64         // size of the in-memory cache of small objects; 0: none
}

// Deps are the dependencies of the service.
type Deps struct {
	DB    *pg.DB
	Blobs blob.Store
	Guard *freespace.Guard // of the file system of Blobs; nil: none
	Log   *slog.Logger
	Now   func() time.Time
}

// Service is the storage service: objects, and by its fields buckets, uploads in more
// than one request, and signed URLs.
type Service struct {
	Buckets    *Buckets
	Multiparts *Multiparts
	Resumables *Resumables
	URLs       signedurl.Signer

	database
	cfg      Config
	blobs    blob.Store
	guard    *freespace.Guard
	log      *slog.Logger
	now      func() time.Time
	cache    *cache
	contents *blobcache.Cache
	versions *versions
	sweeper  *sweeper
	writers  *writers
}

// New returns a service. The caller must call Run in a goroutine, and run Jobs.
func New(cfg Config, d Deps) *Service {
	s := &Service{
		URLs: signedurl.Signer{Key: cfg.SigningKey, Now: d.Now}, database: database{d.DB},
		cfg: cfg, blobs: d.Blobs, guard: d.Guard, log: d.Log, now: d.Now,
		cache: newCache(), contents: blobcache.New(cfg.MemoryBytes), writers: newWriters(),
	}
	s.versions, s.sweeper = newVersions(s), newSweeper(s)
	s.Buckets = &Buckets{database: s.database, cfg: cfg, cache: s.cache, wakeSweeper: s.sweeper.Wake}
	s.Multiparts, s.Resumables = &Multiparts{s}, &Resumables{s}
	return s
}

// Run follows changes by others and keeps the names of running uploads until ctx ends.
func (s *Service) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.watchChanges(ctx)
	}()
	s.versions.renewPeriodically(ctx)
	<-done
}

// Call describes a request for policies.
type Call struct {
	Who       claims.Caller
	Operation string // storage.operation, such as "storage.object.upload"
	Method    string
	Path      string
	Headers   string // JSON object
}

// asService returns the same request with all privileges.
func (c Call) asService() Call {
	c.Who = serviceCaller
	return c
}

var serviceCaller = claims.ForRole(claims.ServiceRole)

// statementTimeout is the timeout of one statement of a request.
// Source: supabase/storage sets 30 s.
const statementTimeout = "30s"

func (c Call) settings() pg.Settings {
	return pg.Settings{Method: c.Method, Path: c.Path, Headers: c.Headers, Locals: []pg.Local{
		{Name: "storage.operation", Value: c.Operation},
		{Name: "storage.allow_delete_query", Value: "true"},
		{Name: "statement_timeout", Value: statementTimeout},
	}}
}

// database runs the statements of requests.
type database struct{ db *pg.DB }

// query runs one statement as the caller in one round trip; each may be nil. Arguments are
// texts, booleans, numbers, JSON, lists (as JSON) and nil.
func (d database) query(ctx context.Context, call Call, sql string, args []any, each func(row [][]byte) error) error {
	return d.run(ctx, call.Who, call.settings(), sql, args, each)
}

// try runs one statement as query does, and rolls it back.
func (d database) try(ctx context.Context, call Call, sql string, args []any, each func(row [][]byte) error) error {
	set := call.settings()
	set.Rollback = true
	return d.run(ctx, call.Who, set, sql, args, each)
}

func (d database) run(ctx context.Context, who claims.Caller, set pg.Settings, sql string, args []any, each func(row [][]byte) error) error {
	_, err := d.db.QueryAsCaller(ctx, who, set, pg.Statement{SQL: sql, Args: texts(args)}, each)
	return err
}

// detach returns a context for work that must be done even if the client disconnects.
func detach(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
}

// finishTimeout is the timeout of the last steps of a write.
const finishTimeout = 30 * time.Second

func texts(values []any) [][]byte {
	made := make([][]byte, len(values))
	for i, value := range values {
		made[i] = text(value)
	}
	return made
}

// text returns an argument in PostgreSQL's text format; nil is NULL.
func text(value any) []byte {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		return []byte(value)
	case *string:
		if value == nil {
			return nil
		}
		return []byte(*value)
	case *int64:
		if value == nil {
			return nil
		}
		return strconv.AppendInt(nil, *value, 10)
	case *bool:
		if value == nil {
			return nil
		}
		return strconv.AppendBool(nil, *value)
	case bool:
		return strconv.AppendBool(nil, value)
	case int:
		return strconv.AppendInt(nil, int64(value), 10)
	case int64:
		return strconv.AppendInt(nil, value, 10)
	case json.RawMessage:
		return value
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		panic("core: an argument cannot be encoded: " + err.Error())
	}
	return encoded
}

// Ping returns an error if the database does not answer.
func (s *Service) Ping(ctx context.Context) error { return s.db.Ping(ctx) }
