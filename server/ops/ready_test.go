package ops_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/ops"
)

type pinger struct{ err error }

func (p pinger) Ping(context.Context) error { return p.err }

func TestReady(t *testing.T) {
	t.Parallel()
	parts := map[string]func() string{"realtime": func() string { return "interrupted" }}
	for _, c := range []struct {
		err    error
		stops  bool
		status int
		body   string
	}{
		{nil, false, 200, `{"realtime":"interrupted","status":"ready"}`},
		{errors.New("no"), false, 503, `{"realtime":"interrupted","status":"database unreachable"}`},
		{nil, true, 503, `{"realtime":"interrupted","status":"stopping"}`},
	} {
		answer := httptest.NewRecorder()
		ops.Ready(pinger{c.err}, func() bool { return c.stops }, parts).ServeHTTP(answer, httptest.NewRequest("GET", "/ready", nil))
		if got := strings.TrimSpace(answer.Body.String()); answer.Code != c.status || got != c.body {
			t.Errorf("%v: %d %s", c.err, answer.Code, got)
		}
	}
}
