// Package s3 stores blobs in a bucket of any service with the S3 API.
//
// In S3, an object becomes visible only when it is complete and durable. Data of unknown
// size is buffered and sent as a multipart upload. If the process is killed, the parts
// remain in the bucket, so the bucket should have a lifecycle rule that aborts multipart
// uploads after some days.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/server/filesys"
	"plaza/server/secret"
	"plaza/server/tracing"
	"plaza/storage/blob"
)

// Config configures the bucket.
type Config struct {
	Endpoint     string // "https://host:port"; empty means AWS
	Region       string // empty means "us-east-1"
	Bucket       string
	Prefix       string // prefix of all names, such as "plaza/"; may be empty
	AccessKey    string // empty means AWS's default credential chain
	SecretKey    secret.Text
	SessionToken secret.Text
	PathStyle    bool // the bucket is in the path rather than in the host name
	Create       bool // Check creates the bucket if it does not exist
}

const (
	// bufferSize is the size of an upload buffer, in bytes. Smaller uploads are buffered so
	// that they can be retried. It is also the part size of uploads of unknown size,
	// which allows 80 GB in 10,000 parts.
	bufferSize = 8 << 20
	// maxBuffers is the maximum number of buffers in use.
	maxBuffers = 16
	// maxSinglePut is the largest object that S3 accepts in a single request, in bytes.
	maxSinglePut = 5 << 30
	// maxAttempts is how often a request is sent before it fails.
	maxAttempts = 4
	// minPart is the minimum size of a part that is not the last, in bytes.
	minPart = 5 << 20
	// idleConnections is the number of idle connections to keep open.
	idleConnections = 256
	// defaultRegion is the region for servers without regions.
	defaultRegion = "us-east-1"
)

// Store stores blobs in a bucket. It is a blob.Store.
type Store struct {
	client  *minio.Core
	bucket  string
	prefix  string
	region  string
	create  bool
	buffers chan []byte // free buffers
}

var _ blob.Store = (*Store)(nil)

// New returns a store. It does not contact the server; see Check.
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
		Region: cfg.Region, BucketLookup: lookup, MaxRetries: maxAttempts,
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

// Check checks access to the bucket and returns a descriptive error. It creates a missing
// bucket if Config.Create is set.
func (s *Store) Check(ctx context.Context) error {
	err := s.probe(ctx)
	if s.create && minio.ToErrorResponse(err).Code == minio.NoSuchBucket {
		if err := s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region}); err != nil && minio.ToErrorResponse(err).Code != minio.BucketAlreadyOwnedByYou {
			return s.explain(err)
		}
		err = s.probe(ctx)
	}
	if err != nil {
		return s.explain(err)
	}
	return nil
}

// probe lists at most one object of the bucket.
func (s *Store) probe(ctx context.Context) error {
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

// key returns the name of a blob in the bucket.
func (s *Store) key(name string) (string, error) { return s.prefix + name, blob.CheckName(name) }

// Get requests the bytes from an offset on.
func (s *Store) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	body, err := s.get(ctx, name, offset, length)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", name, translateError(err))
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
	if last < 0 { // overflow: read to the end
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

// Stat requests the headers of an object.
func (s *Store) Stat(ctx context.Context, name string) (blob.Info, error) {
	key, err := s.key(name)
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat blob %s: %w", name, blob.ErrNotFound)
	}
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat blob %s: %w", name, translateError(err))
	}
	return blob.Info{Name: name, Size: info.Size, Modified: info.LastModified}, nil
}

// Copy copies an object on the server, in parts if it is too large for a single request.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	if err := s.copy(ctx, from, to); err != nil {
		return fmt.Errorf("copy blob %s: %w", from, translateError(err))
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

// Delete removes objects, up to 1000 in each request.
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
		if result.Err != nil && !errors.Is(translateError(result.Err), blob.ErrNotFound) {
			err = errors.Join(err, fmt.Errorf("delete blob %s: %w", strings.TrimPrefix(result.ObjectName, s.prefix), translateError(result.Err)))
		}
	}
	return err
}

// List lists the names in the bucket, 1000 in each request.
func (s *Store) List(ctx context.Context, prefix string, each func(blob.Info) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
	for object := range s.client.ListObjectsIter(ctx, s.bucket, options) {
		if object.Err != nil {
			return fmt.Errorf("list blobs %q: %w", prefix, translateError(object.Err))
		}
		info := blob.Info{Name: strings.TrimPrefix(object.Key, s.prefix), Size: object.Size, Modified: object.LastModified}
		if info.Name == ownerName || blob.CheckName(info.Name) != nil {
			continue // a name that is not valid: a folder marker created by another tool
		}
		if err := each(info); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// translateError wraps an error of S3 with the corresponding error of package blob.
func translateError(err error) error {
	response := minio.ToErrorResponse(err)
	switch response.Code {
	case minio.NoSuchKey, "NoSuchUpload", "InvalidPart", "KeyTooLongError", minio.XMinioInvalidObjectName:
		return fmt.Errorf("%w: %w", blob.ErrNotFound, err)
	case "XMinioStorageFull", "QuotaExceeded", "InsufficientStorage":
		return fmt.Errorf("%w: %w", blob.ErrFull, err)
	}
	if response.StatusCode == http.StatusInsufficientStorage || filesys.IsFull(err) {
		return fmt.Errorf("%w: %w", blob.ErrFull, err)
	}
	if isUnavailable(response.StatusCode, err) {
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	return err
}

// isUnavailable reports whether the server refuses connections or requests for now. Other network errors do not
// count, since they may come from the client whose body is being sent.
func isUnavailable(status int, err error) bool {
	switch status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial"
}
