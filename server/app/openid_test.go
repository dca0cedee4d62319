package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/config"
)

func TestLocalProviderReplacesGoogleInDevelopment(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		environ []string
		served  bool
	}{
		"development":                           {nil, true},
		"development with a client of Google's": {[]string{"GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID=a.apps.googleusercontent.com"}, false},
		"production": {[]string{
			"PLAZA_ENV=production", "SITE_URL=https://example.com", "GOTRUE_SMTP_HOST=mail.example.com", "GOTRUE_SMTP_ADMIN_EMAIL=a@example.com",
			"PLAZA_TRUSTED_PROXIES=10.0.0.0/8",
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, err := config.Load(tt.environ)
			if err != nil {
				t.Fatal(err)
			}
			mux := http.NewServeMux()
			local, err := localProvider(cfg, mux)
			if err != nil || (local != nil) != tt.served {
				t.Errorf("provider %v, %v, want one: %v", local, err, tt.served)
			}
			if _, pattern := mux.Handler(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/openid/authorize", nil)); (pattern != "") != tt.served {
				t.Errorf("/openid is served by %q, want served: %v", pattern, tt.served)
			}
		})
	}
}

// The local provider works even if API_EXTERNAL_URL can be reached only through a proxy.
func TestLocalProviderIsCalledInProcess(t *testing.T) {
	t.Parallel()
	cfg, err := config.Load([]string{"API_EXTERNAL_URL=https://dev.example.com/api"})
	if err != nil {
		t.Fatal(err)
	}
	local, err := localProvider(cfg, http.NewServeMux())
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: local.Network}
	response, err := client.Get(local.Issuer + "/.well-known/openid-configuration")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(local.Issuer, "https://dev.example.com/api/") {
		t.Errorf("%s answers %s", local.Issuer, response.Status)
	}
}
