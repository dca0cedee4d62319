package storage_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"plaza/storage/blob/blobtest"
	"plaza/tests/testkit/s3server"
)

func TestS3Multipart(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, c, bucket, key := t.Context(), k.sdk(projectKeys()), aws.String("own"), aws.String("large")
	begun, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key, ContentType: aws.String("text/plain"), Metadata: map[string]string{"a": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	part := func(number int32, content []byte) types.CompletedPart {
		made, err := c.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: &number, Body: bytes.NewReader(content)})
		if err != nil {
			t.Fatal(err)
		}
		return types.CompletedPart{PartNumber: &number, ETag: made.ETag}
	}
	one, three := blobtest.Bytes(1, 300_000), blobtest.Bytes(3, 10)
	last := part(3, three)
	part(1, []byte("replaced"))
	first := part(1, one)
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: aws.String("source"), Body: strings.NewReader("0123456789")})
	wantS3(t, err, "")
	copied, err := c.UploadPartCopy(ctx, &s3.UploadPartCopyInput{
		Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: aws.Int32(2), CopySource: aws.String("own/source"), CopySourceRange: aws.String("bytes=2-5"),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.UploadPartCopy(ctx, &s3.UploadPartCopyInput{
		Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: aws.Int32(2), CopySource: aws.String("own/source"), CopySourceRange: aws.String("bytes=2-10"),
	})
	wantS3(t, err, "InvalidRange")
	second := types.CompletedPart{PartNumber: aws.Int32(2), ETag: copied.CopyPartResult.ETag}

	parts, err := c.ListParts(ctx, &s3.ListPartsInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, MaxParts: aws.Int32(2)})
	wantS3(t, err, "")
	if parts == nil || len(parts.Parts) != 2 || !*parts.IsTruncated || aws.ToString(parts.NextPartNumberMarker) != "2" || aws.ToString(parts.Parts[0].ETag) != *first.ETag || *parts.Parts[0].Size != 300_000 {
		t.Errorf("parts %+v", parts)
	}
	going, err := c.ListMultipartUploads(ctx, &s3.ListMultipartUploadsInput{Bucket: bucket, Prefix: aws.String("l")})
	wantS3(t, err, "")
	if going == nil || len(going.Uploads) != 1 || *going.Uploads[0].UploadId != *begun.UploadId {
		t.Errorf("uploads %+v", going)
	}
	complete := func(parts ...types.CompletedPart) (*s3.CompleteMultipartUploadOutput, error) {
		return c.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts}})
	}
	_, err = complete(second, first)
	wantS3(t, err, "InvalidPartOrder")
	_, err = complete(first, types.CompletedPart{PartNumber: aws.Int32(2), ETag: first.ETag})
	wantS3(t, err, "InvalidPart")
	_, err = complete(first, types.CompletedPart{PartNumber: aws.Int32(9), ETag: first.ETag})
	wantS3(t, err, "InvalidPart")
	done, err := complete(first, second, last)
	wantS3(t, err, "")
	if done == nil || !strings.HasSuffix(strings.Trim(aws.ToString(done.ETag), `"`), "-3") {
		t.Errorf("done %+v", done)
	}
	got, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key})
	wantS3(t, err, "")
	if got == nil || text(got.Body) != string(one)+"2345"+string(three) || got.Metadata["a"] != "b" || aws.ToString(got.ContentType) != "text/plain" {
		t.Error("the object is not its parts")
	}
	_, err = complete(first)
	wantS3(t, err, "NoSuchUpload")
	_, err = c.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader("late")})
	wantS3(t, err, "NoSuchUpload")

	begun, err = c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key})
	wantS3(t, err, "")
	part(1, one)
	_, err = c.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: aws.Int32(10_001), Body: strings.NewReader("x")})
	wantS3(t, err, "InvalidParameter")
	_, err = c.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: aws.String("other"), UploadId: begun.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader("x")})
	wantS3(t, err, "NoSuchUpload")
	_, err = c.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: bucket, Key: key, UploadId: begun.UploadId})
	wantS3(t, err, "")
	_, err = c.ListParts(ctx, &s3.ListPartsInput{Bucket: bucket, Key: key, UploadId: begun.UploadId})
	wantS3(t, err, "NoSuchUpload")
}

func TestS3Limits(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec("update storage.buckets set file_size_limit = 1000, allowed_mime_types = '{image/png}' where id = 'own'")
	ctx, c, bucket, key := t.Context(), k.sdk(projectKeys()), aws.String("own"), aws.String("k")
	_, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key, ContentType: aws.String("text/plain")})
	wantS3(t, err, "InvalidMimeType")
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: key, ContentType: aws.String("image/png"), Body: bytes.NewReader(make([]byte, 1001))})
	wantS3(t, err, "EntityTooLarge")
	begun, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key, ContentType: aws.String("image/png")})
	if err != nil {
		t.Fatal(err)
	}
	put := func(number int32, size int) error {
		_, err := c.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: &number, Body: strings.NewReader(strings.Repeat("<", size))})
		return err
	}
	wantS3(t, put(1, 600), "")
	wantS3(t, put(2, 600), "EntityTooLarge")
	wantS3(t, put(1, 900), "")
	wantS3(t, put(2, 100), "")
	_, err = c.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{Bucket: bucket, Key: key, UploadId: begun.UploadId})
	wantS3(t, err, "InvalidMimeType") // the content is text
	_, err = c.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: key})
	wantS3(t, err, "NotFound")
}

