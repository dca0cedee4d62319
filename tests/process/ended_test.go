package process

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"plaza/tests/testkit"
)

// Two servers on one database: sessions ended by one of them, or by SQL, are refused by both, in
// the data API, storage and auth.
func TestEndedSessionsAndBansApplyToAllServers(t *testing.T) {
	t.Parallel()
	yours := ownCluster(t)
	database := yours.URL()
	root := project(t)
	dir := folder(t) // with the shared secrets
	settings := []string{"DATABASE_URL=" + database, "GOTRUE_MAILER_AUTOCONFIRM=true", "GOTRUE_DISABLE_SIGNUP=false"}
	first := startIn(t, root, dir, settings...)
	second := startIn(t, root, dir, settings...)
	db := testkit.Open(t, database)

	member := func(email string) (token, id string) {
		t.Helper()
		status, body := first.call(t, http.MethodPost, "/auth/v1/signup", first.keys.Anon, `{"email":"`+email+`","password":"Long-enough-1"}`)
		var made struct {
			Token string `json:"access_token"`
			User  struct{ ID string }
		}
		if err := json.Unmarshal([]byte(body), &made); err != nil || made.Token == "" {
			t.Fatalf("sign-up: %d %s", status, body)
		}
		return made.Token, made.User.ID
	}
	surfaces := []string{"/rest/v1/notes", "/storage/v1/bucket", "/auth/v1/user"}
	wants := func(s *server, token, code string, wait bool) {
		t.Helper()
		for _, path := range surfaces {
			for {
				status, body := s.callAs(t, http.MethodGet, path, s.keys.Anon, token, "")
				refused := status >= 400 && (code == "" || path != "/auth/v1/user" || strings.Contains(body, code))
				if refused == (code != "") {
					break
				}
				if !wait || t.Context().Err() != nil {
					t.Fatalf("%s: %d %s, want code %q", path, status, body, code)
				}
			}
		}
	}

	token, _ := member("ana@example.com")
	wants(first, token, "", false)
	wants(second, token, "", false)
	if status, body := first.callAs(t, http.MethodPost, "/auth/v1/logout", first.keys.Anon, token, ""); status != http.StatusNoContent {
		t.Fatalf("sign-out: %d %s", status, body)
	}
	wants(first, token, "session_not_found", false)
	wants(second, token, "session_not_found", true)
	if status, body := first.callAs(t, http.MethodGet, "/rest/v1/notes", first.keys.Anon, token, ""); status != http.StatusUnauthorized || !strings.Contains(body, "PGRST303") {
		t.Errorf("the data API: %d %s", status, body)
	}

	token, id := member("ben@example.com")
	if _, err := db.Exec(t.Context(), "update auth.users set banned_until = now() + interval '1 day' where id = $1", id); err != nil {
		t.Fatal(err)
	}
	wants(first, token, "user_banned", true)
	wants(second, token, "user_banned", true)
	if _, err := db.Exec(t.Context(), "update auth.users set banned_until = null where id = $1", id); err != nil {
		t.Fatal(err)
	}
	wants(first, token, "", true)
	wants(second, token, "", true)

	// A server that starts later refuses them, too.
	if _, err := db.Exec(t.Context(), "delete from auth.sessions where user_id = $1", id); err != nil {
		t.Fatal(err)
	}
	third := startIn(t, root, dir, settings...)
	wants(third, token, "session_not_found", false)
}
