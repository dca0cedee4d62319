package process

import (
	"net/http"
	"syscall"
	"testing"
	"time"
)

// A server that receives the signal to stop is no longer ready, closes the proxy's kept connections, and serves
// until the proxy has noticed.
func TestServerDrainsBeforeItStops(t *testing.T) {
	t.Parallel()
	s := start(t, project(t), "PLAZA_DRAIN=1h", "DATABASE_URL="+ownCluster(t).URL()) // a database of its own survives the abrupt end
	ask := func(path string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("apikey", s.keys.Anon)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response
	}
	const notes = "/rest/v1/notes"
	if response := ask(notes); response.StatusCode != http.StatusOK || response.Close {
		t.Fatalf("before the signal: %s, closes the connection: %t", response.Status, response.Close)
	}
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for ask("/ready").StatusCode != http.StatusServiceUnavailable {
		<-tick.C
	}
	for _, path := range []string{notes, "/health"} {
		if response := ask(path); response.StatusCode != http.StatusOK || !response.Close {
			t.Errorf("%s while the server drains: %s, closes the connection: %t", path, response.Status, response.Close)
		}
	}
	if err := s.stop(t, syscall.SIGTERM); err == nil {
		t.Error("the second signal did not end the server at once")
	}
}
