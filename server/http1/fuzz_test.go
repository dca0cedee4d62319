package http1_test

import (
	"strings"
	"testing"
)

// FuzzRequests compares the server with net/http's: both must interpret every request in the
// same way.
func FuzzRequests(f *testing.F) {
	for _, seed := range []string{
		get, get + get, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + get,
		"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get,
		"GET / HTTP/1.1\r\nHost : h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n X: y\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\n\r\nabc", "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n",
	} {
		f.Add(seed)
	}
	standard, ours := start(f, netHTTP, echo), start(f, fastHTTP, echo)
	f.Fuzz(func(t *testing.T, request string) {
		want, got := standard.exchange(t, request), ours.exchange(t, request)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q\n got %q\nwant %q", request, got, want)
		}
	})
}
