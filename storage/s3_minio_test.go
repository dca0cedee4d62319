package storage_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plaza/storage/blob/blobtest"
)

// atRoot serves the S3 protocol at "/", because minio-go does not support a path in its
// endpoint.
func (k *kit) atRoot() string {
	routes := k.server.Routes("/storage/v1")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path, r.URL.RawPath = "/storage/v1/s3"+r.URL.Path, "/storage/v1/s3"+r.URL.EscapedPath()
		routes.ServeHTTP(w, r)
	}))
	k.t.Cleanup(web.Close)
	k.closeRoot = web.Close
	return web.URL
}

func TestS3WithMinio(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, with := t.Context(), projectKeys()
	c, err := minio.New(strings.TrimPrefix(k.atRoot(), "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(with.access, with.secret, ""), Region: "local", BucketLookup: minio.BucketLookupPath, MaxRetries: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	content := blobtest.Bytes(5, 6<<20)
	if _, err := c.PutObject(ctx, "own", "a/b", bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{PartSize: 5 << 20}); err != nil {
		t.Fatal(err)
	}
	got, err := c.GetObject(ctx, "own", "a/b", minio.GetObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if text(got) != string(content) {
		t.Error("the object differs from what was uploaded")
	}
	presigned, err := c.PresignedPutObject(ctx, "own", "by-address", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if status := k.send(http.MethodPut, presigned.String(), "", strings.NewReader("x")); status != http.StatusOK {
		t.Errorf("presigned PUT: %d", status)
	}
	if _, err := c.ComposeObject(ctx, minio.CopyDestOptions{Bucket: "own", Object: "composed"},
		minio.CopySrcOptions{Bucket: "own", Object: "a/b"}, minio.CopySrcOptions{Bucket: "own", Object: "by-address"}); err != nil {
		t.Error(err)
	}
	if info, err := c.StatObject(ctx, "own", "composed", minio.StatObjectOptions{}); err != nil || info.Size != int64(len(content))+1 {
		t.Errorf("composed: %+v, %v", info, err)
	}
	for removed := range c.RemoveObjects(ctx, "own", c.ListObjects(ctx, "own", minio.ListObjectsOptions{Recursive: true}), minio.RemoveObjectsOptions{}) {
		t.Error(removed.Err)
	}
	left := 0
	if err := k.db.QueryRow(ctx, "select count(*) from storage.objects").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d objects are left, %v", left, err)
	}
}

// send sends a body and returns the response's status.
func (k *kit) send(method, address, kind string, body io.Reader) int {
	k.t.Helper()
	request, err := http.NewRequestWithContext(k.t.Context(), method, address, body)
	if err != nil {
		k.t.Fatal(err)
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	content := text(answer.Body)
	if answer.StatusCode >= http.StatusBadRequest {
		k.t.Log(content)
	}
	return answer.StatusCode
}

func TestS3Forms(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, with := t.Context(), projectKeys()
	c, err := minio.New(strings.TrimPrefix(k.atRoot(), "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(with.access, with.secret, ""), Region: "local", BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	policy := minio.NewPostPolicy()
	if err := errors.Join(policy.SetBucket("own"), policy.SetKeyStartsWith("user/"), policy.SetContentType("text/plain"),
		policy.SetContentLengthRange(2, 10), policy.SetExpires(time.Now().Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	address, fields, err := c.PresignedPostPolicy(ctx, policy)
	if err != nil {
		t.Fatal(err)
	}
	post := func(key, file string) int {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		fields["key"] = key
		for name, value := range fields {
			if err := form.WriteField(name, value); err != nil {
				t.Fatal(err)
			}
		}
		part, err := form.CreateFormFile("file", "name.txt")
		if err == nil {
			_, err = io.WriteString(part, file)
		}
		if err := errors.Join(err, form.Close()); err != nil {
			t.Fatal(err)
		}
		return k.send(http.MethodPost, address.String(), form.FormDataContentType(), &body)
	}
	tests := []struct {
		name, key, file string
		want            int
	}{
		{"as the policy requires", "user/${filename}", "hello", http.StatusOK},
		{"another folder", "other/1", "hello", http.StatusForbidden},
		{"too large", "user/large", "hello, hello", http.StatusRequestEntityTooLarge},
		{"too small", "user/small", "h", http.StatusBadRequest},
	}
	for _, tt := range tests {
		if got := post(tt.key, tt.file); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	fields["x-amz-meta-planted"] = "x"
	if got := post("user/2", "hello"); got != http.StatusForbidden {
		t.Errorf("a field that the policy does not name: %d", got)
	}
	var names string
	if err := k.db.QueryRow(ctx, "select string_agg(name || ' ' || (metadata->>'mimetype'), ',') from storage.objects").Scan(&names); err != nil || names != "user/name.txt text/plain" {
		t.Errorf("there is %q, %v", names, err)
	}
}

func TestS3UploadThatEndsEarly(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, with := t.Context(), projectKeys()
	c, err := minio.New(strings.TrimPrefix(k.atRoot(), "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(with.access, with.secret, ""), Region: "local", BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutObject(ctx, "own", "there", strings.NewReader("old"), 3, minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"there", "new"} {
		presigned, err := c.PresignedPutObject(ctx, "own", key, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		half := io.MultiReader(blobtest.Stream(1, 1<<20), iotest.ErrReader(errors.New("the client goes away")))
		request, err := http.NewRequestWithContext(ctx, http.MethodPut, presigned.String(), half)
		if err != nil {
			t.Fatal(err)
		}
		request.ContentLength = 2 << 20
		if answer, err := http.DefaultClient.Do(request); err == nil {
			t.Errorf("the upload was answered: %d", answer.StatusCode)
			_ = answer.Body.Close()
		}
	}
	k.closeRoot() // waits for the server
	var left string
	if err := k.db.QueryRow(ctx, "select string_agg(name || ' ' || (metadata->>'size'), ',') from storage.objects").Scan(&left); err != nil || left != "there 3" {
		t.Errorf("there is %q, %v", left, err)
	}
}

func TestS3CanBeDisabled(t *testing.T) {
	t.Parallel()
	k := start(t, "S3_PROTOCOL_ENABLED=false")
	if _, err := k.sdk(projectKeys()).ListBuckets(t.Context(), nil); err == nil {
		t.Error("it is served")
	}
}

func TestS3AcceptsOnlyTheConfiguredKeys(t *testing.T) {
	t.Parallel()
	k := start(t, "S3_PROTOCOL_ACCESS_KEY_ID=mine", "S3_PROTOCOL_ACCESS_KEY_SECRET=my-secret")
	_, err := k.sdk(keys{"mine", "my-secret", ""}).ListBuckets(t.Context(), nil)
	wantS3(t, err, "")
	_, err = k.sdk(projectKeys()).ListBuckets(t.Context(), nil)
	wantS3(t, err, "AccessDenied")
	_, err = k.sdk(keys{"mine", "my-secret.", ""}).ListBuckets(t.Context(), nil)
	wantS3(t, err, "SignatureDoesNotMatch")
}
