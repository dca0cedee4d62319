package batch

import (
	"context"
	"net/http"
	"time"

	"plaza/server/apierr"
	"plaza/server/rest/settings"
)

// A transaction of several requests keeps its connection from the first to the
// last. So that such requests cannot take all connections, they have a share of
// them, anonymous ones half of that, and all their parts together have the time
// that a single statement of the role has.

// Turns bounds the transactions that run at once.
type Turns struct {
	all, anonymous chan struct{}
	wait           time.Duration // for a turn
}

// NewTurns bounds batches by the connections there are.
func NewTurns(c settings.Config) Turns {
	return Turns{
		all: make(chan struct{}, max(1, c.Pool/2)), anonymous: make(chan struct{}, max(1, c.Pool/4)),
		wait: time.Duration(c.AcquireTimeout),
	}
}

// errNoTurn reports that transactions have their share of the connections.
var errNoTurn = apierr.New(http.StatusServiceUnavailable, "PLZ012", "Too many transactions are running.").
	WithHint("Ask again later, or send the requests one by one.")

// ErrTooLong reports that the parts of a transaction took too long together.
var ErrTooLong = apierr.New(http.StatusGatewayTimeout, "PLZ011", "The requests take too long together, and were undone.").
	WithHint("Send fewer requests in one transaction.")

// Take waits for a turn. end must be called when it is over.
//
// Errors: 503 PLZ012; ctx's.
func (t Turns) Take(ctx context.Context, anonymous bool) (end func(), err error) {
	places := []chan struct{}{t.all}
	if anonymous {
		places = []chan struct{}{t.anonymous, t.all}
	}
	timeout := time.NewTimer(t.wait)
	defer timeout.Stop()
	taken := 0
	end = func() {
		for _, place := range places[:taken] {
			<-place
		}
	}
	for _, place := range places {
		select {
		case place <- struct{}{}:
			taken++
			continue
		case <-timeout.C:
			err = errNoTurn
		case <-ctx.Done():
			err = ctx.Err()
		}
		end()
		return nil, err
	}
	return end, nil
}
