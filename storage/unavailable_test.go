package storage_test

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"plaza/tests/testkit/s3server"
)

// While the object storage is away, requests that need it get 503, and can be repeated.
func TestUnavailableObjectStorageGets503(t *testing.T) {
	t.Parallel()
	bytes := s3server.Start(t)
	bytes.Bucket(t, "objects")
	target, err := url.Parse(bytes.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	way := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // it is signed
	}})
	t.Cleanup(way.Close)
	k := start(t, "STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=objects", "STORAGE_S3_ENDPOINT="+way.URL, "STORAGE_S3_FORCE_PATH_STYLE=true", "STORAGE_MEMORY_CACHE_SIZE=0",
		"STORAGE_S3_REGION="+s3server.Region, "STORAGE_S3_ACCESS_KEY_ID="+s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY="+s3server.SecretKey)
	upload := call{method: "POST", path: "/object/own/" + ana + "/a.txt", body: strings.Repeat("a", 100_000), as: k.token(ana)}
	k.do(upload).want(t, 200, "")
	way.CloseClientConnections()
	way.Close()
	k.do(call{method: "GET", path: upload.path, as: upload.as}).want(t, 503, "ServiceUnavailable")
	upload.path += ".new"
	k.do(upload).want(t, 503, "ServiceUnavailable")
}
