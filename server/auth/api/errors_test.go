package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"plaza/server/auth/store"
	"plaza/server/pg"
	"plaza/tests/testkit"
	"plaza/tests/testkit/restkit"
)

func TestTimeoutLeavesTimeForTheNextPrimary(t *testing.T) {
	t.Parallel()
	database := restkit.Replicated(t, testkit.PlatformURL(t), nil, "", func(c *pg.Config) { c.FailoverTimeout = time.Hour })
	var left time.Duration
	handler := (&base{Options: Options{Store: store.New(database.ServerDB)}}).handle(func(_ http.ResponseWriter, r *http.Request) error {
		deadline, _ := r.Context().Deadline()
		left = time.Until(deadline)
		return nil
	})
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	if left < time.Hour || left > time.Hour+requestTimeout {
		t.Errorf("a request has %s", left)
	}
}