func TestS3OfUsers(t *testing.T) {
	t.Parallel()
	k := start(t)
	ctx, bucket := t.Context(), aws.String("own")
	mine, others := aws.String(ana+"/a"), aws.String(ben+"/a")
	c := k.sdk(k.userKeys(ana))
	_, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: others, Body: strings.NewReader("x")})
	wantS3(t, err, "AccessDenied")
	_, err = c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: others})
	wantS3(t, err, "AccessDenied")
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: mine, Body: strings.NewReader("mine")})
	wantS3(t, err, "")
	var owner string
	if err := k.db.QueryRow(ctx, "select owner_id from storage.objects").Scan(&owner); err != nil || owner != ana {
		t.Errorf("owner %q, %v", owner, err)
	}
	strange := k.sdk(k.userKeys(ben))
	_, err = strange.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: mine})
	wantS3(t, err, "NoSuchKey")
	_, err = strange.CopyObject(ctx, &s3.CopyObjectInput{Bucket: bucket, Key: others, CopySource: aws.String("own/" + *mine)})
	wantS3(t, err, "NoSuchKey")
	_, err = strange.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: bucket, Key: mine})
	wantS3(t, err, "AccessDenied")
	deleted, err := strange.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: bucket, Delete: &types.Delete{Objects: []types.ObjectIdentifier{{Key: mine}}}})
	wantS3(t, err, "")
	if deleted != nil && (len(deleted.Deleted) != 0 || len(deleted.Errors) != 1 || *deleted.Errors[0].Code != "AccessDenied") {
		t.Errorf("deleted %+v, %+v", deleted.Deleted, deleted.Errors)
	}
	listed, err := strange.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: bucket})
	wantS3(t, err, "")
	if listed != nil && len(listed.Contents) != 0 {
		t.Errorf("listed %+v", listed.Contents)
	}
	begun, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: mine})
	wantS3(t, err, "")
	if begun != nil {
		_, err = strange.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: mine, UploadId: begun.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader("x")})
		wantS3(t, err, "AccessDenied")
		_, err = strange.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: bucket, Key: mine, UploadId: begun.UploadId})
		wantS3(t, err, "AccessDenied")
	}
	for code, with := range map[string]keys{
		"InvalidJWT":            {"stub", k.auth.Keys.Anon, "no.jwt.this"},
		"AccessDenied":          {"other", k.auth.Keys.Anon, k.token(ana)},
		"SignatureDoesNotMatch": {"stub", "guess", k.token(ana)},
	} {
		_, err := k.sdk(with).ListBuckets(ctx, &s3.ListBucketsInput{})
		wantS3(t, err, code)
	}
}

// The blobs may be in an S3 bucket, which requires large parts.
func TestS3MultipartOnS3(t *testing.T) {
	t.Parallel()
	behind := s3server.Start(t)
	behind.Bucket(t, "bytes")
	k := start(t, "STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=bytes", "STORAGE_S3_ENDPOINT="+behind.Endpoint, "STORAGE_S3_FORCE_PATH_STYLE=true",
		"STORAGE_S3_REGION="+s3server.Region, "STORAGE_S3_ACCESS_KEY_ID="+s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY="+s3server.SecretKey)
	ctx, c, bucket, key := t.Context(), k.sdk(projectKeys()), aws.String("own"), aws.String("large")
	contents := [][]byte{blobtest.Bytes(1, 5<<20), blobtest.Bytes(2, 9<<20), blobtest.Bytes(3, 7)}
	upload := func(order ...int) (*s3.CompleteMultipartUploadOutput, error) {
		begun, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		var parts []types.CompletedPart
		for i, which := range order {
			number := aws.Int32(int32(i + 1))
			made, err := c.UploadPart(ctx, &s3.UploadPartInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: number, Body: bytes.NewReader(contents[which])})
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, types.CompletedPart{PartNumber: number, ETag: made.ETag})
		}
		return c.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts}})
	}
	_, err := upload(2, 0)
	wantS3(t, err, "EntityTooSmall")
	_, err = upload(0, 1, 2)
	wantS3(t, err, "")
	got, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key, Range: aws.String("bytes=5242870-")})
	wantS3(t, err, "")
	if want := string(contents[0][5242870:]) + string(contents[1]) + string(contents[2]); got == nil || text(got.Body) != want {
		t.Error("the object is not its parts")
	}
}
