package provider_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/auth/provider"
	"plaza/server/internet"
)

// realNetwork returns a set on the real network.
func realNetwork(near bool) *provider.Set {
	return provider.New(provider.Config{}, provider.Options{Callback: callback, AllowLocal: near, Now: now})
}

func TestAdminsCannotReachThisMachine(t *testing.T) {
	t.Parallel()
	var reached int
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached++
		_, _ = fmt.Fprintf(w, `{"issuer": %[1]q, "authorization_endpoint": %[1]q, "token_endpoint": %[1]q, "jwks_uri": %[1]q}`, "http://"+r.Host)
	}))
	t.Cleanup(web.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(web.URL, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		address := "http://" + host + ":" + port
		if _, err := realNetwork(false).Discover(t.Context(), address, ""); !errors.Is(err, internet.ErrPrivate) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if reached != 0 {
		t.Errorf("the machine was reached %d times", reached)
	}
	if _, err := realNetwork(true).Discover(t.Context(), web.URL, ""); err != nil {
		t.Errorf("in development: %v", err)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect led to another host") }))
	t.Cleanup(other.Close)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/large"):
			_, _ = w.Write([]byte(`{"issuer": "` + strings.Repeat("a", 2<<20) + `"}`))
		case strings.HasPrefix(r.URL.Path, "/away"):
			http.Redirect(w, r, other.URL, http.StatusFound)
		default:
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}
	}))
	t.Cleanup(web.Close)
	for path, want := range map[string]string{"/large": "too large", "/away": "redirects to", "/round": "redirects to"} {
		if _, err := realNetwork(true).Discover(t.Context(), web.URL+path, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://id.test", "ftp://id.test", "https://", "id.test", "https://u:p@id.test", "https://id.test/#a", "https://id.test/" + strings.Repeat("a", 2048), "javascript:alert(1)"} {
		if realNetwork(false).CheckAddress(address) == nil {
			t.Errorf("%q may be entered", address)
		}
	}
	if err := realNetwork(false).CheckAddress("https://id.test:8443/realm"); err != nil {
		t.Error(err)
	}
	if err := realNetwork(true).CheckAddress("http://127.0.0.1:9000"); err != nil {
		t.Error(err)
	}
}
