// Package s3 reads the objects of a project by Storage's S3 protocol.
package s3

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/server/transfer"
)

// Config names an S3 endpoint, such as https://<project>.supabase.co/storage/v1/s3.
type Config struct{ Endpoint, Region, AccessKey, SecretKey string }

// objects reads from an endpoint. minio-go does not support a path in an endpoint. So it gets the path's first segment as the
// bucket, and the other segments, the bucket and the key as the key; the resulting URL and signature are the same.
type objects struct {
	client minio.Core
	path   string // of the endpoint
}

// New returns the objects of an endpoint.
func New(cfg Config) (transfer.Objects, error) {
	address, err := url.Parse(cfg.Endpoint)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return nil, fmt.Errorf("%q is no S3 endpoint: use an address such as https://<project>.supabase.co/storage/v1/s3", cfg.Endpoint)
	}
	client, err := minio.NewCore(address.Host, &minio.Options{
		Creds: credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""), Region: cfg.Region, Secure: address.Scheme == "https", BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		return nil, err
	}
	path := strings.Trim(address.Path, "/")
	if path != "" {
		path += "/"
	}
	return objects{*client, path}, nil
}

// Open returns the content of an object. Errors: transfer.ErrNoObject.
func (o objects) Open(ctx context.Context, bucket, key string) (io.ReadCloser, error) {
	first, rest, _ := strings.Cut(o.path+bucket+"/"+key, "/")
	content, _, _, err := o.client.GetObject(ctx, first, rest, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, fmt.Errorf("%w: %w", transfer.ErrNoObject, err)
	}
	return content, err
}
