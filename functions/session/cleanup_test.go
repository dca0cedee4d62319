package session_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/functions/session"
	"plaza/server/project"
	"plaza/tests/testkit/restkit"
)

const signedIn = `
	insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000a1', 'ana@example.com');
	insert into public.user_sessions (user_id, session_token)
	values ('00000000-0000-4000-8000-0000000000a1', encode(extensions.digest('right', 'sha256'), 'hex'))`

// AUTH-24, FN-13, S-19: only the right token marks a session, and the response is always the same.
func TestCleanup(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, signedIn)
	leave := session.Cleanup(project.Parts{DB: api.ServerDB, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	tests := []struct {
		name, body string
		closing    bool
	}{
		{"nothing", ``, false},
		{"no JSON", `right`, false},
		{"no token", `{}`, false},
		{"another token", `{"sessionToken": "wrong"}`, false},
		{"a token with a NUL", `{"sessionToken": "ri\u0000ght"}`, false},
		{"a long body", `{"sessionToken": "` + strings.Repeat("x", 2000) + `"}`, false},
		{"the token", `{"sessionToken": "right"}`, true},
	}
	for _, tt := range tests {
		answer := httptest.NewRecorder()
		leave.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/api/session-cleanup", strings.NewReader(tt.body)))
		if answer.Code != http.StatusNoContent || answer.Body.Len() > 0 {
			t.Errorf("%s: answered %d %s", tt.name, answer.Code, answer.Body)
		}
		var closing bool
		if err := api.DB.QueryRow(t.Context(), `select closing_at is not null from public.user_sessions`).Scan(&closing); err != nil {
			t.Fatal(err)
		}
		if closing != tt.closing {
			t.Errorf("%s: closing is %t, want %t", tt.name, closing, tt.closing)
		}
	}
}

// S-19: beacons of one address beyond the limit get the same response and are ignored.
// Those of another address, or in the next minute, are handled.
func TestCleanupIsLimited(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, signedIn)
	now := time.Now()
	leave := session.Cleanup(project.Parts{DB: api.ServerDB, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
	send := func(from, token string) (closing bool) {
		r := httptest.NewRequest(http.MethodPost, "/api/session-cleanup", strings.NewReader(`{"sessionToken": "`+token+`"}`))
		r.RemoteAddr = from
		answer := httptest.NewRecorder()
		leave.ServeHTTP(answer, r)
		if answer.Code != http.StatusNoContent || answer.Body.Len() > 0 {
			t.Errorf("answered %d %s", answer.Code, answer.Body)
		}
		if err := api.DB.QueryRow(t.Context(), `select closing_at is not null from public.user_sessions`).Scan(&closing); err != nil {
			t.Fatal(err)
		}
		return closing
	}
	const many, other = "203.0.113.1:1", "203.0.113.2:1"
	for range 120 {
		send(many, "wrong")
	}
	if send(many, "right") {
		t.Error("a beacon beyond the limit was handled")
	}
	if now = now.Add(time.Minute); !send(many, "right") {
		t.Error("the limit does not end")
	}
	api.Exec(t, `update public.user_sessions set closing_at = null`)
	for range 120 {
		send(many, "wrong")
	}
	if !send(other, "right") {
		t.Error("another address is limited too")
	}
}
