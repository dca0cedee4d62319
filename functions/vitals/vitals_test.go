package vitals

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/project"
)

// UI-08, UI-09, UI-10: a value equal to a limit is still rated good, or acceptable.
func TestRatings(t *testing.T) {
	t.Parallel()
	for metric, values := range map[string][4]float64{
		"lcp": {2500, 2501, 4000, 4001}, "fid": {100, 101, 300, 301}, "cls": {0.1, 0.11, 0.25, 0.26}, "inp": {200, 201, 500, 501},
	} {
		var got [4]string
		for i, value := range values {
			got[i] = known[metric].rate(value)
		}
		if want := [4]string{"good", "acceptable", "acceptable", "poor"}; got != want {
			t.Errorf("%s: %v, want %v", metric, got, want)
		}
	}
}

// Paths are counted by route, so that their number is bounded; what is no measurement is ignored.
func TestRecord(t *testing.T) {
	t.Parallel()
	var v Vitals
	record := v.Record(project.Parts{Now: time.Now})
	for _, body := range []string{
		`{"path": "/business/a", "lcp": 900, "cls": 0, "inp": 300}`,
		`{"path": "/business/b", "lcp": 5000}`,
		`{"path": "/no-such-page", "fid": 120}`,
		`{"path": "/business/c", "lcp": -1}`, `{"path": "/business/c", "lcp": "fast"}`, `{}`, ``, `[]`,
		`{"path": "/business/` + strings.Repeat("x", maxBody) + `", "lcp": 900}`,
	} {
		answer := httptest.NewRecorder()
		record.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/api/vitals", strings.NewReader(body)))
		if answer.Code != http.StatusNoContent {
			t.Errorf("%.40s: answered %d", body, answer.Code)
		}
	}
	want := map[measured]uint64{
		{"lcp", "/business/:id", "good"}: 1, {"cls", "/business/:id", "good"}: 1, {"inp", "/business/:id", "acceptable"}: 1,
		{"lcp", "/business/:id", "poor"}: 1, {"fid", "other", "acceptable"}: 1,
	}
	if diff := cmp.Diff(want, v.views.All()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
