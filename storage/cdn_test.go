package storage_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// purge is a purge request that the CDN received.
type purge struct{ path, authorization, body string }

// newCDN starts a substitute for a CDN, which responds with a status that tests can change. purges receives its requests.
func newCDN(t *testing.T, status *int) (address string, purges chan purge) {
	t.Helper()
	purges = make(chan purge, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		purges <- purge{r.Method + " " + r.URL.Path, r.Header.Get("Authorization"), string(body)}
		w.WriteHeader(*status)
	}))
	t.Cleanup(server.Close)
	return server.URL, purges
}

func TestPurgesAreForwardedToTheCDN(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	address, purges := newCDN(t, &status)
	k := start(t, "CDN_PURGE_ENDPOINT_URL="+address+"/v1/", "CDN_PURGE_ENDPOINT_KEY=a-key", "TENANT_ID=plaza")
	service := k.auth.Keys.Service
	for path, want := range map[string]string{
		"/cdn":                               `{"type":"tenant","tenant":{"ref":"plaza"}}`,
		"/cdn?transformations=true":          `{"type":"tenant-transforms","tenant":{"ref":"plaza"}}`,
		"/cdn/open":                          `{"type":"bucket","tenant":{"ref":"plaza"},"bucketId":"open"}`,
		"/cdn/open/a%20b/c.png":              `{"type":"object","tenant":{"ref":"plaza"},"bucketId":"open","objectName":"a b/c.png"}`,
		"/cdn/open/c.png?transformations=1":  "",
		"/cdn/open/c?transformations=true":   `{"type":"object-transforms","tenant":{"ref":"plaza"},"bucketId":"open","objectName":"c"}`,
		"/cdn/gone?transformations=false":    `{"type":"bucket","tenant":{"ref":"plaza"},"bucketId":"gone"}`,
		"/cdn/open/%2e%2e%2fx?anything=else": `{"type":"object","tenant":{"ref":"plaza"},"bucketId":"open","objectName":"../x"}`,
	} {
		got := k.do(call{method: "DELETE", path: path, as: service})
		if want == "" {
			got.want(t, 400, "InvalidRequest")
			continue
		}
		if got.StatusCode != 200 || got.body != `{"message":"success"}` {
			t.Errorf("DELETE %s: %d %s", path, got.StatusCode, got.body)
			continue
		}
		if sent, wantSent := <-purges, (purge{"POST /v1/purge", "Bearer a-key", want}); sent != wantSent {
			t.Errorf("DELETE %s sent %+v, want %+v", path, sent, wantSent)
		}
	}
	k.do(call{method: "DELETE", path: "/cdn/open", as: k.token(ana)}).want(t, 403, "AccessDenied")
	k.do(call{method: "DELETE", path: "/cdn/open"}).want(t, 400, "AccessDenied")
	status = http.StatusTeapot
	k.do(call{method: "DELETE", path: "/cdn/open", as: service}).want(t, 500, "InternalError")
	<-purges
	if len(purges) > 0 {
		t.Errorf("an unauthorized request purged %+v", <-purges)
	}
}

func TestCDNIsPurgedWhenABucketBecomesPrivate(t *testing.T) {
	t.Parallel()
	status := http.StatusInternalServerError // does not affect the client's response
	address, purges := newCDN(t, &status)
	k := start(t, "CDN_PURGE_ENDPOINT_URL="+address)
	for _, change := range []call{
		{method: "PUT", path: "/bucket/open", body: `{"file_size_limit":1000}`},
		{method: "PUT", path: "/bucket/open", body: `{"public":true}`},
		{method: "PUT", path: "/bucket/open", body: `{"public":false}`},
		{method: "DELETE", path: "/bucket/shut"},
	} {
		change.as = k.auth.Keys.Service
		k.do(change).want(t, 200, "")
	}
	for _, bucket := range []string{"open", "shut"} {
		want := purge{"POST /purge", "", `{"type":"bucket","tenant":{"ref":"stub"},"bucketId":"` + bucket + `"}`}
		select {
		case got := <-purges:
			if got != want {
				t.Errorf("purged %+v, want %+v", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("no purge of bucket %s arrived", bucket)
		}
	}
}

func TestWithoutACDN(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.do(call{method: "DELETE", path: "/cdn/open", as: k.auth.Keys.Service}).want(t, 400, "MissingParameter")
}
