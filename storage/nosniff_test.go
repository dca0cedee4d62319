package storage_test

import (
	"net/http"
	"testing"
)

func TestEveryAnswerForbidsSniffing(t *testing.T) {
	t.Parallel()
	k := start(t)
	user := k.token(ana)
	k.do(call{method: "POST", path: "/object/open/" + ana + "/a", as: user, header: map[string]string{"Content-Type": "text/plain"}, body: "x"}).want(t, http.StatusOK, "")
	for _, c := range []call{
		{method: "GET", path: "/object/public/open/" + ana + "/a"},
		{method: "HEAD", path: "/object/public/open/" + ana + "/a"},
		{method: "GET", path: "/object/public/open/none"},
		{method: "GET", path: "/object/info/public/open/" + ana + "/a"},
		{method: "GET", path: "/render/image/public/open/" + ana + "/a"},
		{method: "POST", path: "/object/list/open", as: user, body: `{"prefix":""}`},
		{method: "GET", path: "/bucket", as: user},
		{method: "GET", path: "/bucket"},
		{method: "GET", path: "/nothing"},
		{method: "GET", path: "/status"},
		{method: "OPTIONS", path: "/bucket", header: map[string]string{"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}},
		{method: "OPTIONS", path: "/upload/resumable"},
		{method: "POST", path: "/upload/resumable"},
		{method: "HEAD", path: "/upload/resumable/none", as: user},
		{method: "GET", path: "/s3/open?list-type=2"},
		{method: "GET", path: "/s3/"},
	} {
		if got := k.do(c).Header["X-Content-Type-Options"]; len(got) != 1 || got[0] != "nosniff" {
			t.Errorf("%s %s: X-Content-Type-Options %q", c.method, c.path, got)
		}
	}
}
