package signature

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/server/apierr"
)

// echo is a server that stores the bodies it receives and how they were signed.
type echo struct {
	*httptest.Server
	mu       sync.Mutex
	content  map[string]string // by path
	payloads []string
	checksum Checksum
}

func newEcho(t *testing.T) *echo {
	e := &echo{content: map[string]string{}}
	v := &Verifier{Region: "us-east-1", Now: time.Now}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := e.take(v, w, r); err != nil {
			known := apierr.As(err)
			if known == nil {
				t.Error(err)
				known = apierr.New(500, "InternalError", "%v", err)
			}
			w.WriteHeader(known.Status)
			_ = xml.NewEncoder(w).Encode(struct {
				XMLName       xml.Name `xml:"Error"`
				Code, Message string
			}{Code: known.Code, Message: known.Message})
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *echo) take(v *Verifier, w http.ResponseWriter, r *http.Request) error {
	s, err := Parse(r)
	if err != nil {
		return err
	}
	if err := v.Verify(r, s, exampleSecret); err != nil {
		return err
	}
	body, err := s.Body(r, exampleSecret)
	if err != nil {
		return err
	}
	content, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	if body.Size != int64(len(content)) {
		return fmt.Errorf("%s %s: size %d, got %d", r.Method, r.URL, body.Size, len(content))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	w.Header().Set("ETag", `"etag"`)
	if r.Method == http.MethodPut {
		e.content[r.URL.Path] = string(content)
		e.payloads = append(e.payloads, s.Payload)
		e.checksum = body.Checksum()
		return nil
	}
	w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
	_, err = io.WriteString(w, e.content[r.URL.Path])
	return err
}

// signedWith returns how the last body was signed.
func (e *echo) signedWith() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.payloads[len(e.payloads)-1]
}

// awkward are object keys that are hard to sign.
var awkward = []string{
	"plain.txt", "with space", "a+b", "a%2Fb", "ä/ö/€", "~tilde", "(1)!*'", "a=b&c;d:e@f,g$h", "double//slash", "q?u=e&r#y", "trailing/",
}

func TestMinioGo(t *testing.T) {
	t.Parallel()
	e := newEcho(t)
	client, err := minio.New(strings.TrimPrefix(e.URL, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(exampleKey, exampleSecret, ""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath, MaxRetries: 1, TrailingHeaders: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("0123456789", 20_000)
	tests := []struct {
		name    string
		options minio.PutObjectOptions
		want    string
	}{
		{"signed chunks", minio.PutObjectOptions{SendContentMd5: true}, chunksSigned},
		{"a signed trailer", minio.PutObjectOptions{Checksum: minio.ChecksumCRC32C}, trailerSigned},
		{"crc64nvme", minio.PutObjectOptions{Checksum: minio.ChecksumCRC64NVME}, trailerSigned},
		{"sha1", minio.PutObjectOptions{Checksum: minio.ChecksumSHA1}, trailerSigned},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, content := range []string{"", "short", large} {
				tt.options.DisableMultipart = true
				_, err := client.PutObject(t.Context(), "bucket", "a b/"+tt.name, strings.NewReader(content), int64(len(content)), tt.options)
				if err != nil || e.content["/bucket/a b/"+tt.name] != content {
					t.Errorf("%d bytes: %v", len(content), err)
				}
			}
			if got := e.signedWith(); got != tt.want {
				t.Errorf("it is signed as %s, want %s: the test tests something else", got, tt.want)
			}
		})
	}
	for _, key := range awkward {
		if _, err := client.PutObject(t.Context(), "bucket", key, strings.NewReader(key), int64(len(key)), minio.PutObjectOptions{DisableMultipart: true}); err != nil {
			t.Errorf("%q: %v", key, err)
		}
		presigned, err := client.PresignedGetObject(t.Context(), "bucket", key, time.Hour, url.Values{"response-content-disposition": {`attachment; filename="a;b +c.txt"`}})
		if err != nil {
			t.Fatal(err)
		}
		mustFetch(t, presigned.String(), key)
	}
}

func mustFetch(t *testing.T, address, want string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || string(content) != want {
		t.Errorf("%s: %d %.300s %v", address, answer.StatusCode, content, err)
	}
}

func TestAWSSDK(t *testing.T) {
	t.Parallel()
	e := newEcho(t)
	client := s3.New(s3.Options{
		BaseEndpoint: &e.URL, UsePathStyle: true, Region: "us-east-1", RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: exampleKey, SecretAccessKey: exampleSecret}, nil
		}),
	})
	bucket := aws.String("bucket")
	for _, algorithm := range append(types.ChecksumAlgorithm("").Values(), "") {
		if algorithm == "MD5" || strings.HasPrefix(string(algorithm), "XXHASH") || algorithm == "SHA512" {
			continue
		}
		for _, content := range []string{"", "short", strings.Repeat("x", 200_000)} {
			_, err := client.PutObject(t.Context(), &s3.PutObjectInput{
				Bucket: bucket, Key: aws.String("k"), ChecksumAlgorithm: algorithm, Body: bytes.NewReader([]byte(content)), Metadata: map[string]string{"a": "  spaces   in it "},
			})
			if err != nil || e.content["/bucket/k"] != content {
				t.Errorf("%s, %d bytes: %v", algorithm, len(content), err)
			}
			if name := "x-amz-checksum-" + strings.ToLower(string(algorithm)); algorithm != "" && e.checksum.Header != name {
				t.Errorf("%s was checked with %q", algorithm, e.checksum.Header)
			}
		}
	}
	presign := s3.NewPresignClient(client)
	for _, key := range awkward {
		if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: bucket, Key: &key, Body: strings.NewReader(key)}); err != nil {
			t.Errorf("%q: %v", key, err)
		}
		request, err := presign.PresignGetObject(t.Context(), &s3.GetObjectInput{Bucket: bucket, Key: &key})
		if err != nil {
			t.Fatal(err)
		}
		mustFetch(t, request.URL, key)
	}
	request, err := presign.PresignPutObject(t.Context(), &s3.PutObjectInput{Bucket: bucket, Key: aws.String("presigned"), ContentType: aws.String("text/plain")})
	if err != nil {
		t.Fatal(err)
	}
	put, err := http.NewRequestWithContext(t.Context(), request.Method, request.URL, strings.NewReader("by address"))
	if err != nil {
		t.Fatal(err)
	}
	put.Header = request.SignedHeader
	answer, err := http.DefaultClient.Do(put)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || e.content["/bucket/presigned"] != "by address" {
		t.Errorf("presigned PUT: %d", answer.StatusCode)
	}
}
