package storage_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"plaza/server/freespace"
	"plaza/storage"
)

// startOnDisk starts a server with a guard of 1000 bytes on a file system whose free
// space is set by the test.
func startOnDisk(t *testing.T, free *atomic.Int64) *kit {
	t.Helper()
	return startWith(t, func(d *storage.Deps) {
		d.Measure = func(folder string) (freespace.Space, error) {
			if folder == "" {
				return freespace.Space{}, errors.New("the free space of no folder was requested")
			}
			return freespace.Space{Free: free.Load(), Total: 1 << 40}, nil
		}
	}, "STORAGE_MIN_FREE_BYTES=1000")
}

func TestUploadsLeaveTheFloorOfFreeSpace(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	free.Store(1 << 30)
	k := startOnDisk(t, &free)
	ctx, c := t.Context(), k.sdk(projectKeys())
	put := call{method: "POST", path: "/object/own/" + ana + "/a", as: k.token(ana), header: map[string]string{"Content-Type": "text/plain"}, body: "content"}
	k.do(put).want(t, http.StatusOK, "")
	begun, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: aws.String("own"), Key: aws.String("parts")})
	wantS3(t, err, "")

	free.Store(1006)
	put.path = "/object/own/" + ana + "/b"
	k.do(put).want(t, http.StatusInsufficientStorage, "InsufficientStorage")
	resumable := k.do(call{method: "POST", path: "/upload/resumable", as: k.token(ana), body: "content", header: map[string]string{
		"Tus-Resumable": "1.0.0", "Upload-Length": "7", "Upload-Metadata": described("bucketName", "own", "objectName", ana+"/c"),
		"Content-Type": "application/offset+octet-stream",
	}})
	if resumable.StatusCode != http.StatusInsufficientStorage {
		t.Errorf("resumable: %d %s", resumable.StatusCode, resumable.body)
	}
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("own"), Key: aws.String("d"), Body: strings.NewReader("content")})
	wantS3(t, err, "InsufficientStorage")
	_, err = c.UploadPart(ctx, &s3.UploadPartInput{Bucket: aws.String("own"), Key: aws.String("parts"), UploadId: begun.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader("content")})
	wantS3(t, err, "InsufficientStorage")

	k.do(call{method: "GET", path: "/object/own/" + ana + "/a", as: k.token(ana)}).want(t, http.StatusOK, "")
	k.do(call{method: "DELETE", path: "/object/own/" + ana + "/a", as: k.token(ana)}).want(t, http.StatusOK, "")
	free.Store(1007)
	k.do(put).want(t, http.StatusOK, "")
}

func TestAResumableUploadThatCannotFitIsRefusedAtItsBeginning(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	free.Store(2000)
	k := startOnDisk(t, &free)
	for length, want := range map[string]int{"1001": http.StatusInsufficientStorage, "1000": http.StatusCreated} {
		got := k.do(call{method: "POST", path: "/upload/resumable", as: k.token(ana), header: map[string]string{
			"Tus-Resumable": "1.0.0", "Upload-Length": length, "Upload-Metadata": described("bucketName", "own", "objectName", ana+"/"+length),
		}})
		if got.StatusCode != want {
			t.Errorf("%s bytes: %d %s, want %d", length, got.StatusCode, got.body, want)
		}
	}
}
