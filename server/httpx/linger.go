package httpx

import (
	"io"
	"net/http"
	"time"
)

// Limits of what is read of a refused body.
const (
	lingerBytes = 8 << 20
	lingerTime  = 5 * time.Second
)

// Linger lets a client that is refused finish what it sends, within limits, before
// it is answered: it would not read the answer before. The connection ends then.
func Linger(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	// Where the connection takes no deadline, the bytes bound it.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, r.Body, lingerBytes)
}
