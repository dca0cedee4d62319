package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestReadyAsksTheServer(t *testing.T) {
	status := http.StatusOK
	asked := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path
		w.WriteHeader(status)
	}))
	defer web.Close()
	address, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLAZA_HOST", "0.0.0.0")
	t.Setenv("PLAZA_PORT", address.Port())
	if err := ready(t.Context(), nil); err != nil || asked != "/ready" {
		t.Errorf("a ready server: %v, asked %q", err, asked)
	}
	if err := ready(t.Context(), []string{web.URL + "/status"}); err != nil || asked != "/status" {
		t.Errorf("an address: %v, asked %q", err, asked)
	}
	if status = http.StatusServiceUnavailable; ready(t.Context(), nil) == nil {
		t.Error("a server that is not ready is taken for one that is")
	}
	if web.Close(); ready(t.Context(), nil) == nil {
		t.Error("no server is taken for one that is ready")
	}
}
