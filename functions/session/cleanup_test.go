package session_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/functions/session"
	"plaza/tests/testkit/restkit"
)

const signedIn = `
	insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000a1', 'ana@example.com');
	insert into public.user_sessions (user_id, session_token)
	values ('00000000-0000-4000-8000-0000000000a1', encode(extensions.digest('right', 'sha256'), 'hex'))`

// AUTH-24, FN-13, S-19: only the right token marks a session, and every beacon is answered alike.
func TestCleanup(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, signedIn)
	leave := session.Cleanup(api.Door, slog.New(slog.DiscardHandler))
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
