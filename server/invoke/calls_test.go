package invoke_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/invoke"
)

func TestCallsAreCountedByOutcome(t *testing.T) {
	t.Parallel()
	functions := map[string]invoke.Function{
		"good": {Serve: respondWith("fine")},
		"picky": {Serve: func(http.ResponseWriter, *http.Request) error {
			return apierr.New(http.StatusUnprocessableEntity, "picky", "No")
		}},
		"broken": {Serve: func(http.ResponseWriter, *http.Request) error { return errors.New("boom") }},
		"slow": {Limits: invoke.Limits{HeaderTimeout: time.Millisecond}, Serve: func(_ http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			return r.Context().Err()
		}},
		"half": {Serve: func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusOK)
			return errors.New("boom")
		}},
		"any-1": {Wildcard: true, Serve: respondWith("")}, "any-2": {Wildcard: true, Serve: respondWith("")},
	}
	find := func(name string) (invoke.Function, bool) {
		f, ok := functions[name]
		f.Access = invoke.Unchecked
		return f, ok
	}
	var calls invoke.Calls
	gate := invoke.New(&claims.Authenticator{}, slog.New(slog.DiscardHandler), time.Now, find).Counted(&calls).Routes("/functions/v1")
	web := httptest.NewServer(httpx.Observe(slog.New(slog.DiscardHandler), time.Now, gate))
	t.Cleanup(web.Close)
	for _, name := range []string{"good", "good", "picky", "broken", "slow", "half", "any-1", "any-2", "unknown"} {
		if response, err := http.Get(web.URL + "/functions/v1/" + name); err == nil {
			_ = response.Body.Close()
		}
	}
	web.Close() // waits until all calls have been counted
	got := map[string]map[string]uint64{}
	for name, stats := range calls.Stats() {
		got[name] = stats.Outcomes
		if stats.Running != 0 || stats.Spent <= 0 {
			t.Errorf("%s: %d run, %s spent", name, stats.Running, stats.Spent)
		}
	}
	want := map[string]map[string]uint64{
		"good": {"ok": 2}, "picky": {"refused": 1}, "broken": {"failed": 1}, "slow": {"timeout": 1}, "half": {"broken_off": 1}, "*": {"ok": 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}
