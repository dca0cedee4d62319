package rest_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/server/httpx"
	"plaza/tests/testkit/restkit"
)

func TestAccessLogNamesTheRole(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	var log bytes.Buffer
	routes := httpx.Observe(slog.New(slog.NewTextHandler(&log, nil)), time.Now, api.Server.Routes("/rest/v1"))
	request := httptest.NewRequest(http.MethodGet, "/rest/v1/actors", nil)
	request.Header.Set("apikey", api.Auth.Keys.Anon)
	request.Header.Set("Authorization", "Bearer "+api.Token(t, ana))
	routes.ServeHTTP(httptest.NewRecorder(), request)
	if !strings.Contains(log.String(), "role=authenticated") {
		t.Errorf("log: %s", &log)
	}
}
