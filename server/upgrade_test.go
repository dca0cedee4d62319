package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestUpgradeCheck(t *testing.T) {
	latest := ""
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+packageName+"/latest" {
			t.Errorf("requested %s", r.URL)
		}
		_, _ = fmt.Fprintf(w, `{"version":%q}`, latest)
	}))
	t.Cleanup(registry.Close)
	t.Setenv("npm_config_registry", registry.URL)
	tests := []struct {
		name, version, latest string
		wantOutput, failed    string
	}{
		{"a newer one", "v0.9.0", "0.10.0", "", "v0.10.0 is available, and this is v0.9.0"},
		{"the newest", "v0.10.0", "0.10.0", "v0.10.0 is the newest release", ""},
		{"after the newest", "v0.10.1-3-gabc", "0.10.0", "v0.10.1-3-gabc is the newest", ""},
		{"before the release that it leads to", "v1.0.0-rc.1", "1.0.0", "", "v1.0.0 is available"},
		{"without a tag", "22b008bb", "0.10.0", "This build (22b008bb) is no release; the newest release is v0.10.0", ""},
		{"an answer that is no version", "v0.9.0", "newest", "", `has the version "newest"`},
	}
	for _, tt := range tests {
		latest = tt.latest
		var out strings.Builder
		err := checkVersion(t.Context(), &out, tt.version)
		if (err != nil) != (tt.failed != "") || err != nil && !strings.Contains(err.Error(), tt.failed) || !strings.Contains(out.String(), tt.wantOutput) {
			t.Errorf("%s: output %q, %v", tt.name, out.String(), err)
		}
	}
	if err := upgrade(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "--check") {
		t.Errorf("without --check: %v", err)
	}
}
