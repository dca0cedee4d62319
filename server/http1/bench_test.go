package http1

import (
	"net/http"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	head := "GET /rest/v1/books?select=id,title,price,in_print,published&author_id=eq.77&order=id HTTP/1.1\r\nHost: 127.0.0.1:54321\r\napikey: sb_publishable_aaaaaaaaaaaaaaaaaaaaaaa\r\nAuthorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
	b.ReportAllocs()
	for range b.N {
		if !parseHead(new(http.Request), head) {
			b.Fatal("not simple")
		}
	}
}

func BenchmarkHead(b *testing.B) {
	h := http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Content-Range": {"0-11/*"}, "X-Request-Id": {"0123456789abcdef"}, "Access-Control-Allow-Origin": {"*"}, "Content-Length": {"1234"}, "Vary": {"Accept, Prefer, Range"}, "Content-Profile": {"public"}, "Access-Control-Expose-Headers": {"Content-Encoding, Content-Location"}}
	w := &response{conn: &conn{server: &Server{}}, header: h}
	b.ReportAllocs()
	for range b.N {
		w.out = w.out[:0]
		w.status = 200
		w.begin()
	}
}
