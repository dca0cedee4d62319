package storage_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	protocol "plaza/storage/s3"
)

// keys are the credentials of an S3 client.
type keys struct{ access, secret, token string }

// projectKeys have full access.
func projectKeys() keys {
	access, key := protocol.Keys([]byte(secret))
	return keys{access, key.Reveal(), ""}
}

// userKeys have the access of a user.
func (k *kit) userKeys(user string) keys { return keys{"stub", k.auth.Keys.Anon, k.token(user)} }

// sdk returns AWS's client.
func (k *kit) sdk(with keys) *s3.Client {
	address := k.web.URL + "/storage/v1/s3"
	return s3.New(s3.Options{
		BaseEndpoint: &address, UsePathStyle: true, Region: "local", RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: with.access, SecretAccessKey: with.secret, SessionToken: with.token}, nil
		}),
	})
}

// wantS3 checks the code of an error of AWS's client; "" means no error.
func wantS3(t *testing.T, err error, code string) {
	t.Helper()
	var failure smithy.APIError
	switch {
	case code == "" && err != nil:
		t.Errorf("%v", err)
	case code != "" && (!errors.As(err, &failure) || failure.ErrorCode() != code):
		t.Errorf("%v, want %s", err, code)
	}
}

func text(from io.Reader) string {
	content, err := io.ReadAll(from)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

func TestS3Buckets(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, c := t.Context(), k.sdk(projectKeys())
	_, err := c.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("made"), ACL: types.BucketCannedACLPublicRead})
	wantS3(t, err, "")
	_, err = c.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("made")})
	wantS3(t, err, "BucketAlreadyExists")
	public := false
	if err := k.db.QueryRow(ctx, "select public from storage.buckets where id = 'made'").Scan(&public); err != nil || !public {
		t.Errorf("public-read: %v, %v", public, err)
	}
	listed, err := c.ListBuckets(ctx, &s3.ListBucketsInput{})
	wantS3(t, err, "")
	var names []string
	for _, one := range listed.Buckets {
		names = append(names, *one.Name)
		if one.CreationDate == nil || time.Since(*one.CreationDate) > time.Hour {
			t.Errorf("%s was made at %v", *one.Name, one.CreationDate)
		}
	}
	if diff := cmp.Diff([]string{"made", "open", "own", "shut"}, names); diff != "" {
		t.Errorf("buckets (-want +got):\n%s", diff)
	}
	head, err := c.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String("made")})
	wantS3(t, err, "")
	if head != nil && aws.ToString(head.BucketRegion) != "local" {
		t.Errorf("region %q", aws.ToString(head.BucketRegion))
	}
	where, err := c.GetBucketLocation(ctx, &s3.GetBucketLocationInput{Bucket: aws.String("made")})
	wantS3(t, err, "")
	if where != nil && where.LocationConstraint != "local" {
		t.Errorf("location %q", where.LocationConstraint)
	}
	versioning, err := c.GetBucketVersioning(ctx, &s3.GetBucketVersioningInput{Bucket: aws.String("made")})
	wantS3(t, err, "")
	if versioning != nil && versioning.Status != types.BucketVersioningStatusSuspended {
		t.Errorf("versioning %q", versioning.Status)
	}
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("made"), Key: aws.String("a"), Body: strings.NewReader("x")})
	wantS3(t, err, "")
	_, err = c.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: aws.String("made")})
	wantS3(t, err, "ResourceNotEmpty")
	_, err = c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("made"), Key: aws.String("a")})
	wantS3(t, err, "")
	_, err = c.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: aws.String("made")})
	wantS3(t, err, "")
	_, err = c.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String("made")})
	wantS3(t, err, "NotFound")
	_, err = c.PutBucketPolicy(ctx, &s3.PutBucketPolicyInput{Bucket: aws.String("open"), Policy: aws.String("{}")})
	wantS3(t, err, "NotImplemented")
}

