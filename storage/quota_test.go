package storage_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"plaza/server/claims"
)

// quotas limits ana to 100 bytes in bucket own.
const quotas = `insert into storage.quotas (bucket_id, max_bytes) values ('own', 100)`

func TestAQuotaHasTheSameCodeInEveryProtocol(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(quotas)
	large := strings.Repeat("x", 101)
	plain := call{method: "POST", path: "/object/own/" + ana + "/a", as: k.token(ana), header: map[string]string{"Content-Type": "text/plain"}, body: large}
	refused := k.do(plain).want(t, http.StatusBadRequest, "QuotaExceeded")
	if !strings.Contains(refused.body, `"statusCode":"413"`) {
		t.Error(refused.body)
	}
	resumable := call{method: "POST", path: "/upload/resumable", as: k.token(ana), header: map[string]string{
		"Tus-Resumable": "1.0.0", "Upload-Length": "101", "Upload-Metadata": described("bucketName", "own", "objectName", ana+"/b"),
	}}
	if got := k.do(resumable); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("resumable: %d %s", got.StatusCode, got.body)
	}
	_, err := k.sdk(k.userKeys(ana)).PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("own"), Key: aws.String(ana + "/c"), Body: strings.NewReader(large)})
	wantS3(t, err, "QuotaExceeded")
	var response *smithyhttp.ResponseError
	if !errors.As(err, &response) || response.HTTPStatusCode() != http.StatusForbidden {
		t.Errorf("S3: %v", err)
	}
	plain.body = large[:100]
	k.do(plain).want(t, http.StatusOK, "")
}

func TestAFormThatFillsTheQuotaIsStored(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(quotas)
	form := func(key string, size int) call {
		body := "--b\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n3600\r\n--b\r\n" +
			"Content-Disposition: form-data; name=\"\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat("x", size) + "\r\n--b--\r\n"
		return call{method: "POST", path: "/object/own/" + ana + "/" + key, as: k.token(ana), header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"}, body: body}
	}
	k.do(form("a", 101)).want(t, http.StatusBadRequest, "QuotaExceeded")
	k.do(form("a", 100)).want(t, http.StatusOK, "")
}

func TestCallersSeeNeitherQuotasNorUsage(t *testing.T) {
	t.Parallel()
	k := start(t)
	for _, role := range []string{claims.Anon, claims.Authenticated} {
		for _, table := range []string{"quotas", "usage", "shared_usage"} {
			var may bool
			err := k.db.QueryRow(t.Context(), `select has_table_privilege($1, 'storage.' || $2, 'select, insert, update, delete')`, role, table).Scan(&may)
			if err != nil || may {
				t.Errorf("%s may use %s: %v, %v", role, table, may, err)
			}
		}
	}
}
