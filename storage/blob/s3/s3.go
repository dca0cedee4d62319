// Package s3 keeps blobs in a bucket of any S3 API.
//
// S3 shows an object only when all of it is there, and keeps it then. Uploads
// whose size is not known go in parts that are buffered here; if the process is
// killed in between, its parts stay in the bucket unseen, so the bucket should
// have a rule that ends uploads of some days.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/server/secret"
	"plaza/server/tracing"
	"plaza/storage/blob"
)

// Config says where the bucket is.
type Config struct {
	Endpoint     string // "https://host:port"; empty for AWS
	Region       string // "us-east-1" where it is empty
	Bucket       string
	Prefix       string // of all names: "plaza/"; may be empty
	AccessKey    string // empty for the keys of the environment or the machine, as AWS's tools find them
	SecretKey    secret.Text
	SessionToken secret.Text
	PathStyle    bool // the bucket stands in the path and not in the host name
	Create       bool // Check makes the bucket where there is none
}

const (
	// bufferSize is what is held in memory of an upload that can be tried again,
	// and the size of the parts of one whose size is not known, in bytes: 10,000
	// of them are 80 GB.
	bufferSize = 8 << 20
	// maxBuffers bounds how many uploads hold a buffer at once.
	maxBuffers = 16
	// maxSinglePut is the largest object that S3 takes in one request, in bytes.
	maxSinglePut = 5 << 30
	// tries is how often a request is sent before it fails.
	tries = 4
	// minPart is the smallest part that may have others after it, in bytes.
	minPart = 5 << 20
	// idleConnections are kept open to the server.
	idleConnections = 256
	// defaultRegion is that of servers which do not care.
	defaultRegion = "us-east-1"
)

// Store keeps blobs in a bucket. It is a blob.Store.
type Store struct {
	client  *minio.Core
	bucket  string
	prefix  string
	region  string
	create  bool
	buffers chan []byte // those not in use
}

var _ blob.Store = (*Store)(nil)

// New makes a store. It does not ask the server anything: see Check.
func New(cfg Config) (*Store, error) {
	if cfg.Bucket == "" {
		return nil, errors.New("the S3 bucket has no name")
	}
	if cfg.Region == "" {
		cfg.Region = defaultRegion
	}
	endpoint, err := parseEndpoint(cfg)
	if err != nil {
		return nil, err
	}
	transport, err := minio.DefaultTransport(endpoint.Scheme == "https")
	if err != nil {
		return nil, fmt.Errorf("reach S3 at %s: %w", endpoint, err)
	}
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = idleConnections, idleConnections
	lookup := minio.BucketLookupDNS
	if cfg.PathStyle {
		lookup = minio.BucketLookupPath
	}
	client, err := minio.NewCore(endpoint.Host, &minio.Options{
		Creds: keys(cfg), Secure: endpoint.Scheme == "https", Transport: tracing.Transport(transport, false),
		Region: cfg.Region, BucketLookup: lookup, MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("reach S3 at %s: %w", endpoint, err)
	}
	s := &Store{client: client, bucket: cfg.Bucket, prefix: cfg.Prefix, region: cfg.Region, create: cfg.Create, buffers: make(chan []byte, maxBuffers)}
	for range maxBuffers {
		s.buffers <- nil
	}
	return s, nil
}

func parseEndpoint(cfg Config) (*url.URL, error) {
	address := cfg.Endpoint
	if address == "" {
		address = "https://s3." + cfg.Region + ".amazonaws.com"
	}
	endpoint, err := url.Parse(address)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" || strings.Trim(endpoint.Path, "/") != "" {
		return nil, fmt.Errorf("the S3 endpoint %q is not an address such as https://host:port", cfg.Endpoint)
	}
	return endpoint, nil
}

func keys(cfg Config) *credentials.Credentials {
	if cfg.AccessKey != "" {
		return credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey.Reveal(), cfg.SessionToken.Reveal())
	}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
	})
}

// Check asks for the bucket once and says in words what is wrong. It makes one that
// is missing where it may.
func (s *Store) Check(ctx context.Context) error {
	err := s.look(ctx)
	if s.create && minio.ToErrorResponse(err).Code == minio.NoSuchBucket {
		if err := s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region}); err != nil && minio.ToErrorResponse(err).Code != minio.BucketAlreadyOwnedByYou {
			return s.explain(err)
		}
		err = s.look(ctx)
	}
	if err != nil {
		return s.explain(err)
	}
	return nil
}

// look asks for an object of the bucket.
func (s *Store) look(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for object := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, MaxKeys: 1}) {
		if object.Err != nil {
			return object.Err
		}
		break
	}
	return ctx.Err()
}

