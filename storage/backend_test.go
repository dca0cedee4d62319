package storage_test

import (
	"net/http"
	"strings"
	"testing"

	"plaza/tests/testkit/s3server"
)

// The API behaves the same if the blobs are in an S3 bucket.
func TestObjectsInAnS3Bucket(t *testing.T) {
	t.Parallel()
	bytes := s3server.Start(t)
	bytes.Bucket(t, "objects")
	k := start(t, "STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=objects", "STORAGE_S3_ENDPOINT="+bytes.Endpoint, "STORAGE_S3_FORCE_PATH_STYLE=true",
		"STORAGE_S3_REGION="+s3server.Region, "STORAGE_S3_ACCESS_KEY_ID="+s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY="+s3server.SecretKey)
	mine := k.token(ana)
	path := "/own/" + ana + "/a.txt"
	for _, step := range []struct {
		what   string
		call   call
		status int
		code   string
		body   string
	}{
		{"a new object", call{method: "POST", path: "/object" + path, body: "0123456789"}, 200, "", ""},
		{"it once more", call{method: "POST", path: "/object" + path, body: "x"}, 400, "KeyAlreadyExists", ""},
		{"all of it", call{method: "GET", path: "/object" + path}, 200, "", "0123456789"},
		{"a part of it", call{method: "GET", path: "/object" + path, header: map[string]string{"Range": "bytes=2-4"}}, 206, "", "234"},
		{"another version", call{method: "PUT", path: "/object" + path, body: "new"}, 200, "", ""},
		{"what is new", call{method: "GET", path: "/object" + path}, 200, "", "new"},
		{"a copy", call{method: "POST", path: "/object/copy", body: `{"bucketId":"own","sourceKey":"` + ana + `/a.txt","destinationKey":"` + ana + `/b.txt"}`}, 200, "", ""},
		{"a move", call{method: "POST", path: "/object/move", body: `{"bucketId":"own","sourceKey":"` + ana + `/b.txt","destinationKey":"` + ana + `/c.txt"}`}, 200, "", ""},
		{"what was copied and moved", call{method: "GET", path: strings.Replace("/object"+path, "a.txt", "c.txt", 1)}, 200, "", "new"},
		{"nothing", call{method: "POST", path: "/object" + path + ".empty"}, 200, "", ""},
		{"nothing, read", call{method: "GET", path: "/object" + path + ".empty"}, 200, "", ""},
		{"its end", call{method: "DELETE", path: "/object" + path}, 200, "", ""},
		{"it after its end", call{method: "GET", path: "/object" + path}, 400, "NoSuchKey", ""},
	} {
		step.call.as = mine
		got := k.do(step.call)
		got.want(t, step.status, step.code)
		if step.call.method == http.MethodGet && step.code == "" && got.body != step.body {
			t.Errorf("%s: %q", step.what, got.body)
		}
	}
}
