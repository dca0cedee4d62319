package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestReadyRequestsTheServer(t *testing.T) {
	status := http.StatusOK
	requested := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested = r.URL.Path
		w.WriteHeader(status)
	}))
	defer web.Close()
	address, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLAZA_HOST", "0.0.0.0")
	t.Setenv("PLAZA_PORT", address.Port())
	if err := ready(t.Context(), nil); err != nil || requested != "/ready" {
		t.Errorf("a ready server: %v, requested %q", err, requested)
	}
	if err := ready(t.Context(), []string{web.URL + "/status"}); err != nil || requested != "/status" {
		t.Errorf("an address: %v, requested %q", err, requested)
	}
	if status = http.StatusServiceUnavailable; ready(t.Context(), nil) == nil {
		t.Error("a server that is not ready is taken for one that is")
	}
	if web.Close(); ready(t.Context(), nil) == nil {
		t.Error("no server is taken for one that is ready")
	}
}