func (s *Store) explain(err error) error {
	at := s.client.EndpointURL()
	switch code := minio.ToErrorResponse(err).Code; code {
	case minio.NoSuchBucket:
		return fmt.Errorf("S3 at %s has no bucket %q: %w", at, s.bucket, err)
	case "InvalidAccessKeyId", "XAdminUserNotFound", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken":
		return fmt.Errorf("S3 at %s refuses the keys (%s): %w", at, code, err)
	case minio.AccessDenied:
		return fmt.Errorf("S3 at %s does not let these keys use the bucket %q: %w", at, s.bucket, err)
	default:
		return fmt.Errorf("S3 at %s, bucket %q, does not answer as it should: %w", at, s.bucket, err)
	}
}

// key is the name of a blob in the bucket.
func (s *Store) key(name string) (string, error) { return s.prefix + name, blob.CheckName(name) }

// Get asks for the bytes from an offset on.
func (s *Store) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	body, err := s.get(ctx, name, offset, length)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", name, known(err))
	}
	return body, nil
}

func (s *Store) get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	key, err := s.key(name)
	if err != nil {
		return nil, blob.ErrNotFound
	}
	if length <= 0 {
		_, err := s.Stat(ctx, name)
		return http.NoBody, err
	}
	var options minio.GetObjectOptions
	last := offset + length - 1
	if last < 0 { // past the largest number: to the end
		last = 0
	}
	if err := options.SetRange(offset, last); err != nil {
		return nil, err
	}
	body, _, _, err := s.client.GetObject(ctx, s.bucket, key, options)
	if minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return http.NoBody, nil
	}
	return body, err
}

// Stat asks for the headers of an object.
func (s *Store) Stat(ctx context.Context, name string) (blob.Info, error) {
	key, err := s.key(name)
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat blob %s: %w", name, blob.ErrNotFound)
	}
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat blob %s: %w", name, known(err))
	}
	return blob.Info{Name: name, Size: info.Size, Modified: info.LastModified}, nil
}

// Copy has the server copy an object, in parts where it is too large for one
// request.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	if err := s.copy(ctx, from, to); err != nil {
		return fmt.Errorf("copy blob %s: %w", from, known(err))
	}
	return nil
}

func (s *Store) copy(ctx context.Context, from, to string) error {
	target, err := s.key(to)
	if err != nil {
		return err
	}
	info, err := s.Stat(ctx, from)
	if err != nil || from == to {
		return err
	}
	source := minio.CopySrcOptions{Bucket: s.bucket, Object: s.prefix + from}
	destination := minio.CopyDestOptions{Bucket: s.bucket, Object: target}
	if info.Size < maxSinglePut {
		_, err = s.client.Client.CopyObject(ctx, destination, source)
	} else {
		_, err = s.client.ComposeObject(ctx, destination, source)
	}
	return err
}

// Delete removes objects, up to a thousand in a request.
func (s *Store) Delete(ctx context.Context, names ...string) error {
	objects := func(yield func(minio.ObjectInfo) bool) {
		for _, name := range names {
			if key, err := s.key(name); err == nil && !yield(minio.ObjectInfo{Key: key}) {
				return
			}
		}
	}
	results, err := s.client.RemoveObjectsWithIter(ctx, s.bucket, objects, minio.RemoveObjectsOptions{})
	if err != nil {
		return fmt.Errorf("delete blobs: %w", err)
	}
	for result := range results {
		if result.Err != nil && !errors.Is(known(result.Err), blob.ErrNotFound) {
			err = errors.Join(err, fmt.Errorf("delete blob %s: %w", strings.TrimPrefix(result.ObjectName, s.prefix), known(result.Err)))
		}
	}
	return err
}

// List asks for the names in the bucket, a thousand at a time.
func (s *Store) List(ctx context.Context, prefix string, each func(blob.Info) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
	for object := range s.client.ListObjectsIter(ctx, s.bucket, options) {
		if object.Err != nil {
			return fmt.Errorf("list blobs %q: %w", prefix, known(object.Err))
		}
		info := blob.Info{Name: strings.TrimPrefix(object.Key, s.prefix), Size: object.Size, Modified: object.LastModified}
		if blob.CheckName(info.Name) != nil {
			continue // somebody's folder mark
		}
		if err := each(info); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// known makes an error of package blob of what S3 says.
func known(err error) error {
	answer := minio.ToErrorResponse(err)
	switch answer.Code {
	case minio.NoSuchKey, "NoSuchUpload", "InvalidPart", "KeyTooLongError", minio.XMinioInvalidObjectName:
		return fmt.Errorf("%w: %w", blob.ErrNotFound, err)
	case "XMinioStorageFull", "QuotaExceeded", "InsufficientStorage":
		return fmt.Errorf("%w: %w", blob.ErrFull, err)
	}
	if answer.StatusCode == http.StatusInsufficientStorage || errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w", blob.ErrFull, err)
	}
	return err
}
