package batch

import (
	"context"
	"net/http"
	"time"

	"plaza/server/apierr"
	"plaza/server/rest/settings"
)

// A batch holds its connection from the first request to the last. To keep batches
// from using the whole pool, at most half of the connections run batches, and at most
// a quarter run batches of anonymous callers. All parts of a batch together must
// finish within the statement timeout of the role or, without one, DB_TRANSACTION_TIMEOUT.

// Limiter limits the number of batches that run at the same time.
type Limiter struct {
	all, anonymous chan struct{}
	timeout        time.Duration // of Acquire
}

// NewLimiter returns a Limiter for the size of the connection pool.
func NewLimiter(c settings.Config) Limiter {
	return Limiter{
		all: make(chan struct{}, max(1, c.Pool/2)), anonymous: make(chan struct{}, max(1, c.Pool/4)),
		timeout: time.Duration(c.AcquireTimeout),
	}
}

// errTooMany is returned if batches already use their share of the connections.
var errTooMany = apierr.New(http.StatusServiceUnavailable, "PLZ012", "Too many transactions are running.").
	WithHint("Retry later, or send the requests one by one.")

// ErrTooLong is returned if the parts of a batch together exceed the timeout.
var ErrTooLong = apierr.New(http.StatusGatewayTimeout, "PLZ011", "The requests take too long together, and were undone.").
	WithHint("Send fewer requests in one transaction.")

// Acquire waits until a batch may run. The caller must call release after the batch.
//
// Errors: 503 PLZ012; the error of ctx.
func (l Limiter) Acquire(ctx context.Context, anonymous bool) (release func(), err error) {
	semaphores := []chan struct{}{l.all}
	if anonymous {
		semaphores = []chan struct{}{l.anonymous, l.all}
	}
	timer := time.NewTimer(l.timeout)
	defer timer.Stop()
	acquired := 0
	release = func() {
		for _, semaphore := range semaphores[:acquired] {
			<-semaphore
		}
	}
	for _, semaphore := range semaphores {
		select {
		case semaphore <- struct{}{}:
			acquired++
			continue
		case <-timer.C:
			err = errTooMany
		case <-ctx.Done():
			err = ctx.Err()
		}
		release()
		return nil, err
	}
	return release, nil
}
