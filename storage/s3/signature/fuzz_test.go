package signature

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// readBody reads the body of a request whose signature may be invalid.
func readBody(t testing.TB, s *Signature, headers, body string) (string, error) {
	t.Helper()
	text := fmt.Sprintf("PUT /b/k HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n%s\r\n%s", len(body), headers, body)
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := s.Body(r, exampleSecret)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	content, err := io.ReadAll(opened)
	return string(content), err
}

// FuzzChunks checks that any body has the declared length or is refused with an error
// for the client.
func FuzzChunks(f *testing.F) {
	f.Add("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", 5, false)
	f.Add(exampleChunks()[65000:], 66560, true)
	f.Add("0;chunk-signature=\r\n\r\n", 0, true)
	f.Add("ffffffffffffffff\r\n", 1, false)
	f.Fuzz(func(t *testing.T, body string, size int, signed bool) {
		s := &Signature{Payload: trailerUnsigned, Time: exampleTime}
		if signed {
			s.Payload = chunksSigned
		}
		content, err := readBody(t, s, fmt.Sprintf("X-Amz-Decoded-Content-Length: %d\r\nX-Amz-Trailer: x-amz-checksum-crc32\r\n", size), body)
		switch {
		case err == nil && len(content) != size:
			t.Errorf("%d bytes were declared, %d came", size, len(content))
		case err == nil && signed && size > 0:
			t.Error("a signature was guessed")
		case err != nil && strings.Contains(codeOf(err), " "):
			t.Errorf("not an error for clients: %v", err)
		}
	})
}

// FuzzRequest checks that no URL and header cause a panic, and that only valid
// signatures are accepted.
func FuzzRequest(f *testing.F) {
	f.Add("/test.txt", "", "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host,Signature="+strings.Repeat("0", 64))
	f.Add("/b/%C3%A4;+%2F", "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a%2F20130524%2F%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=1&X-Amz-SignedHeaders=host&X-Amz-Signature="+strings.Repeat("f", 64), "")
	f.Add("", "a=%zz&;=&=", "AWS4-HMAC-SHA256 ")
	v := verifierAt(exampleTime)
	f.Fuzz(func(t *testing.T, path, query, authorization string) {
		r := &http.Request{
			Method: http.MethodGet, Host: "h", URL: &url.URL{Path: path, RawQuery: query}, RequestURI: path + "?" + query,
			Header: http.Header{"Authorization": {authorization}, "X-Amz-Date": {"20130524T000000Z"}},
		}
		s, err := Parse(r)
		if err != nil {
			if codeOf(err) == err.Error() {
				t.Errorf("not an error for clients: %v", err)
			}
			return
		}
		if err := v.Verify(r, s, exampleSecret); err == nil {
			t.Error("a signature was guessed")
		}
	})
}

// FuzzEscapes checks that a canonical query contains the same parameters, sorted.
func FuzzEscapes(f *testing.F) {
	f.Add("b=2&a=1&a=0&c")
	f.Add("x=%20+&y=%2b;z")
	f.Fuzz(func(t *testing.T, raw string) {
		query, err := parseQuery(raw)
		if err != nil {
			return
		}
		canonical := (&Signature{}).canonicalQuery(query)
		again, err := parseQuery(canonical)
		if err != nil || len(again) != len(query) {
			t.Fatalf("%q became %q: %v", raw, canonical, err)
		}
		if twice := (&Signature{}).canonicalQuery(again); twice != canonical {
			t.Errorf("%q became %q, then %q", raw, canonical, twice)
		}
	})
}
