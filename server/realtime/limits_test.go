package realtime

import (
	"testing"
	"time"
)

// The rates of other servers count against a limit and in the rate that clients see, but not in the usage
// that this server sends to the others.
func TestRateOfAllServers(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	r := newRate(10, func() time.Time { return now })
	if r.add(6) {
		t.Error("6 of 10 exceed the limit")
	}
	r.others.Store(4)
	if r.add(0) || r.current() != 10 || r.own() != 6 {
		t.Errorf("6 here and 4 elsewhere: %d in all, %d here", r.current(), r.own())
	}
	if !r.add(1) {
		t.Error("7 here and 4 elsewhere do not exceed 10")
	}
	r.others.Store(0)
	if r.add(0) {
		t.Error("what other servers no longer use counts")
	}
}