func TestS3Objects(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, c := t.Context(), k.sdk(projectKeys())
	bucket, key := aws.String("own"), aws.String("a folder/file (1)+.txt")
	put, err := c.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: key, Body: strings.NewReader("0123456789"), ContentType: aws.String("text/plain"), CacheControl: aws.String("max-age=5"),
		Metadata: map[string]string{"colour": "blue"},
	})
	wantS3(t, err, "")
	if put != nil && aws.ToString(put.ETag) != `"781e5e245d69b566979b86e28d23f2c7"` {
		t.Errorf("ETag %s", aws.ToString(put.ETag))
	}
	got, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key})
	wantS3(t, err, "")
	if got == nil || text(got.Body) != "0123456789" || aws.ToString(got.ContentType) != "text/plain" || got.Metadata["colour"] != "blue" || aws.ToString(got.CacheControl) != "max-age=5" {
		t.Fatalf("GetObject = %+v", got)
	}
	head, err := c.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: key})
	wantS3(t, err, "")
	if head != nil && (aws.ToInt64(head.ContentLength) != 10 || aws.ToString(head.ETag) != aws.ToString(put.ETag)) {
		t.Errorf("HeadObject = %+v", head)
	}
	ranges := map[string]string{"bytes=2-4": "234", "bytes=7-": "789", "bytes=-2": "89", "bytes=5-100": "56789", "bytes=x": "0123456789"}
	for byteRange, want := range ranges {
		got, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key, Range: &byteRange})
		wantS3(t, err, "")
		if got != nil && text(got.Body) != want {
			t.Errorf("%s gives something else than %s", byteRange, want)
		}
	}
	_, err = c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key, Range: aws.String("bytes=10-")})
	wantS3(t, err, "InvalidRange")
	_, err = c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key, IfNoneMatch: put.ETag})
	wantS3(t, err, "NotModified")
	_, err = c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String("nothing")})
	wantS3(t, err, "NoSuchKey")
	_, err = c.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("no-bucket"), Key: key})
	wantS3(t, err, "NoSuchBucket")
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: key, Body: strings.NewReader("new"), IfNoneMatch: aws.String("*")})
	wantS3(t, err, "PreconditionFailed")
	_, err = c.PutObjectTagging(ctx, &s3.PutObjectTaggingInput{Bucket: bucket, Key: key, Tagging: &types.Tagging{TagSet: []types.Tag{}}})
	wantS3(t, err, "NotImplemented")
	tags, err := c.GetObjectTagging(ctx, &s3.GetObjectTaggingInput{Bucket: bucket, Key: key})
	wantS3(t, err, "")
	if tags != nil && len(tags.TagSet) != 0 {
		t.Errorf("tags %v", tags.TagSet)
	}
	copied, err := c.CopyObject(ctx, &s3.CopyObjectInput{Bucket: aws.String("open"), Key: aws.String("copy"), CopySource: aws.String("own/" + url.PathEscape(*key))})
	wantS3(t, err, "")
	if copied != nil && aws.ToString(copied.CopyObjectResult.ETag) != aws.ToString(put.ETag) {
		t.Errorf("copied %+v", copied.CopyObjectResult)
	}
	_, err = c.CopyObject(ctx, &s3.CopyObjectInput{Bucket: bucket, Key: aws.String("copy"), CopySource: aws.String("own/" + url.PathEscape(*key)), CopySourceIfMatch: aws.String(`"other"`)})
	wantS3(t, err, "PreconditionFailed")
	_, err = c.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: bucket, Key: aws.String("changed"), CopySource: aws.String("open/copy"), MetadataDirective: types.MetadataDirectiveReplace,
		ContentType: aws.String("text/css"), Metadata: map[string]string{"colour": "red"},
	})
	wantS3(t, err, "")
	changed, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String("changed"), ResponseContentDisposition: aws.String("attachment")})
	wantS3(t, err, "")
	if changed == nil || text(changed.Body) != "0123456789" || aws.ToString(changed.ContentType) != "text/css" || changed.Metadata["colour"] != "red" || aws.ToString(changed.ContentDisposition) != "attachment" {
		t.Errorf("changed %+v", changed)
	}
	deleted, err := c.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: bucket, Delete: &types.Delete{Objects: []types.ObjectIdentifier{{Key: key}, {Key: aws.String("never")}}}})
	wantS3(t, err, "")
	if deleted != nil && (len(deleted.Deleted) != 2 || len(deleted.Errors) != 0) {
		t.Errorf("deleted %+v %+v", deleted.Deleted, deleted.Errors)
	}
	_, err = c.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: key})
	wantS3(t, err, "NotFound")
}

func TestS3Lists(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, c, bucket := t.Context(), k.sdk(projectKeys()), aws.String("own")
	for _, key := range []string{"a/1", "a/2", "b (x)+/1", "c", "d"} {
		_, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: &key, Body: strings.NewReader(key)})
		wantS3(t, err, "")
	}
	var pages [][]string
	paged := s3.NewListObjectsV2Paginator(c, &s3.ListObjectsV2Input{Bucket: bucket, MaxKeys: aws.Int32(2), Delimiter: aws.String("/"), EncodingType: types.EncodingTypeUrl})
	for paged.HasMorePages() {
		page, err := paged.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range page.CommonPrefixes {
			names = append(names, *one.Prefix)
		}
		for _, one := range page.Contents {
			if *one.Size != int64(len(*one.Key)) || aws.ToString(one.ETag) == "" || one.LastModified == nil {
				t.Errorf("%+v", one)
			}
			names = append(names, *one.Key)
		}
		pages = append(pages, names)
	}
	if diff := cmp.Diff([][]string{{"a/", "b%20%28x%29%2B/"}, {"c", "d"}}, pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	first, err := c.ListObjects(ctx, &s3.ListObjectsInput{Bucket: bucket, MaxKeys: aws.Int32(3), Prefix: aws.String("")})
	wantS3(t, err, "")
	if first == nil || len(first.Contents) != 3 || !*first.IsTruncated {
		t.Fatalf("first page of version 1: %+v", first)
	}
	rest, err := c.ListObjects(ctx, &s3.ListObjectsInput{Bucket: bucket, Marker: first.Contents[2].Key})
	wantS3(t, err, "")
	if rest != nil && (len(rest.Contents) != 2 || *rest.IsTruncated) {
		t.Errorf("rest of version 1: %+v", rest)
	}
	after, err := c.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: bucket, StartAfter: aws.String("b"), Prefix: aws.String("")})
	wantS3(t, err, "")
	if after != nil && *after.KeyCount != 3 {
		t.Errorf("behind b: %+v", after)
	}
	_, err = c.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: aws.String("no-bucket")})
	wantS3(t, err, "NoSuchBucket")
	_, err = c.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: bucket, ContinuationToken: aws.String("?")})
	wantS3(t, err, "InvalidParameter")
}
