package ops_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"plaza/server/ops"
)

// The start page names what is served: /docs and /inbox can be turned off.
func TestLandingListsWhatIsServed(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for _, pattern := range []string{"/rest/v1", "/auth/v1/", "GET /health", "GET /ready"} {
		mux.Handle(pattern, http.NotFoundHandler())
	}
	list := func() []string {
		t.Helper()
		answer := httptest.NewRecorder()
		ops.Landing("shop", mux).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		var page struct{ API []string }
		if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil {
			t.Fatalf("%v: %s", err, answer.Body)
		}
		return page.API
	}
	if got, want := list(), []string{"/rest/v1", "/auth/v1", "/health", "/ready"}; !slices.Equal(got, want) {
		t.Errorf("the page lists %q, want %q", got, want)
	}
	mux.Handle("/docs", http.NotFoundHandler())
	if got := list(); !slices.Contains(got, "/docs") {
		t.Errorf("the page lists %q without /docs", got)
	}
}
