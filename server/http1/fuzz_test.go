package http1_test

import (
	"strings"
	"testing"
)

// FuzzRequests holds the server against net/http's: no request may be read in
// another way.
func FuzzRequests(f *testing.F) {
	for _, seed := range []string{
		get, get + get, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + get,
		"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get,
		"GET / HTTP/1.1\r\nHost : h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n X: y\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\n\r\nabc", "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n",
	} {
		f.Add(seed)
	}
	theirs, mine := start(f, plainHTTP, echo), start(f, ours, echo)
	f.Fuzz(func(t *testing.T, request string) {
		want, got := theirs.said(t, request), mine.said(t, request)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q\n got %q\nwant %q", request, got, want)
		}
	})
}
