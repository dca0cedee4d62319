package httpx

import (
	"io"
	"net/http"
	"time"
)

// Limits of reading a refused body.
const (
	lingerBytes = 8 << 20
	lingerTime  = 5 * time.Second
)

// DrainBody reads the body of a refused request, within limits, before the response is sent. A client may
// not read the response before it has sent its whole body. The connection is closed after the
// response.
func DrainBody(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	// If the connection does not support a deadline, only lingerBytes limits the read.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, r.Body, lingerBytes)
}
