package process

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"
)

// A request that was under way when the server was killed is not sent again; those that waited are.
func TestWebhooksAreNotRepeatedAfterAKill(t *testing.T) {
	t.Parallel()
	var calls [2]atomic.Int64
	arrived, second := make(chan struct{}), make(chan struct{}, 1)
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/first":
			if calls[0].Add(1) == 1 {
				close(arrived)
			}
			<-r.Context().Done()
		case "/second":
			calls[1].Add(1)
			second <- struct{}{}
		}
	}))
	t.Cleanup(outside.Close)
	root := project(t)
	addMigration(t, root, `
		create function public.send(path text) returns bigint language sql security definer as $$ select net.http_get('`+outside.URL+`' || path, timeout_milliseconds => 60000) $$;`)
	s := start(t, root, "PG_NET_BATCH_SIZE=1")
	s.mustCall(t, http.StatusOK, http.MethodPost, "/rest/v1/rpc/send", s.keys.Service, `{"path":"/first"}`)
	<-arrived
	s.mustCall(t, http.StatusOK, http.MethodPost, "/rest/v1/rpc/send", s.keys.Service, `{"path":"/second"}`)
	_ = s.stop(t, syscall.SIGKILL)
	start(t, root)
	<-second
	if calls[0].Load() != 1 {
		t.Errorf("the request that was under way arrived %d times", calls[0].Load())
	}
}
