package testusers_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/functions"
	"plaza/functions/testusers"
	"plaza/server/claims"
	"plaza/server/project"
	"plaza/tests/testkit/restkit"
)

const (
	ada  = "00000000-0000-4000-8000-0000000000a1"
	ben  = "00000000-0000-4000-8000-0000000000b1"
	test = "00000000-0000-4000-8000-0000000000c1"
)

const fixture = `
	insert into auth.users (id, email) values ('` + ada + `', 'ada@example.com'), ('` + ben + `', 'ben@example.com'), ('` + test + `', 'buyer@test.plaza.test');
	update private.profiles set role = 'admin' where id = '` + ada + `';
	update private.profiles set is_test = true where id = '` + test + `'`

// ADMIN-TEST-08, S-55: a token for an admin, of a marked test user, and not in production.
func TestLogIn(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, fixture)
	verifier := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(verifier, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	parts := project.Parts{
		DB: api.ServerDB, Auth: &claims.Authenticator{Verifier: verifier, Keys: keys}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		SignInToken: func(_ context.Context, email string) (string, error) { return "token of " + email, nil },
	}
	web := functions.Handler("/functions/v1", parts, testusers.LogIn(parts))
	call := func(user, body string) (int, string) {
		t.Helper()
		token := keys.Anon
		if user != "" {
			if token, err = verifier.Mint(map[string]any{"role": "authenticated", "sub": user, "exp": time.Now().Add(time.Hour).Unix()}); err != nil {
				t.Fatal(err)
			}
		}
		r := httptest.NewRequest(http.MethodPost, "/functions/v1/log-in-as-test-user", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		web.ServeHTTP(answer, r)
		return answer.Code, answer.Body.String()
	}
	forTest := `{"user": "` + test + `"}`
	for _, tt := range []struct {
		name, user, body string
		status           int
		want             string
	}{
		{"an admin", ada, forTest, 200, `{"token_hash":"token of buyer@test.plaza.test"}`},
		{"an admin, as a real user", ada, `{"user": "` + ben + `"}`, 404, "not_a_test_user"},
		{"an admin, as nobody", ada, `{"user": "x"}`, 404, "not_a_test_user"},
		{"an admin, without a body", ada, `{"user"`, 400, "bad_json"},
		{"a user", ben, forTest, 403, "not_admin"},
		{"the test user", test, forTest, 403, "not_admin"},
		{"a visitor", "", forTest, 401, "not_authenticated"},
	} {
		if status, got := call(tt.user, tt.body); status != tt.status || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, status, got, tt.status, tt.want)
		}
	}
	var logged string
	const log = `select string_agg(new_data ->> 'logged_in_as', ', ') from public.audit_logs where user_id = $1`
	if err := api.DB.QueryRow(t.Context(), log, ada).Scan(&logged); err != nil || logged != "buyer@test.plaza.test" {
		t.Errorf("the audit log has %q, %v", logged, err)
	}
	api.Exec(t, `update plaza.environment set production_since = now()`)
	if status, got := call(ada, forTest); status != 403 || !strings.Contains(got, "test_tools_off") {
		t.Errorf("in production: %d %s", status, got)
	}
}
