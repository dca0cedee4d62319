package http1

import (
	"strings"
	"testing"
)

// A request that arrives byte by byte is searched and parsed once, not again for each byte.
func TestPartialRequestsAreParsedOnce(t *testing.T) {
	head := "POST /rest/v1/films HTTP/1.1\r\nHost: example.com\r\nContent-Length: 20000\r\n" +
		strings.Repeat("X-Many: of them\r\n", 500) + "\r\n"
	request := head + strings.Repeat("x", 20000)
	c := &conn{buffer: make([]byte, 0, len(request))}
	var err error
	parse := func() {
		c.buffer = c.buffer[:0]
		for i := range len(request) {
			c.buffer = append(c.buffer, request[i])
			if err = c.parse(); err == nil {
				return
			}
		}
	}
	allocations := testing.AllocsPerRun(1, parse)
	if err != nil || c.request.ContentLength != 20000 || len(c.request.Header["X-Many"]) != 500 {
		t.Fatalf("%v, %d bytes, %d headers", err, c.request.ContentLength, len(c.request.Header["X-Many"]))
	}
	if allocations > 2000 { // about one for each repeated header
		t.Errorf("%.0f allocations for one request", allocations)
	}
	if c.searched != 0 || c.whole != 0 || len(c.buffer) != 0 {
		t.Errorf("left for the next request: %d searched, %d whole, %d bytes", c.searched, c.whole, len(c.buffer))
	}
}
