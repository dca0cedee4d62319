package visits_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/functions/visits"
	"plaza/server/project"
	"plaza/tests/testkit/restkit"
)

const shop = `insert into public.businesses (id, name, type, location) values ('00000000-0000-4000-8000-00000000c001', 'One', 'Bar', 'Madrid')`

// An event counts once per visitor. Clients other than browsers and invalid events are not
// counted.
func TestRecord(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, shop)
	record := visits.Record(project.Parts{DB: api.ServerDB, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	const browser = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
	view := `{"business": "00000000-0000-4000-8000-00000000c001", "kind": "page_view"}`
	tests := []struct {
		name, from, agent, body string
		want                    string // events so far
	}{
		{"nothing", "203.0.113.1:1", browser, ``, "0"},
		{"no events", "203.0.113.1:1", browser, `{"events": []}`, "0"},
		{"no business", "203.0.113.1:1", browser, `{"events": [{"business": "x", "kind": "page_view"}]}`, "0"},
		{"no kind", "203.0.113.1:1", browser, `{"events": [{"business": "00000000-0000-4000-8000-00000000c001", "kind": "x"}]}`, "0"},
		{"a tool", "203.0.113.1:1", "curl/8", `{"events": [` + view + `]}`, "0"},
		{"too long", "203.0.113.1:1", browser, `{"events": [` + strings.Repeat(view+",", 400) + view + `]}`, "0"},
		{"a view", "203.0.113.1:1", browser, `{"events": [` + view + `, ` + view + `]}`, "1"},
		{"the same visitor", "203.0.113.1:2", browser, `{"events": [` + view + `]}`, "1"},
		{"another browser", "203.0.113.1:1", browser + " x", `{"events": [` + view + `]}`, "2"},
		{"another address", "203.0.113.2:1", browser, `{"events": [` + view + `]}`, "3"},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodPost, "/api/visits", strings.NewReader(tt.body))
		r.RemoteAddr = tt.from
		r.Header.Set("User-Agent", tt.agent)
		answer := httptest.NewRecorder()
		record.ServeHTTP(answer, r)
		if answer.Code != http.StatusNoContent {
			t.Errorf("%s: answered %d", tt.name, answer.Code)
		}
		var got string
		if err := api.DB.QueryRow(t.Context(), `select count(*)::text from private.business_events`).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("%s: %s events, want %s", tt.name, got, tt.want)
		}
	}
}
