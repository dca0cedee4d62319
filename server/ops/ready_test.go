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
		status int
		body   string
	}{
		{nil, 200, `{"realtime":"interrupted","status":"ready"}`},
		{errors.New("no"), 503, `{"realtime":"interrupted","status":"database unreachable"}`},
	} {
		answer := httptest.NewRecorder()
		ops.Ready(pinger{c.err}, parts).ServeHTTP(answer, httptest.NewRequest("GET", "/ready", nil))
		if got := strings.TrimSpace(answer.Body.String()); answer.Code != c.status || got != c.body {
			t.Errorf("%v: %d %s", c.err, answer.Code, got)
		}
	}
}
