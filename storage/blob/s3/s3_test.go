package s3_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/server/secret"
	"plaza/storage/blob"
	"plaza/storage/blob/blobtest"
	"plaza/storage/blob/s3"
	"plaza/tests/testkit/s3server"
)

func config(endpoint, bucket string) s3.Config {
	return s3.Config{
		Endpoint: endpoint, Region: s3server.Region, Bucket: bucket, PathStyle: true,
		AccessKey: s3server.AccessKey, SecretKey: s3server.SecretKey,
	}
}

func open(t *testing.T, cfg s3.Config) *s3.Store {
	t.Helper()
	s, err := s3.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	var buckets atomic.Int32
	t.Run("suite", func(t *testing.T) {
		t.Parallel()
		blobtest.Run(t, func(t *testing.T) blob.Store {
			name := fmt.Sprintf("bucket-%d", buckets.Add(1))
			server.Bucket(t, name)
			cfg := config(server.Endpoint, name)
			cfg.Prefix = "some/prefix/"
			return open(t, cfg)
		})
	})
}

func TestCheckReportsErrors(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	server.Bucket(t, "there")
	tests := []struct {
		name   string
		change func(*s3.Config)
		want   string
	}{
		{"all is well", func(*s3.Config) {}, ""},
		{"a bucket to be made", func(c *s3.Config) { c.Bucket, c.Create = "to-be-made", true }, ""},
		{"a bucket that exists by now", func(c *s3.Config) { c.Bucket = "to-be-made" }, ""},
		{"no such bucket", func(c *s3.Config) { c.Bucket = "not-there" }, `has no bucket "not-there"`},
		{"an unknown key", func(c *s3.Config) { c.AccessKey = "somebody" }, "refuses the keys"},
		{"a wrong secret", func(c *s3.Config) { c.SecretKey = "guess" }, "refuses the keys"},
		{"no server", func(c *s3.Config) { c.Endpoint = closedEndpoint(t) }, "does not answer as it should"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(server.Endpoint, "there")
			tt.change(&cfg)
			err := open(t, cfg).Check(t.Context())
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Check: %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), string(secret.Text(s3server.SecretKey))) {
				t.Errorf("the secret is in the error: %v", err)
			}
		})
	}
}

// closedEndpoint returns a URL that refuses connections.
func closedEndpoint(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}

func TestNewRefusesInvalidEndpoints(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"localhost:9000", "ftp://host", "https://", "https://host/path", "://"} {
		if _, err := s3.New(config(endpoint, "bucket")); err == nil {
			t.Errorf("%q was taken", endpoint)
		}
	}
	if _, err := s3.New(config("https://host", "")); err == nil {
		t.Error("a bucket without a name was taken")
	}
	if _, err := s3.New(s3.Config{Bucket: "bucket"}); err != nil {
		t.Errorf("AWS by default: %v", err)
	}
}

func TestFailedRequestsAreRetriedAFewTimes(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(failing.Close)
	if _, err := open(t, config(failing.URL, "bucket")).Stat(t.Context(), "a"); err == nil {
		t.Error("Stat of a failing server returns no error")
	}
	if n := requests.Load(); n < 2 || n > 10 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestRetriedUploadIsComplete(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	server.Bucket(t, "bucket")
	var failures atomic.Int32
	failures.Store(2)
	proxy := httptest.NewServer(proxyTo(server.Endpoint, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || failures.Add(-1) < 0 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}))
	t.Cleanup(proxy.Close)
	s := open(t, config(proxy.URL, "bucket"))
	const size = 5 << 20
	if _, err := s.Put(t.Context(), "photo", struct{ blobReader }{blobtest.Stream(1, size)}, size); err != nil {
		t.Fatal(err)
	}
	blobtest.MustHold(t, s, "photo", 0, blobtest.Stream(1, size))
	if failures.Load() > 0 {
		t.Error("no request failed: the test tests nothing")
	}
}

// Parts of unfinished uploads cost money, so an upload that fails is aborted.
func TestAFailedUploadLeavesNoParts(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	server.Bucket(t, "bucket")
	s := open(t, config(server.Endpoint, "bucket"))
	broken := errors.New("the client went away")
	failing := io.MultiReader(blobtest.Stream(1, 20<<20), iotest.ErrReader(broken))
	if _, err := s.Put(t.Context(), "failed", failing, blob.UnknownSize); !errors.Is(err, broken) {
		t.Errorf("Put: %v", err)
	}
	client, err := minio.NewCore(strings.TrimPrefix(server.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(s3server.AccessKey, s3server.SecretKey, ""), Region: s3server.Region, BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	left, err := client.ListMultipartUploads(t.Context(), "bucket", "", "", "", "", 10)
	if err != nil || len(left.Uploads) != 0 {
		t.Errorf("left: %+v, %v", left.Uploads, err)
	}
}
