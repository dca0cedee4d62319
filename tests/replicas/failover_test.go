package replicas

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plaza/server/pg"
	"plaza/tests/testkit/restkit"
)

// The primary dies and its replica takes over: reads continue, writes get 503 meanwhile, and
// nothing is restarted.
func TestFailoverToNewPrimary(t *testing.T) {
	t.Parallel()
	s := startPair(t)
	first, second := s.primary.URL(), s.standby.URL()
	_, rest, _ := strings.Cut(second, "@")
	host, _, _ := strings.Cut(rest, "/")
	both := strings.Replace(first, "/postgres?", ","+host+"/postgres?target_session_attrs=read-write&", 1)
	s.API = restkit.Replicated(t, both, []string{second}, fixture, nil)
	s.listen(t, new(atomic.Int64)) // its connection is lost, and reads are kept from replicas until that changes
	s.eventually(t, "the replica answers", func() bool { return s.onReplica(t, "ben") })
	s.add(t, "ana", "ana")
	s.eventually(t, "the replica answers the writer", func() bool { return s.onReplica(t, "ana") })

	if err := s.primary.Kill(); err != nil {
		t.Fatal(err)
	}
	write := func() int {
		response, _ := s.ask(t, "ana", restkit.Case{Method: http.MethodPatch, Path: "/counters?owner=eq.ana", Body: `{"n":2}`})
		return response.StatusCode
	}
	for range 20 {
		if status := write(); status != http.StatusServiceUnavailable {
			t.Errorf("a write without a primary: %d", status)
		}
		if got := s.sees(t, "ana", nil); got != `[{"owner":"ana","n":1,"replica":true}]` {
			t.Errorf("a read without a primary: %s", got)
		}
	}
	s.onStandby(t, "select pg_promote()")
	s.eventually(t, "writes are taken again", func() bool {
		status := write()
		if status != http.StatusNoContent && status != http.StatusServiceUnavailable {
			t.Fatalf("a write after the promotion: %d", status)
		}
		return status == http.StatusNoContent
	})
	if got := s.sees(t, "ana", nil); got != `[{"owner":"ana","n":2,"replica":false}]` {
		t.Errorf("after the promotion: %s", got)
	}
}

// A read that the primary was to answer, since the schema may have changed, does not wait for a new primary.
func TestReadIsAnsweredByReplicaIfThePrimaryCannotBeReached(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *pg.Config) { c.FailoverTimeout = time.Hour })
	s.ServerDB.AnnounceReload()
	if s.onReplica(t, "ben") {
		t.Error("the replica answers, which may lack the change")
	}
	if err := s.primary.Kill(); err != nil {
		t.Fatal(err)
	}
	if !s.onReplica(t, "ben") {
		t.Error("the primary answers")
	}
}

// A replica that is promoted refuses nothing by itself: Plaza ends the reads that run on it.
func TestReadOnPromotedReplicaRunsOnPrimary(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	answer := s.startBlockedRead(t)
	s.onStandby(t, "select pg_promote()")
	if got := <-answer; got != "200 false" {
		t.Errorf("the read: %s", got)
	}
}
