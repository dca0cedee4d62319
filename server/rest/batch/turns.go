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

// Turns limits the number of batches that run at the same time.
type Turns struct {
	all, anonymous chan struct{}
	timeout        time.Duration // for acquiring a turn
}

// NewTurns returns limits that depend on the size of the connection pool.
func NewTurns(c settings.Config) Turns {
	return Turns{
		all: make(chan struct{}, max(1, c.Pool/2)), anonymous: make(chan struct{}, max(1, c.Pool/4)),
		timeout: time.Duration(c.AcquireTimeout),
	}
}

// errNoTurn is returned if batches already use their share of the connections.
var errNoTurn = apierr.New(http.StatusServiceUnavailable, "PLZ012", "Too many transactions are running.").
	WithHint("Retry later, or send the requests one by one.")

// ErrTooLong is returned if the parts of a batch together exceed the timeout.
var ErrTooLong = apierr.New(http.StatusGatewayTimeout, "PLZ011", "The requests take too long together, and were undone.").
	WithHint("Send fewer requests in one transaction.")

// Take waits for a turn. The caller must call end after the batch.
//
// Errors: 503 PLZ012; the error of ctx.
func (t Turns) Take(ctx context.Context, anonymous bool) (end func(), err error) {
	semaphores := []chan struct{}{t.all}
	if anonymous {
		semaphores = []chan struct{}{t.anonymous, t.all}
	}
	timer := time.NewTimer(t.timeout)
	defer timer.Stop()
	acquired := 0
	end = func() {
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
			err = errNoTurn
		case <-ctx.Done():
			err = ctx.Err()
		}
		end()
		return nil, err
	}
	return end, nil
}
