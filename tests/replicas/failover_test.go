package replicas

import (
	"net/http"
	"strings"
	"testing"

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
