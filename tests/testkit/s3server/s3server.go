// Package s3server runs a real S3 server, versitygw, for tests.
package s3server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/tests/testkit/program"
)

// Keys of the server.
const (
	AccessKey = "test-access-key"
	SecretKey = "test-secret-key"
	Region    = "us-east-1"
)

// Server is a running server.
type Server struct {
	Endpoint string // "http://127.0.0.1:port"
}

// Start runs a server until the test ends. It has no buckets.
func Start(t testing.TB) *Server {
	t.Helper()
	folder := t.TempDir()
	return &Server{Endpoint: "http://" + program.Start(t, program.Program{
		Binary: ".tools/bin/versitygw", Health: "/health", Env: []string{"ROOT_ACCESS_KEY=" + AccessKey, "ROOT_SECRET_KEY=" + SecretKey},
		Args: func(address string) []string {
			return []string{"--port", address, "--health", "/health", "--region", Region, "--quiet", "posix", folder}
		},
	})}
}

// Bucket creates a bucket with this name.
func (s *Server) Bucket(t testing.TB, name string) {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(s.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: Region, BucketLookup: minio.BucketLookupPath,
	})
	if err == nil {
		err = client.MakeBucket(t.Context(), name, minio.MakeBucketOptions{Region: Region})
	}
	if err != nil {
		t.Fatal(fmt.Errorf("make bucket %s: %w", name, err))
	}
}
